// SPDX-License-Identifier: MIT
//
// The jobs (job.h) of the routines that go through lists of any element from first to last, and of the routines on
// lists of plain quaternions.
#pragma once

#include <utility>

#include "job.h"

namespace poselane {

/// Lists that may not overlap the first list, except by starting at the same byte.
template <typename Shape, typename To, typename... From>
struct MapJob
    : CountedJob<Shape, FloatLists<kFloatsOf<To>, Operand<kFloatsOf<From>, Sharing::sameStart>...>, NoParameter> {
    bool run() {
        runOn(std::index_sequence_for<From...>());
        return true;
    }

private:
    template <size_t... i> void runOn(std::index_sequence<i...>) {
        this->kernel(this->lists.template at<To>(0), this->lists.template at<const From>(i + 1)..., this->count);
    }
};

/// (result, from …, count | -1)
template <typename To, typename... From> struct JobOf<Map<To, From...>> : MapJob<Map<To, From...>, To, From...> {
    static constexpr size_t kOptions = 1;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels&, int*) {
        return this->parseCount(env, options[0]);
    }
};

/// (result, from …): lists of the same length.
template <typename... From> struct JobOf<Function<From...>> : MapJob<Function<From...>, float, From...> {
    static constexpr size_t kOptions = 0;

    bool parseOptions(napi_env, const napi_value*, const Kernels&, int*) { return this->resolve(kAll); }
};

template <typename Shape, typename Parameter, typename... Operands>
using QuatJob = CountedJob<Shape, FloatLists<kFloatsOf<Quaternion>, Operands...>, Parameter>;
using QuatOperand = Operand<kFloatsOf<Quaternion>, Sharing::sameStart>;
using SingleQuat = SingleOperand<kFloatsOf<Quaternion>>;
using Times = Operand<1, Sharing::none>;

/// How many terms of a series: 0 for implementations that have only one form.
inline bool readTerms(napi_env env, napi_value value, const Kernels& kernels, int* terms) {
    return readInt(env, value, kernels.maxTerms == 0 ? 0 : 1, terms) && *terms <= kernels.maxTerms;
}

/// (result, from, to, t, count | -1, terms)
template <> struct JobOf<BlendQuats> : QuatJob<BlendQuats, FloatParameter, QuatOperand, QuatOperand> {
    static constexpr size_t kOptions = 2;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        return parseCount(env, options[0]) && readTerms(env, options[1], kernels, &terms_);
    }

    bool run() {
        kernel(lists.at<Quaternion>(0), lists.at<const Quaternion>(1), lists.at<const Quaternion>(2), parameter.value(),
               count, terms_);
        return true;
    }

private:
    int terms_;
};

/// (result, from, to, t, count | -1): a t for each pair.
template <> struct JobOf<BlendQuatsPerQuat> : QuatJob<BlendQuatsPerQuat, NoParameter, QuatOperand, QuatOperand, Times> {
    static constexpr size_t kOptions = 1;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels&, int*) {
        return parseCount(env, options[0]);
    }

    bool run() {
        kernel(lists.at<Quaternion>(0), lists.at<const Quaternion>(1), lists.at<const Quaternion>(2),
               lists.at<const float>(3), count);
        return true;
    }
};

/// (result, q0, q1, t, terms): exactly one pair, and as many results as times.
template <> struct JobOf<BlendQuatTimes> : QuatJob<BlendQuatTimes, NoParameter, SingleQuat, SingleQuat, Times> {
    static constexpr size_t kOptions = 1;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        return resolve(kAll) && readTerms(env, options[0], kernels, &terms_);
    }

    bool run() {
        // Copies the pair, because the result may overlap it.
        const Quaternion q0 = *lists.at<const Quaternion>(1);
        const Quaternion q1 = *lists.at<const Quaternion>(2);
        kernel(lists.at<Quaternion>(0), q0, q1, lists.at<const float>(3), count, terms_);
        return true;
    }

private:
    int terms_;
};

} // namespace poselane
