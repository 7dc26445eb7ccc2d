// SPDX-License-Identifier: MIT
//
// The functions that JavaScript calls: a job (job.h) once, or many times to be timed.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../core/chunks.h"
#include "../kernels.h"
#include "float_environment.h"
#include "float_lists.h"
#include "timer.h"

namespace poselane {

inline napi_value done() { return nullptr; }

inline napi_value refuse(napi_env env) {
    napi_value value = nullptr;
    napi_get_boolean(env, false, &value);
    return value;
}

/// The arguments of a call, and the data that its function was made with.
template <size_t N, typename Data = void> struct Arguments {
    napi_value values[N];
    Data* data;

    /// Arguments that were not passed read as undefined.
    bool read(napi_env env, napi_callback_info info) {
        size_t count = N;
        void* pointer = nullptr;
        const bool ok = napi_get_cb_info(env, info, &count, values, nullptr, &pointer) == napi_ok;
        data = static_cast<Data*>(pointer);
        return ok;
    }
};

/// How many arguments a call of the job takes: lists, parameter, options.
template <typename Job> constexpr size_t kArgumentsOf = Job::Lists::kCount + Job::Parameter::kArguments + Job::kOptions;

/// `scratch` has room for kMaxChunk numbers and must outlive the job.
template <typename Job>
bool parse(napi_env env, const napi_value* values, const Kernels& kernels, Job* job, int* scratch) {
    const napi_value* const parameter = values + Job::Lists::kCount;
    job->kernel = kernels.*Job::kMember;
    return job->lists.read(env, values) && job->parameter.read(env, parameter) &&
           job->parseOptions(env, parameter + Job::Parameter::kArguments, kernels, scratch);
}

template <typename Job> napi_value callOnce(napi_env env, napi_callback_info info) {
    Arguments<kArgumentsOf<Job>, const Kernels> arguments;
    int scratch[kMaxChunk];
    Job job;
    if (!arguments.read(env, info) || !parse(env, arguments.values, *arguments.data, &job, scratch)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    return job.run() ? done() : refuse(env);
}

/// The same call, many times, each timed: (samples: Float64Array, source: Float32Array, …arguments of the call). Before
/// each call the bytes of `source` are copied to the destination, as many as both have. A sample is in ticks of the
/// timer, less the time that reading the timer takes.
template <typename Job> napi_value callTimed(napi_env env, napi_callback_info info) {
    Arguments<kArgumentsOf<Job> + 2, const Kernels> arguments;
    int scratch[kMaxChunk];
    View<double> samples;
    View<float> source;
    Job job;
    if (!arguments.read(env, info) || !readView(env, arguments.values[0], napi_float64_array, &samples) ||
        !readFloats(env, arguments.values[1], &source) ||
        !parse(env, arguments.values + 2, *arguments.data, &job, scratch) || !job.wouldRun()) {
        return refuse(env);
    }
    const size_t sourceBytes = source.length * sizeof(float);
    const size_t copied = sourceBytes < job.destinationBytes() ? sourceBytes : job.destinationBytes();
    const ByteRange destination(job.destination(), job.destinationBytes());
    if (overlap(destination, {source.data, sourceBytes}) ||
        overlap(destination, {samples.data, samples.length * sizeof(double)})) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    const uint64_t overhead = timerOverhead();
    for (size_t i = 0; i < samples.length; i++) {
        memcpy(job.destination(), source.data, copied);
        finishWrites();
        const uint64_t start = readTimer();
        const bool finished = job.run();
        const uint64_t ticks = readTimer() - start;
        if (!finished) {
            return refuse(env);
        }
        samples.data[i] = ticks > overhead ? static_cast<double>(ticks - overhead) : 0.0;
    }
    return done();
}

} // namespace poselane
