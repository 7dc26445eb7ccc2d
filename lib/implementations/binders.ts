// SPDX-License-Identifier: MIT

/**
 * Routines bound to their lists: checked once, run often. In the addon, or by TypeScript kernels.
 */

import type { BindableRoutine, CheckedKernels, NativeBinders } from '../backend/contract';
import {
    checkBlend,
    checkBlendPerJoint,
    checkConvertToMats,
    checkConvertToQuats,
    checkNormalize,
    checkSkeleton,
    checkTransformJoints,
} from '../checks/joints';
import { floatList, jointMatList, jointQuatList, type List, quatList } from '../checks/lists';
import { checkBlendQuats, checkQuatsPerQuat, checkQuatTimes } from '../checks/quats';
import { changedMeanwhile, type Limits } from './arguments';
import { BoundLists, boundBlend, boundCall, type Runner } from './bound';
import type { Binders } from './kernels';

/** A number that every check of a parameter lets pass: bound functions get theirs when they run. */
const ANY = 0;

/** A copy, so that what the caller does with the original later changes nothing. */
function copyOf(source: Int32Array, length: number): Int32Array {
    const copy = new Int32Array(length);
    for (let i = 0; i < length; i++) copy[i] = source[i]!;
    return copy;
}

const copyOfIndex = (index: Int32Array | null | undefined, count: number): Int32Array | null =>
    index === null || index === undefined ? null : copyOf(index, count);

/**
 * @param kernels In TypeScript; without bound forms in the addon they need no `limits`.
 * @param limits Up to how many elements the TypeScript kernels run where the addon could, too.
 * @param terms Of the series of routines on quaternions; 0 where there is nothing to choose.
 */
export function bindersOf(
    kernels: Partial<CheckedKernels>,
    limits: Limits,
    native: NativeBinders,
    terms: number,
): Partial<Binders> {
    const has = (routine: BindableRoutine) => kernels[routine] !== undefined || native[routine] !== undefined;

    /** @param nativeArguments Those of the routine, without `lerp` or `t` where that is a number. */
    const runner = (
        routine: BindableRoutine,
        lists: BoundLists,
        count: number,
        nativeArguments: readonly unknown[],
        typescript: (t: number) => void,
    ): Runner => {
        const bind = native[routine];
        if (count === 0) return { typescript: () => {} };
        if (bind === undefined || (kernels[routine] !== undefined && count <= (limits[routine] ?? 0))) {
            return { typescript };
        }
        const run = bind(...nativeArguments);
        if (run === false) throw changedMeanwhile(lists.routine);
        return { native: run };
    };

    const binders: Partial<Binders> = {};

    for (const [name, routine] of [
        ['bindSlerpJoints', 'slerpJoints'],
        ['bindLerpJoints', 'lerpJoints'],
    ] as const) {
        if (!has(routine)) continue;
        binders[name] = (joints, blendJoints, index, numJoints) => {
            const { count, used } = checkBlend(name, joints, blendJoints, ANY, index, numJoints);
            const lists = new BoundLists(
                name,
                [jointQuatList('joints', joints), jointQuatList('blendJoints', blendJoints)],
                used,
            );
            const copy = copyOfIndex(index, count);
            const kernel = kernels[routine];
            const run = runner(routine, lists, count, [joints, blendJoints, copy, count], (lerp) =>
                kernel!(joints, blendJoints, lerp, copy, count),
            );
            return boundBlend(lists, run, 'lerp');
        };
    }

    if (has('slerpJointsPerJoint')) {
        const kernel = kernels.slerpJointsPerJoint;
        binders.bindSlerpJointsPerJoint = (joints, blendJoints, lerps, index, numJoints) => {
            const name = 'bindSlerpJointsPerJoint';
            const { count, used } = checkBlendPerJoint(name, joints, blendJoints, lerps, index, numJoints);
            const lists = new BoundLists(
                name,
                [jointQuatList('joints', joints), jointQuatList('blendJoints', blendJoints), floatList('lerps', lerps)],
                used,
            );
            const copy = copyOfIndex(index, count);
            const run = runner('slerpJointsPerJoint', lists, count, [joints, blendJoints, lerps, copy, count], () =>
                kernel!(joints, blendJoints, lerps, copy, count),
            );
            return boundCall(lists, run);
        };
    }

    if (has('normalizeJoints')) {
        const kernel = kernels.normalizeJoints;
        binders.bindNormalizeJoints = (joints, index, numJoints) => {
            const name = 'bindNormalizeJoints';
            const { count, used } = checkNormalize(name, joints, index, numJoints);
            const lists = new BoundLists(name, [jointQuatList('joints', joints)], used);
            const copy = copyOfIndex(index, count);
            const run = runner('normalizeJoints', lists, count, [joints, copy, count], () =>
                kernel!(joints, copy, count),
            );
            return boundCall(lists, run);
        };
    }

    for (const [name, routine, check, listsOf] of [
        [
            'bindConvertJointQuatsToJointMats',
            'convertJointQuatsToJointMats',
            checkConvertToMats,
            (to, from) => [jointMatList('jointMats', to), jointQuatList('jointQuats', from)],
        ],
        [
            'bindConvertJointMatsToJointQuats',
            'convertJointMatsToJointQuats',
            checkConvertToQuats,
            (to, from) => [jointQuatList('jointQuats', to), jointMatList('jointMats', from)],
        ],
    ] as const satisfies readonly [
        name: keyof Binders,
        routine: BindableRoutine,
        check: typeof checkConvertToMats,
        listsOf: (to: Float32Array, from: Float32Array) => List[],
    ][]) {
        if (!has(routine)) continue;
        binders[name] = (to, from, options) => {
            const { numJoints, convention } = check(name, to, from, options);
            const lists = new BoundLists(name, listsOf(to, from), numJoints);
            const kernel = kernels[routine];
            const run = runner(routine, lists, numJoints, [to, from, numJoints, convention === 'gltf'], () =>
                kernel!(to, from, numJoints, convention),
            );
            return boundCall(lists, run);
        };
    }

    for (const [name, routine] of [
        ['bindTransformSkeleton', 'transformSkeleton'],
        ['bindUntransformSkeleton', 'untransformSkeleton'],
    ] as const) {
        if (!has(routine)) continue;
        binders[name] = (mats, parents, firstJoint, lastJoint) => {
            const range = checkSkeleton(name, mats, parents, firstJoint, lastJoint);
            const [first, last] = [range.firstJoint, range.lastJoint];
            const count = first > last ? 0 : last + 1;
            const lists = new BoundLists(name, [jointMatList('jointMats', mats)], count);
            const copy = copyOf(parents, count);
            const kernel = kernels[routine];
            const run = runner(routine, lists, count, [mats, copy, first, last], () =>
                kernel!(mats, copy, first, last),
            );
            return boundCall(lists, run);
        };
    }

    if (has('transformJoints')) {
        const kernel = kernels.transformJoints;
        binders.bindTransformJoints = (result, joints1, joints2, numJoints) => {
            const name = 'bindTransformJoints';
            const count = checkTransformJoints(name, result, joints1, joints2, numJoints);
            const lists = new BoundLists(
                name,
                [jointMatList('result', result), jointMatList('joints1', joints1), jointMatList('joints2', joints2)],
                count,
            );
            const run = runner('transformJoints', lists, count, [result, joints1, joints2, count], () =>
                kernel!(result, joints1, joints2, count),
            );
            return boundCall(lists, run);
        };
    }

    for (const [name, routine] of [
        ['bindSlerpQuats', 'slerpQuats'],
        ['bindLerpQuats', 'lerpQuats'],
    ] as const) {
        if (!has(routine)) continue;
        binders[name] = (result, from, to, given) => {
            const count = checkBlendQuats(name, result, from, to, ANY, given);
            const lists = new BoundLists(
                name,
                [quatList('result', result), quatList('from', from), quatList('to', to)],
                count,
            );
            const kernel = kernels[routine];
            const run = runner(routine, lists, count, [result, from, to, count, terms], (t) =>
                kernel!(result, from, to, t, count, terms),
            );
            return boundBlend(lists, run, 't');
        };
    }

    if (has('slerpQuatsPerQuat')) {
        const kernel = kernels.slerpQuatsPerQuat;
        binders.bindSlerpQuatsPerQuat = (result, from, to, t, given) => {
            const name = 'bindSlerpQuatsPerQuat';
            const count = checkQuatsPerQuat(name, result, from, to, t, given);
            const lists = new BoundLists(
                name,
                [quatList('result', result), quatList('from', from), quatList('to', to), floatList('t', t)],
                count,
            );
            const run = runner('slerpQuatsPerQuat', lists, count, [result, from, to, t, count], () =>
                kernel!(result, from, to, t, count),
            );
            return boundCall(lists, run);
        };
    }

    if (has('slerpQuatTimes')) {
        const kernel = kernels.slerpQuatTimes;
        binders.bindSlerpQuatTimes = (result, q0, q1, t) => {
            const name = 'bindSlerpQuatTimes';
            const count = checkQuatTimes(name, result, q0, q1, t);
            const lists = new BoundLists(name, [quatList('result', result), floatList('t', t)], count, [
                quatList('q0', q0),
                quatList('q1', q1),
            ]);
            const run = runner('slerpQuatTimes', lists, count, [result, q0, q1, t, terms], () =>
                kernel!(result, q0, q1, t, count, terms),
            );
            return boundCall(lists, run);
        };
    }
    return binders;
}
