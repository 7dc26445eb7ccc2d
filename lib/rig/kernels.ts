// SPDX-License-Identifier: MIT

import { defaultImplementation, implementation, type JointKernels } from '../joints';

/**
 * The version of the bits that poses are evaluated to: the papers' routines in the order of their SSE listings, with
 * IEEE + - * alone. It names results, not code: native and TypeScript give the same bytes.
 */
export const KERNEL_VERSION = 'paper@1';

/** The implementations with these bits. `paper/c` is not one: the C listings add in another order. */
const SAME_BITS = ['paper/sse', 'paper/typescript'];

/**
 * Name of the implementation that evaluates poses: the one behind the plain functions where it has the bits of
 * `KERNEL_VERSION`, otherwise the TypeScript one. So no `POSELANE_BACKEND` changes what a bake contains.
 */
export const evaluationImplementation: string = SAME_BITS.includes(defaultImplementation)
    ? defaultImplementation
    : 'paper/typescript';

/** Where that is: as `backend`, for poses. */
export const evaluationBackend: 'native' | 'ts' = evaluationImplementation === 'paper/typescript' ? 'ts' : 'native';

/** Its functions. */
export const { convertJointQuatsToJointMats, transformJoints, transformSkeleton } = implementation(
    evaluationImplementation,
) as JointKernels;
