// SPDX-License-Identifier: MIT

/** The Rig of the build, with every implementation that runs here. */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');
if (!existsSync(join(dist, 'rig/rig.js'))) throw new Error('dist/rig is missing: run npm run build first.');
const load = createRequire(import.meta.url);

export const { Rig } = load(join(dist, 'rig/rig.js'));
export const { describeMachine } = load(join(dist, 'bench/machine.js'));
export const { defaultRig } = load(join(dist, 'rig/implementations.js'));
const { sourceOfParts } = load(join(dist, 'rig/source/from-parts.js'));
const { compiledRigs } = load(join(dist, 'rig/compiled.js'));
const { typescriptRig } = load(join(dist, 'rig/kernels/index.js'));

/** Best first. */
export const implementations = [...compiledRigs.flatMap(({ implementation }) => implementation ?? []), typescriptRig];

export function createRig(parts, implementation = defaultRig) {
    return new Rig(sourceOfParts(parts), new Uint8Array(parts.parents.length).fill(1), implementation);
}
