// SPDX-License-Identifier: MIT
//
// The jobs (call.h) of the routines on lists of plain quaternions, and of the scalar functions over lists of floats.
#pragma once

#include "call.h"

namespace poselane {

constexpr size_t kQuatFloats = sizeof(Quaternion) / sizeof(float);

/// How many terms of a series: 0 for implementations that have only one form.
inline bool readTerms(napi_env env, napi_value value, const Kernels& kernels, int* terms) {
    return readInt(env, value, kernels.maxTerms == 0 ? 0 : 1, terms) && *terms <= kernels.maxTerms;
}

/// (result, from, to, t, count | -1, terms)
template <Kernels::BlendQuats Kernels::*member> class BlendQuatsJob {
public:
    static constexpr size_t kArguments = 6;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        double t;
        if (!readFloats(env, values[0], &result_) || !readFloats(env, values[1], &from_) ||
            !readFloats(env, values[2], &to_) || napi_get_value_double(env, values[3], &t) != napi_ok ||
            !readInt(env, values[4], kAll, &count_) || !readTerms(env, values[5], kernels, &terms_)) {
            return false;
        }
        kernel_ = kernels.*member;
        t_ = static_cast<float>(t);
        int count2 = count_;
        if (!resolveCount(result_.length, kQuatFloats, from_.length, kQuatFloats, &count_) ||
            !resolveCount(result_.length, kQuatFloats, to_.length, kQuatFloats, &count2)) {
            return false;
        }
        const size_t bytes = static_cast<size_t>(count_) * sizeof(Quaternion);
        return !overlapUnlessSameStart({result_.data, bytes}, {from_.data, bytes}) &&
               !overlapUnlessSameStart({result_.data, bytes}, {to_.data, bytes});
    }

    bool run() {
        kernel_(reinterpret_cast<Quaternion*>(result_.data), reinterpret_cast<const Quaternion*>(from_.data),
                reinterpret_cast<const Quaternion*>(to_.data), t_, count_, terms_);
        return true;
    }

    bool wouldRun() const { return true; }

    void* destination() const { return result_.data; }
    size_t destinationBytes() const { return result_.length * sizeof(float); }

private:
    Kernels::BlendQuats kernel_;
    View<float> result_;
    View<float> from_;
    View<float> to_;
    float t_;
    int count_;
    int terms_;
};

/// (result, q0, q1, t, terms): exactly one pair, and as many results as times.
class QuatTimesJob {
public:
    static constexpr size_t kArguments = 5;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        View<float> q0;
        View<float> q1;
        if (!readFloats(env, values[0], &result_) || !readFloats(env, values[1], &q0) ||
            !readFloats(env, values[2], &q1) || !readFloats(env, values[3], &t_) ||
            !readTerms(env, values[4], kernels, &terms_) || q0.length != kQuatFloats || q1.length != kQuatFloats ||
            t_.length > INT32_MAX || result_.length != t_.length * kQuatFloats ||
            overlap({result_.data, result_.length * sizeof(float)}, {t_.data, t_.length * sizeof(float)})) {
            return false;
        }
        kernel_ = kernels.slerpQuatTimes;
        // Copies, so that the pair may lie in the result.
        q0_ = {q0.data[0], q0.data[1], q0.data[2], q0.data[3]};
        q1_ = {q1.data[0], q1.data[1], q1.data[2], q1.data[3]};
        return true;
    }

    bool run() {
        kernel_(reinterpret_cast<Quaternion*>(result_.data), q0_, q1_, t_.data, static_cast<int>(t_.length), terms_);
        return true;
    }

    bool wouldRun() const { return true; }

    void* destination() const { return result_.data; }
    size_t destinationBytes() const { return result_.length * sizeof(float); }

private:
    decltype(Kernels::slerpQuatTimes) kernel_;
    View<float> result_;
    View<float> t_;
    Quaternion q0_;
    Quaternion q1_;
    int terms_;
};

/// (result, x): a function of one float, over lists of the same length.
template <void (*Kernels::*member)(float*, const float*, int)> class FunctionJob {
public:
    static constexpr size_t kArguments = 2;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        if (!readFloats(env, values[0], &result_) || !readFloats(env, values[1], &x_)) {
            return false;
        }
        kernel_ = kernels.*member;
        const size_t bytes = x_.length * sizeof(float);
        return result_.length == x_.length && x_.length <= INT32_MAX &&
               !overlapUnlessSameStart({result_.data, bytes}, {x_.data, bytes});
    }

    bool run() {
        kernel_(result_.data, x_.data, static_cast<int>(x_.length));
        return true;
    }

    bool wouldRun() const { return true; }

    void* destination() const { return result_.data; }
    size_t destinationBytes() const { return result_.length * sizeof(float); }

private:
    void (*kernel_)(float*, const float*, int);
    View<float> result_;
    View<float> x_;
};

/// (result, y, x): lists of the same length.
class AtanJob {
public:
    static constexpr size_t kArguments = 3;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        if (!readFloats(env, values[0], &result_) || !readFloats(env, values[1], &y_) ||
            !readFloats(env, values[2], &x_)) {
            return false;
        }
        kernel_ = kernels.atanPositive;
        const size_t bytes = x_.length * sizeof(float);
        return result_.length == x_.length && y_.length == x_.length && x_.length <= INT32_MAX &&
               !overlapUnlessSameStart({result_.data, bytes}, {x_.data, bytes}) &&
               !overlapUnlessSameStart({result_.data, bytes}, {y_.data, bytes});
    }

    bool run() {
        kernel_(result_.data, y_.data, x_.data, static_cast<int>(x_.length));
        return true;
    }

    bool wouldRun() const { return true; }

    void* destination() const { return result_.data; }
    size_t destinationBytes() const { return result_.length * sizeof(float); }

private:
    void (*kernel_)(float*, const float*, const float*, int);
    View<float> result_;
    View<float> y_;
    View<float> x_;
};

} // namespace poselane
