// SPDX-License-Identifier: MIT
#include "closures.h"

#include "rig_calls.h"

namespace poselane {

namespace {

// Source text of the functions on a LoadedSlots.
#define POSELANE_NAME(call, ...) #call ", "
#define POSELANE_CLOSURE(call, _, arguments)                                                                           \
#call ": (" POSELANE_PARAMETERS_##arguments ") => " #call "(slots.first, " POSELANE_PARAMETERS_##arguments         \
        ", slots), "
#define POSELANE_PARAMETERS_2 "a, b"
#define POSELANE_PARAMETERS_3 POSELANE_PARAMETERS_2 ", c"
#define POSELANE_PARAMETERS_4 POSELANE_PARAMETERS_3 ", d"
#define POSELANE_PARAMETERS_5 POSELANE_PARAMETERS_4 ", e"
#define POSELANE_PARAMETERS_6 POSELANE_PARAMETERS_5 ", f"
#define POSELANE_PARAMETERS_7 POSELANE_PARAMETERS_6 ", g"
#define POSELANE_PARAMETERS_8 POSELANE_PARAMETERS_7 ", h"
#define POSELANE_PARAMETERS_9 POSELANE_PARAMETERS_8 ", i"

// No other code may see the memory: this script neither sets nor reads a property for which other code could have
// defined a setter or getter, and it uses the ArrayBuffer that existed when the addon was loaded. The addon does not
// read the last argument of a call: that argument keeps all pieces alive until the call is over, whatever the compiler
// finds out about the closure. Each closure has source text of its own, so that the compiler knows which function it
// calls.
constexpr const char* kScript = R"js('use strict';
(() => {
    const Buffer = ArrayBuffer;
    // The first piece of memory that `fill` asks for, and what keeps all pieces, and `more`, alive.
    const filled = (fill, more, a, b, c, d, e) => {
        let first;
        let memory = more;
        const allocate = (bytes) => {
            try {
                const piece = new Buffer(bytes);
                first ??= piece;
                memory = { piece, memory };
                return piece;
            } catch {
                return null;
            }
        };
        return fill(allocate, a, b, c, d, e) === undefined && { first, memory };
    };
    return {
        bound: (bind, run) => (a, b, c, d, e) => {
            const job = filled(bind, null, a, b, c, d, e);
            return job && ((t) => run(job.first, t, a, b, c, d));
        },
        rig: (load, select, )js" POSELANE_RIG_KERNELS(POSELANE_NAME) R"js() => {
            const kernels = (slots) => ({ )js" POSELANE_RIG_KERNELS(POSELANE_CLOSURE) R"js(});
            return (tables) => {
                const rig = filled(load, null, tables);
                return (
                    rig &&
                    ((list) => {
                        const slots = filled(select, rig, rig.first, list);
                        return slots && kernels(slots);
                    })
                );
            };
        },
    };
})();
)js";

} // namespace

napi_status makeClosures(napi_env env, napi_value* closures) {
    napi_value script;
    const napi_status status = napi_create_string_utf8(env, kScript, NAPI_AUTO_LENGTH, &script);
    return status == napi_ok ? napi_run_script(env, script, closures) : status;
}

} // namespace poselane
