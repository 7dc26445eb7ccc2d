// SPDX-License-Identifier: MIT

/**
 * Inverse kinematics in double precision, by angles: where the joints of a limb must be, and how a joint must be turned.
 * It shares no code with the kernels, which have no angles.
 */

export type Vector = readonly number[];

export const minus = (a: Vector, b: Vector): number[] => a.map((x, i) => x - b[i]!);
export const plus = (a: Vector, b: Vector, s = 1): number[] => a.map((x, i) => x + s * b[i]!);
export const times = (a: Vector, s: number): number[] => a.map((x) => x * s);
export const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
export const length = (a: Vector): number => Math.sqrt(dot(a, a));
export const unit = (a: Vector): number[] => times(a, 1 / length(a));
export const distance = (a: Vector, b: Vector): number => length(minus(a, b));
export const cross = (a: Vector, b: Vector): number[] =>
    [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);
/** The part of `v` across `axis`. */
export const across = (v: Vector, axis: Vector): number[] => plus(v, unit(axis), -dot(v, unit(axis)));
/** In radians, also where it is small. */
export const angleBetween = (a: Vector, b: Vector): number => Math.atan2(length(cross(a, b)), dot(a, b));

/** `v` turned about an axis. */
export function turnedAbout(v: Vector, axis: Vector, angle: number): number[] {
    const k = unit(axis);
    const turned = plus(times(v, Math.cos(angle)), cross(k, v), Math.sin(angle));
    return plus(turned, k, dot(k, v) * (1 - Math.cos(angle)));
}

/** `v` turned by the shortest arc from one direction to another. */
export function swung(v: Vector, from: Vector, to: Vector): number[] {
    return turnedAbout(v, cross(from, to), angleBetween(from, to));
}

export interface Limb {
    readonly start: Vector;
    readonly mid: Vector;
    readonly end: Vector;
}

/** ozz-animation's distance of the end: it follows the target up to a part of the reach, then more and more slowly. */
export function softened(d: number, reach: number, softness: number): number {
    const from = reach * softness;
    if (d <= from || from >= reach) return d;
    const alpha = (d - from) / (reach - from);
    return reach - (reach - from) * (3 / (alpha + 3)) ** 4;
}

/**
 * Where the middle and the end of a bent limb must come to be. Bones keep their lengths, and the end is at the target or
 * on the way to it.
 *
 * @param pole Null: the limb keeps its bend plane, which the end takes along by the shortest arc.
 * @param twist Radians about the way to the target.
 */
export function solvedLimb(
    { start, mid, end }: Limb,
    target: Vector,
    pole: Vector | null,
    { softness = 1, twist = 0 } = {},
): { mid: number[]; end: number[] } {
    const [upper, lower, way] = [minus(mid, start), minus(end, mid), minus(target, start)];
    const [a, b] = [length(upper), length(lower)];
    const d = Math.min(Math.max(softened(length(way), a + b, softness), Math.abs(a - b)), a + b);
    const cosine = Math.min(1, Math.max(-1, (a * a + d * d - b * b) / (2 * a * d)));
    // How far the upper bone is from the way.
    const angle = Math.acos(cosine);
    const normal = unit(cross(lower, upper));
    const bent = plus(upper, turnedAbout(lower, normal, bendOf(upper, lower, normal, d)));
    const side = pole === null ? swung(cross(normal, bent), bent, way) : across(pole, way);
    const turned = turnedAbout(unit(side), way, twist);
    return {
        mid: plus(start, plus(times(unit(way), a * Math.cos(angle)), turned, a * Math.sin(angle))),
        end: plus(start, unit(way), d),
    };
}

/** By how much the lower bone must turn about `normal`, so that the limb is `d` long: by bisection. */
function bendOf(upper: Vector, lower: Vector, normal: Vector, d: number): number {
    const open = angleBetween(upper, lower);
    let [low, high] = [open - Math.PI, open];
    for (let i = 0; i < 60; i++) {
        const middle = (low + high) / 2;
        if (length(plus(upper, turnedAbout(lower, normal, middle))) < d) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}
