// SPDX-License-Identifier: MIT
#include "closures.h"

namespace poselane {

namespace {

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
        rig: (load, select, evaluate, blend, toGlobal, palettes, joints, castRays, bakePalettes, skinVertices, bounds) => {
            const kernels = (slots) => ({
                evaluate: (a, b, c, d, e, f) => evaluate(slots.first, a, b, c, d, e, f, slots),
                blend: (a, b, c, d, e, f, g) => blend(slots.first, a, b, c, d, e, f, g, slots),
                toGlobal: (a, b) => toGlobal(slots.first, a, b, slots),
                palettes: (a, b, c, d, e) => palettes(slots.first, a, b, c, d, e, slots),
                joints: (a, b, c, d) => joints(slots.first, a, b, c, d, slots),
                castRays: (a, b, c, d, e, f, g, h, i) =>
                    castRays(slots.first, a, b, c, d, e, f, g, h, i, slots),
                bakePalettes: (a, b, c, d, e, f, g, h, i, j) =>
                    bakePalettes(slots.first, a, b, c, d, e, f, g, h, i, j, slots),
                skinVertices: (a, b, c, d, e) => skinVertices(slots.first, a, b, c, d, e, slots),
                bounds: (a, b, c, d) => bounds(slots.first, a, b, c, d, slots),
            });
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
