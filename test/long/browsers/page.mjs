// SPDX-License-Identifier: MIT

/** The golden cases in a page, by the package's entry for browsers. */

import * as poselane from '../../../dist/esm/browser.mjs';
import sweep from '../sweep/index.cjs';
import rigs from '../sweep/rigs.cjs';
import { resolveHashes } from './crypto.mjs';

export async function main() {
    await poselane.ready();
    const { defaultImplementation: name, Rig } = poselane;
    const plain = sweep.plainImplementations(poselane);
    const hashes = sweep.ROUTINE_NAMES.map((routine) => [routine, sweep.hashRoutine(routine, plain)]);
    const rig = rigs.hashRigs([{ name, create: (parts) => Rig.create(parts) }]);
    return await resolveHashes({ implementation: name, faults: [], hashes: Object.fromEntries(hashes), rig });
}
