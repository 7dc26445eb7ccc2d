// SPDX-License-Identifier: MIT
//
// Functions that are bound to their lists: everything is checked once, and a run costs little more than the work.
//
// Lists of floats are held by strong references. Where their memory is, and how much of it, is read anew in each run:
// a buffer can be detached, transferred, shrunk or moved in between, and what it held then must not be touched. The
// numbers that address memory, index lists and parents, are copied when the function is made.
#pragma once

#include "call.h"
#include "rig_arrays.h"

namespace poselane {

template <typename Job> struct Bound {
    Job job;
    OwnedArray<int> numbers;
    napi_ref lists[Job::Lists::kCount];
};

template <typename Job> void release(napi_env env, Bound<Job>* bound) {
    for (napi_ref list : bound->lists) {
        if (list != nullptr) {
            napi_delete_reference(env, list);
        }
    }
    delete bound;
}

template <typename Job> void finalize(napi_env env, void* data, void*) { release(env, static_cast<Bound<Job>*>(data)); }

/// (parameter, where the job has one)
template <typename Job> napi_value runBound(napi_env env, napi_callback_info info) {
    using Parameter = typename Job::Parameter;
    napi_value values[Parameter::kArguments + 1];
    size_t count = Parameter::kArguments;
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, values, nullptr, &data);
    Bound<Job>& bound = *static_cast<Bound<Job>*>(data);
    Job& job = bound.job;
    if (!job.parameter.read(env, values) || !job.lists.readAgain(env, bound.lists) || !job.lists.haveRoom(job.used()) ||
        !job.lists.areSeparate(job.used())) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    return job.run() ? done() : refuse(env);
}

/// (lists, options) => run. Empty lists are refused as in a call, and so is a list of no elements.
template <typename Job> napi_value bind(napi_env env, napi_callback_info info) {
    const Arguments<Job::Lists::kCount + Job::kOptions> arguments(env, info);
    int scratch[kMaxChunk];
    Job job;
    if (!job.lists.read(env, arguments.values) ||
        !job.parseOptions(env, arguments.values + Job::Lists::kCount, *arguments.kernels, scratch) || job.used() == 0) {
        return refuse(env);
    }
    Bound<Job>* const bound = new Bound<Job>();
    bound->job = job;
    const int numbers = job.numbersToKeep();
    napi_value function = nullptr;
    bool ok =
        numbers == 0 || (bound->numbers.allocate(static_cast<size_t>(numbers)) && bound->job.keep(bound->numbers.data));
    for (size_t i = 0; ok && i < Job::Lists::kCount; i++) {
        ok = napi_create_reference(env, arguments.values[i], 1, &bound->lists[i]) == napi_ok;
    }
    ok = ok && napi_create_function(env, nullptr, 0, runBound<Job>, bound, &function) == napi_ok &&
         napi_add_finalizer(env, function, bound, finalize<Job>, nullptr, nullptr) == napi_ok;
    if (!ok) {
        release(env, bound);
        return refuse(env);
    }
    return function;
}

} // namespace poselane
