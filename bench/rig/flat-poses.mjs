// SPDX-License-Identifier: MIT

/**
 * Poses without a library: flat arrays, no objects, no allocation, one pose after another. All channels of all clips must have the same
 * key times.
 */

/** @param clips For each call the clips of all poses. Default: the first clip. */
export function flatPoses({ parents, clips: all, skins }, { times, clips, out, ...labels }) {
    const keyTimes = all[0].channels[0].times;
    const keys = keyTimes.length;
    const joints = parents.length;
    const count = times[0].length;
    const tracksOf = all.map(({ channels }) => channels.map(({ values }) => values));
    const parentList = Int32Array.from(parents);
    // Doubles save conversions, and these lists are short.
    const binds = Float64Array.from(skins[0].inverseBindMatrices);
    const worlds = new Float64Array(joints * 12);
    const cursors = new Int32Array(count);
    const { acos, sin, sqrt } = Math;

    function key(pose, time) {
        let k = cursors[pose];
        if (keyTimes[k] > time) k = 0;
        while (k < keys - 2 && keyTimes[k + 1] <= time) k++;
        cursors[pose] = k;
        return k;
    }

    function evaluatePose(pose, time, tracks) {
        const k = key(pose, time);
        const s = (time - keyTimes[k]) / (keyTimes[k + 1] - keyTimes[k]);
        for (let joint = 0; joint < joints; joint++) {
            const T = tracks[joint * 3];
            const R = tracks[joint * 3 + 1];
            const S = tracks[joint * 3 + 2];
            const t = k * 3;
            const tx = T[t] + (T[t + 3] - T[t]) * s;
            const ty = T[t + 1] + (T[t + 4] - T[t + 1]) * s;
            const tz = T[t + 2] + (T[t + 5] - T[t + 2]) * s;
            const sx = S[t] + (S[t + 3] - S[t]) * s;
            const sy = S[t + 1] + (S[t + 4] - S[t + 1]) * s;
            const sz = S[t + 2] + (S[t + 5] - S[t + 2]) * s;
            const r = k * 4;
            const dot = R[r] * R[r + 4] + R[r + 1] * R[r + 5] + R[r + 2] * R[r + 6] + R[r + 3] * R[r + 7];
            const cosine = dot < 0 ? -dot : dot;
            let from = 1 - s;
            let to = s;
            if (cosine < 0.9995) {
                const angle = acos(cosine);
                const scale = 1 / sqrt(1 - cosine * cosine);
                from = sin(from * angle) * scale;
                to = sin(to * angle) * scale;
            }
            if (dot < 0) to = -to;
            const x = from * R[r] + to * R[r + 4];
            const y = from * R[r + 1] + to * R[r + 5];
            const z = from * R[r + 2] + to * R[r + 6];
            const w = from * R[r + 3] + to * R[r + 7];
            const m0 = (1 - 2 * (y * y + z * z)) * sx;
            const m1 = 2 * (x * y - w * z) * sy;
            const m2 = 2 * (x * z + w * y) * sz;
            const m4 = 2 * (x * y + w * z) * sx;
            const m5 = (1 - 2 * (x * x + z * z)) * sy;
            const m6 = 2 * (y * z - w * x) * sz;
            const m8 = 2 * (x * z - w * y) * sx;
            const m9 = 2 * (y * z + w * x) * sy;
            const m10 = (1 - 2 * (x * x + y * y)) * sz;
            const g = joint * 12;
            const parent = parentList[joint];
            if (parent < 0) {
                worlds[g] = m0;
                worlds[g + 1] = m1;
                worlds[g + 2] = m2;
                worlds[g + 3] = tx;
                worlds[g + 4] = m4;
                worlds[g + 5] = m5;
                worlds[g + 6] = m6;
                worlds[g + 7] = ty;
                worlds[g + 8] = m8;
                worlds[g + 9] = m9;
                worlds[g + 10] = m10;
                worlds[g + 11] = tz;
            } else {
                for (let row = 0; row < 12; row += 4) {
                    const p = parent * 12 + row;
                    const p0 = worlds[p];
                    const p1 = worlds[p + 1];
                    const p2 = worlds[p + 2];
                    worlds[g + row] = p0 * m0 + p1 * m4 + p2 * m8;
                    worlds[g + row + 1] = p0 * m1 + p1 * m5 + p2 * m9;
                    worlds[g + row + 2] = p0 * m2 + p1 * m6 + p2 * m10;
                    worlds[g + row + 3] = p0 * tx + p1 * ty + p2 * tz + worlds[p + 3];
                }
            }
            const b = joint * 16;
            const o = (pose * joints + joint) * 16;
            for (let row = 0; row < 3; row++) {
                const g0 = worlds[g + row * 4];
                const g1 = worlds[g + row * 4 + 1];
                const g2 = worlds[g + row * 4 + 2];
                out[o + row] = g0 * binds[b] + g1 * binds[b + 1] + g2 * binds[b + 2];
                out[o + 4 + row] = g0 * binds[b + 4] + g1 * binds[b + 5] + g2 * binds[b + 6];
                out[o + 8 + row] = g0 * binds[b + 8] + g1 * binds[b + 9] + g2 * binds[b + 10];
                out[o + 12 + row] =
                    g0 * binds[b + 12] + g1 * binds[b + 13] + g2 * binds[b + 14] + worlds[g + row * 4 + 3];
            }
            out[o + 15] = 1;
        }
    }

    return {
        name: 'flat JavaScript',
        ...labels,
        units: count * joints,
        outputs: [out.subarray(0, count * joints * 16)],
        run(call) {
            const at = times[call % times.length];
            const clip = clips?.[call % times.length];
            for (let pose = 0; pose < count; pose++) evaluatePose(pose, at[pose], tracksOf[clip?.[pose] ?? 0]);
        },
    };
}
