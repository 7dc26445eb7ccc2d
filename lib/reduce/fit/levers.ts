// SPDX-License-Identifier: MIT

import { place, TRS } from '../model/affine';
import { subtreeOf } from '../model/model';
import { BLOCK, type Clip, MATRIX, type Track } from './clip';

/**
 * Estimates how far a change of one track displaces the points that its node carries. The estimate is seldom too low.
 * It decides where keys are tried; `judge` decides whether they stay.
 */
export interface Lever {
    /** For a rotation by a small vector r, the squared displacement r' Q r: xx, yy, zz, xy, xz, yz. */
    readonly form: Float64Array;
    /** Maximum distance of the points along each axis, and overall. */
    readonly reach: readonly [number, number, number];
    readonly radius: number;
    /** Maximum factor by which the ancestors enlarge a displacement. */
    readonly scale: number;
}

/** Times of the clip at which the points are sampled. More saved no bytes. */
const LOOKS = 2;

/** Directions to the faces, edges and corners of a cube, x y z each. One of each opposite pair. */
const PROBES = Float64Array.from(
    Array.from({ length: 13 }, (_, i) => i + 14).flatMap((j) => [
        (j % 3) - 1,
        (Math.floor(j / 3) % 3) - 1,
        Math.floor(j / 9) - 1,
    ]),
);

/** The lever of each track. The source must be placed. Tracks of a node share one. */
export function leversOf(clip: Clip): Lever[] {
    const levers = new Map<number, Lever>();
    return clip.tracks.map(({ node }) => {
        const lever = levers.get(node) ?? leverOf(clip, node, armsOf(clip, node));
        levers.set(node, lever);
        return lever;
    });
}

function leverOf(clip: Clip, node: number, arms: Float64Array): Lever {
    const form = new Float64Array(6);
    const reach: [number, number, number] = [0, 0, 0];
    const squares = new Float64Array(PROBES.length / 3);
    const own = new Float64Array(6);
    let farthest = 0;
    for (let p = 0; p < arms.length; p += 3) {
        for (let c = 0; c < 3; c++) reach[c] = Math.max(reach[c]!, Math.abs(arms[p + c]!));
        farthest = Math.max(farthest, addArm(form, squares, own, arms[p]!, arms[p + 1]!, arms[p + 2]!));
    }
    const radius = Math.sqrt(farthest);
    // The sum of all points' forms gives the shape, the maximum over the probes the size.
    let factor = 0;
    for (let i = 0; i < squares.length; i++) {
        const sum = quadratic(form, i * 3);
        if (sum > 0) factor = Math.max(factor, squares[i]! / sum);
    }
    for (let e = 0; e < 6; e++) form[e] = form[e]! * factor;
    return { form, reach, radius, scale: scaleAbove(clip, node) };
}

/**
 * Adds an arm's form, and raises the squares at the probes. Returns the squared length. A function, because V8 drops the
 * code of the loop around it in each call.
 */
function addArm(form: Float64Array, squares: Float64Array, own: Float64Array, x: number, y: number, z: number): number {
    own[0] = y * y + z * z;
    own[1] = x * x + z * z;
    own[2] = x * x + y * y;
    own[3] = -x * y;
    own[4] = -x * z;
    own[5] = -y * z;
    for (let e = 0; e < 6; e++) form[e] = form[e]! + own[e]!;
    for (let i = 0; i < squares.length; i++) squares[i] = Math.max(squares[i]!, quadratic(own, i * 3));
    return x * x + y * y + z * z;
}

/** The form at the probe whose numbers start at `p`. */
function quadratic(form: Float64Array, p: number): number {
    const x = PROBES[p]!;
    const y = PROBES[p + 1]!;
    const z = PROBES[p + 2]!;
    return (
        form[0]! * x * x +
        form[1]! * y * y +
        form[2]! * z * z +
        2 * (form[3]! * x * y + form[4]! * x * z + form[5]! * y * z)
    );
}

function sourceAt({ source, blocks }: Clip, node: number, s: number, into: Float64Array): Float64Array {
    const o = (node * blocks + (s >> 3)) * MATRIX * BLOCK + (s & 7);
    for (let e = 0; e < MATRIX; e++) into[e] = source[o + e * BLOCK]!;
    return into;
}

/** The points that a node's rotation moves, relative to its origin and in its own frame: scaled, not yet rotated. */
function armsOf(clip: Clip, node: number): Float64Array {
    const { model, locals } = clip;
    const count = 2 * clip.times.length - 1;
    const stride = Math.max(1, Math.floor(count / LOOKS));
    const arms: number[] = [];
    const g = new Float64Array(MATRIX);
    const b = new Float64Array(MATRIX);
    const at = new Float64Array(3);
    for (let s = 0; s < count; s += stride) {
        sourceAt(clip, node, s, g);
        const inverse = inverseOf(g);
        const own = locals[node]!;
        for (const below of subtreeOf(model, node)) {
            sourceAt(clip, below, s, b);
            const corners = model.corners[below]!;
            for (let p = 0; p < corners.length; p += 3) {
                place(at, 0, b, 0, corners[p]!, corners[p + 1]!, corners[p + 2]!);
                const x = at[0]! - g[3]!;
                const y = at[1]! - g[7]!;
                const z = at[2]! - g[11]!;
                for (let r = 0; r < 3; r++) {
                    const along = inverse[r * 3]! * x + inverse[r * 3 + 1]! * y + inverse[r * 3 + 2]! * z;
                    arms.push(own[s * TRS + 7 + r]! * along);
                }
            }
        }
    }
    return new Float64Array(arms);
}

/** Inverse of the linear part; zeros if it is singular. */
function inverseOf(m: Float64Array): readonly number[] {
    const [a, b, c, , d, e, f, , g, h, i] = m as unknown as number[];
    const det = a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
    const k = det === 0 ? 0 : 1 / det;
    return [
        e! * i! - f! * h!,
        c! * h! - b! * i!,
        b! * f! - c! * e!,
        f! * g! - d! * i!,
        a! * i! - c! * g!,
        c! * d! - a! * f!,
        d! * h! - e! * g!,
        b! * g! - a! * h!,
        a! * e! - b! * d!,
    ].map((x) => x * k);
}

function scaleAbove(clip: Clip, node: number): number {
    const parent = clip.model.parents[node]!;
    if (parent < 0) return 1;
    const count = 2 * clip.times.length - 1;
    const m = new Float64Array(MATRIX);
    let max = 0;
    for (let s = 0; s < count; s++) {
        sourceAt(clip, parent, s, m);
        for (let c = 0; c < 3; c++) {
            const squared = m[c]! * m[c]! + m[c + 4]! * m[c + 4]! + m[c + 8]! * m[c + 8]!;
            if (squared > max) max = squared;
        }
    }
    return Math.sqrt(max);
}

/** Displacement by a value, at `o` of `v`, instead of the target's value at time i. */
export function deviation(track: Track, lever: Lever, i: number, v: Float64Array, o: number): number {
    return displacement(track, lever, track.target, i * track.width, v, o);
}

/** Writes the displacement by the value at each time from `first` to `last`, which is at `i * width` of `values`. */
export function deviations(
    { width, place, target }: Track,
    lever: Lever,
    first: number,
    last: number,
    values: Float64Array,
    into: Float64Array,
): void {
    // In one loop, because V8 allocates each number that a function returns.
    for (let i = first; i <= last; i++) {
        const at = i * width;
        into[i] =
            width === 4 ? byRotation(lever, target, at, values, at) : byVector(lever, place, target, at, values, at);
    }
}

/** Displacement by a value, at `o` of `v`, instead of another one, at `t` of `from`. */
export function displacement(
    { width, place }: Track,
    lever: Lever,
    from: Float64Array,
    t: number,
    v: Float64Array,
    o: number,
): number {
    return width === 4 ? byRotation(lever, from, t, v, o) : byVector(lever, place, from, t, v, o);
}

function byRotation({ form, radius, scale }: Lever, from: Float64Array, t: number, v: Float64Array, o: number): number {
    const ax = -from[t]!;
    const ay = -from[t + 1]!;
    const az = -from[t + 2]!;
    const aw = from[t + 3]!;
    const bx = v[o]!;
    const by = v[o + 1]!;
    const bz = v[o + 2]!;
    const bw = v[o + 3]!;
    const w = aw * bw - ax * bx - ay * by - az * bz;
    const k = w < 0 ? -2 : 2;
    const x = k * (aw * bx + ax * bw + ay * bz - az * by);
    const y = k * (aw * by - ax * bz + ay * bw + az * bx);
    const z = k * (aw * bz + ax * by - ay * bx + az * bw);
    const squared =
        form[0]! * x * x +
        form[1]! * y * y +
        form[2]! * z * z +
        2 * (form[3]! * x * y + form[4]! * x * z + form[5]! * y * z);
    // A quaternion that is not of unit length scales.
    const norm = Math.abs(bx * bx + by * by + bz * bz + bw * bw - 1) * radius;
    return (Math.sqrt(Math.max(squared, 0)) + norm) * scale;
}

function byVector(
    { reach, scale }: Lever,
    place: number,
    from: Float64Array,
    t: number,
    v: Float64Array,
    o: number,
): number {
    let x = v[o]! - from[t]!;
    let y = v[o + 1]! - from[t + 1]!;
    let z = v[o + 2]! - from[t + 2]!;
    if (place === 7) {
        x *= reach[0];
        y *= reach[1];
        z *= reach[2];
    }
    return Math.sqrt(x * x + y * y + z * z) * scale;
}
