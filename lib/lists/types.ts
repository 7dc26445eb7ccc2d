// SPDX-License-Identifier: MIT

/** Types of the functions, for code that accepts an implementation. */

import type * as functions from './functions';
import type { BindableRoutine, Routine } from './routines';
import type * as scalar from './scalar';

type Functions = typeof functions & typeof scalar;

type JointRoutine = Extract<BindableRoutine, `${string}Joint${string}` | `${string}Skeleton`>;

/** The routines on lists of joints. */
export type JointKernels = Pick<Functions, JointRoutine>;

/** The routines on lists of quaternions. */
export type QuatKernels = Pick<Functions, Exclude<BindableRoutine, JointRoutine>>;

/** The scalar routines of "Slerping Clock Cycles". */
export type ScalarKernels = Pick<Functions, Exclude<Routine, BindableRoutine>>;

/** All functions that an implementation can have. */
export type Kernels = JointKernels & QuatKernels & ScalarKernels;

/** Interpolates pairs of quaternions at one time. */
export type BlendQuats = Functions['slerpQuats'];

/** The functions that bind routines to their lists; see `bindSlerpJoints`. */
export type Binders = { [F in keyof Functions as F extends `bind${string}` ? F : never]: Functions[F] };
