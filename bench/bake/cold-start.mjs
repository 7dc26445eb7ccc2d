// SPDX-License-Identifier: MIT

/** A small bake from nothing to files, beside a process that only parses the same file. */

import { join } from 'node:path';
import { ratioOf } from '../harness.mjs';
import { here, root, TOOL, timeProcesses, withFolder } from './processes.mjs';

export function measureColdStart({ rounds }) {
    const example = join(root, 'examples/character.glb');
    return withFolder(async (out) => {
        const { bare, bake } = await timeProcesses(
            {
                bare: [here('bare-parse.mjs'), example],
                bake: [TOOL, 'bake', example, '-o', out, '--quiet'],
            },
            rounds,
        );
        return { bare, bake, ratio: ratioOf(bake, bare) };
    });
}
