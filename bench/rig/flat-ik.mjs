// SPDX-License-Identifier: MIT

/**
 * Inverse kinematics without a library: flat arrays of doubles, no objects, no allocation, one character after another. Legs by the law
 * of cosines, heads by two axes. All joints have scale 1, and rest without a rotation.
 */

const { acos, cos, sin, sqrt, min, max } = Math;

export function flatIk({ parents, joints, legs, head, characters, pole }) {
    const count = parents.length;
    const rotations = new Float64Array(characters * count * 4);
    for (let i = 3; i < rotations.length; i += 4) rotations[i] = 1;
    /** [character][joint][12], row-major 3x4. */
    const globals = new Float64Array(characters * count * 12);
    const offsets = Float64Array.from(joints.flatMap(([, offset]) => offset));
    /** Each joint and those below it. */
    const below = parents.map((_, joint) =>
        parents.flatMap((_, other) => {
            let at = other;
            while (at > joint) at = parents[at];
            return at === joint ? [other] : [];
        }),
    );
    const q = new Float64Array(4);
    const frame = new Float64Array(9);

    function update(character, list) {
        for (let i = 0; i < list.length; i++) {
            const joint = list[i];
            const r = (character * count + joint) * 4;
            const [x, y, z, w] = [rotations[r], rotations[r + 1], rotations[r + 2], rotations[r + 3]];
            const m0 = 1 - 2 * (y * y + z * z);
            const m1 = 2 * (x * y - z * w);
            const m2 = 2 * (x * z + y * w);
            const m3 = 2 * (x * y + z * w);
            const m4 = 1 - 2 * (x * x + z * z);
            const m5 = 2 * (y * z - x * w);
            const m6 = 2 * (x * z - y * w);
            const m7 = 2 * (y * z + x * w);
            const m8 = 1 - 2 * (x * x + y * y);
            const [tx, ty, tz] = [offsets[joint * 3], offsets[joint * 3 + 1], offsets[joint * 3 + 2]];
            const g = (character * count + joint) * 12;
            const p = (character * count + parents[joint]) * 12;
            for (let row = 0; row < 12; row += 4) {
                const root = parents[joint] < 0;
                const a = root ? (row === 0 ? 1 : 0) : globals[p + row];
                const b = root ? (row === 4 ? 1 : 0) : globals[p + row + 1];
                const c = root ? (row === 8 ? 1 : 0) : globals[p + row + 2];
                const d = root ? 0 : globals[p + row + 3];
                globals[g + row] = a * m0 + b * m3 + c * m6;
                globals[g + row + 1] = a * m1 + b * m4 + c * m7;
                globals[g + row + 2] = a * m2 + b * m5 + c * m8;
                globals[g + row + 3] = a * tx + b * ty + c * tz + d;
            }
        }
    }

    /** Rotation of a joint whose axes in model space are the columns of `frame`, in the space of its parent. */
    function setFrame(character, joint) {
        const p = (character * count + parents[joint]) * 12;
        const m = (i, j) =>
            globals[p + i] * frame[j] + globals[p + 4 + i] * frame[3 + j] + globals[p + 8 + i] * frame[6 + j];
        const [m00, m11, m22] = [m(0, 0), m(1, 1), m(2, 2)];
        const trace = m00 + m11 + m22;
        if (trace > 0) {
            const s = 2 * sqrt(trace + 1);
            q[3] = s / 4;
            q[0] = (m(2, 1) - m(1, 2)) / s;
            q[1] = (m(0, 2) - m(2, 0)) / s;
            q[2] = (m(1, 0) - m(0, 1)) / s;
        } else {
            const i = m00 > m11 ? (m00 > m22 ? 0 : 2) : m11 > m22 ? 1 : 2;
            const [j, k] = [(i + 1) % 3, (i + 2) % 3];
            const s = 2 * sqrt(1 + m(i, i) - m(j, j) - m(k, k));
            q[i] = s / 4;
            q[j] = (m(i, j) + m(j, i)) / s;
            q[k] = (m(i, k) + m(k, i)) / s;
            q[3] = (m(k, j) - m(j, k)) / s;
        }
        rotations.set(q, (character * count + joint) * 4);
    }

    /** Writes x = y × z, y, z: z is `ahead`, and y the part of `up` across it. */
    function look(ax, ay, az, ux, uy, uz) {
        const length = sqrt(ax * ax + ay * ay + az * az);
        const [zx, zy, zz] = [ax / length, ay / length, az / length];
        const along = ux * zx + uy * zy + uz * zz;
        const [vx, vy, vz] = [ux - along * zx, uy - along * zy, uz - along * zz];
        const side = sqrt(vx * vx + vy * vy + vz * vz);
        const [yx, yy, yz] = [vx / side, vy / side, vz / side];
        frame[0] = yy * zz - yz * zy;
        frame[3] = yz * zx - yx * zz;
        frame[6] = yx * zy - yy * zx;
        frame[1] = yx;
        frame[4] = yy;
        frame[7] = yz;
        frame[2] = zx;
        frame[5] = zy;
        frame[8] = zz;
    }

    const lengthOf = (joint) => sqrt(offsets.subarray(joint * 3, joint * 3 + 3).reduce((sum, x) => sum + x * x, 0));
    /** Lengths, and angles of the bones at rest to the axis -y, about x. */
    const shapes = legs.map(({ mid, end }) => ({
        a: lengthOf(mid),
        b: lengthOf(end),
        upper: acos(-offsets[mid * 3 + 1] / lengthOf(mid)) * (offsets[mid * 3 + 2] < 0 ? 1 : -1),
        lower: acos(-offsets[end * 3 + 1] / lengthOf(end)) * (offsets[end * 3 + 2] < 0 ? 1 : -1),
    }));

    function plant(character, k, list) {
        const { start, mid } = legs[k];
        const { a, b, upper, lower } = shapes[k];
        const s = (character * count + start) * 12;
        const x = list[character * 3] - globals[s + 3];
        const y = list[character * 3 + 1] - globals[s + 7];
        const z = list[character * 3 + 2] - globals[s + 11];
        const d = max(min(sqrt(x * x + y * y + z * z), a + b), Math.abs(a - b));
        const atStart = acos(max(-1, min(1, (a * a + d * d - b * b) / (2 * a * d))));
        const atMid = acos(max(-1, min(1, (a * a + b * b - d * d) / (2 * a * b))));
        // The frame whose -y is the upper bone at rest, turned to the target and then to the pole.
        const length = sqrt(x * x + y * y + z * z);
        const [yx, yy, yz] = [-x / length, -y / length, -z / length];
        const along = pole[0] * yx + pole[1] * yy + pole[2] * yz;
        const [px, py, pz] = [pole[0] - along * yx, pole[1] - along * yy, pole[2] - along * yz];
        const side = sqrt(px * px + py * py + pz * pz);
        const [zx, zy, zz] = [px / side, py / side, pz / side];
        const turn = -atStart - upper;
        const [c, n] = [cos(turn), sin(turn)];
        frame[0] = yy * zz - yz * zy;
        frame[3] = yz * zx - yx * zz;
        frame[6] = yx * zy - yy * zx;
        frame[1] = yx * c + zx * n;
        frame[4] = yy * c + zy * n;
        frame[7] = yz * c + zz * n;
        frame[2] = zx * c - yx * n;
        frame[5] = zy * c - yy * n;
        frame[8] = zz * c - yz * n;
        setFrame(character, start);
        const bend = Math.PI - atMid + upper - lower;
        const r = (character * count + mid) * 4;
        rotations[r] = sin(bend / 2);
        rotations[r + 3] = cos(bend / 2);
        update(character, below[start]);
    }

    const all = parents.map((_, joint) => joint);
    for (let character = 0; character < characters; character++) update(character, all);
    return {
        run(targets) {
            for (let character = 0; character < characters; character++) {
                for (let k = 0; k < 2; k++) plant(character, k, targets[k]);
                const g = (character * count + head) * 12;
                const list = targets[2];
                const x = list[character * 3] - globals[g + 3];
                const y = list[character * 3 + 1] - globals[g + 7];
                look(x, y, list[character * 3 + 2] - globals[g + 11], 0, 1, 0);
                setFrame(character, head);
                update(character, below[head]);
            }
        },
        footAt(character, k) {
            const g = (character * count + legs[k].end) * 12;
            return [globals[g + 3], globals[g + 7], globals[g + 11]];
        },
    };
}
