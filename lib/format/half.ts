// SPDX-License-Identifier: MIT

/** IEEE half precision, written and read back: 1 sign bit, 5 of the exponent, 10 of the fraction. */

/** The greatest half float. */
export const GREATEST_HALF = 65504;

/** Below this, halves are multiples of 2^-24. */
const LEAST_NORMAL = 1 / 16384; // 2^-14; not by an operator that may be a routine of the machine's
const SUBNORMAL_STEP = 1 / 16777216;
/** A double added to this is rounded to a whole number, ties to even. */
const ROUNDING = 4503599627370496; // 2^52

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The bits of the half float nearest to a float32 of `GREATEST_HALF` at most, ties to even. */
export function halfOf(value: number): number {
    float[0] = value;
    const sign = (bits[0]! >>> 16) & 0x8000;
    const magnitude = bits[0]! & 0x7fffffff;
    float[0] = value < 0 ? -value : value;
    if (float[0]! < LEAST_NORMAL) return sign | (float[0]! / SUBNORMAL_STEP + ROUNDING - ROUNDING);
    // Half a step of the fraction less than one, and one where the step below is odd; a carry moves the exponent on.
    const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
    return sign | ((rounded >>> 13) - ((127 - 15) << 10));
}

/** What a half float is worth; every one is a float32. */
export function valueOfHalf(half: number): number {
    const exponent = (half >>> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) {
        const value = fraction * SUBNORMAL_STEP;
        return half & 0x8000 ? -value : value;
    }
    const wide = exponent === 31 ? 255 : exponent - 15 + 127;
    bits[0] = ((half & 0x8000) << 16) | (wide << 23) | (fraction << 13);
    return float[0]!;
}

let table: Float32Array | null = null;

/** The values of all half floats by their bits, for those who read many. The same array each time. */
export function halfFloats(): Float32Array {
    table ??= Float32Array.from({ length: 65536 }, (_, half) => valueOfHalf(half));
    return table;
}
