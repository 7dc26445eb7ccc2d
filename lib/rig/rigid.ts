// SPDX-License-Identifier: MIT

/**
 * Rigid transforms in double precision, with + - x / and square roots only, so that results are the same on every
 * machine. Functions pass numbers in lists, because V8 may put single numbers on the heap.
 */

/** A rotation and then a translation: tx ty tz x y z w. */
export type Rigid = Float64Array;

/** A uniform scale, perhaps a negative one, and then a rigid transform. */
export interface Similarity {
    readonly rigid: Rigid;
    readonly scale: number;
}

export const createRigid = (): Rigid => Float64Array.of(0, 0, 0, 0, 0, 0, 1);

const ORIGIN = createRigid();

export function normalize(pose: Rigid): void {
    const x = pose[3]!;
    const y = pose[4]!;
    const z = pose[5]!;
    const w = pose[6]!;
    const square = x * x + y * y + z * z + w * w;
    const length = square === 0 ? 1 : Math.sqrt(square);
    pose[3] = x / length;
    pose[4] = y / length;
    pose[5] = z / length;
    pose[6] = w / length;
}

export function invert(pose: Rigid): void {
    for (let c = 0; c < 6; c++) pose[c] = -pose[c]!;
    rotate(pose, pose, pose, ORIGIN);
}

/** out = a x b; `scratch` is written. */
export function multiply(out: Rigid, a: Rigid, b: Rigid, scratch: Rigid): void {
    rotate(scratch, a, b, a);
    turn(scratch, a, b);
    normalize(scratch);
    for (let i = 0; i < 7; i++) out[i] = scratch[i]!;
}

/**
 * total = total x cycle^count, by squaring, which changes `cycle`: a clock that has run for years costs no more than
 * one that has just started.
 */
export function append(total: Rigid, cycle: Rigid, count: number, scratch: Rigid): void {
    for (let left = count; left > 0; left = Math.floor(left / 2)) {
        if (left % 2 === 1) multiply(total, total, cycle, scratch);
        if (left > 1) multiply(cycle, cycle, cycle, scratch);
    }
}

/** The rotation of `out` = that of `a` x that of `b`, of any lengths. `out` is neither. */
export function turn(out: Rigid, a: Rigid, b: Rigid): void {
    const ax = a[3]!;
    const ay = a[4]!;
    const az = a[5]!;
    const aw = a[6]!;
    const bx = b[3]!;
    const by = b[4]!;
    const bz = b[5]!;
    const bw = b[6]!;
    out[3] = aw * bx + ax * bw + ay * bz - az * by;
    out[4] = aw * by + ay * bw + az * bx - ax * bz;
    out[5] = aw * bz + az * bw + ax * by - ay * bx;
    out[6] = aw * bw - ax * bx - ay * by - az * bz;
}

/** The translation of `out` = the rotation of `pose` applied to the translation of `v`, plus that of `shift`. */
export function rotate(out: Rigid, pose: Rigid, v: Rigid, shift: Rigid): void {
    const x = pose[3]!;
    const y = pose[4]!;
    const z = pose[5]!;
    const w = pose[6]!;
    const vx = v[0]!;
    const vy = v[1]!;
    const vz = v[2]!;
    const cx = 2 * (y * vz - z * vy);
    const cy = 2 * (z * vx - x * vz);
    const cz = 2 * (x * vy - y * vx);
    out[0] = vx + w * cx + (y * cz - z * cy) + shift[0]!;
    out[1] = vy + w * cy + (z * cx - x * cz) + shift[1]!;
    out[2] = vz + w * cz + (x * cy - y * cx) + shift[2]!;
}

/**
 * Sets the rotation to one that takes the x axis to where `axes[0..2]` points, and y as near to `axes[3..5]` as that
 * allows; the identity where an axis has no length, or both are one.
 *
 * @param axes Written: made orthonormal, z at 6.
 */
export function orient(pose: Rigid, axes: Float64Array): void {
    unit(axes, 0);
    const dot = axes[0]! * axes[3]! + axes[1]! * axes[4]! + axes[2]! * axes[5]!;
    for (let c = 0; c < 3; c++) axes[3 + c] = axes[3 + c]! - dot * axes[c]!;
    unit(axes, 3);
    axes[6] = axes[1]! * axes[5]! - axes[2]! * axes[4]!;
    axes[7] = axes[2]! * axes[3]! - axes[0]! * axes[5]!;
    axes[8] = axes[0]! * axes[4]! - axes[1]! * axes[3]!;
    if (!(axes[6]! * axes[6]! + axes[7]! * axes[7]! + axes[8]! * axes[8]! > 0.5)) {
        for (let c = 0; c < 9; c++) axes[c] = c % 4 === 0 ? 1 : 0;
    }
    // The four squares add up to 4, so their max is at least 1.
    const m0 = axes[0]!;
    const m4 = axes[4]!;
    const m8 = axes[8]!;
    const ww = 1 + m0 + m4 + m8;
    const xx = 1 + m0 - m4 - m8;
    const yy = 1 - m0 + m4 - m8;
    const zz = 1 - m0 - m4 + m8;
    const yzLess = axes[5]! - axes[7]!;
    const zxLess = axes[6]! - axes[2]!;
    const xyLess = axes[1]! - axes[3]!;
    const xy = axes[1]! + axes[3]!;
    const zx = axes[6]! + axes[2]!;
    const yz = axes[5]! + axes[7]!;
    const byW = ww >= 1;
    const byX = !byW && xx >= 1;
    const byY = !byW && !byX && yy >= 1;
    pose[3] = byW ? yzLess : byX ? xx : byY ? xy : zx;
    pose[4] = byW ? zxLess : byX ? xy : byY ? yy : yz;
    pose[5] = byW ? xyLess : byX ? zx : byY ? yz : zz;
    pose[6] = byW ? ww : byX ? yzLess : byY ? zxLess : xyLess;
    normalize(pose);
}

function unit(axes: Float64Array, at: number): void {
    const x = axes[at]!;
    const y = axes[at + 1]!;
    const z = axes[at + 2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    axes[at] = x / length;
    axes[at + 1] = y / length;
    axes[at + 2] = z / length;
}

/**
 * How far the squares of columns may be from each other, and from right angles, as a share: rotations are written with
 * six digits.
 */
const SIMILAR = 1e-5;

/** Decomposes a row-major 3x4 matrix. Null if it has shear, unequal scale or a scale of 0. */
export function similarityOf(mats: ArrayLike<number>, at: number): Similarity | null {
    const column = (c: number) => [0, 4, 8].map((row) => mats[at + row + c]!) as [number, number, number];
    const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
    const [x, y, z, place] = [column(0), column(1), column(2), column(3)];
    const square = dot(x, x);
    const off = [dot(y, y) - square, dot(z, z) - square, dot(x, y), dot(y, z), dot(z, x)];
    if (!(square > 0) || !off.every((share) => Math.abs(share) <= SIMILAR * square)) return null;
    const cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    const sign = dot(cross, z) < 0 ? -1 : 1;
    const rigid = Float64Array.of(...place, 0, 0, 0, 1);
    orient(rigid, Float64Array.of(...[...x, ...y].map((value) => sign * value), 0, 0, 0));
    return { rigid, scale: sign * Math.sqrt(square) };
}

/**
 * Converts a motion from the outer space to the inner one: out = inner^-1 x motion x inner. `out` must not be `motion`.
 */
export function conjugate(out: Rigid, motion: Rigid, { rigid, scale }: Similarity, scratch: Rigid): void {
    rotate(out, motion, rigid, motion);
    for (let c = 0; c < 3; c++) scratch[c] = (out[c]! - rigid[c]!) / scale;
    for (let c = 3; c < 6; c++) scratch[c] = -rigid[c]!;
    scratch[6] = rigid[6]!;
    rotate(out, scratch, scratch, ORIGIN);
    turn(out, scratch, motion);
    for (let c = 3; c < 7; c++) scratch[c] = out[c]!;
    turn(out, scratch, rigid);
}
