// SPDX-License-Identifier: MIT
//
// A job is one routine's call, checked: `parse` reads and checks the arguments without writing anything, `run` does the
// work and may be repeated. Both return false to refuse. `destination`/`destinationBytes` say what `run` writes, and
// `wouldRun` whether it would, which `run` finds out for itself.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../kernels.h"
#include "float_environment.h"
#include "timer.h"
#include "views.h"

namespace poselane {

/// What TypeScript passes for "as many as the buffers hold".
constexpr int kAll = -1;

inline napi_value done() { return nullptr; }

inline napi_value refuse(napi_env env) {
    napi_value value = nullptr;
    napi_get_boolean(env, false, &value);
    return value;
}

template <size_t N> struct Arguments {
    napi_value values[N];
    const Kernels* kernels;

    /// Arguments that were not passed read as undefined.
    Arguments(napi_env env, napi_callback_info info) {
        size_t count = N;
        void* data = nullptr;
        napi_get_cb_info(env, info, &count, values, nullptr, &data);
        kernels = static_cast<const Kernels*>(data);
    }
};

/// A whole number from `least` up. (napi_get_value_int32 would make something of every number: 1 of 2^32 + 1.)
inline bool readInt(napi_env env, napi_value value, int least, int* result) {
    double number;
    if (napi_get_value_double(env, value, &number) != napi_ok || !(number >= least && number <= INT32_MAX)) {
        return false;
    }
    *result = static_cast<int>(number);
    return *result == number;
}

/// Without a count every list must hold the same whole number of elements; with one, at least that many.
inline bool resolveCount(size_t lengthA, size_t floatsA, size_t lengthB, size_t floatsB, int* count) {
    if (*count == kAll) {
        const size_t elements = lengthA / floatsA;
        if (lengthA % floatsA != 0 || lengthB % floatsB != 0 || lengthB / floatsB != elements || elements > INT32_MAX) {
            return false;
        }
        *count = static_cast<int>(elements);
        return true;
    }
    const size_t elements = static_cast<size_t>(*count);
    return lengthA / floatsA >= elements && lengthB / floatsB >= elements;
}

template <typename Job> napi_value callOnce(napi_env env, napi_callback_info info) {
    const Arguments<Job::kArguments> arguments(env, info);
    Job job;
    if (!job.parse(env, arguments.values, *arguments.kernels)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    return job.run() ? done() : refuse(env);
}

/// The same call, many times, each timed: (samples: Float64Array, source: Float32Array, …arguments of the call).
/// Before each time the destination gets the bytes of `source`, as much of it as there is. A sample is in the timer's
/// ticks, what reading the timer takes not counted.
template <typename Job> napi_value callTimed(napi_env env, napi_callback_info info) {
    const Arguments<Job::kArguments + 2> arguments(env, info);
    View<double> samples;
    View<float> source;
    Job job;
    if (!readView(env, arguments.values[0], napi_float64_array, &samples) ||
        !readFloats(env, arguments.values[1], &source) || !job.parse(env, arguments.values + 2, *arguments.kernels) ||
        !job.wouldRun()) {
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
