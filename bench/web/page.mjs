// SPDX-License-Identifier: MIT

/** The measurement in a page, with the modules that browsers load. */

import * as poselane from '../../dist/esm/browser.mjs';
import { ROUTINES } from '../../dist/lists/routines.js';
import { inTypescript } from '../../dist/lists/targets.js';
import { typescriptRig } from '../../dist/rig/kernels/index.js';
import { RigBase } from '../../dist/rig/rig-base.js';
import { sourceOfParts } from '../../dist/rig/source/from-parts.js';
import { measureHere } from './work.mjs';

export async function main() {
    await poselane.ready();
    const { defaultImplementation: name, Rig, slerpJoints } = poselane;
    const { call, kernel } = ROUTINES.slerpJoints;
    const typescript = {
        name: 'strict/typescript',
        createRig(parts) {
            const source = sourceOfParts(parts);
            return new RigBase(source, new Uint8Array(source.nodes.length).fill(1), typescriptRig);
        },
        slerpJoints: call(inTypescript(kernel)),
    };
    return await measureHere([{ name, createRig: Rig.create, slerpJoints }, typescript], SETTINGS);
}
