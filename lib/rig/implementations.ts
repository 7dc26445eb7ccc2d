// SPDX-License-Identifier: MIT

/** Chooses the Rig's default kernels. */

import { type Backend, backend, backendOf, defaultImplementation } from '../lists/choose';
import { compiledRigs } from './compiled';
import { typescriptRig } from './kernels';
import type { RigImplementation } from './kernels/table';

const native = compiledRigs.flatMap(({ implementation }) => implementation ?? []);

/**
 * The implementation that `POSELANE_BACKEND` names, if it has the Rig's kernels. Otherwise the fastest of the addon,
 * else WebAssembly, else TypeScript.
 */
export const defaultRig: RigImplementation =
    native.find(({ name }) => name === defaultImplementation) ??
    (backend === 'ts' ? undefined : native[0]) ??
    typescriptRig;

/** Name of the implementation that evaluates poses. */
export const evaluationImplementation: string = defaultRig.name;

/** Where that implementation runs, as `backend` for poses. */
export const evaluationBackend: Backend = backendOf(evaluationImplementation);
