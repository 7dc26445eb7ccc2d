// SPDX-License-Identifier: MIT

/**
 * The command `poselane bake` as it is used, in processes of its own: how soon a small file is baked, a production character
 * beside three.js doing the same work, and many files on two threads. Then what each is meant to reach beside what it does.
 * Build first (npm run build).
 *
 *     node bench/bake/run.mjs [--part cold --part end-to-end --part batch --part server] [--rounds 15] [--quick] [--json]
 */

import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { partsOf, roundsOf } from '../harness.mjs';
import { beside, target, targetLines } from '../targets.mjs';
import { measureBatch } from './batch.mjs';
import { measureColdStart } from './cold-start.mjs';
import { measureEndToEnd } from './end-to-end.mjs';
import { measureServer } from './server.mjs';

const PARTS = { cold: measureColdStart, 'end-to-end': measureEndToEnd, batch: measureBatch, server: measureServer };

const { values: options } = parseArgs({
    options: {
        json: { type: 'boolean', default: false },
        part: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
    },
});
const rounds = roundsOf(options.rounds, options.quick ? 5 : 15);
const parts = partsOf(options.part, PARTS);

const busy = loadavg()[0];
const results = {};
for (const part of parts) results[part] = await PARTS[part]({ rounds });
const targets = targetsOf(results);
if (options.json) {
    console.log(JSON.stringify({ rounds, processors: availableParallelism(), busy, ...results, targets }, null, 2));
} else {
    const machine = `${availableParallelism()} processors, load ${busy.toFixed(1)} at the start`;
    console.log(
        [`The command as it is used: whole processes, ${rounds} rounds in turns; ${machine}`, '']
            .concat(timesOf(results), '', targetLines(targets))
            .join('\n'),
    );
}

function targetsOf({ cold, 'end-to-end': models, batch, server }) {
    return [
        ...(cold ? [target('bake of the example over a bare parse of it', '<=', 1.3, 'times', cold.ratio)] : []),
        ...(models ?? []).flatMap(({ model, ratio, palettesRatio }, i) => {
            const same = `${model} at 60 Hz: three.js doing the same work over poselane`;
            return [
                // The target is the character's; the example, mostly the start of a process, stands beside it.
                i === 0 ? target(same, '>=', 3, 'times', ratio) : beside(same, 'times', ratio),
                beside(`${model} at 60 Hz: three.js, palettes alone, over poselane`, 'times', palettesRatio),
            ];
        }),
        ...(batch
            ? [
                  target(`${batch.files} files: -j 1 over -j 2`, '>=', 1.7, 'times', batch.ratio),
                  beside(
                      `${batch.files} files: -j 1 over two processes by --shard: what two processors give`,
                      'times',
                      batch.shardsRatio,
                  ),
                  ...cachedOf(batch).map(([what, { ratio }]) =>
                      target(`${batch.files} ${what} out of the cache over baking them`, '<=', 0.1, 'times', ratio),
                  ),
              ]
            : []),
        ...(server
            ? [
                  target(
                      'the longest that bakeFiles keeps its caller busy, baking Knight',
                      '<=',
                      10,
                      'ms',
                      server.busy,
                  ),
                  beside('longest delay of that thread, with what others kept it waiting', 'ms', server.baking),
                  beside('longest delay of a thread that bakes nothing', 'ms', server.idle),
              ]
            : []),
    ];
}

/** By what was baked through a cache. */
function cachedOf({ cached, characters }) {
    return [['small files', cached], ...(characters ? [['characters', characters]] : [])];
}

function timesOf({ cold, 'end-to-end': models, batch }) {
    const ms = ({ min, median }) => `${min.toFixed(0)} / ${median.toFixed(0)} ms`;
    return [
        ...(cold ? [`cold start (minimum / median): bare parse ${ms(cold.bare)}, bake ${ms(cold.bake)}`] : []),
        ...(models ?? []).map(({ model, skipped, three, palettes, bake }) =>
            skipped
                ? `${model}: skipped: ${skipped}`
                : `${model}: three.js ${ms(three)}, palettes alone ${ms(palettes)}, poselane ${ms(bake)}`,
        ),
        ...(batch
            ? [
                  `${batch.files} files: -j 1 ${ms(batch.one)}, -j 2 ${ms(batch.two)}, two processes ${ms(batch.shards)}` +
                      (batch.busy > 0.5 ? `; other work kept the processors busy (load ${batch.busy.toFixed(1)})` : ''),
                  ...cachedOf(batch).map(
                      ([what, { first, second }]) =>
                          `${batch.files} ${what}: with an empty cache ${ms(first)}, with a full one ${ms(second)}`,
                  ),
              ]
            : []),
    ];
}
