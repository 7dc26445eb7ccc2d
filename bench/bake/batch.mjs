// SPDX-License-Identifier: MIT

/**
 * A hundred files, with one thread and with two; and by two processes that share nothing, which is what the machine gives. And with a
 * cache that has nothing, and one that has all of them.
 */

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
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
        const cached = await timeCached(bake, folder, rounds);
        return {
            files: FILES,
            ...cached,
            cacheRatio: ratioOf(cached.second, cached.first),
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

/** With a cache, the first time and the second. */
async function timeCached(bake, folder, rounds) {
    const empty = () => rmSync(join(folder, 'cache'), { recursive: true, force: true });
    const run = bake('cached', '--cache', join(folder, 'cache'));
    return timeProcesses({ first: run, second: run }, rounds, { first: empty });
}
