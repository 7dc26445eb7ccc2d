// SPDX-License-Identifier: MIT
//
// The right answers, in double precision and by textbook formulas, and how far off them the implementations may be.
#pragma once

#include <math.h>
#include <string.h>

#include "finding.h"
#include "numbers.h"

namespace poselane {

enum class Interpolation { slerp, lerp };

/// The interpolation on one of the two ways round.
inline void interpolateBy(Interpolation kind, const float* a, const float* b, double t, double sign, double* result) {
    double apart = 0.0, along = 0.0;
    for (int i = 0; i < 4; i++) {
        const double other = sign * static_cast<double>(b[i]);
        apart += (a[i] - other) * (a[i] - other);
        along += (a[i] + other) * (a[i] + other);
    }
    // By arc tangent, which loses no small angle.
    const double angle = 2.0 * atan2(sqrt(apart), sqrt(along));
    const bool linear = kind == Interpolation::lerp || angle < 1e-12;
    const double keep = linear ? 1.0 - t : sin((1.0 - t) * angle) / sin(angle);
    const double take = linear ? t : sin(t * angle) / sin(angle);
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        result[i] = keep * static_cast<double>(a[i]) + take * sign * static_cast<double>(b[i]);
        square += result[i] * result[i];
    }
    for (int i = 0; kind == Interpolation::lerp && i < 4; i++) {
        result[i] /= sqrt(square);
    }
}

inline double greatestOff(const float* actual, const double* right, int count) {
    double greatest = 0.0;
    for (int i = 0; i < count; i++) {
        const double off = fabs(static_cast<double>(actual[i]) - right[i]);
        greatest = off <= greatest ? greatest : off >= 0.0 ? off : HUGE_VAL;
    }
    return greatest;
}

/// Max error of a component. If the quaternions are at a right angle, both arcs are correct. At t = 1, `b` is correct
/// with either sign.
inline double blendError(Interpolation kind, const float* a, const float* b, double t, const float* actual) {
    double dot = 0.0;
    for (int i = 0; i < 4; i++) {
        dot += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    const double sign = dot < 0.0 ? -1.0 : 1.0;
    double right[4];
    interpolateBy(kind, a, b, t, sign, right);
    const double error = greatestOff(actual, right, 4);
    if (fabs(dot) >= 1e-6 && t != 1.0) {
        return error;
    }
    interpolateBy(kind, a, b, t, -sign, right);
    const double other = greatestOff(actual, right, 4);
    return other < error ? other : error;
}

inline bool isOf(const char* implementation, const char* family) {
    return strncmp(implementation, family, strlen(family)) == 0;
}

/// 1e-6 is what paper/* and intel/* keep with the worst estimates that a CPU may give (docs/numerics.md); fast/*
/// promise 4.8e-7 (docs/numerics.md); half of that is more than four roundings add to the fits of strict/*.
inline double usualBound(const char* implementation) {
    return isOf(implementation, "strict/") ? 2.4e-7 : isOf(implementation, "fast/") ? 4.8e-7 : 1e-6;
}

inline void expectWithin(double error, double bound, const char* implementation, const char* what, int element) {
    if (!(error <= bound)) {
        fail("%s, %s, element %d: off by %g, more than %g", implementation, what, element, error, bound);
    }
}

} // namespace poselane
