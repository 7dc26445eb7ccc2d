// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/wrap-time.ts
//
// A time mapped to [0, duration). The time of a clip without length is 0, and so is one that rounding takes out of the
// interval. Float32 times are wrapped in float32 throughout.
#pragma once

#include <math.h>
#include <stdint.h>

namespace poselane {
namespace {

// floor() would need libm, or instructions that not every CPU has. These return 0 for -0, which changes no result here.
inline float wholeBelow(float x) {
    if (!(fabsf(x) < 8388608.0f)) {
        return x;
    }
    const float whole = static_cast<float>(static_cast<int32_t>(x));
    return whole > x ? whole - 1.0f : whole;
}

inline double wholeBelow(double x) {
    if (!(fabs(x) < 4503599627370496.0)) {
        return x;
    }
    const double whole = static_cast<double>(static_cast<int64_t>(x));
    return whole > x ? whole - 1.0 : whole;
}

template <typename Time> inline double wrapTime(Time time, Time duration) {
    const Time wrapped = time - duration * wholeBelow(time / duration);
    return wrapped >= 0 && wrapped < duration ? static_cast<double>(wrapped) : 0.0;
}

} // namespace
} // namespace poselane
