// SPDX-License-Identifier: MIT

/**
 * The joint-list routines in double precision, by other ways than the library's: angles by atan2, matrices by rotating
 * the axes, quaternions as eigenvectors. Slow, and good to about 1e-15.
 */

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { abs, atan2, hypot, max, min, sin } = Math;

type Vector = readonly number[];

const dot = (a: Vector, b: Vector) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const scaled = (a: Vector, s: number) => a.map((x) => x * s);
const plus = (a: Vector, b: Vector) => a.map((x, i) => x + b[i]!);
const unit = (a: Vector) => scaled(a, 1 / hypot(...a));

/** Below this a dot product's sign is float32 rounding, and both ways round are right. */
const EITHER_WAY = 1e-6;

/** `blend` the shorter way round, or both ways where neither is shorter. */
function shorterWay(from: Vector, to: Vector, blend: (to: Vector) => number[]): number[][] {
    const cos = dot(from, to);
    const same = () => blend(to);
    const flipped = () => blend(scaled(to, -1));
    if (abs(cos) < EITHER_WAY) return [same(), flipped()];
    return [cos < 0 ? flipped() : same()];
}

/** The right slerps of two quaternions: one, or two where they are half a turn apart. */
export function slerpReference(from: Vector, to: Vector, t: number): number[][] {
    return shorterWay(from, to, (target) => {
        const a = unit(from);
        const b = unit(target);
        // Exact for every angle, where the arc cosine loses half of the digits of small ones.
        const angle = 2 * atan2(hypot(...plus(a, scaled(b, -1))), hypot(...plus(a, b)));
        const sine = sin(angle);
        const keep = angle < 1e-9 ? 1 - t : sin((1 - t) * angle) / sine;
        const take = angle < 1e-9 ? t : sin(t * angle) / sine;
        return plus(scaled(from, keep), scaled(target, take));
    });
}

/** The right normalized lerps of two quaternions: one, or two where they are half a turn apart. */
export function lerpReference(from: Vector, to: Vector, t: number): number[][] {
    return shorterWay(from, to, (target) => unit(plus(scaled(from, 1 - t), scaled(target, t))));
}

/** Hamilton's product. */
export function times(a: Vector, b: Vector): number[] {
    const [ax, ay, az, aw] = a as [number, number, number, number];
    const [bx, by, bz, bw] = b as [number, number, number, number];
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ];
}

const AXES = [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
];

export type Convention = 'id' | 'gltf';

/** The rotation matrix (9 numbers, row-major) of a quaternion: where q v q^-1 takes the axes are glTF's columns. */
export function rotationReference(q: Vector, convention: Convention): number[] {
    const [x, y, z, w] = unit(q) as [number, number, number, number];
    const images = AXES.map((axis) => times(times([x, y, z, w], axis), [-x, -y, -z, w]));
    const at = (row: number, column: number) => (convention === 'gltf' ? images[column]![row]! : images[row]![column]!);
    return [0, 1, 2].flatMap((row) => [at(row, 0), at(row, 1), at(row, 2)]);
}

/**
 * The unit quaternion (of either sign) of a rotation matrix: the eigenvector of 4 q qT, which the matrix's elements
 * give, by squaring it until nothing else is left.
 */
export function quaternionReference(rotation: Vector, convention: Convention): number[] {
    const m = (row: number, column: number) => rotation[convention === 'gltf' ? row * 3 + column : column * 3 + row]!;
    const trace = m(0, 0) + m(1, 1) + m(2, 2);
    const xy = m(0, 1) + m(1, 0);
    const xz = m(0, 2) + m(2, 0);
    const yz = m(1, 2) + m(2, 1);
    const wx = m(2, 1) - m(1, 2);
    const wy = m(0, 2) - m(2, 0);
    const wz = m(1, 0) - m(0, 1);
    let k = [
        [1 + 2 * m(0, 0) - trace, xy, xz, wx],
        [xy, 1 + 2 * m(1, 1) - trace, yz, wy],
        [xz, yz, 1 + 2 * m(2, 2) - trace, wz],
        [wx, wy, wz, 1 + trace],
    ];
    for (let i = 0; i < 5; i++) {
        const rows = k;
        const square = rows.map((row) => rows.map((column) => dot(row, column)));
        const size = square.reduce((sum, row, j) => sum + row[j]!, 0);
        k = square.map((row) => scaled(row, 1 / size));
    }
    const largest = k.reduce((best, row, i) => (row[i]! > k[best]![best]! ? i : best), 0);
    return unit(k[largest]!);
}

/** A JointMat's rotation (9 numbers) and translation. */
function parts(mats: ArrayLike<number>, joint: number): { r: number[]; t: number[] } {
    const at = (i: number) => mats[joint * 12 + i]!;
    return { r: [0, 1, 2, 4, 5, 6, 8, 9, 10].map(at), t: [3, 7, 11].map(at) };
}

function store(mats: Float64Array, joint: number, r: Vector, t: Vector): void {
    for (let row = 0; row < 3; row++) {
        mats.set([...r.slice(row * 3, row * 3 + 3), t[row]!], joint * 12 + row * 4);
    }
}

const column = (r: Vector, c: number) => [r[c]!, r[c + 3]!, r[c + 6]!];
const transposed = (r: Vector) => [0, 1, 2].flatMap((i) => column(r, i));
const applied = (r: Vector, v: Vector) => [0, 3, 6].map((i) => r[i]! * v[0]! + r[i + 1]! * v[1]! + r[i + 2]! * v[2]!);

function product(a: Vector, b: Vector): number[] {
    const result: number[] = [];
    for (let i = 0; i < 9; i += 3) {
        for (let c = 0; c < 3; c++) result.push(a[i]! * b[c]! + a[i + 1]! * b[c + 3]! + a[i + 2]! * b[c + 6]!);
    }
    return result;
}

/** `a * b` of two JointMats, into `result`. */
function multiply(result: Float64Array, to: number, a: ReturnType<typeof parts>, b: ReturnType<typeof parts>): void {
    store(result, to, product(a.r, b.r), plus(applied(a.r, b.t), a.t));
}

/** transformSkeleton: matrices relative to the model. */
export function transformReference(
    jointMats: ArrayLike<number>,
    parents: Int32Array,
    firstJoint: number,
    lastJoint: number,
): Float64Array {
    const result = Float64Array.from(jointMats);
    for (let i = firstJoint; i <= lastJoint; i++) {
        if (parents[i]! >= 0) multiply(result, i, parts(result, parents[i]!), parts(result, i));
    }
    return result;
}

/** untransformSkeleton: every joint by the transpose of its parent, which is given in the same list. */
export function untransformReference(
    jointMats: ArrayLike<number>,
    parents: Int32Array,
    firstJoint: number,
    lastJoint: number,
): Float64Array {
    const result = Float64Array.from(jointMats);
    for (let i = firstJoint; i <= lastJoint; i++) {
        if (parents[i]! < 0) continue;
        const parent = parts(jointMats, parents[i]!);
        const joint = parts(jointMats, i);
        const inverse = transposed(parent.r);
        store(result, i, product(inverse, joint.r), applied(inverse, plus(joint.t, scaled(parent.t, -1))));
    }
    return result;
}

/** transformJoints. */
export function productReference(joints1: ArrayLike<number>, joints2: ArrayLike<number>): Float64Array {
    const result = new Float64Array(joints1.length);
    for (let i = 0; i < joints1.length / 12; i++) multiply(result, i, parts(joints1, i), parts(joints2, i));
    return result;
}

/** The max difference of the components, or NaN if a difference is NaN. */
export function distance(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
    let worst = 0;
    for (let i = 0; i < actual.length; i++) worst = max(worst, abs(actual[i]! - expected[i]!));
    return worst;
}

/** The distance to the nearest of several right answers. */
export function distanceToNearest(actual: ArrayLike<number>, candidates: readonly ArrayLike<number>[]): number {
    return min(...candidates.map((candidate) => distance(actual, candidate)));
}

/** The distance of two quaternions that mean the same rotation with either sign. */
export function distanceUpToSign(actual: ArrayLike<number>, expected: Vector): number {
    return distanceToNearest(actual, [expected, scaled(expected, -1)]);
}
