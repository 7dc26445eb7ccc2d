// SPDX-License-Identifier: MIT

/** Vectors, unit quaternions (x y z w) and 3x3 matrices (row-major) in double precision, with + - x / and square roots only. */

export type Vec = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];
export type Mat = readonly number[];

export const ZERO: Vec = [0, 0, 0];
export const IDENTITY: Quat = [0, 0, 0, 1];
export const UNIT: Mat = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vec, s: number): Vec => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec): number => Math.sqrt(dot(a, a));
export const mix = (a: Vec, b: Vec, t: number): Vec => add(scaled(a, 1 - t), scaled(b, t));

export function cross(a: Vec, b: Vec): Vec {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The vector with length 1; zeros stay. */
export function unit(a: Vec): Vec {
    const size = length(a);
    return size === 0 ? a : scaled(a, 1 / size);
}

export function compose(a: Quat, b: Quat): Quat {
    return [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
}

export const inverse = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w];

export function normalized(q: Quat): Quat {
    const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return size === 0 ? IDENTITY : [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

export function rotated(q: Quat, v: Vec): Vec {
    const axis: Vec = [q[0], q[1], q[2]];
    const c = scaled(cross(axis, v), 2);
    return add(add(v, scaled(c, q[3])), cross(axis, c));
}

/** The smallest rotation that takes direction `a` to direction `b`. */
export function between(a: Vec, b: Vec): Quat {
    const [u, v] = [unit(a), unit(b)];
    const w = 1 + dot(u, v);
    if (w > 1e-12) return normalized([...cross(u, v), w]);
    // Opposite: half a turn about any axis at a right angle; y if that is one.
    const axis = cross(u, Math.abs(u[1]) < 0.9 ? cross(u, [0, 1, 0]) : [1, 0, 0]);
    return normalized([...axis, 0]);
}

/** Between two rotations the shorter way, with t from 0 to 1: halves the way until its chord equals its arc. */
export function slerp(a: Quat, b: Quat, t: number): Quat {
    const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let low = normalized(a);
    let high = normalized(cosine < 0 ? [-b[0], -b[1], -b[2], -b[3]] : b);
    let at = t;
    for (let halving = 0; halving < 12; halving++) {
        const middle = normalized([low[0] + high[0], low[1] + high[1], low[2] + high[2], low[3] + high[3]]);
        at *= 2;
        if (at < 1) high = middle;
        else {
            low = middle;
            at -= 1;
        }
    }
    const blend = (i: number) => low[i]! * (1 - at) + high[i]! * at;
    return normalized([blend(0), blend(1), blend(2), blend(3)]);
}

export function product(a: Mat, b: Mat): Mat {
    const out: number[] = [];
    for (let row = 0; row < 9; row += 3)
        for (let c = 0; c < 3; c++) out.push(a[row]! * b[c]! + a[row + 1]! * b[3 + c]! + a[row + 2]! * b[6 + c]!);
    return out;
}

export function applied(m: Mat, v: Vec): Vec {
    const row = (r: number) => m[r]! * v[0] + m[r + 1]! * v[1] + m[r + 2]! * v[2];
    return [row(0), row(3), row(6)];
}

export const column = (m: Mat, c: number): Vec => [m[c]!, m[3 + c]!, m[6 + c]!];

/** Null for a matrix that has no inverse. */
export function inverted(m: Mat): Mat | null {
    const [x, y, z] = [column(m, 0), column(m, 1), column(m, 2)];
    const [a, b, c] = [cross(y, z), cross(z, x), cross(x, y)];
    const volume = dot(x, a);
    const out = [...a, ...b, ...c].map((value) => value / volume);
    return out.every(Number.isFinite) ? out : null;
}

export function matrixOf([x, y, z, w]: Quat, [a, b, c]: Vec = [1, 1, 1]): Mat {
    return [
        (1 - 2 * (y * y + z * z)) * a,
        2 * (x * y - z * w) * b,
        2 * (x * z + y * w) * c,
        2 * (x * y + z * w) * a,
        (1 - 2 * (x * x + z * z)) * b,
        2 * (y * z - x * w) * c,
        2 * (x * z - y * w) * a,
        2 * (y * z + x * w) * b,
        (1 - 2 * (x * x + y * y)) * c,
    ];
}

/** The rotation of a matrix: its x axis keeps its direction, y is made orthogonal to it. A mirrored one is mirrored back. */
export function rotationOf(m: Mat): Quat {
    const sign = dot(cross(column(m, 0), column(m, 1)), column(m, 2)) < 0 ? -1 : 1;
    const x = unit(scaled(column(m, 0), sign));
    const side = scaled(column(m, 1), sign);
    const y = unit(sub(side, scaled(x, dot(x, side))));
    const z = cross(x, y);
    // The four squares add up to 4, so their max is at least 1.
    const squares = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]];
    const [yz, zx, xy] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
    const rows: readonly Quat[] = [
        [squares[0]!, y[0] + x[1], z[0] + x[2], yz],
        [y[0] + x[1], squares[1]!, z[1] + y[2], zx],
        [z[0] + x[2], z[1] + y[2], squares[2]!, xy],
        [yz, zx, xy, squares[3]!],
    ];
    const row = squares.findIndex((square) => square >= 1);
    return row < 0 ? IDENTITY : normalized(rows[row]!);
}
