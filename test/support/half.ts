// SPDX-License-Identifier: MIT

/** IEEE half precision by its definition: no bits of another format are looked at. */

/** The value of a half float. */
export function halfToNumber(half: number): number {
    const sign = half >= 0x8000 ? -1 : 1;
    const exponent = Math.floor(half / 1024) % 32;
    const fraction = (half % 1024) / 1024;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    return exponent === 0 ? sign * 2 ** -14 * fraction : sign * 2 ** (exponent - 15) * (1 + fraction);
}

const POSITIVE = Float64Array.from({ length: 0x7c00 }, (_, half) => halfToNumber(half));

/** The half float nearest to a number of at most 65504, ties to even: found by a search of all of them. */
export function numberToHalf(value: number): number {
    const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
    const magnitude = Math.abs(value);
    let [low, high] = [0, POSITIVE.length - 1];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (POSITIVE[middle]! <= magnitude) low = middle;
        else high = middle - 1;
    }
    const below = magnitude - POSITIVE[low]!;
    const above = low + 1 < POSITIVE.length ? POSITIVE[low + 1]! - magnitude : Infinity;
    return sign + (below < above || (below === above && low % 2 === 0) ? low : low + 1);
}
