// SPDX-License-Identifier: MIT
//
// Functions that are bound to their lists: everything is checked once, and a run costs little more than the work.
//
// The closure (closures.h) holds the lists and passes them in each run. Each run reads their addresses and lengths
// again: a buffer can be detached, transferred, shrunk or moved between two runs, and its old memory must not be
// touched. The numbers that address memory, index lists and parents, are copied when the function is made.
#pragma once

#include "call.h"
#include "collected_memory.h"

namespace poselane {

/// (job, parameter, lists)
template <typename Job> napi_value runBound(napi_env env, napi_callback_info info) {
    Arguments<2 + Job::Lists::kCount> arguments;
    Job* job;
    if (!arguments.read(env, info) || !readCollected(env, arguments.values[0], &job) ||
        !job->parameter.read(env, arguments.values + 1) || !job->lists.readAgain(env, arguments.values + 2) ||
        !job->lists.haveRoom(job->used()) || !job->lists.areSeparate(job->used())) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    return job->run() ? done() : refuse(env);
}

/// (allocate, lists, options): makes a job, followed in memory by the numbers that it keeps. It refuses empty lists, as
/// a call does, and also a job on 0 elements.
template <typename Job> napi_value bind(napi_env env, napi_callback_info info) {
    static_assert(std::is_trivially_destructible_v<Job> && alignof(Job) >= alignof(int), "numbers follow the job");
    Arguments<1 + Job::Lists::kCount + Job::kOptions, const Kernels> arguments;
    int scratch[kMaxChunk];
    Job job;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const lists = arguments.values + 1;
    job.kernel = arguments.data->*Job::kMember;
    if (!job.lists.read(env, lists) || !job.parseOptions(env, lists + Job::Lists::kCount, *arguments.data, scratch) ||
        job.used() == 0) {
        return refuse(env);
    }
    CollectedMemory memory(env, arguments.values[0]);
    const size_t numbers = static_cast<size_t>(job.numbersToKeep());
    void* const piece = memory.allocate(sizeof(Job) + numbers * sizeof(int));
    if (piece == nullptr) {
        return refuse(env);
    }
    Job* const kept = new (piece) Job(job);
    return numbers == 0 || kept->keep(reinterpret_cast<int*>(kept + 1)) ? done() : refuse(env);
}

} // namespace poselane
