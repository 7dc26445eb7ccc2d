// SPDX-License-Identifier: MIT

/** Quaternions x y z w in double precision, without functions whose last bits differ between machines. */

export type Quat = readonly [number, number, number, number];

/** Sine and cosine of an angle in degrees: exact reduction to 45 degrees, then Taylor series to the last place. */
export function sinCosDegrees(degrees: number): [sin: number, cos: number] {
    const quarters = Math.round(degrees / 90);
    const x = ((degrees - quarters * 90) * Math.PI) / 180;
    let [sin, cos] = [0, 0];
    for (let k = 18; k > 1; k -= 2) {
        sin = (-x * x * (1 + sin)) / (k * (k + 1));
        cos = (-x * x * (1 + cos)) / (k * (k - 1));
    }
    const [s, c] = [x * (1 + sin), 1 + cos];
    const turn = ((quarters % 4) + 4) % 4;
    return turn === 0 ? [s, c] : turn === 1 ? [c, -s] : turn === 2 ? [-s, -c] : [-c, s];
}

/** The rotation by degrees about x (0), y (1) or z (2). */
export function turnAbout(axis: number, degrees: number): Quat {
    const [sin, cos] = sinCosDegrees((degrees % 720) / 2);
    return [axis === 0 ? sin : 0, axis === 1 ? sin : 0, axis === 2 ? sin : 0, cos];
}

/** The rotation b, then a. */
export function multiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ];
}

export function rotate(q: Quat, [x, y, z]: readonly number[]): [number, number, number] {
    const [i, j, k] = multiply(multiply(q, [x!, y!, z!, 0]), [-q[0], -q[1], -q[2], q[3]]);
    return [i, j, k];
}
