// SPDX-License-Identifier: MIT
//
// Arithmetic that lists of joints and poses in lanes have in common, in NEON, which every 64-bit ARM CPU has: 4 floats.
// See scalar/floats.h for what the functions do.
//
// Products and sums stay two instructions (never vfmaq, vmlaq), quotients and roots are those of IEEE (never vrecpeq,
// vrsqrteq). Least and greatest are comparisons, because vminq and vmaxq make a NaN of one operand the result, and
// order -0 before 0.
#pragma once

#include <arm_neon.h>

namespace poselane {
namespace {

struct FloatsNeon {
    /// How many floats at once.
    static constexpr int kWidth = 4;
    using Floats = float32x4_t;
    using Bits = uint32x4_t;

    static Floats set1(float x) { return vdupq_n_f32(x); }
    static Floats load(const float* p) { return vld1q_f32(p); }
    static void store(float* p, Floats x) { vst1q_f32(p, x); }

    static Floats add(Floats a, Floats b) { return vaddq_f32(a, b); }
    static Floats sub(Floats a, Floats b) { return vsubq_f32(a, b); }
    static Floats mul(Floats a, Floats b) { return vmulq_f32(a, b); }
    static Floats div(Floats a, Floats b) { return vdivq_f32(a, b); }
    static Floats sqrt(Floats a) { return vsqrtq_f32(a); }

    static Floats abs(Floats a) { return vabsq_f32(a); }
    static Floats clampToZero(Floats a) {
        Bits negative = vcltzq_f32(a);
#if defined(__clang__)
        // Otherwise clang 14 makes all of this an fmax, by which -0 becomes 0.
        __asm__("" : "+w"(negative));
#endif
        return floatsOf(vbicq_u32(bitsOf(a), negative));
    }

protected:
    static Bits bitsOf(Floats a) { return vreinterpretq_u32_f32(a); }
    static Floats floatsOf(Bits bits) { return vreinterpretq_f32_u32(bits); }
    /// The sign bits alone.
    static Bits signBits(Bits bits) { return vandq_u32(bits, vdupq_n_u32(0x80000000u)); }
    /// `a`, its bits flipped where `bits` has ones.
    static Floats flipBits(Floats a, Bits bits) { return floatsOf(veorq_u32(bitsOf(a), bits)); }

    /// Rows to columns.
    static void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = vzip1q_f32(a, c), even1 = vzip2q_f32(a, c);
        const Floats odd0 = vzip1q_f32(b, d), odd1 = vzip2q_f32(b, d);
        a = vzip1q_f32(even0, odd0);
        b = vzip2q_f32(even0, odd0);
        c = vzip1q_f32(even1, odd1);
        d = vzip2q_f32(even1, odd1);
    }
};

} // namespace
} // namespace poselane
