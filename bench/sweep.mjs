// SPDX-License-Identifier: MIT

/**
 * `npm run bench`: every list routine at every length and order of the index list, and the Rig on every skeleton, number of poses and
 * mix of clips, in every tier that runs here. Each cell has a time, and the ratio to the fastest other implementation of the package that
 * needs no more of the processor. Cells that lose by over 15% come first.
 *
 *     npm run bench -- [--quick] [--only text] [--save ratios.json] [--against ratios.json]
 *
 * `--only` chooses the cases whose name has the text: `lists`, `slerpJoints, 64`, `rig`. `--against` ends with status 1 where a ratio is
 * over 1.3 times the saved one. Cases with a cell that loses or is worse are measured up to five times, and then once more in a process of
 * their own, which prints with `--times` what it measured.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from '../dist/bench/machine.js';
import { medianOf } from '../dist/bench/statistics.js';
import { cell, measure, table } from './harness.mjs';
import { listCases } from './lists/sweep.mjs';
import { rigCases } from './rig/sweep.mjs';
import { TIERS } from './tiers.mjs';

const { values: options } = parseArgs({
    options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        save: { type: 'string' },
        against: { type: 'string' },
        times: { type: 'boolean', default: false },
    },
});
const settings = options.quick ? { rounds: 8, warm: 10 } : { rounds: 20, warm: 30 };
const LOSES = 1.15;
const WORSE = 1.3;
const ATTEMPTS = 5;

const { cpu, node, platform } = describeMachine();
const saved = options.against ? JSON.parse(readFileSync(options.against, 'utf8')) : { cpu, ratios: {} };
if (saved.cpu !== cpu) throw new Error(`${options.against} has ratios of ${saved.cpu}; this machine has ${cpu}`);
const isWorse = ({ key, ratio }) => ratio > WORSE * (saved.ratios[key] ?? Infinity);

const nameOf = ({ group, what, n, order }) => `${group}: ${what}, ${n}, ${order}`;

/** Measures a case in a process of its own, where V8 has compiled the functions for no other case. */
function measureAlone(labels) {
    const args = [import.meta.filename, '--only', nameOf(labels), '--times', ...(options.quick ? ['--quick'] : [])];
    const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
    return JSON.parse(lines[0]).map(([name, nanoseconds]) => ({ name, nanoseconds }));
}

/**
 * The cells of a case: one for each tier. While a cell loses or is worse, all subjects are made and measured again, and the best time of
 * each counts: other work of the machine slows down single subjects, and V8 compiles the same function in better and worse ways.
 */
async function cellsOf({ makeSubjects, calls, ...labels }) {
    const times = new Map();
    for (let attempt = 1; ; attempt++) {
        const alone = attempt > ATTEMPTS;
        const subjects = makeSubjects();
        const measured = alone ? measureAlone(labels) : await measure(subjects, { ...settings, calls });
        for (const { name, nanoseconds } of measured) {
            if (!(nanoseconds.min >= times.get(name)?.min)) times.set(name, nanoseconds);
        }
        const cells = subjects
            .filter(({ name }) => TIERS.includes(name))
            .map(({ name: tier, rivals }) => {
                const time = times.get(tier);
                const [rival] = rivals.sort((x, y) => times.get(x).min - times.get(y).min);
                const ratio = rival === undefined ? 0 : time.min / times.get(rival).min;
                return { ...labels, tier, time, rival, ratio, key: `${nameOf(labels)}, ${tier}` };
            });
        const isLast = alone || (options.times && attempt === ATTEMPTS);
        if (!isLast && cells.some((one) => one.ratio > LOSES || isWorse(one))) continue;
        if (options.times) console.log(JSON.stringify([...times]));
        return cells;
    }
}

const cells = [];
for (const create of [listCases, rigCases]) {
    for (const one of create(options.quick, (labels) => nameOf(labels).includes(options.only))) {
        cells.push(...(await cellsOf(one)));
    }
}

if (options.times) process.exit();

const describe = ({ key, time, ratio, rival }) => `${key}: ${cell(time)} ns, ${ratio.toFixed(2)} times ${rival}`;
const losing = cells.filter(({ ratio }) => ratio > LOSES).sort((x, y) => y.ratio - x.ratio);
console.log(`${cpu}, Node ${node}, ${platform}; minimum (median).\n`);
console.log(`${losing.length} of ${cells.length} cells are over ${LOSES} times the best rival.`);
for (const one of losing) console.log(`- ${describe(one)}`);

const distinct = (list, property) => [...new Set(list.map((one) => one[property]))];
for (const group of distinct(cells, 'group')) printGroup(cells.filter((one) => one.group === group));

function printGroup(all) {
    const [{ group, unit }] = all;
    const [base, ...orders] = distinct(all, 'order');
    const counts = distinct(all, 'n');
    const costs = distinct(all, 'tier').flatMap((tier) => orders.map((order) => costRow(all, tier, order, base)));
    if (costs.length > 0) console.log(`\n${group}: times of ${base}, medians\n\n${table(['', ...counts], costs)}`);
    for (const what of distinct(all, 'what')) {
        const own = all.filter((one) => one.what === what);
        const rows = distinct(own, 'tier').flatMap((tier) =>
            distinct(own, 'order').map((order) => [
                `${tier}, ${order}`,
                ...counts.map((n) => {
                    const one = own.find((one) => one.tier === tier && one.order === order && one.n === n);
                    return one ? `${cell(one.time)}${one.ratio ? ` ${one.ratio.toFixed(2)}` : ''}` : '–';
                }),
            ]),
        );
        console.log(`\n${group}: ${what}, ${unit}, and ratio to the best rival\n\n${table(['', ...counts], rows)}`);
    }
}

/** The times of an order over those of the base: medians of the cells that have both. */
function costRow(all, tier, order, base) {
    const own = all.filter((one) => one.tier === tier);
    return [
        `${tier}, ${order}`,
        ...distinct(all, 'n').map((n) => {
            const timeOf = (what, order) =>
                own.find((one) => one.n === n && one.what === what && one.order === order)?.time.min;
            const ratios = distinct(own, 'what').map((what) => timeOf(what, order) / timeOf(what, base));
            const median = medianOf(ratios.filter((ratio) => ratio > 0));
            return median ? median.toFixed(2) : '–';
        }),
    ];
}

if (options.save) {
    const ratios = Object.fromEntries(cells.map(({ key, ratio }) => [key, Number(ratio.toFixed(3))]));
    writeFileSync(options.save, `${JSON.stringify({ cpu, ratios }, null, 1)}\n`);
}
const worse = cells.filter(isWorse);
for (const one of worse) console.error(`worse: ${describe(one)}, was ${saved.ratios[one.key].toFixed(2)}`);
if (worse.length > 0) process.exitCode = 1;
