// SPDX-License-Identifier: MIT
//
// Arithmetic that lists of joints and poses in lanes have in common, in AVX-512 (F, DQ): 16 floats. See scalar/floats.h
// for what the functions do.
#pragma once

#if !defined(__AVX512F__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__)
#error "compile this for AVX-512"
#endif

// GCC 12 warns about the undefined values inside its own intrinsics.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace poselane {
namespace {

struct Floats16 {
    /// How many floats at once.
    static constexpr int kWidth = 16;
    using Floats = __m512;

    static Floats set1(float x) { return _mm512_set1_ps(x); }
    static Floats load(const float* p) { return _mm512_loadu_ps(p); }
    static void store(float* p, Floats x) { _mm512_storeu_ps(p, x); }

    static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm512_div_ps(a, b); }
    static Floats sqrt(Floats a) { return _mm512_sqrt_ps(a); }

    static Floats abs(Floats a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
    static Floats clampToZero(Floats a) { return _mm512_max_ps(_mm512_setzero_ps(), a); }
};

} // namespace
} // namespace poselane
