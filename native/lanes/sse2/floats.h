// SPDX-License-Identifier: MIT
//
// Four floats in SSE2, which every x86-64 CPU has. neon/floats.h has the same functions; native/lanes/four/ is written
// over them. See scalar/ for what the functions do.
#pragma once

#include <emmintrin.h>
#include <stdint.h>

namespace poselane {
namespace {

struct Floats4 {
    /// How many floats at once.
    static constexpr int kWidth = 4;
    using Floats = __m128;
    /// All bits of a float the same.
    using Mask = __m128;

    static Floats set1(float x) { return _mm_set1_ps(x); }
    static Floats set(float x, float y, float z, float w) { return _mm_setr_ps(x, y, z, w); }
    static Floats load(const float* p) { return _mm_loadu_ps(p); }
    static void store(float* p, Floats x) { _mm_storeu_ps(p, x); }
    /// Past the caches; `p` is aligned.
    static void stream(float* p, Floats x) { _mm_stream_ps(p, x); }

    static Floats add(Floats a, Floats b) { return _mm_add_ps(a, b); }
    static Floats sub(Floats a, Floats b) { return _mm_sub_ps(a, b); }
    static Floats mul(Floats a, Floats b) { return _mm_mul_ps(a, b); }
    static Floats div(Floats a, Floats b) { return _mm_div_ps(a, b); }
    static Floats sqrt(Floats a) { return _mm_sqrt_ps(a); }

    static Floats abs(Floats a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
    // maxps and minps return their second operand if one is a NaN, and if both are zeros.
    static Floats clampToZero(Floats a) { return _mm_max_ps(_mm_setzero_ps(), a); }
    static Floats clampToOne(Floats a) { return _mm_min_ps(_mm_set1_ps(1.0f), a); }
    static Floats min(Floats a, Floats b) { return _mm_min_ps(a, b); }
    static Floats max(Floats a, Floats b) { return _mm_max_ps(a, b); }

    static void keepPlace(Floats& a) {
#ifdef __GNUC__
        __asm__("" : "+x"(a));
#else
        (void)a;
#endif
    }

    static Floats negate(Floats a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
    static Floats flipWhereNegative(Floats a, Floats by) { return flip(a, negativeSigns(by)); }
    static Floats flipWhereSigned(Floats a, Floats by) { return flip(a, signs(by)); }
    static Floats signs(Mask mask) { return _mm_and_ps(mask, _mm_set1_ps(-0.0f)); }
    static Floats negativeSigns(Floats a) { return signs(_mm_cmplt_ps(a, _mm_setzero_ps())); }
    static Floats flip(Floats a, Floats signs) { return _mm_xor_ps(a, signs); }
    static Floats bothSigns(Floats a, Floats b) { return _mm_and_ps(a, b); }
    static Floats oneForZero(Floats a) {
        // 0 | 1 is 1.
        return _mm_or_ps(a, _mm_and_ps(_mm_cmpeq_ps(a, _mm_setzero_ps()), _mm_set1_ps(1.0f)));
    }

    static Mask isGreater(Floats a, Floats b) { return _mm_cmpgt_ps(a, b); }
    static Mask isGreaterEqual(Floats a, Floats b) { return _mm_cmpge_ps(a, b); }
    static Mask isZero(Floats a) { return _mm_cmpeq_ps(a, _mm_setzero_ps()); }
    static Mask notLessEqual(Floats a, Floats b) { return _mm_cmpnle_ps(a, b); }
    static Mask notLess(Floats a, Floats b) { return _mm_cmpnlt_ps(a, b); }
    static Mask either(Mask a, Mask b) { return _mm_or_ps(a, b); }
    static Mask both(Mask a, Mask b) { return _mm_and_ps(a, b); }
    static Mask butNot(Mask a, Mask b) { return _mm_andnot_ps(b, a); }
    static Mask inverse(Mask a) { return _mm_xor_ps(a, _mm_castsi128_ps(_mm_set1_epi32(-1))); }
    static bool any(Mask mask) { return _mm_movemask_ps(mask) != 0; }
    static bool all(Mask mask) { return _mm_movemask_ps(mask) == 15; }

    static void storeThree(float* p, Floats x) {
        _mm_storel_pi(reinterpret_cast<__m64*>(p), x);
        _mm_store_ss(p + 2, _mm_movehl_ps(x, x));
    }

    using Ints = __m128i;
    static Ints setInts(uint32_t x) { return _mm_set1_epi32(static_cast<int>(x)); }
    static Ints loadInts(const uint32_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
    static void storeInts(uint32_t* p, Ints x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x); }
    static Ints addInts(Ints a, Ints b) { return _mm_add_epi32(a, b); }
    static Ints mulInts(Ints a, Ints b) {
        const Ints even = _mm_mul_epu32(a, b), odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
        return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
    }
    static Ints addWhere(Mask mask, Ints a, Ints b) {
        return _mm_add_epi32(a, _mm_and_si128(_mm_castps_si128(mask), b));
    }
    static Floats select(Mask mask, Floats a, Floats b) {
        return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
    }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const Floats difference = _mm_and_ps(_mm_xor_ps(a, b), mask);
        a = _mm_xor_ps(a, difference);
        b = _mm_xor_ps(b, difference);
    }
    static Mask maskOf(unsigned bits) {
        const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
        return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(bits)), bit), bit));
    }

    /// The sums of the floats of four quaternions, (x + z) + (y + w) each.
    static Floats sumsOfFour(Floats q0, Floats q1, Floats q2, Floats q3) {
        const Floats sums01 = _mm_add_ps(_mm_unpacklo_ps(q0, q1), _mm_unpackhi_ps(q0, q1)); // x+z of both, y+w of both
        const Floats sums23 = _mm_add_ps(_mm_unpacklo_ps(q2, q3), _mm_unpackhi_ps(q2, q3));
        return _mm_add_ps(_mm_movelh_ps(sums01, sums23), _mm_movehl_ps(sums23, sums01));
    }
    template <int i> static Floats broadcast(Floats x) { return _mm_shuffle_ps(x, x, _MM_SHUFFLE(i, i, i, i)); }
    /// The same; the integer shuffle needs no copy of its operand.
    template <int i> static Floats everyElement(Floats x) {
        return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(x), i * 0x55));
    }
    /// Rows to columns.
    static void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = _mm_unpacklo_ps(a, c), even1 = _mm_unpackhi_ps(a, c);
        const Floats odd0 = _mm_unpacklo_ps(b, d), odd1 = _mm_unpackhi_ps(b, d);
        a = _mm_unpacklo_ps(even0, odd0);
        b = _mm_unpackhi_ps(even0, odd0);
        c = _mm_unpacklo_ps(even1, odd1);
        d = _mm_unpackhi_ps(even1, odd1);
    }
    /// x0 y0 z0 x1 y1 z1 and so on: 12 floats.
    static void storeInterleaved(float* to, Floats x, Floats y, Floats z) {
        // x0 x2 y0 y2, y1 y3 z1 z3, z0 z2 x1 x3
        const Floats xy = _mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
        const Floats yz = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
        const Floats zx = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
        store(to, _mm_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)));
        store(to + 4, _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
        store(to + 8, _mm_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1)));
    }

    /// The last float of `row` is more, or less, by that of `by`; the others stay, -0 as well: x + -0 and x - 0 are x.
    static Floats addLast(Floats row, Floats by) {
        return _mm_add_ps(row, _mm_or_ps(lastOf(by), _mm_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f)));
    }
    static Floats subLast(Floats row, Floats by) { return _mm_sub_ps(row, lastOf(by)); }

    static constexpr int kDoubles = 2;
    using Doubles = __m128d;
    static Doubles setDoubles(double x) { return _mm_set1_pd(x); }
    static Doubles loadDoubles(const double* p) { return _mm_loadu_pd(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return _mm_add_pd(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return _mm_mul_pd(a, b); }
    static void storeAsFloats(float* p, Doubles x) { _mm_storel_pi(reinterpret_cast<__m64*>(p), _mm_cvtpd_ps(x)); }
    static Floats fraction(const double* times, Floats start, Floats next, Floats& interval) {
        const auto half = [&](int i, __m128 from, __m128 to, __m128& seconds) {
            const __m128d start2 = _mm_cvtps_pd(from), interval2 = _mm_sub_pd(_mm_cvtps_pd(to), start2);
            seconds = _mm_cvtpd_ps(interval2);
            return _mm_cvtpd_ps(_mm_div_pd(_mm_sub_pd(_mm_loadu_pd(times + i), start2), interval2));
        };
        __m128 low, high;
        const __m128 s0 = half(0, start, next, low);
        const __m128 s1 = half(2, _mm_movehl_ps(start, start), _mm_movehl_ps(next, next), high);
        interval = _mm_movelh_ps(low, high);
        return _mm_movelh_ps(s0, s1);
    }

private:
    static Floats lastOf(Floats x) { return _mm_and_ps(x, _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1))); }
};

} // namespace
} // namespace poselane
