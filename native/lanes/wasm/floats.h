// SPDX-License-Identifier: MIT
//
// Four floats in WebAssembly's SIMD128. sse2/floats.h and neon/floats.h have the same functions; native/lanes/four/ is
// written over them. See scalar/ for what the functions do.
//
// Nothing of relaxed SIMD, whose results differ from machine to machine.
#pragma once

#include <stdint.h>
#include <wasm_simd128.h>

namespace poselane {
namespace {

struct Floats4 {
    /// How many floats at once.
    static constexpr int kWidth = 4;
    using Floats = v128_t;
    /// All bits of a float the same.
    using Mask = v128_t;

    static Floats set1(float x) { return wasm_f32x4_splat(x); }
    static Floats set(float x, float y, float z, float w) { return wasm_f32x4_make(x, y, z, w); }
    static Floats load(const float* p) { return wasm_v128_load(p); }
    static void store(float* p, Floats x) { wasm_v128_store(p, x); }
    /// No instruction writes past the caches.
    static void stream(float* p, Floats x) { store(p, x); }

    static Floats add(Floats a, Floats b) { return wasm_f32x4_add(a, b); }
    static Floats sub(Floats a, Floats b) { return wasm_f32x4_sub(a, b); }
    static Floats mul(Floats a, Floats b) { return wasm_f32x4_mul(a, b); }
    static Floats div(Floats a, Floats b) { return wasm_f32x4_div(a, b); }
    static Floats sqrt(Floats a) { return wasm_f32x4_sqrt(a); }

    static Floats abs(Floats a) { return wasm_f32x4_abs(a); }
    // pmin(a, b) is b < a ? b : a, pmax(a, b) is a < b ? b : a: the operands of minps and maxps, exchanged.
    static Floats clampToZero(Floats a) { return max(wasm_f32x4_const_splat(0.0f), a); }
    static Floats clampToOne(Floats a) { return min(wasm_f32x4_const_splat(1.0f), a); }
    static Floats min(Floats a, Floats b) { return wasm_f32x4_pmin(b, a); }
    static Floats max(Floats a, Floats b) { return wasm_f32x4_pmax(b, a); }

    static void keepPlace(Floats& a) { (void)a; }

    static Floats negate(Floats a) { return wasm_f32x4_neg(a); }
    static Floats flipWhereNegative(Floats a, Floats by) { return flip(a, negativeSigns(by)); }
    static Floats flipWhereSigned(Floats a, Floats by) { return flip(a, signs(by)); }
    static Floats signs(Mask mask) { return wasm_v128_and(mask, wasm_f32x4_const_splat(-0.0f)); }
    static Floats negativeSigns(Floats a) { return signs(wasm_f32x4_lt(a, wasm_f32x4_const_splat(0.0f))); }
    static Floats flip(Floats a, Floats signs) { return wasm_v128_xor(a, signs); }
    static Floats bothSigns(Floats a, Floats b) { return wasm_v128_and(a, b); }
    static Floats oneForZero(Floats a) { return select(isZero(a), wasm_f32x4_const_splat(1.0f), a); }

    static Mask isGreater(Floats a, Floats b) { return wasm_f32x4_gt(a, b); }
    static Mask isGreaterEqual(Floats a, Floats b) { return wasm_f32x4_ge(a, b); }
    static Mask isZero(Floats a) { return wasm_f32x4_eq(a, wasm_f32x4_const_splat(0.0f)); }
    static Mask notLessEqual(Floats a, Floats b) { return inverse(wasm_f32x4_le(a, b)); }
    static Mask notLess(Floats a, Floats b) { return inverse(wasm_f32x4_lt(a, b)); }
    static Mask either(Mask a, Mask b) { return wasm_v128_or(a, b); }
    static Mask both(Mask a, Mask b) { return wasm_v128_and(a, b); }
    static Mask butNot(Mask a, Mask b) { return wasm_v128_andnot(a, b); }
    static Mask inverse(Mask a) { return wasm_v128_not(a); }
    static bool any(Mask mask) { return wasm_v128_any_true(mask); }
    static bool all(Mask mask) { return wasm_i32x4_all_true(mask); }

    static void storeThree(float* p, Floats x) {
        wasm_v128_store64_lane(p, x, 0);
        wasm_v128_store32_lane(p + 2, x, 2);
    }

    using Ints = v128_t;
    static Ints setInts(uint32_t x) { return wasm_u32x4_splat(x); }
    static Ints loadInts(const uint32_t* p) { return wasm_v128_load(p); }
    static void storeInts(uint32_t* p, Ints x) { wasm_v128_store(p, x); }
    static Ints addInts(Ints a, Ints b) { return wasm_i32x4_add(a, b); }
    static Ints mulInts(Ints a, Ints b) { return wasm_i32x4_mul(a, b); }
    static Ints addWhere(Mask mask, Ints a, Ints b) { return wasm_i32x4_add(a, wasm_v128_and(mask, b)); }
    static Floats select(Mask mask, Floats a, Floats b) { return wasm_v128_bitselect(a, b, mask); }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const Floats first = a;
        a = select(mask, b, a);
        b = select(mask, first, b);
    }
    static Mask maskOf(unsigned bits) {
        const v128_t bit = wasm_i32x4_const(1, 2, 4, 8);
        return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat(static_cast<int>(bits)), bit), bit);
    }

    /// The sums of the floats of four quaternions, (x + z) + (y + w) each.
    static Floats sumsOfFour(Floats q0, Floats q1, Floats q2, Floats q3) {
        const Floats sums01 = add(lowPairs(q0, q1), highPairs(q0, q1)); // x+z of both, y+w of both
        const Floats sums23 = add(lowPairs(q2, q3), highPairs(q2, q3));
        return add(wasm_i32x4_shuffle(sums01, sums23, 0, 1, 4, 5), wasm_i32x4_shuffle(sums01, sums23, 2, 3, 6, 7));
    }
    template <int i> static Floats broadcast(Floats x) { return wasm_i32x4_shuffle(x, x, i, i, i, i); }
    template <int i> static Floats everyElement(Floats x) { return broadcast<i>(x); }
    /// Rows to columns.
    static void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = lowPairs(a, c), even1 = highPairs(a, c);
        const Floats odd0 = lowPairs(b, d), odd1 = highPairs(b, d);
        a = lowPairs(even0, odd0);
        b = highPairs(even0, odd0);
        c = lowPairs(even1, odd1);
        d = highPairs(even1, odd1);
    }
    /// x0 y0 z0 x1 y1 z1 and so on: 12 floats.
    static void storeInterleaved(float* to, Floats x, Floats y, Floats z) {
        const Floats xy = wasm_i32x4_shuffle(x, y, 0, 2, 4, 6); // x0 x2 y0 y2
        const Floats yz = wasm_i32x4_shuffle(y, z, 1, 3, 5, 7); // y1 y3 z1 z3
        const Floats zx = wasm_i32x4_shuffle(z, x, 0, 2, 5, 7); // z0 z2 x1 x3
        store(to, wasm_i32x4_shuffle(xy, zx, 0, 2, 4, 6));
        store(to + 4, wasm_i32x4_shuffle(yz, xy, 0, 2, 5, 7));
        store(to + 8, wasm_i32x4_shuffle(zx, yz, 1, 3, 5, 7));
    }

    /// The last float of `row` is more, or less, by that of `by`; the others stay, -0 as well: x + -0 and x - 0 are x.
    static Floats addLast(Floats row, Floats by) { return add(row, lastOr(wasm_f32x4_const_splat(-0.0f), by)); }
    static Floats subLast(Floats row, Floats by) { return sub(row, lastOr(wasm_f32x4_const_splat(0.0f), by)); }

    static constexpr int kDoubles = 2;
    using Doubles = v128_t;
    static Doubles setDoubles(double x) { return wasm_f64x2_splat(x); }
    static Doubles loadDoubles(const double* p) { return wasm_v128_load(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return wasm_f64x2_add(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return wasm_f64x2_mul(a, b); }
    static void storeAsFloats(float* p, Doubles x) { wasm_v128_store64_lane(p, wasm_f32x4_demote_f64x2_zero(x), 0); }
    static Floats fraction(const double* times, Floats start, Floats next, Floats& interval) {
        const auto half = [&](int i, Floats from, Floats to, Floats& seconds) {
            const Doubles start2 = wasm_f64x2_promote_low_f32x4(from);
            const Doubles interval2 = wasm_f64x2_sub(wasm_f64x2_promote_low_f32x4(to), start2);
            seconds = wasm_f32x4_demote_f64x2_zero(interval2);
            return wasm_f32x4_demote_f64x2_zero(
                wasm_f64x2_div(wasm_f64x2_sub(wasm_v128_load(times + i), start2), interval2));
        };
        Floats low, high;
        const Floats s0 = half(0, start, next, low);
        const Floats s1 = half(2, highHalf(start), highHalf(next), high);
        interval = wasm_i32x4_shuffle(low, high, 0, 1, 4, 5);
        return wasm_i32x4_shuffle(s0, s1, 0, 1, 4, 5);
    }

private:
    static Floats highHalf(Floats a) { return wasm_i32x4_shuffle(a, a, 2, 3, 2, 3); }
    static Floats lowPairs(Floats a, Floats b) { return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5); }
    static Floats highPairs(Floats a, Floats b) { return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7); }
    /// `rest`, but the last float is that of `x`.
    static Floats lastOr(Floats rest, Floats x) { return wasm_i32x4_shuffle(rest, x, 0, 1, 2, 7); }
};

} // namespace
} // namespace poselane
