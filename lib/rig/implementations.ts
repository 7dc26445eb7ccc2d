// SPDX-License-Identifier: MIT

/** Which kernels the Rig uses where nobody chooses: the one place that decides it. */

import { defaultImplementation } from '../lists/choose';
import { typescriptRig } from './kernels';
import type { RigImplementation } from './kernels/contract';
import { nativeRigs } from './native';

const native = nativeRigs.flatMap(({ implementation }) => implementation ?? []);

/**
 * The one that `POSELANE_BACKEND` names, where it has the Rig's kernels; otherwise the addon's best; without the addon,
 * which `POSELANE_BACKEND=ts` leaves alone, TypeScript.
 */
export const defaultRig: RigImplementation =
    native.find(({ name }) => name === defaultImplementation) ?? native[0] ?? typescriptRig;

/** Name of the implementation that evaluates poses. */
export const evaluationImplementation: string = defaultRig.name;

/** Where that is: as `backend`, for poses. */
export const evaluationBackend: 'native' | 'ts' = defaultRig === typescriptRig ? 'ts' : 'native';
