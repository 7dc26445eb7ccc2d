// SPDX-License-Identifier: MIT
//
// Arithmetic that lists of joints and poses in lanes have in common, in plain C++: one float.
#pragma once

#include <math.h>

namespace poselane {
namespace {

struct Floats1 {
    /// How many floats at once.
    static constexpr int kWidth = 1;
    using Floats = float;

    static Floats set1(float x) { return x; }
    static Floats load(const float* p) { return *p; }
    static void store(float* p, Floats x) { *p = x; }

    static Floats add(Floats a, Floats b) { return a + b; }
    static Floats sub(Floats a, Floats b) { return a - b; }
    static Floats mul(Floats a, Floats b) { return a * b; }
    static Floats div(Floats a, Floats b) { return a / b; }
    static Floats sqrt(Floats a) { return sqrtf(a); }

    static Floats abs(Floats a) { return fabsf(a); }
    /// max(0, a); a NaN stays one, and so does -0.
    static Floats clampToZero(Floats a) {
        float zero = 0.0f;
#if defined(__clang__) && defined(__aarch64__)
        // Known to be 0, clang 14 makes this an fmax, by which -0 becomes 0.
        __asm__("" : "+w"(zero));
#endif
        return zero > a ? zero : a;
    }
};

} // namespace
} // namespace poselane
