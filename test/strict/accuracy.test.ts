// SPDX-License-Identifier: MIT

/** Errors of the slerps of strict and fast, on the sets of docs/tables/accuracy.md. All of strict has the bits of strict/typescript. */

import type { BlendQuats, Kernels } from '../../lib/lists';
import { describeImplementation } from '../support/implementations';
import { errorsOf, nearRightAngle, sample } from '../support/quat-errors';

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
            for (const lists of [sample('a'), sample('b'), sample('c'), nearRightAngle()]) {
                const { max, length, pairs } = errorsOf(slerp, lists);
                expect(pairs).toBeGreaterThan(1000);
                expect(max).toBeLessThanOrEqual(bound);
                expect(length).toBeLessThanOrEqual(2 * bound);
                // Where the error is this small, something else was measured.
                expect(max).toBeGreaterThan(3e-8);
            }
        });
    });
}
