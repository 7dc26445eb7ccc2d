// SPDX-License-Identifier: MIT

/** Affine matrices in double precision, row-major 3 x 4, for the judged poses. */

/** Numbers of a node: translation, rotation and scale. */
export const TRS = 10;

/** Relative precision of a position in players' float32, a few ulp. */
export const FLOAT32 = 2 ** -21;

/**
 * Writes translation x rotation x scale (glTF 2.0, 3.5.3) of the ten numbers at `l`. Element e goes to `at + e *
 * stride`.
 */
export function compose(result: Float64Array, at: number, stride: number, trs: Float64Array, l: number): void {
    const x = trs[l + 3]!;
    const y = trs[l + 4]!;
    const z = trs[l + 5]!;
    const w = trs[l + 6]!;
    const sx = trs[l + 7]!;
    const sy = trs[l + 8]!;
    const sz = trs[l + 9]!;
    result[at] = (1 - 2 * (y * y + z * z)) * sx;
    result[at + stride] = 2 * (x * y - z * w) * sy;
    result[at + 2 * stride] = 2 * (x * z + y * w) * sz;
    result[at + 3 * stride] = trs[l]!;
    result[at + 4 * stride] = 2 * (x * y + z * w) * sx;
    result[at + 5 * stride] = (1 - 2 * (x * x + z * z)) * sy;
    result[at + 6 * stride] = 2 * (y * z - x * w) * sz;
    result[at + 7 * stride] = trs[l + 1]!;
    result[at + 8 * stride] = 2 * (x * z - y * w) * sx;
    result[at + 9 * stride] = 2 * (y * z + x * w) * sy;
    result[at + 10 * stride] = (1 - 2 * (x * x + y * y)) * sz;
    result[at + 11 * stride] = trs[l + 2]!;
}

/** `result = a x b`, 12 numbers each. `result` must be neither of them. */
export function multiply(
    result: Float64Array,
    at: number,
    a: Float64Array,
    aAt: number,
    b: Float64Array,
    bAt: number,
): void {
    for (let r = 0; r < 12; r += 4) {
        const x = a[aAt + r]!;
        const y = a[aAt + r + 1]!;
        const z = a[aAt + r + 2]!;
        for (let c = 0; c < 4; c++) {
            const sum = x * b[bAt + c]! + y * b[bAt + c + 4]! + z * b[bAt + c + 8]!;
            result[at + r + c] = c === 3 ? sum + a[aAt + r + 3]! : sum;
        }
    }
}

const local = new Float64Array(12);

/** Writes the global matrices of nodes, each after its parent, from `[node][10]` or from the node's own matrix. */
export function globalsOf(
    { parents, matrices }: { readonly parents: Int32Array; readonly matrices: readonly (Float64Array | null)[] },
    locals: Float64Array,
    globals: Float64Array,
): Float64Array {
    for (let node = 0; node < parents.length; node++) {
        const matrix = matrices[node] ?? local;
        if (matrix === local) compose(local, 0, 1, locals, node * TRS);
        const parent = parents[node]!;
        if (parent < 0) globals.set(matrix, node * 12);
        else multiply(globals, node * 12, globals, parent * 12, matrix, 0);
    }
    return globals;
}

/** Converts a column-major 4x4 matrix to 12 numbers. The fourth row is taken as 0 0 0 1. */
export function affineOf(matrix: ArrayLike<number>, from = 0): Float64Array {
    return Float64Array.from({ length: 12 }, (_, e) => matrix[from + (e % 4) * 4 + Math.floor(e / 4)]!);
}

/** Length of the unit vector along axis c after the transform. */
export function lengthOfAxis(m: Float64Array, at: number, c: number): number {
    const [x, y, z] = [m[at + c]!, m[at + c + 4]!, m[at + c + 8]!];
    return Math.sqrt(x * x + y * y + z * z);
}

/** Writes the point transformed by `m`. */
export function place(
    result: Float64Array,
    at: number,
    m: Float64Array,
    mAt: number,
    x: number,
    y: number,
    z: number,
): void {
    for (let r = 0; r < 3; r++) {
        const e = mAt + r * 4;
        result[at + r] = m[e]! * x + m[e + 1]! * y + m[e + 2]! * z + m[e + 3]!;
    }
}
