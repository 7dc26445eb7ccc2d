// SPDX-License-Identifier: MIT

/**
 * Interpolates two rows: `a` at `at` and `b` at `bt`. `part[0]` is the fraction from `a` to `b`, 0 to 1. `pivots` are those
 * of `qts16`.
 */
export type Mix = (
    out: Float32Array,
    to: number,
    a: Float32Array,
    at: number,
    b: Float32Array,
    bt: number,
    floats: number,
    part: Float64Array,
    pivots?: Float32Array,
) => void;

/**
 * Interpolates two quaternions x y z w linearly on the shorter arc, and normalizes. If opposite rotations in equal
 * parts sum to zero, the result is `a`. In double precision, rounded once.
 */
export const mixRotation: Mix = (out, to, a, at, b, bt, _floats, part) => {
    const s = part[0]!;
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += a[at + i]! * b[bt + i]!;
    const t = dot < 0 ? -s : s;
    let square = 0;
    for (let i = 0; i < 4; i++) {
        const mixed = a[at + i]! * (1 - s) + b[bt + i]! * t;
        square += mixed * mixed;
    }
    const length = Math.sqrt(square);
    for (let i = 0; i < 4; i++) {
        const mixed = a[at + i]! * (1 - s) + b[bt + i]! * t;
        out[to + i] = length > 0 ? mixed / length : a[at + i]!;
    }
};
