// SPDX-License-Identifier: MIT

/** Errors of the slerps of strict and fast, on the sets of docs/tables/accuracy.md. All of strict has the bits of strict/typescript. */

import type { BlendQuats, Kernels } from '../../lib/lists';
import { describeImplementation } from '../support/implementations';
import { slerpReference } from '../support/joint-reference';
import { once } from '../support/once';
import { drawnPairs, random } from '../support/quat-data';

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { abs, hypot, max, min, PI } = Math;

/** As in scripts/docs/accuracy.mjs: also measures the rest after groups of 4, 8 and 16. */
const LIST = 67;

/** Lists of pairs, whose angles are drawn, with a t each. */
function drawn(seed: number, lists: number, angle: (next: () => number) => number) {
    const next = random(seed);
    return Array.from({ length: lists }, () => {
        const t = Math.fround(next());
        return { t, ...drawnPairs(next, LIST, () => angle(next)) };
    });
}

function swept() {
    const acute = [0, 1e-7, 1e-5, 1e-3, 3e-3, 1e-2, 0.1, 0.4, 0.8, 1.2, 1.45, PI / 2];
    return [...acute, ...acute.map((angle) => PI - angle)].flatMap((angle, index) => {
        const next = random(2000 + index);
        return [0, 1, 7, 16, 32, 41, 55, 63, 64].map((k) => ({ t: k / 64, ...drawnPairs(next, 13, () => angle) }));
    });
}

/** Random pairs, swept angles and times, tiny angles, and angles near a right one, which have the max error. */
const SETS = [
    once(() => rightOf(drawn(1000, 240, (next) => PI * next()))),
    once(() => rightOf(swept())),
    once(() => rightOf(drawn(3000, 100, (next) => 10 ** (-8 + 6 * next())))),
    once(() => rightOf(drawn(5000, 100, (next) => 1.3 + 0.25 * next()))),
];

/** The lists with the right answers for each pair, which are two where either way round is right. */
function rightOf(lists: ReturnType<typeof drawn>) {
    return lists.map(({ from, to, t }) => {
        const slerps = Array.from({ length: from.length / 4 }, (_, i) => {
            const [a, b] = [from, to].map((list) => [...list.subarray(i * 4, i * 4 + 4)]);
            const rights = slerpReference(a!, b!, t);
            // A copy of `to` at the end is right, whatever its sign.
            return t === 1 ? [...rights, b!] : rights;
        });
        return { from, to, t, slerps };
    });
}

/** Max error of a component, and max relative error of a length, in double precision. NaN where there is one. */
function errorsOf(blend: BlendQuats, lists: ReturnType<typeof rightOf>) {
    let [worst, length, pairs] = [0, 0, 0];
    for (const { from, to, t, slerps } of lists) {
        const result = new Float32Array(from.length);
        blend(result, from, to, t);
        for (const [i, rights] of slerps.entries()) {
            const actual = [...result.subarray(i * 4, i * 4 + 4)];
            worst = max(worst, min(...rights.map((right) => max(...right.map((x, k) => abs(actual[k]! - x))))));
            length = max(length, abs(hypot(...actual) / hypot(...rights[0]!) - 1));
            pairs++;
        }
    }
    return { max: worst, length, pairs };
}

/** Quaternions as JointQuats. */
function jointsOf(quats: Float32Array): Float32Array {
    const joints = new Float32Array(quats.length * 2);
    for (let i = 0; i < quats.length; i++) joints[(i >> 2) * 8 + (i & 3)] = quats[i]!;
    return joints;
}

/** A routine on joints as one on quaternions. */
const ofJoints =
    (blend: (joints: Float32Array, blendJoints: Float32Array, t: number) => void): BlendQuats =>
    (result, from, to, t) => {
        const joints = jointsOf(from);
        blend(joints, jointsOf(to), t);
        result.forEach((_, i) => {
            result[i] = joints[(i >> 2) * 8 + (i & 3)]!;
        });
    };

const each = (list: Float32Array, floats: number, t: number) => new Float32Array(list.length / floats).fill(t);

/** Each slerp with one t for all elements, and with one t each. */
const SLERPS: Record<string, (kernels: Kernels) => BlendQuats> = {
    slerpQuats: ({ slerpQuats }) => slerpQuats,
    slerpJoints: ({ slerpJoints }) => ofJoints(slerpJoints),
    slerpQuatsPerQuat:
        ({ slerpQuatsPerQuat }) =>
        (result, from, to, t) =>
            slerpQuatsPerQuat(result, from, to, each(from, 4, t)),
    slerpJointsPerJoint: ({ slerpJointsPerJoint }) =>
        ofJoints((joints, blendJoints, t) => slerpJointsPerJoint(joints, blendJoints, each(joints, 8, t))),
    slerpQuatTimes:
        ({ slerpQuatTimes }) =>
        (result, from, to, t) => {
            const times = new Float32Array(19).fill(t);
            for (let o = 0; o < from.length; o += 4) {
                const all = new Float32Array(19 * 4);
                slerpQuatTimes(all, from.subarray(o, o + 4), to.subarray(o, o + 4), times);
                const at = o % all.length;
                result.set(all.subarray(at, at + 4), o);
            }
        },
};

/** Max error of a component: with one t for all, and with one t each. */
const BOUNDS = {
    'strict/typescript': [1.6e-7, 2e-7],
    'fast/avx2': [4.8e-7, 4.8e-7],
    'fast/avx512': [4.8e-7, 4.8e-7],
} as const;

for (const name of ['strict/typescript', 'fast/avx2', 'fast/avx512'] as const) {
    describeImplementation(name, (kernels) => {
        test.each(Object.keys(SLERPS))('%s', (routine) => {
            const bound = BOUNDS[name][/Per|Times/.test(routine) ? 1 : 0];
            const slerp = SLERPS[routine]!(kernels as Kernels);
            for (const lists of SETS) {
                const { max: worst, length, pairs } = errorsOf(slerp, lists());
                expect(pairs).toBeGreaterThan(1000);
                expect(worst).toBeLessThanOrEqual(bound);
                expect(length).toBeLessThanOrEqual(2 * bound);
                // Where the error is this small, something else was measured.
                expect(worst).toBeGreaterThan(3e-8);
            }
        });
    });
}
