// SPDX-License-Identifier: MIT

/**
 * The command `poselane bake` as it is used, in processes of its own: how soon a small file is baked, a production character
 * beside three.js doing the same work, and many files on two threads. Then what each is meant to reach beside what it does.
 * Build first (npm run build).
 *
 *     node bench/bake.mjs [--part cold --part end-to-end --part batch] [--rounds 15] [--quick] [--json] [--docs]
 *
 * --docs also puts the figures into docs/baking.md.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureBatch } from './bake/batch.mjs';
import { measureColdStart } from './bake/cold-start.mjs';
import { measureEndToEnd } from './bake/end-to-end.mjs';
import { target, targetLines } from './judge.mjs';

const PARTS = { cold: measureColdStart, 'end-to-end': measureEndToEnd, batch: measureBatch };

const { values: options } = parseArgs({
    options: {
        docs: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        part: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
    },
});
const rounds = Number(options.rounds ?? (options.quick ? 5 : 15));
if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`--rounds ${options.rounds}: a whole number from 1 up`);
const parts = options.part ?? Object.keys(PARTS);
const unknown = parts.find((part) => !Object.hasOwn(PARTS, part));
if (unknown !== undefined) throw new RangeError(`--part ${unknown}: needs one of ${Object.keys(PARTS).join(', ')}`);

const busy = loadavg()[0];
const results = {};
for (const part of parts) results[part] = await PARTS[part]({ rounds });
const targets = targetsOf(results);
if (options.docs) writeDocs();
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

function targetsOf({ cold, 'end-to-end': models, batch }) {
    return [
        ...(cold ? [target('bake of the example over a bare parse of it', '<=', 1.3, 'times', cold.ratio)] : []),
        ...(models ?? []).flatMap(({ model, ratio, palettesRatio }, i) => {
            // The target is the character's; the example, mostly the start of a process, stands beside it.
            const [sense, wanted] = i === 0 ? ['>=', 3] : [null, null];
            return [
                target(`${model} at 60 Hz: three.js doing the same work over poselane`, sense, wanted, 'times', ratio),
                target(
                    `${model} at 60 Hz: three.js, palettes alone, over poselane`,
                    null,
                    null,
                    'times',
                    palettesRatio,
                ),
            ];
        }),
        ...(batch
            ? [
                  target(`${batch.files} files: -j 1 over -j 2`, '>=', 1.7, 'times', batch.ratio),
                  target(
                      `${batch.files} files: -j 1 over two processes by --shard: what two processors give`,
                      null,
                      null,
                      'times',
                      batch.shardsRatio,
                  ),
              ]
            : []),
    ];
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
              ]
            : []),
    ];
}

/** The block of docs/baking.md between its two markers. */
function writeDocs() {
    const file = new URL('../docs/baking.md', import.meta.url);
    const page = readFileSync(file, 'utf8');
    const digits = (value) => (value === null ? '–' : value.toFixed(2));
    const rows = targets.map(({ what, sense, wanted, min, median, ok }) => {
        const sign = sense === '<=' ? '≤' : '≥';
        const verdict = ok === null ? '' : ok ? 'reached' : '**missed**';
        return `| ${what.replace(/\.\.\/\S*\//, '')} | ${wanted === null ? '' : `${sign} ${wanted}`} | ${digits(min)} | ${digits(median)} | ${verdict} |`;
    });
    const block = [
        '| times, whole processes | wanted | minimum | median | |',
        '|---|---:|---:|---:|---|',
        ...rows,
        '',
        ...timesOf(results).map((line) => `- ${line.replace(/\.\.\/\S*\//, '')}`),
        '',
        `${rounds} rounds in turns, Node ${process.version}, ${cpus()[0]?.model.trim() ?? 'unknown'}, ` +
            `${availableParallelism()} processors, load ${busy.toFixed(1)} at the start.`,
    ].join('\n');
    const marked = /(<!-- bench:bake -->)[\s\S]*?(<!-- \/bench:bake -->)/;
    if (!marked.test(page)) throw new Error('docs/baking.md has no place for the figures');
    writeFileSync(file, page.replace(marked, `$1\n${block}\n$2`));
}
