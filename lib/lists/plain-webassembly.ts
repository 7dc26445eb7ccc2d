// SPDX-License-Identifier: MIT

/** The public functions, run by WebAssembly, in Node and in browsers. */

import { heapOf } from '../webassembly/heap';
import type { Kernel } from './description';
import type { Plain } from './plain';
import { ROUTINES, type Routine } from './routines';
import { inTypescript, maxIndex } from './targets';
import { bindAddresses, type ModuleKernels } from './webassembly';

/**
 * Max number of elements for which `strict/typescript` is faster than copying into WebAssembly and back.
 * bench/lists/crossover.mjs measures it.
 */
const TYPESCRIPT_UP_TO: Readonly<Partial<Record<Routine, number>>> = {
    slerpJoints: 3,
    lerpJoints: 6,
    convertJointQuatsToJointMats: 24,
    convertJointMatsToJointQuats: 20,
    transformSkeleton: 11,
    untransformSkeleton: 12,
    transformJoints: 8,
    slerpJointsPerJoint: 6,
    normalizeJoints: 28,
    slerpQuats: 8,
    lerpQuats: 14,
    slerpQuatsPerQuat: 6,
    slerpQuatTimes: 10,
};

/** The same for calls with an index, which copy both lists up to the last joint named. */
const TYPESCRIPT_UP_TO_LISTED: Readonly<Partial<Record<Routine, number>>> = {
    slerpJoints: 8,
    lerpJoints: 12,
    slerpJointsPerJoint: 8,
    normalizeJoints: 64,
};

/** The same for lists in the module's memory, which need no copy. */
const TYPESCRIPT_UP_TO_IN_PLACE: Readonly<Partial<Record<Routine, number>>> = {
    lerpJoints: 2,
    convertJointQuatsToJointMats: 6,
    convertJointMatsToJointQuats: 6,
    transformSkeleton: 6,
    untransformSkeleton: 7,
    transformJoints: 2,
    slerpJointsPerJoint: 1,
    normalizeJoints: 6,
    slerpQuats: 1,
    lerpQuats: 6,
    slerpQuatsPerQuat: 2,
    slerpQuatTimes: 1,
};

/** Max number of elements of a call that TypeScript runs, unless its lists are in the module's memory. */
export function typescriptUpToOf(routine: Routine, listed: boolean): number {
    return (listed ? TYPESCRIPT_UP_TO_LISTED : TYPESCRIPT_UP_TO)[routine] ?? 0;
}

/**
 * @param kernels Returns the WebAssembly kernels. Called for each longer list. While it returns undefined, TypeScript
 * does the work.
 */
export function plainInWebassembly(
    implementation: string,
    routine: Routine,
    kernels: () => ModuleKernels | undefined,
): Plain {
    const { lists, parameter, selection, kernel, call } = ROUTINES[routine];
    const twin: Kernel = kernel!;
    const upTo = typescriptUpToOf(routine, false);
    const upToListed = typescriptUpToOf(routine, true);
    const upToInPlace = TYPESCRIPT_UP_TO_IN_PLACE[routine] ?? 0;
    const kernelFor = (count: number, first: Float32Array, index?: Int32Array | null): Kernel => {
        const max = index ? upToListed : upTo;
        const short = count <= max && (count <= upToInPlace || heapOf(first) === undefined);
        return short ? twin : (kernels()?.[routine] ?? twin);
    };
    const at = lists.length + (parameter === undefined ? 0 : 1);
    const bound: Kernel = (...args) => {
        const count: number =
            selection === 'index' ? args[at + 1] : selection === 'parents' ? args[at + 2] + 1 : args[at];
        kernelFor(count, args[0], selection === 'index' ? args[at] : null)(...args);
    };
    return {
        implementation,
        run: call({
            ...inTypescript(twin),
            kernelFor,
            maxIndex: (index, count) => ((count > upToListed && kernels()?.maxIndex) || maxIndex)(index, count),
        }),
        bindable: { kernel: bound, bound: bindAddresses.bind(null, ROUTINES[routine]), terms: 0 },
    };
}
