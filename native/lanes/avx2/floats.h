// SPDX-License-Identifier: MIT
//
// Arithmetic that lists of joints and poses in lanes have in common, in AVX2: 8 floats. See scalar/floats.h for what
// the functions do.
#pragma once

#ifndef __AVX2__
#error "compile this for AVX2"
#endif

#include <immintrin.h>

namespace poselane {
namespace {

struct Floats8 {
    /// How many floats at once.
    static constexpr int kWidth = 8;
    using Floats = __m256;

    static Floats set1(float x) { return _mm256_set1_ps(x); }
    static Floats load(const float* p) { return _mm256_loadu_ps(p); }
    static void store(float* p, Floats x) { _mm256_storeu_ps(p, x); }

    static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm256_div_ps(a, b); }
    static Floats sqrt(Floats a) { return _mm256_sqrt_ps(a); }

    static Floats abs(Floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
    static Floats clampToZero(Floats a) { return _mm256_max_ps(_mm256_setzero_ps(), a); }
};

} // namespace
} // namespace poselane
