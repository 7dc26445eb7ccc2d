// SPDX-License-Identifier: MIT

import type { SceneSkin } from '../../gltf/scene';

/*
 * Tools that quantize positions give each mesh a skin of its own: the same joints, and inverse bind matrices that are those of the
 * source times the matrix from the quantized positions to the original ones.
 */

/** Tolerance as a share of the summed numbers: a few roundings of float32. */
const ROUNDING = 1e-5;

/** Whether two skins have the same joints in the same order, and inverse bind matrices that differ by one matrix on the right. */
export function areRelated(a: SceneSkin, b: SceneSkin): boolean {
    if (a.joints.length !== b.joints.length || a.joints.some((node, joint) => node !== b.joints[joint])) return false;
    const known = a.joints.map((_, joint) => ({ a: affineAt(a, joint), b: affineAt(b, joint) }));
    // Uses the joint with the smallest inversion error. Others may have scale 0.
    const best = known.reduce((max, pair) => (roundness(pair.a) > roundness(max.a) ? pair : max));
    const factor = solve(best.a, best.b);
    if (factor === null) return false;
    const products = known.map((pair) => ({ ...product(pair.a, factor), b: pair.b }));
    const size = products.reduce(
        (max, { sizes, b: { place } }) => Math.max(max, sizes.place, ...place.map(Math.abs)),
        0,
    );
    return products.every(({ result, sizes, b: { linear, place } }) => {
        const allowed = ROUNDING * Math.max(sizes.linear, ...linear.map(Math.abs));
        return (
            linear.every((x, i) => Math.abs(x - result.linear[i]!) <= allowed) &&
            place.every((x, i) => Math.abs(x - result.place[i]!) <= ROUNDING * size)
        );
    });
}

/** Row-major 3x3, and the translation. */
export interface Affine {
    readonly linear: readonly number[];
    readonly place: readonly number[];
}

export function affineAt({ inverseBindMatrices: m }: SceneSkin, joint: number): Affine {
    const at = joint * 16;
    const rows = [0, 1, 2];
    return {
        linear: rows.flatMap((row) => rows.map((column) => m[at + column * 4 + row]!)),
        place: rows.map((row) => m[at + 12 + row]!),
    };
}

/** The inverse times the determinant. */
export function cofactors([a, b, c, d, e, f, g, h, i]: readonly number[]): number[] {
    return [
        ...[e! * i! - f! * h!, c! * h! - b! * i!, b! * f! - c! * e!],
        ...[f! * g! - d! * i!, a! * i! - c! * g!, c! * d! - a! * f!],
        ...[d! * h! - e! * g!, b! * g! - a! * h!, a! * e! - b! * d!],
    ];
}

/** The first row times the first column of the cofactors. */
function determinant({ linear }: Affine): number {
    const own = cofactors(linear);
    return linear[0]! * own[0]! + linear[1]! * own[3]! + linear[2]! * own[6]!;
}

/** |determinant| as a share of that of a cube with sides as long as the largest number: 0 for a matrix that cannot be inverted. */
function roundness(affine: Affine): number {
    const size = Math.max(...affine.linear.map(Math.abs));
    return size > 0 ? Math.abs(determinant(affine)) / (size * size * size) : 0;
}

/** Solves a x = b in double precision. Null if a or x is singular. */
export function solve(a: Affine, b: Affine): Affine | null {
    const by = determinant(a);
    const inverse = cofactors(a.linear).map((cofactor) => cofactor / by);
    const offset = b.place.map((x, i) => x - a.place[i]!);
    const x = { linear: timesMatrix(inverse, b.linear), place: timesVector(inverse, offset) };
    return [...x.linear, ...x.place].every(Number.isFinite) && roundness(x) > 0 ? x : null;
}

const timesMatrix = (a: readonly number[], b: readonly number[]): number[] =>
    a.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + a[i - (i % 3) + k]! * b[k * 3 + (i % 3)]!, 0));

const timesVector = (a: readonly number[], v: readonly number[]): number[] =>
    v.map((_, row) => a[row * 3]! * v[0]! + a[row * 3 + 1]! * v[1]! + a[row * 3 + 2]! * v[2]!);

/** The product a b, and the magnitude of its sums. */
function product(a: Affine, b: Affine) {
    const [size, other] = [sizesOf(a), sizesOf(b)];
    const result = {
        linear: timesMatrix(a.linear, b.linear),
        place: timesVector(a.linear, b.place).map((x, row) => x + a.place[row]!),
    };
    const linear = Math.max(...timesMatrix(size.linear, other.linear));
    const place = Math.max(...timesVector(size.linear, other.place).map((x, row) => x + size.place[row]!));
    return { result, sizes: { linear, place } };
}

function sizesOf({ linear, place }: Affine): Affine {
    return { linear: linear.map(Math.abs), place: place.map(Math.abs) };
}
