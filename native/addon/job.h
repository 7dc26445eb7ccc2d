// SPDX-License-Identifier: MIT
//
// A job is one routine's call: its lists of floats, the number that changes from call to call where it has one, and
// its options, in this order among the arguments.
//
// `parseOptions` comes when the lists and the parameter are read. It resolves and checks everything, the lists
// included, and writes nothing; `run` does the work and may be repeated. Both return false to refuse. `wouldRun` says
// whether `run` would find fault, where it finds that out for itself.
//
// Bound functions (bound.h) keep a job. For them `used` says how many elements of the lists `run` may touch, and `keep`
// copies the numbers that the job addresses memory with, `numbersToKeep` of them, to where they stay.
#pragma once

#include "float_lists.h"

namespace poselane {

struct NoParameter {
    static constexpr size_t kArguments = 0;
    bool read(napi_env, const napi_value*) { return true; }
};

struct FloatParameter {
    static constexpr size_t kArguments = 1;

    bool read(napi_env env, const napi_value* values) {
        return napi_get_value_double(env, values[0], &number_) == napi_ok;
    }

    /// Only under a FloatEnvironment: this rounds.
    float value() const { return static_cast<float>(number_); }

private:
    double number_;
};

template <typename Lists_, typename Parameter_> struct Job {
    using Lists = Lists_;
    using Parameter = Parameter_;

    Lists lists;
    Parameter parameter;

    bool wouldRun() const { return true; }
    int numbersToKeep() const { return 0; }
    bool keep(int*) { return true; }

    void* destination() const { return lists.views[0].data; }
    size_t destinationBytes() const { return lists.views[0].length * sizeof(float); }
};

/// A job on the first `count` elements of its lists.
template <typename Lists, typename Parameter> struct CountedJob : Job<Lists, Parameter> {
    size_t used() const { return static_cast<size_t>(count); }

protected:
    bool parseCount(napi_env env, napi_value value) { return readInt(env, value, kAll, &count) && resolveCount(); }

    bool resolve(int given) {
        count = given;
        return resolveCount();
    }

    int count;

private:
    bool resolveCount() { return this->lists.resolveCount(&count) && this->lists.areSeparate(used()); }
};

} // namespace poselane
