// SPDX-License-Identifier: MIT

/** How each routine is called on the benchmarks' data, from JavaScript and timed in the addon. */

import type { Routine } from '../backend/contract';
import { ALL, UP_TO_LAST } from '../implementations/arguments';
import type { Kernels } from '../implementations/kernels';
import { type BenchData, T } from './data';

export interface Call {
    /** What is written. */
    readonly destination: Float32Array;
    /** What `destination` must hold before each call, for routines that work in place; otherwise null. */
    readonly source: Float32Array | null;
    /** The arguments that the addon takes; `terms` for routines that have terms. */
    addon(terms: number): readonly unknown[];
    /** One call from JavaScript, with all checks. Throws where these functions lack the routine. */
    javascript(kernels: Partial<Kernels>): () => void;
}

/** The routines that can be measured. */
export function callsOn(data: BenchData): { readonly [R in Routine]?: Call } {
    const { joints, blendJoints, mats, blendMats, parents, from, to, times, otherTimes } = data;
    const { workJoints, workMats, workQuats, workFloats } = data;
    const [q0, q1] = [from.subarray(0, 4), to.subarray(0, 4)];

    const blendJointsBy = (routine: 'slerpJoints' | 'lerpJoints'): Call => ({
        destination: workJoints,
        source: joints,
        addon: () => [workJoints, blendJoints, T, null, ALL],
        javascript({ [routine]: call }) {
            return () => call!(workJoints, blendJoints, T);
        },
    });
    const skeleton = (routine: 'transformSkeleton' | 'untransformSkeleton'): Call => ({
        destination: workMats,
        source: mats,
        addon: () => [workMats, parents, 1, UP_TO_LAST],
        javascript({ [routine]: call }) {
            return () => call!(workMats, parents);
        },
    });
    const blendQuats = (
        routine:
            | 'slerpQuats'
            | 'lerpQuats'
            | 'slerp'
            | 'slerpTransformed'
            | 'slerpOptimized'
            | 'slerpOptimizedExact'
            | 'lerp',
    ): Call => ({
        destination: workQuats,
        source: null,
        addon: (terms) => [workQuats, from, to, T, ALL, terms],
        javascript({ [routine]: call }) {
            return () => call!(workQuats, from, to, T);
        },
    });
    const ofOneNumber = (routine: 'reciprocalSqrt' | 'sinZeroHalfPI'): Call => ({
        destination: workFloats,
        source: null,
        addon: () => [workFloats, times],
        javascript({ [routine]: call }) {
            return () => call!(workFloats, times);
        },
    });

    return {
        slerpJoints: blendJointsBy('slerpJoints'),
        lerpJoints: blendJointsBy('lerpJoints'),
        convertJointQuatsToJointMats: {
            destination: workMats,
            source: null,
            addon: () => [workMats, joints, ALL, false],
            javascript({ convertJointQuatsToJointMats: call }) {
                return () => call!(workMats, joints);
            },
        },
        convertJointMatsToJointQuats: {
            destination: workJoints,
            source: null,
            addon: () => [workJoints, mats, ALL, false],
            javascript({ convertJointMatsToJointQuats: call }) {
                return () => call!(workJoints, mats);
            },
        },
        transformSkeleton: skeleton('transformSkeleton'),
        untransformSkeleton: skeleton('untransformSkeleton'),
        transformJoints: {
            destination: workMats,
            source: null,
            addon: () => [workMats, mats, blendMats, ALL],
            javascript({ transformJoints: call }) {
                return () => call!(workMats, mats, blendMats);
            },
        },
        slerpJointsPerJoint: {
            destination: workJoints,
            source: joints,
            addon: () => [workJoints, blendJoints, times, null, ALL],
            javascript({ slerpJointsPerJoint: call }) {
                return () => call!(workJoints, blendJoints, times);
            },
        },
        normalizeJoints: {
            destination: workJoints,
            source: joints,
            addon: () => [workJoints, null, ALL],
            javascript({ normalizeJoints: call }) {
                return () => call!(workJoints);
            },
        },
        slerpQuats: blendQuats('slerpQuats'),
        lerpQuats: blendQuats('lerpQuats'),
        slerpQuatsPerQuat: {
            destination: workQuats,
            source: null,
            addon: () => [workQuats, from, to, times, ALL],
            javascript({ slerpQuatsPerQuat: call }) {
                return () => call!(workQuats, from, to, times);
            },
        },
        slerpQuatTimes: {
            destination: workQuats,
            source: null,
            addon: (terms) => [workQuats, q0, q1, times, terms],
            javascript({ slerpQuatTimes: call }) {
                return () => call!(workQuats, q0, q1, times);
            },
        },
        slerp: blendQuats('slerp'),
        slerpTransformed: blendQuats('slerpTransformed'),
        slerpOptimized: blendQuats('slerpOptimized'),
        slerpOptimizedExact: blendQuats('slerpOptimizedExact'),
        lerp: blendQuats('lerp'),
        reciprocalSqrt: ofOneNumber('reciprocalSqrt'),
        sinZeroHalfPI: ofOneNumber('sinZeroHalfPI'),
        atanPositive: {
            destination: workFloats,
            source: null,
            addon: () => [workFloats, times, otherTimes],
            javascript({ atanPositive: call }) {
                return () => call!(workFloats, times, otherTimes);
            },
        },
    };
}
