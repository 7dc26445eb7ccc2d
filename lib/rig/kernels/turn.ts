// SPDX-License-Identifier: MIT
// Twin: native/rig/turn.h

/**
 * Turns a joint about its place: the parts that kernels of inverse kinematics share, with what they need of
 * native/rig/geometry.h. A joint turns rigidly in the space of its parent, whatever transforms are above it. Directions
 * without a length give NaNs, and rotations with NaNs are not stored.
 *
 * Vectors, quaternions and 3x3 matrices are in `v`, and functions take their offsets. Storing to `v` rounds.
 */

import { LANES } from './contract';

const f = Math.fround;

/** Square of the sine up to which two directions are the same. */
export const SAME_DIRECTION = f(1e-8);
const HALF_TURN = f(1e-6);

export const v = new Float32Array(128);

// Directions that a turn moves onto each other, of any lengths: see `LaneTurn`. A turn changes the first four.
export const FORWARD = 0;
export const UP = 3;
export const TARGET = 6;
export const POLE = 9;
/** Cosine and sine of a further turn about the target. */
export const TWIST = 12;
/** The rotation of a turn. */
export const TURN = 14;
const OWN = 18;
const [SIDE, ONTO, OTHER, SUM, AXIS] = [22, 25, 28, 31, 34] as const;
const COLUMNS = 37;
const TWICE = 46;
/** From here on for kernels. */
export const FREE = 49;

export function dot(a: number, b: number): number {
    return f(f(f(v[a]! * v[b]!) + f(v[a + 1]! * v[b + 1]!)) + f(v[a + 2]! * v[b + 2]!));
}

/** An element of a cross product. */
const minor = (a: number, b: number, c: number, d: number): number => f(v[a]! * v[b]!) - f(v[c]! * v[d]!);

/** `out` is neither. */
export function cross(a: number, b: number, out: number): void {
    v[out] = minor(a + 1, b + 2, a + 2, b + 1);
    v[out + 1] = minor(a + 2, b, a, b + 2);
    v[out + 2] = minor(a, b + 1, a + 1, b);
}

/** a + s b */
export function addScaled(a: number, b: number, s: number, out: number): void {
    for (let i = 0; i < 3; i++) v[out + i] = v[a + i]! + f(v[b + i]! * s);
}

export function copy(a: number, out: number): void {
    for (let i = 0; i < 3; i++) v[out + i] = v[a + i]!;
}

export function normalize(at: number): void {
    const scale = f(1 / f(Math.sqrt(dot(at, at))));
    for (let i = 0; i < 3; i++) v[at + i] = v[at + i]! * scale;
}

/** Square of the length of a quaternion. */
function squareOf(q: number): number {
    return f(dot(q, q) + f(v[q + 3]! * v[q + 3]!));
}

function normalizeQuat(q: number): void {
    const scale = f(1 / f(Math.sqrt(squareOf(q))));
    for (let i = 0; i < 4; i++) v[q + i] = v[q + i]! * scale;
}

/** `out` is not the vector. */
export function transform(rows: number, vector: number, out: number): void {
    for (let row = 0; row < 3; row++) v[out + row] = dot(rows + row * 3, vector);
}

/** The vector that a unit quaternion rotates `vector` to: v + w c + q x c, c being 2 q x v. */
export function rotate(q: number, vector: number, out: number): void {
    cross(q, vector, TWICE);
    for (let i = 0; i < 3; i++) v[TWICE + i] = v[TWICE + i]! * 2;
    const x = minor(q + 1, TWICE + 2, q + 2, TWICE + 1);
    const y = minor(q + 2, TWICE, q, TWICE + 2);
    const z = minor(q, TWICE + 1, q + 1, TWICE);
    const w = v[q + 3]!;
    v[out] = f(v[vector]! + f(w * v[TWICE]!)) + f(x);
    v[out + 1] = f(v[vector + 1]! + f(w * v[TWICE + 1]!)) + f(y);
    v[out + 2] = f(v[vector + 2]! + f(w * v[TWICE + 2]!)) + f(z);
}

/** A vector across the unit vector `along`. False if they have the same direction, or it is zeros. */
function across(vector: number, along: number, out: number): boolean {
    const limit = f(SAME_DIRECTION * dot(vector, vector));
    addScaled(vector, along, 0 - dot(vector, along), out);
    return dot(out, out) > limit;
}

/** Any vector across another one. */
export function anyAcross(vector: number, out: number): void {
    const [x, y, z] = [v[vector]!, v[vector + 1]!, v[vector + 2]!];
    const aboutZ = Math.abs(x) > Math.abs(z);
    v[out] = aboutZ ? 0 - y : 0;
    v[out + 1] = aboutZ ? x : 0 - z;
    v[out + 2] = aboutZ ? 0 : y;
}

/** The 3x3 part of a global. */
export function loadRows(data: Float32Array, global: number, out: number): void {
    for (let i = 0; i < 9; i++) v[out + i] = data[global + (Math.floor(i / 3) * 4 + (i % 3)) * LANES]!;
}

export function loadOrigin(data: Float32Array, global: number, out: number): void {
    for (let i = 0; i < 3; i++) v[out + i] = data[global + (i * 4 + 3) * LANES]!;
}

/** The rotation of a local transform. */
export function loadQuat(data: Float32Array, local: number, out: number): void {
    for (let i = 0; i < 4; i++) v[out + i] = data[local + (3 + i) * LANES]!;
}

/** The vector of a pose in a list of vectors. */
export function loadVector(list: Float32Array, at: number, out: number): void {
    for (let i = 0; i < 3; i++) v[out + i] = list[at + i]!;
}

/**
 * For directions of model space into the space of a place's parent: the inverse of its global's 3x3 part. Zeros have no
 * inverse: it has NaNs.
 *
 * @param parent Offset of the global; -1 for a root.
 */
export function intoParent(data: Float32Array, parent: number, inverse: number): void {
    if (parent < 0) {
        for (let i = 0; i < 9; i++) v[inverse + i] = i % 4 === 0 ? 1 : 0;
        return;
    }
    loadRows(data, parent, inverse);
    for (let i = 0; i < 3; i++) {
        cross(inverse + ((i + 1) % 3) * 3, inverse + ((i + 2) % 3) * 3, COLUMNS + i * 3);
    }
    const scale = f(1 / dot(inverse, COLUMNS));
    for (let i = 0; i < 9; i++) v[inverse + i] = v[COLUMNS + (i % 3) * 3 + Math.floor(i / 3)]! * scale;
}

/** The factor of the axis in a quaternion, of any length, that turns by an angle. */
const axisFactor = (cosine: number, sine: number): number => (cosine < 0 ? f(1 - cosine) : sine);
/** The factor of 1. */
const realFactor = (cosine: number, sine: number): number => (cosine < 0 ? sine : f(1 + cosine));

/** The quaternion of a turn about an axis of length 1. */
export function turnAbout(axis: number, cosine: number, sine: number, q: number): void {
    const x = axisFactor(cosine, sine);
    for (let i = 0; i < 3; i++) v[q + i] = v[axis + i]! * x;
    v[q + 3] = realFactor(cosine, sine);
    finish(q);
}

/** Makes the last component not negative, and the length 1. */
function finish(q: number): void {
    if (v[q + 3]! < 0) for (let i = 0; i < 4; i++) v[q + i] = -v[q + i]!;
    normalizeQuat(q);
}

/** Writes the rotation of a turn to `TURN`. */
export function turn(): void {
    normalize(FORWARD);
    normalize(TARGET);
    const hasUp = across(UP, FORWARD, SIDE);
    if (!hasUp) anyAcross(FORWARD, SIDE);
    normalize(SIDE);

    // By the shortest arc, SIDE moves to ONTO; where that arc is half a turn, it is one about SIDE.
    const c = dot(FORWARD, TARGET);
    const onePlusC = f(1 + c);
    for (let i = 0; i < 3; i++) v[SUM + i] = v[FORWARD + i]! + v[TARGET + i]!;
    const back = f(dot(SIDE, TARGET) / onePlusC);
    addScaled(SIDE, SUM, onePlusC > HALF_TURN ? 0 - back : 0, OTHER);
    across(OTHER, TARGET, ONTO);
    if (across(POLE, TARGET, OTHER) && hasUp) copy(OTHER, ONTO);
    normalize(ONTO);
    cross(TARGET, ONTO, OTHER);
    const [cosine, sine] = [v[TWIST]!, v[TWIST + 1]!];
    for (let i = 0; i < 3; i++) v[ONTO + i] = f(v[ONTO + i]! * cosine) + f(v[OTHER + i]! * sine);

    // From FORWARD, SIDE to TARGET, ONTO: half a turn about SIDE where TARGET is farther than a right angle from
    // FORWARD, the shortest arc, then a turn about TARGET. No step divides by a small number.
    const isFar = c < 0;
    if (isFar) for (let i = 0; i < 3; i++) v[FORWARD + i] = -v[FORWARD + i]!;
    const w = f(1 + Math.abs(c));
    for (let i = 0; i < 3; i++) v[SUM + i] = v[FORWARD + i]! + v[TARGET + i]!;
    addScaled(SIDE, SUM, 0 - f(dot(SIDE, TARGET) / w), OTHER);
    cross(OTHER, ONTO, AXIS);
    const [along, aside] = [dot(OTHER, ONTO), dot(AXIS, TARGET)];
    const x = axisFactor(along, aside);
    const y = realFactor(along, aside);
    cross(FORWARD, TARGET, AXIS);
    for (let i = 0; i < 3; i++) v[AXIS + i] = f(v[AXIS + i]! * y) + f(v[SUM + i]! * x);
    const real = f(y * w);
    if (isFar) {
        cross(AXIS, SIDE, OTHER);
        addScaled(OTHER, SIDE, real, TURN);
        v[TURN + 3] = 0 - dot(AXIS, SIDE);
    } else {
        copy(AXIS, TURN);
        v[TURN + 3] = real;
    }
    finish(TURN);
}

/** Takes a part of a rotation, from none at 0 to all at 1. */
export function takePart(q: number, amount: number): void {
    for (let i = 0; i < 4; i++) v[q + i] = v[q + i]! * amount;
    v[q + 3] = v[q + 3]! + f(1 - amount);
    normalizeQuat(q);
}

/** Multiplies the rotation of a local transform by `q`. Returns the square of its length. */
export function turned(q: number, data: Float32Array, local: number, out: number): number {
    loadQuat(data, local, OWN);
    const product = (i: number, j: number) => f(v[q + i]! * v[OWN + j]!);
    v[out] = f(f(product(3, 0) + product(0, 3)) + product(1, 2)) - product(2, 1);
    v[out + 1] = f(f(product(3, 1) + product(1, 3)) + product(2, 0)) - product(0, 2);
    v[out + 2] = f(f(product(3, 2) + product(2, 3)) + product(0, 1)) - product(1, 0);
    v[out + 3] = f(f(product(3, 3) - product(0, 0)) - product(1, 1)) - product(2, 2);
    return squareOf(out);
}

export function storeTurned(data: Float32Array, local: number, result: number): void {
    for (let i = 0; i < 4; i++) data[local + (3 + i) * LANES] = v[result + i]!;
}

/** The weight of a pose, within 0 ... 1. */
export function weightAt(weights: number | Float32Array, pose: number): number {
    const weight = typeof weights === 'number' ? f(weights) : weights[pose]!;
    return weight < 0 ? 0 : Math.min(weight, 1);
}
