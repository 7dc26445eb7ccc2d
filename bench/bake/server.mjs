// SPDX-License-Identifier: MIT

/** For how long a thread that bakes by bakeFiles does not answer, beside one that bakes nothing on the same machine. */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { root } from './processes.mjs';

const { bakeFiles } = createRequire(import.meta.url)('../../dist');
/** Milliseconds of a round: several bakes. */
const WINDOW = 1000;
const KNIGHT = '../shared/models/KayKit/Knight.glb';

/** @returns The longest delay of each round, milliseconds: the minimum and the median over the rounds. */
export async function measureServer({ rounds }) {
    const path = join(root, KNIGHT);
    const model = existsSync(path) ? path : join(root, 'examples/character.glb');
    const longest = { baking: [], idle: [] };
    const watch = async (name) => {
        for (let round = 0; round < rounds; round++) {
            const delay = monitorEventLoopDelay({ resolution: 1 });
            delay.enable();
            await setTimeout(WINDOW);
            delay.disable();
            longest[name].push(delay.max / 1e6);
        }
    };
    const queue = (function* () {
        for (;;) yield model;
    })();
    const results = bakeFiles(queue, { options: { fps: 60 }, concurrency: 1 });
    await results.next(); // starts the thread
    let baked = 0;
    let watching = true;
    const taking = (async () => {
        for await (const { error } of results) {
            if (error) throw error;
            baked++;
            if (!watching) break;
        }
    })();
    await watch('baking');
    watching = false;
    await taking;
    if (baked < 2) throw new Error('nothing was baked meanwhile');
    await watch('idle');
    const summary = (times) => {
        const sorted = times.toSorted((a, b) => a - b);
        return { min: sorted[0], median: sorted[sorted.length >> 1] };
    };
    return { model, baking: summary(longest.baking), idle: summary(longest.idle) };
}
