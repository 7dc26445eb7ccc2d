// SPDX-License-Identifier: MIT

/** Float32 arithmetic written out: what the documents' formulas give, rounded after every operation. */

const f = Math.fround;

export type Four = readonly [x: number, y: number, z: number, w: number];

export const add = (a: number, b: number) => f(a + b);
export const sub = (a: number, b: number) => f(a - b);
export const mul = (a: number, b: number) => f(a * b);
export const div = (a: number, b: number) => f(a / b);

/** The i-th quaternion of a list. */
export const quatAt = (list: Float32Array, i: number): Four => [
    list[i * 4]!,
    list[i * 4 + 1]!,
    list[i * 4 + 2]!,
    list[i * 4 + 3]!,
];

/** The orders in which the documents add up a dot product. */
export const DOTS = {
    /** The C of "Slerping Clock Cycles", and four at a time in its appendices. */
    inOrder: ([ax, ay, az, aw]: Four, [bx, by, bz, bw]: Four) =>
        add(add(add(mul(ax, bx), mul(ay, by)), mul(az, bz)), mul(aw, bw)),
    /** One at a time in its appendices; Eberly. */
    evenOdd: ([ax, ay, az, aw]: Four, [bx, by, bz, bw]: Four) =>
        add(add(mul(ax, bx), mul(az, bz)), add(mul(ay, by), mul(aw, bw))),
    /** Intel. */
    halves: ([ax, ay, az, aw]: Four, [bx, by, bz, bw]: Four) =>
        add(add(mul(ax, bx), mul(ay, by)), add(mul(az, bz), mul(aw, bw))),
};

/** scale0 * from + scale1 * to. */
export function mixed(scale0: number, from: Four, scale1: number, to: Four): number[] {
    return from.map((x, k) => add(mul(scale0, x), mul(scale1, to[k]!)));
}

/** Coefficients from the highest power down, each step rounded. */
export function horner(coefficients: readonly number[], s: number): number {
    const [first, ...rest] = coefficients;
    return rest.reduce((sum, c) => add(mul(sum, s), f(c)), f(first!));
}

/** The coefficients that "Slerping Clock Cycles", section 5, gives for the sine, and for the arc tangent. */
export const SINE = [-2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, -1.666666664e-1, 1];
export const ARC_TANGENT = [
    0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085, -0.3333314528, 1,
];

/** Eberly's mu for n = 1 … 16 terms, recomputed (docs/tables/eberly.md). */
export const MU = [
    0.62943436108234548, 0.73965850021314065, 0.79701067629567248, 0.83291820510336339, 0.8577247787904209,
    0.87596835698903144, 0.88998444919713745, 0.90110745351739949, 0.91015881189935671, 0.91767344933041668,
    0.92401541194205542, 0.92944142668268624, 0.93413793373486437, 0.93824371263539795, 0.94186426367124459,
    0.94508125971469205,
];
