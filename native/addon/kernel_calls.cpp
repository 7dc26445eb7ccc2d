// SPDX-License-Identifier: MIT
#include "kernel_calls.h"

#include "bound.h"
#include "call.h"
#include "joint_jobs.h"
#include "list_jobs.h"

namespace poselane {

namespace {

struct Definition {
    const char* name;
    napi_callback call;
    napi_callback timed;
    /// Null where the routine has no bound form.
    napi_callback bind;
    napi_callback run;
    bool present;
};

template <typename Job> Definition define(const char* name, const Kernels& kernels) {
    return {name, callOnce<Job>, callTimed<Job>, nullptr, nullptr, kernels.*Job::kMember != nullptr};
}

template <typename Job> Definition defineBindable(const char* name, const Kernels& kernels) {
    return {name, callOnce<Job>, callTimed<Job>, bind<Job>, runBound<Job>, kernels.*Job::kMember != nullptr};
}

} // namespace

void defineKernelCalls(Builder& builder, napi_value closures, const Functions& functions, const Kernels* kernels) {
    const Definition definitions[] = {
#define POSELANE_BINDABLE(routine, ...) defineBindable<RoutineJob<__VA_ARGS__, &Kernels::routine>>(#routine, *kernels),
        POSELANE_STRICT_ROUTINES(POSELANE_BINDABLE)
#undef POSELANE_BINDABLE
#define POSELANE_CALL(routine, ...) define<RoutineJob<__VA_ARGS__, &Kernels::routine>>(#routine, *kernels),
            POSELANE_SCALAR_ROUTINES(POSELANE_CALL)
#undef POSELANE_CALL
    };
    for (const auto& [name, call, timed, bind, run, present] : definitions) {
        if (!present) {
            continue;
        }
        builder.set(functions.kernels, name, builder.function(name, call, kernels));
        builder.set(functions.timed, name, builder.function(name, timed, kernels));
        if (bind != nullptr) {
            const napi_value bound[] = {builder.function(name, bind, kernels), builder.function(name, run)};
            builder.set(functions.bind, name, builder.closure(closures, "bound", bound));
        }
    }
}

} // namespace poselane
