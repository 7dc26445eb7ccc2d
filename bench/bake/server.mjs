// SPDX-License-Identifier: MIT

/**
 * For how long a thread that bakes by bakeFiles is busy at a time, which is what bakeFiles answers for; and for how long it does not
 * answer, which also depends on how many other threads want the machine's processors; beside one that bakes nothing.
 */

import { existsSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { root } from './processes.mjs';

const { bakeFiles } = createRequire(import.meta.url)('../../dist');
/** Milliseconds of a round: several bakes. */
const WINDOW = 1000;
const KNIGHT = '../shared/models/KayKit/Knight.glb';

/** Milliseconds of processor time that this thread has had, as Linux counts them. */
const busyTime = (() => {
    if (process.platform !== 'linux') return () => NaN;
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const text = Buffer.alloc(64);
    return () => Number(text.latin1Slice(0, readSync(file, text, 0, text.length, 0)).split(' ')[0]) / 1e6;
})();

/** @returns Of each round the longest between two turns of the event loop, milliseconds: the minimum and the median over the rounds. */
export async function measureServer({ rounds }) {
    const path = join(root, KNIGHT);
    const model = existsSync(path) ? path : join(root, 'examples/character.glb');
    const longest = { busy: [], baking: [], idle: [] };
    const watch = async (name) => {
        for (let round = 0; round < rounds; round++) {
            let [now, busy, delay, own] = [performance.now(), busyTime(), 0, 0];
            const timer = setInterval(() => {
                const [then, before] = [now, busy];
                [now, busy] = [performance.now(), busyTime()];
                delay = Math.max(delay, now - then - 1);
                own = Math.max(own, busy - before);
            }, 1);
            await setTimeout(WINDOW);
            clearInterval(timer);
            longest[name].push(delay);
            if (name === 'baking') longest.busy.push(own);
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
    return { model, ...Object.fromEntries(Object.entries(longest).map(([name, times]) => [name, summary(times)])) };
}
