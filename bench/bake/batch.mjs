// SPDX-License-Identifier: MIT

/**
 * A hundred files, with one thread and with two; and by two processes that share nothing, which is what the machine gives. And with a
 * cache that has nothing, and one that has all of them.
 */

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { ratioOf } from '../harness.mjs';
import { root, TOOL, timeProcesses, withFolder } from './processes.mjs';

const FILES = 100;
const EXAMPLE = 'examples/character.glb';
/** Characters as their artists made them; a round of so many large files takes ten seconds. */
const CHARACTERS = ['KayKit/Knight', 'KayKit/Rogue', 'Fox', 'RobotExpressive/RobotExpressive'].map(
    (name) => `../shared/models/${name}.glb`,
);
const CHARACTER_ROUNDS = 5;

export function measureBatch({ rounds }) {
    const busy = loadavg()[0];
    return withFolder(async (folder) => {
        const bake = bakeOf(folder, 'models', [EXAMPLE]);
        const shard = (which) => bake('shards', '-j', '1', '--shard', which);
        const { one, two, shards } = await timeProcesses(
            { one: bake('one', '-j', '1'), two: bake('two', '-j', '2'), shards: [shard('1/2'), shard('2/2')] },
            rounds,
        );
        const there = CHARACTERS.every((path) => existsSync(join(root, path)));
        return {
            files: FILES,
            one,
            two,
            shards,
            ratio: ratioOf(one, two),
            shardsRatio: ratioOf(one, shards),
            cached: await timeCached(bake, folder, rounds),
            characters: there
                ? await timeCached(bakeOf(folder, 'characters', CHARACTERS), folder, Math.min(rounds, CHARACTER_ROUNDS))
                : null,
            processors: availableParallelism(),
            busy,
        };
    });
}

/** Makes FILES of some files by turns, and gives the arguments that bake them all. */
function bakeOf(folder, name, paths) {
    const models = join(folder, name);
    mkdirSync(models);
    for (let i = 0; i < FILES; i++) {
        const path = paths[i % paths.length];
        copyFileSync(join(root, path), join(models, `${basename(path, '.glb')}-${i}.glb`));
    }
    return (out, ...options) => [TOOL, 'bake', models, '-o', join(folder, out), '--quiet', ...options];
}

/** With a cache, the first time and the second. */
async function timeCached(bake, folder, rounds) {
    const empty = () => rmSync(join(folder, 'cache'), { recursive: true, force: true });
    const run = bake('cached', '--cache', join(folder, 'cache'));
    const times = await timeProcesses({ first: run, second: run }, rounds, { first: empty });
    return { ...times, ratio: ratioOf(times.second, times.first) };
}
