// SPDX-License-Identifier: MIT
//
// The jobs (call.h) of the routines on lists of plain quaternions, and of the scalar functions over lists of floats.
#pragma once

#include "../kernels.h"
#include "job.h"

namespace poselane {

constexpr size_t kQuatFloats = sizeof(Quaternion) / sizeof(float);

/// Lists of which none may overlap the first, save by starting with it.
using QuatOperand = Operand<kQuatFloats, Sharing::sameStart>;
using FloatOperand = Operand<1, Sharing::sameStart>;

/// How many terms of a series: 0 for implementations that have only one form.
inline bool readTerms(napi_env env, napi_value value, const Kernels& kernels, int* terms) {
    return readInt(env, value, kernels.maxTerms == 0 ? 0 : 1, terms) && *terms <= kernels.maxTerms;
}

/// (result, from, to, t, count | -1, terms)
template <Kernels::BlendQuats Kernels::*member>
struct BlendQuatsJob : CountedJob<FloatLists<kQuatFloats, QuatOperand, QuatOperand>, FloatParameter> {
    static constexpr size_t kOptions = 2;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        kernel_ = kernels.*member;
        return this->parseCount(env, options[0]) && readTerms(env, options[1], kernels, &terms_);
    }

    bool run() {
        kernel_(this->lists.template at<Quaternion>(0), this->lists.template at<const Quaternion>(1),
                this->lists.template at<const Quaternion>(2), this->parameter.value(), this->count, terms_);
        return true;
    }

private:
    Kernels::BlendQuats kernel_;
    int terms_;
};

/// (result, from, to, t, count | -1): a t for each pair.
struct QuatsPerQuatJob
    : CountedJob<FloatLists<kQuatFloats, QuatOperand, QuatOperand, Operand<1, Sharing::none>>, NoParameter> {
    static constexpr size_t kOptions = 1;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        kernel_ = kernels.slerpQuatsPerQuat;
        return parseCount(env, options[0]);
    }

    bool run() {
        kernel_(lists.at<Quaternion>(0), lists.at<const Quaternion>(1), lists.at<const Quaternion>(2),
                lists.at<const float>(3), count);
        return true;
    }

private:
    decltype(Kernels::slerpQuatsPerQuat) kernel_;
};

/// (result, q0, q1, t, terms): exactly one pair, and as many results as times.
struct QuatTimesJob
    : CountedJob<
          FloatLists<kQuatFloats, SingleOperand<kQuatFloats>, SingleOperand<kQuatFloats>, Operand<1, Sharing::none>>,
          NoParameter> {
    static constexpr size_t kOptions = 1;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        kernel_ = kernels.slerpQuatTimes;
        return resolve(kAll) && readTerms(env, options[0], kernels, &terms_);
    }

    bool run() {
        // Copies, so that the pair may lie in the result.
        const Quaternion q0 = *lists.at<const Quaternion>(1);
        const Quaternion q1 = *lists.at<const Quaternion>(2);
        kernel_(lists.at<Quaternion>(0), q0, q1, lists.at<const float>(3), count, terms_);
        return true;
    }

private:
    decltype(Kernels::slerpQuatTimes) kernel_;
    int terms_;
};

/// (result, x): a function of one float, over lists of the same length.
template <void (*Kernels::*member)(float*, const float*, int)>
struct FunctionJob : CountedJob<FloatLists<1, FloatOperand>, NoParameter> {
    static constexpr size_t kOptions = 0;

    bool parseOptions(napi_env, const napi_value*, const Kernels& kernels, int*) {
        kernel_ = kernels.*member;
        return this->resolve(kAll);
    }

    bool run() {
        kernel_(this->lists.template at<float>(0), this->lists.template at<const float>(1), this->count);
        return true;
    }

private:
    void (*kernel_)(float*, const float*, int);
};

/// (result, y, x): lists of the same length.
struct AtanJob : CountedJob<FloatLists<1, FloatOperand, FloatOperand>, NoParameter> {
    static constexpr size_t kOptions = 0;

    bool parseOptions(napi_env, const napi_value*, const Kernels& kernels, int*) {
        kernel_ = kernels.atanPositive;
        return resolve(kAll);
    }

    bool run() {
        kernel_(lists.at<float>(0), lists.at<const float>(1), lists.at<const float>(2), count);
        return true;
    }

private:
    decltype(Kernels::atanPositive) kernel_;
};

} // namespace poselane
