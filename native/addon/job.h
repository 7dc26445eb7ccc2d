// SPDX-License-Identifier: MIT
//
// A job is one routine's call: its lists of floats, the number that changes from call to call where it has one, and
// its options, in this order among the arguments. Routines of one shape (kernels.h) have the same: JobOf<Shape>.
//
// `parseOptions` comes when the lists and the parameter are read. It resolves and checks everything, the lists
// included, and writes nothing; `run` does the work and may be repeated. Both return false to refuse. `wouldRun` says
// whether `run` would succeed, for jobs whose `run` checks something itself.
//
// Bound functions (bound.h) keep a job. For them `used` says how many elements of the lists `run` may touch, and `keep`
// copies the numbers that the job addresses memory with, `numbersToKeep` of them, to where they stay.
#pragma once

#include "../kernels.h"
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

    /// Call it only under a FloatEnvironment: it rounds.
    float value() const { return static_cast<float>(number_); }

private:
    double number_;
};

template <typename Element> constexpr size_t kFloatsOf = sizeof(Element) / sizeof(float);

template <typename Shape, typename Lists_, typename Parameter_> struct Job {
    using Lists = Lists_;
    using Parameter = Parameter_;

    typename Shape::Kernel kernel;
    Lists lists;
    Parameter parameter;

    bool wouldRun() const { return true; }
    int numbersToKeep() const { return 0; }
    bool keep(int*) { return true; }

    void* destination() const { return lists.views[0].data; }
    size_t destinationBytes() const { return lists.views[0].length * sizeof(float); }
};

/// A job on the first `count` elements of its lists.
template <typename Shape, typename Lists, typename Parameter> struct CountedJob : Job<Shape, Lists, Parameter> {
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

/// Specialized for each shape in joint_jobs.h and list_jobs.h.
template <typename Shape> struct JobOf;

/// The job of one routine.
template <typename Shape, typename Shape::Kernel Kernels::*member> struct RoutineJob : JobOf<Shape> {
    static constexpr auto kMember = member;
};

} // namespace poselane
