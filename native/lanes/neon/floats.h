// SPDX-License-Identifier: MIT
//
// Four floats in NEON, which every 64-bit ARM CPU has. sse2/floats.h has the same functions; native/lanes/four/ is
// written over them. See scalar/ for what the functions do.
//
// Products and sums stay two instructions (never vfmaq, vmlaq), quotients and roots are those of IEEE (never vrecpeq,
// vrsqrteq). Min and max are comparisons, because vminq and vmaxq make a NaN of one operand the result, and
// order -0 before 0.
#pragma once

#include <arm_neon.h>
#include <stdint.h>

namespace poselane {
namespace {

struct Floats4 {
    /// How many floats at once.
    static constexpr int kWidth = 4;
    using Floats = float32x4_t;
    /// All bits of a float the same.
    using Mask = uint32x4_t;

    static Floats set1(float x) { return vdupq_n_f32(x); }
    static Floats set(float x, float y, float z, float w) {
        const float floats[4] = {x, y, z, w};
        return load(floats);
    }
    static Floats load(const float* p) { return vld1q_f32(p); }
    static void store(float* p, Floats x) { vst1q_f32(p, x); }
    /// No intrinsic writes past the caches.
    static void stream(float* p, Floats x) { store(p, x); }

    static Floats add(Floats a, Floats b) { return vaddq_f32(a, b); }
    static Floats sub(Floats a, Floats b) { return vsubq_f32(a, b); }
    static Floats mul(Floats a, Floats b) { return vmulq_f32(a, b); }
    static Floats div(Floats a, Floats b) { return vdivq_f32(a, b); }
    static Floats sqrt(Floats a) { return vsqrtq_f32(a); }

    static Floats abs(Floats a) { return vabsq_f32(a); }
    static Floats clampToZero(Floats a) {
        Mask negative = vcltzq_f32(a);
#if defined(__clang__)
        // Otherwise clang 14 makes all of this an fmax, by which -0 becomes 0.
        __asm__("" : "+w"(negative));
#endif
        return floatsOf(vbicq_u32(bitsOf(a), negative));
    }
    static Floats clampToOne(Floats a) {
        const Floats one = vdupq_n_f32(1.0f);
        return vbslq_f32(vcltq_f32(one, a), one, a);
    }
    static Floats min(Floats a, Floats b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
    static Floats max(Floats a, Floats b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }

    static void keepPlace(Floats& a) {
#ifdef __GNUC__
        __asm__("" : "+w"(a));
#else
        (void)a;
#endif
    }

    static Floats negate(Floats a) { return vnegq_f32(a); }
    static Floats flipWhereNegative(Floats a, Floats by) { return flip(a, negativeSigns(by)); }
    static Floats flipWhereSigned(Floats a, Floats by) { return flip(a, signs(bitsOf(by))); }
    static Floats signs(Mask mask) { return floatsOf(vandq_u32(mask, vdupq_n_u32(0x80000000u))); }
    static Floats negativeSigns(Floats a) { return signs(vcltzq_f32(a)); }
    static Floats flip(Floats a, Floats signs) { return floatsOf(veorq_u32(bitsOf(a), bitsOf(signs))); }
    static Floats bothSigns(Floats a, Floats b) { return floatsOf(vandq_u32(bitsOf(a), bitsOf(b))); }
    static Floats oneForZero(Floats a) { return vbslq_f32(vceqzq_f32(a), vdupq_n_f32(1.0f), a); }

    static Mask isGreater(Floats a, Floats b) { return vcgtq_f32(a, b); }
    static Mask isGreaterEqual(Floats a, Floats b) { return vcgeq_f32(a, b); }
    static Mask isZero(Floats a) { return vceqzq_f32(a); }
    // Masks that kernels keep among their floats.
    static Floats notLessEqual(Floats a, Floats b) { return floatsOf(vmvnq_u32(vcleq_f32(a, b))); }
    static Floats notLess(Floats a, Floats b) { return floatsOf(vmvnq_u32(vcltq_f32(a, b))); }
    static Floats either(Floats a, Floats b) { return floatsOf(vorrq_u32(bitsOf(a), bitsOf(b))); }
    static bool any(Floats mask) { return vmaxvq_u32(bitsOf(mask)) != 0; }
    static bool all(Mask mask) { return vminvq_u32(mask) != 0; }

    static void storeThree(float* p, Floats x) {
        vst1_f32(p, vget_low_f32(x));
        vst1q_lane_f32(p + 2, x, 2);
    }

    using Ints = uint32x4_t;
    static Ints setInts(uint32_t x) { return vdupq_n_u32(x); }
    static Ints loadInts(const uint32_t* p) { return vld1q_u32(p); }
    static void storeInts(uint32_t* p, Ints x) { vst1q_u32(p, x); }
    static Ints addInts(Ints a, Ints b) { return vaddq_u32(a, b); }
    static Ints mulInts(Ints a, Ints b) { return vmulq_u32(a, b); }
    static Ints addWhere(Mask mask, Ints a, Ints b) { return vaddq_u32(a, vandq_u32(mask, b)); }

    static Floats select(Floats mask, Floats a, Floats b) { return vbslq_f32(bitsOf(mask), a, b); }
    static Mask either(Mask a, Mask b) { return vorrq_u32(a, b); }
    static Mask both(Mask a, Mask b) { return vandq_u32(a, b); }
    static Mask butNot(Mask a, Mask b) { return vbicq_u32(a, b); }
    static bool any(Mask mask) { return vmaxvq_u32(mask) != 0; }
    static Mask inverse(Mask a) { return vmvnq_u32(a); }
    static Floats select(Mask mask, Floats a, Floats b) { return vbslq_f32(mask, a, b); }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const Floats first = a;
        a = vbslq_f32(mask, b, a);
        b = vbslq_f32(mask, first, b);
    }
    static Mask maskOf(unsigned bits) {
        const uint32_t bit[4] = {1, 2, 4, 8};
        return vtstq_u32(vdupq_n_u32(bits), vld1q_u32(bit));
    }

    /// The sums of the floats of four quaternions, (x + z) + (y + w) each.
    static Floats sumsOfFour(Floats q0, Floats q1, Floats q2, Floats q3) {
        // x+z and y+w of one, then of the other; the last addition is one of neighbors.
        return vpaddq_f32(vaddq_f32(lowHalves(q0, q1), highHalves(q0, q1)),
                          vaddq_f32(lowHalves(q2, q3), highHalves(q2, q3)));
    }
    template <int i> static Floats broadcast(Floats x) { return vdupq_laneq_f32(x, i); }
    template <int i> static Floats everyElement(Floats x) { return broadcast<i>(x); }
    /// Rows to columns.
    static void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = vzip1q_f32(a, c), even1 = vzip2q_f32(a, c);
        const Floats odd0 = vzip1q_f32(b, d), odd1 = vzip2q_f32(b, d);
        a = vzip1q_f32(even0, odd0);
        b = vzip2q_f32(even0, odd0);
        c = vzip1q_f32(even1, odd1);
        d = vzip2q_f32(even1, odd1);
    }
    /// x0 y0 z0 x1 y1 z1 and so on: 12 floats.
    static void storeInterleaved(float* to, Floats x, Floats y, Floats z) {
        const float32x4x3_t all = {{x, y, z}};
        vst3q_f32(to, all);
    }

    /// The last float of `row` is more, or less, by that of `by`; the others stay, -0 as well: x + -0 and x - 0 are x.
    static Floats addLast(Floats row, Floats by) { return vaddq_f32(row, lastOr(vdupq_n_f32(-0.0f), by)); }
    static Floats subLast(Floats row, Floats by) { return vsubq_f32(row, lastOr(vdupq_n_f32(0.0f), by)); }

    static constexpr int kDoubles = 2;
    using Doubles = float64x2_t;
    static Doubles setDoubles(double x) { return vdupq_n_f64(x); }
    static Doubles loadDoubles(const double* p) { return vld1q_f64(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return vaddq_f64(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return vmulq_f64(a, b); }
    static void storeAsFloats(float* p, Doubles x) { vst1_f32(p, vcvt_f32_f64(x)); }
    static Floats fraction(const double* times, Floats start, Floats next, Floats& interval) {
        const Doubles low = vcvt_f64_f32(vget_low_f32(start)), high = vcvt_high_f64_f32(start);
        const Doubles lowInterval = vsubq_f64(vcvt_f64_f32(vget_low_f32(next)), low);
        const Doubles highInterval = vsubq_f64(vcvt_high_f64_f32(next), high);
        interval = vcvt_high_f32_f64(vcvt_f32_f64(lowInterval), highInterval);
        return vcvt_high_f32_f64(vcvt_f32_f64(vdivq_f64(vsubq_f64(vld1q_f64(times), low), lowInterval)),
                                 vdivq_f64(vsubq_f64(vld1q_f64(times + 2), high), highInterval));
    }

private:
    static Mask bitsOf(Floats a) { return vreinterpretq_u32_f32(a); }
    static Floats floatsOf(Mask bits) { return vreinterpretq_f32_u32(bits); }
    static Floats lowHalves(Floats a, Floats b) {
        return vreinterpretq_f32_f64(vzip1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
    }
    static Floats highHalves(Floats a, Floats b) {
        return vreinterpretq_f32_f64(vzip2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
    }
    /// `rest`, but the last float is that of `x`.
    static Floats lastOr(Floats rest, Floats x) { return vcopyq_laneq_f32(rest, 3, x, 3); }
};

} // namespace
} // namespace poselane
