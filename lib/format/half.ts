// SPDX-License-Identifier: MIT

/** IEEE half precision: 1 sign bit, 5 exponent bits, 10 fraction bits. */

export const MAX_HALF = 65504;

/** Below this, half floats are multiples of 2^-24. */
const MIN_NORMAL = 1 / 16384; // 2^-14, without a power function, which can differ between machines
const SUBNORMAL_STEP = 1 / 16777216;
/** Adding this to a double rounds it to a whole number, ties to even. */
const ROUNDING = 4503599627370496; // 2^52

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The bits of the half float nearest to a float32, ties to even. The magnitude must be at most `MAX_HALF`. */
export function halfOf(value: number): number {
    float[0] = value;
    const sign = (bits[0]! >>> 16) & 0x8000;
    const magnitude = bits[0]! & 0x7fffffff;
    float[0] = value < 0 ? -value : value;
    if (float[0]! < MIN_NORMAL) return sign | (float[0]! / SUBNORMAL_STEP + ROUNDING - ROUNDING);
    // Adds just under half a step of the fraction, or exactly half if the step below is odd. A carry increments the
    // exponent.
    const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
    return sign | ((rounded >>> 13) - ((127 - 15) << 10));
}

/** The value of a half float. Every one is a float32. */
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

/** The values of all half floats, by their bits, for reading many. Each call returns the same array. */
export function halfFloats(): Float32Array {
    table ??= Float32Array.from({ length: 65536 }, (_, half) => valueOfHalf(half));
    return table;
}
