// SPDX-License-Identifier: MIT

import { implementation, implementations, type JointKernels } from '../joints';

/**
 * The version of the bits that poses are evaluated to: the papers' routines in the order of their SSE listings, with
 * IEEE + - * alone. It names results, not code: native and TypeScript give the same bytes.
 */
export const KERNEL_VERSION = 'paper@1';

/**
 * Name of the implementation that evaluates poses: of those with the bits of `KERNEL_VERSION` the first that runs here,
 * whichever is behind the plain functions. So neither the machine nor `POSELANE_BACKEND` changes what a bake contains.
 * (`paper/c` has not these bits: the C listings add in another order.)
 */
export const evaluationImplementation: string = implementations().find(
    ({ name, available }) => available && (name === 'paper/sse' || name === 'paper/typescript'),
)!.name;

/** Where that is: as `backend`, for poses. */
export const evaluationBackend: 'native' | 'ts' = evaluationImplementation === 'paper/typescript' ? 'ts' : 'native';

/** Its functions. */
export const { convertJointQuatsToJointMats, transformJoints, transformSkeleton } = implementation(
    evaluationImplementation,
) as JointKernels;
