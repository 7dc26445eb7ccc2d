// SPDX-License-Identifier: MIT
//
// Arithmetic that lists of joints and poses in lanes have in common, in SSE2, which every x86-64 CPU has: 4 floats. See
// scalar/floats.h for what the functions do.
#pragma once

#include <emmintrin.h>

namespace poselane {
namespace {

struct Floats4 {
    /// How many floats at once.
    static constexpr int kWidth = 4;
    using Floats = __m128;

    static Floats set1(float x) { return _mm_set1_ps(x); }
    static Floats load(const float* p) { return _mm_loadu_ps(p); }
    static void store(float* p, Floats x) { _mm_storeu_ps(p, x); }

    static Floats add(Floats a, Floats b) { return _mm_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm_div_ps(a, b); }
    static Floats sqrt(Floats a) { return _mm_sqrt_ps(a); }

    static Floats abs(Floats a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
    // The second operand of maxps is what comes back where one is a NaN.
    static Floats clampToZero(Floats a) { return _mm_max_ps(_mm_setzero_ps(), a); }
};

} // namespace
} // namespace poselane
