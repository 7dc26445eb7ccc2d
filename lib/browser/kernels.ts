// SPDX-License-Identifier: MIT

/** The strict kernels in TypeScript, behind the checks: the functions on lists, with the same bits as in Node. */

import { UNLIMITED } from '../implementations/arguments';
import { bindersOf } from '../implementations/binders';
import { checkedJointCalls, quickJointCalls } from '../implementations/joint-calls';
import type { Binders, JointKernels, QuatKernels } from '../implementations/kernels';
import { checkedQuatCalls, quickQuatCalls } from '../implementations/quat-calls';
import { strictKernels } from '../strict';

const checked = { ...checkedJointCalls(strictKernels), ...checkedQuatCalls(strictKernels, 0) };

/** `strict/typescript`; see lib/joints and lib/quats for each of them. */
export const kernels = {
    ...checked,
    ...quickJointCalls(strictKernels, UNLIMITED, checked),
    ...quickQuatCalls(strictKernels, 0, UNLIMITED, checked),
} as JointKernels & QuatKernels;

export const binders = bindersOf(strictKernels, UNLIMITED, {}, 0) as Binders;
