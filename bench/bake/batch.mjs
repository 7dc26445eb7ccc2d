// SPDX-License-Identifier: MIT

/** A hundred files, with one thread and with two. */

import { copyFileSync, mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { ratioOf, root, TOOL, timeProcesses, withFolder } from './processes.mjs';

const FILES = 100;

export function measureBatch({ rounds }) {
    const busy = loadavg()[0];
    return withFolder((folder) => {
        const models = join(folder, 'models');
        mkdirSync(models);
        for (let i = 0; i < FILES; i++) {
            copyFileSync(join(root, 'examples/character.glb'), join(models, `character-${i}.glb`));
        }
        const command = (jobs) => [
            TOOL,
            'bake',
            join(models, '*.glb'),
            '-o',
            join(folder, jobs),
            '-j',
            jobs,
            '--quiet',
        ];
        const { one, two } = timeProcesses({ one: command('1'), two: command('2') }, rounds);
        return { files: FILES, one, two, ratio: ratioOf(one, two), processors: availableParallelism(), busy };
    });
}
