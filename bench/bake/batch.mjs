// SPDX-License-Identifier: MIT

/** A hundred files, with one thread and with two; and by two processes that share nothing, which is what the machine gives. */

import { copyFileSync, mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { ratioOf } from '../harness.mjs';
import { root, TOOL, timeProcesses, withFolder } from './processes.mjs';

const FILES = 100;

export function measureBatch({ rounds }) {
    const busy = loadavg()[0];
    return withFolder(async (folder) => {
        const models = join(folder, 'models');
        mkdirSync(models);
        for (let i = 0; i < FILES; i++) {
            copyFileSync(join(root, 'examples/character.glb'), join(models, `character-${i}.glb`));
        }
        const bake = (out, ...options) => [
            TOOL,
            'bake',
            join(models, '*.glb'),
            '-o',
            join(folder, out),
            '--quiet',
            ...options,
        ];
        const shard = (which) => bake('shards', '-j', '1', '--shard', which);
        const { one, two, shards } = await timeProcesses(
            { one: bake('one', '-j', '1'), two: bake('two', '-j', '2'), shards: [shard('1/2'), shard('2/2')] },
            rounds,
        );
        return {
            files: FILES,
            one,
            two,
            shards,
            ratio: ratioOf(one, two),
            shardsRatio: ratioOf(one, shards),
            processors: availableParallelism(),
            busy,
        };
    });
}
