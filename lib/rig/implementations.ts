// SPDX-License-Identifier: MIT

/** Chooses the Rig's default kernels. */

import { defaultImplementation } from '../lists/choose';
import { typescriptRig } from './kernels';
import type { RigImplementation } from './kernels/contract';
import { nativeRigs } from './native';

const native = nativeRigs.flatMap(({ implementation }) => implementation ?? []);

/**
 * The implementation that `POSELANE_BACKEND` names, if it has the Rig's kernels; otherwise the addon's best; without
 * the addon, or with `POSELANE_BACKEND=ts`, TypeScript.
 */
export const defaultRig: RigImplementation =
    native.find(({ name }) => name === defaultImplementation) ?? native[0] ?? typescriptRig;

/** Name of the implementation that evaluates poses. */
export const evaluationImplementation: string = defaultRig.name;

/** Where that implementation runs: as `backend`, for poses. */
export const evaluationBackend: 'native' | 'ts' = defaultRig === typescriptRig ? 'ts' : 'native';
