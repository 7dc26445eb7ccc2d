// SPDX-License-Identifier: MIT

/** The public functions, run by WebAssembly, in Node and in browsers. */

import { heapOf } from '../webassembly/heap';
import type { Kernel, Kernels } from './description';
import type { Plain } from './plain';
import { ROUTINES, type Routine } from './routines';
import { inTypescript } from './targets';
import { bindAddresses } from './webassembly';

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

/**
 * @param kernels Returns the WebAssembly kernels. Called for each longer list. While it returns undefined, TypeScript
 * does the work.
 */
export function plainInWebassembly(
    implementation: string,
    routine: Routine,
    kernels: () => Kernels | undefined,
): Plain {
    const { lists, parameter, selection, kernel: twin, call } = ROUTINES[routine];
    const count = lists.length + (parameter === undefined ? 0 : 1) + (selection === 'index' ? 1 : 0);
    // For a skeleton this compares the index of the last joint.
    const upTo = TYPESCRIPT_UP_TO[routine] ?? 0;
    const [at, max] = selection === 'parents' ? [count + 2, upTo - 1] : [count, upTo];
    const kernel: Kernel = (a, b, c, d, e, f) => {
        const count = at === 2 ? c : at === 3 ? d : e;
        const short = count <= max && heapOf(a) === undefined;
        (short ? twin! : (kernels()?.[routine] ?? twin!))(a, b, c, d, e, f);
    };
    const bound = bindAddresses.bind(null, ROUTINES[routine]);
    return { implementation, run: call(inTypescript(kernel)), bindable: { kernel, bound, terms: 0 } };
}
