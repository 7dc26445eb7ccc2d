// SPDX-License-Identifier: MIT

/** Column-major 4x4 matrices of doubles, all affine. */

/** T * R * S. Applies the formula for unit quaternions to any quaternion. */
export function compose(out: Float64Array, at: number, trs: ArrayLike<number>, from: number): void {
    const [x, y, z, w] = [trs[from + 3]!, trs[from + 4]!, trs[from + 5]!, trs[from + 6]!];
    const columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
        [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
        [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ];
    for (let c = 0; c < 3; c++) {
        for (let row = 0; row < 3; row++) {
            out[at + c * 4 + row] = columns[c]![row]! * trs[from + 7 + c]!;
            out[at + 12 + row] = trs[from + row]!;
        }
        out[at + c * 4 + 3] = 0;
    }
    out[at + 15] = 1;
}

/** out = a * b. `out` must be neither of them. */
export function multiply(
    out: Float64Array,
    at: number,
    a: ArrayLike<number>,
    aAt: number,
    b: ArrayLike<number>,
    bAt: number,
): void {
    for (let column = 0; column < 4; column++) {
        for (let row = 0; row < 4; row++) {
            let sum = 0;
            for (let k = 0; k < 4; k++) sum += a[aAt + k * 4 + row]! * b[bAt + column * 4 + k]!;
            out[at + column * 4 + row] = sum;
        }
    }
}

/** Length of the longest of the three columns. A matrix without shear lengthens no vector by more. */
export function longestColumn(m: ArrayLike<number>, at: number): number {
    return Math.max(...[0, 4, 8].map((c) => Math.hypot(m[at + c]!, m[at + c + 1]!, m[at + c + 2]!)));
}

/** The point under a matrix. */
export function transformed(m: ArrayLike<number>, at: number, x: number, y: number, z: number): number[] {
    return [0, 1, 2].map((row) => m[at + row]! * x + m[at + 4 + row]! * y + m[at + 8 + row]! * z + m[at + 12 + row]!);
}

/** By Gauss-Jordan elimination with pivoting; null for a singular matrix. */
export function inverse(m: ArrayLike<number>): Float64Array | null {
    const rows = [0, 1, 2, 3].map((row) =>
        Array.from({ length: 8 }, (_, c) => (c < 4 ? m[c * 4 + row]! : c - 4 === row ? 1 : 0)),
    );
    for (let c = 0; c < 4; c++) {
        let pivot = c;
        for (let row = c + 1; row < 4; row++) {
            if (Math.abs(rows[row]![c]!) > Math.abs(rows[pivot]![c]!)) pivot = row;
        }
        const divisor = rows[pivot]![c]!;
        if (divisor === 0) return null;
        [rows[c], rows[pivot]] = [rows[pivot]!, rows[c]!];
        rows[c] = rows[c]!.map((x) => x / divisor);
        for (let row = 0; row < 4; row++) {
            if (row === c) continue;
            const factor = rows[row]![c]!;
            rows[row] = rows[row]!.map((x, k) => x - factor * rows[c]![k]!);
        }
    }
    return Float64Array.from({ length: 16 }, (_, i) => rows[i % 4]![4 + Math.floor(i / 4)]!);
}
