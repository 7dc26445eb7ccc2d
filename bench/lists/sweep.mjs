// SPDX-License-Identifier: MIT

/**
 * Every list routine at every length, order of the index list and tier that runs here, each against the fastest other
 * implementation of the package that needs no more of the processor. Prints the cells that lose by over 15% first, then
 * what index lists cost over the same joints without a list.
 *
 *     npm run build && node bench/lists/sweep.mjs [--quick] [--routine name] [--save ratios.json] [--against ratios.json]
 *
 * `--against` ends with status 1 where a ratio is over 1.3 times the saved one.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createData, generator, T } from '../../dist/bench/data.js';
import { describeMachine } from '../../dist/bench/machine.js';
import { callsOn } from '../../dist/bench/routine-calls.js';
import { medianOf } from '../../dist/bench/statistics.js';
import { implementation, implementations, plainOf } from '../../dist/lists/implementations.js';
import { ROUTINES, STRICT_ROUTINES } from '../../dist/lists/routines.js';
import { cell, measure, table } from '../harness.mjs';

const { values: options } = parseArgs({
    options: {
        quick: { type: 'boolean', default: false },
        routine: { type: 'string' },
        save: { type: 'string' },
        against: { type: 'string' },
    },
});

const COUNTS = options.quick ? [1, 4, 64, 1024] : [1, 2, 3, 4, 8, 16, 64, 256, 1024];
const SETTINGS = options.quick ? { rounds: 8, warm: 10 } : { rounds: 20, warm: 30 };
const LOSES = 1.15;
const WORSE = 1.3;

const numbers = (length, of) => Int32Array.from({ length }, (_, i) => of(i));
function permutation(n) {
    const random = generator(n);
    return Array.from({ length: n }, (_, i) => [random(), i])
        .sort(([a], [b]) => a - b)
        .map(([, i]) => i);
}
/** By name; every order but the last two names no element twice. */
const ORDERS = {
    'no list': () => null,
    identity: (n) => numbers(n, (i) => i),
    'every second': (n) => numbers(n, (i) => 2 * i),
    permuted: (n) => Int32Array.from(permutation(n)),
    descending: (n) => numbers(n, (i) => n - 1 - i),
    'each twice': (n) => numbers(n, (i) => i >> 1),
    'all again': (n) => numbers(n, (i) => i % Math.ceil(n / 2)),
};
const REPEATS = Object.keys(ORDERS).slice(-2);

const available = implementations().filter(({ available }) => available);
/** From the slowest on. */
const TIERS = ['typescript', 'wasm', 'scalar', 'sse2', 'neon', 'avx2', 'avx512']
    .map((tier) => `strict/${tier}`)
    .filter((name) => available.some((one) => one.name === name));

/** What each tier has besides the tiers below it: the documents' routines in float32 that run wherever it does. */
const LISTINGS = { scalar: /\/c$/, sse2: /\/c$|\/sse$/, neon: /\/c$/, avx2: /\/c$|\/sse$|intel\/avx$/ };
LISTINGS.avx512 = LISTINGS.avx2;

function rivalsOf(tier, order) {
    // The listings blend an element that a group of four names twice in another way.
    const listings = REPEATS.includes(order) ? undefined : LISTINGS[tier.slice('strict/'.length)];
    const named = available.filter(({ name }) => /^(paper|blueprint|intel)\//.test(name) && listings?.test(name));
    return [...TIERS.slice(0, TIERS.indexOf(tier)), ...named.map(({ name }) => name)];
}

function subjectsOf(routine, n, order) {
    const rivals = new Set(TIERS.flatMap((tier) => [tier, ...rivalsOf(tier, order)]));
    const { lists, parameter, selection } = ROUTINES[routine];
    const index = ORDERS[order](n);
    const data = createData(index === null ? n : Math.max(...index) + 1, 'random');
    const call = callsOn(data)[routine];
    const given = call.addon(0).slice(0, lists.length + (parameter ? 1 : 0));
    const args = [...given, ...(selection === 'parents' ? [data.parents] : index === null ? [] : [index])];
    const prepare = () => call.source && call.destination.set(call.source);
    return available.flatMap(({ name }) => {
        const function_ = TIERS.includes(name) ? plainOf(name, routine)?.run : implementation(name)[routine];
        if (function_ === undefined || !rivals.has(name)) return [];
        const [a, b, c, d, e] = args;
        const runs = [
            () => function_(a),
            () => function_(a, b),
            () => function_(a, b, c),
            () => function_(a, b, c, d),
            () => function_(a, b, c, d, e),
        ];
        return [{ name, run: runs[args.length - 1], prepare, outputs: [], units: 1 }];
    });
}

const cells = [];
const routines = STRICT_ROUTINES.filter((routine) => (options.routine ?? routine) === routine);
for (const routine of routines) {
    const orders = ROUTINES[routine].selection === 'index' ? Object.keys(ORDERS) : ['no list'];
    for (const n of COUNTS) {
        for (const order of orders) {
            const calls = Math.max(20, Math.round(3000 / n));
            const times = await measure(subjectsOf(routine, n, order), { ...SETTINGS, calls });
            const timeOf = (name) => times.find((one) => one.name === name)?.nanoseconds;
            for (const tier of TIERS) {
                const time = timeOf(tier);
                const rivals = rivalsOf(tier, order).filter(timeOf);
                const rival = rivals.sort((x, y) => timeOf(x).min - timeOf(y).min)[0];
                const ratio = rival === undefined ? 0 : time.min / timeOf(rival).min;
                cells.push({ routine, n, order, tier, time, rival, ratio });
            }
        }
    }
}

const keyOf = ({ routine, n, order, tier }) => `${routine}, ${n}, ${order}, ${tier}`;
const lost = (one, by) => `${keyOf(one)}: ${cell(one.time)} ns, ${one.ratio.toFixed(2)} times ${by}`;
const { cpu, node, platform } = describeMachine();
console.log(`${cpu}, Node ${node}, ${platform}. Nanoseconds a call, T = ${T}: minimum (median).\n`);
const losing = cells.filter(({ ratio }) => ratio > LOSES);
console.log(`${losing.length} of ${cells.length} cells are over ${LOSES} times the best rival.`);
for (const one of losing.sort((x, y) => y.ratio - x.ratio)) console.log(`- ${lost(one, one.rival)}`);

/** Each order's time as a multiple of no list's: the median of the routines with an index. */
const listCosts = TIERS.flatMap((tier) =>
    Object.keys(ORDERS)
        .slice(1)
        .map((order) => [
            `${tier}, ${order}`,
            ...COUNTS.map((n) => {
                const own = cells.filter((one) => one.n === n && one.tier === tier);
                const without = new Map(own.filter((one) => one.order === 'no list').map((one) => [one.routine, one]));
                const ratios = own
                    .filter((one) => one.order === order)
                    .map(({ routine, time }) => time.min / without.get(routine).time.min);
                return medianOf(ratios).toFixed(2);
            }),
        ]),
);
console.log(`\nTimes of no list\n\n${table(['', ...COUNTS], listCosts)}`);

for (const routine of routines) {
    for (const tier of TIERS) {
        const own = cells.filter((one) => one.routine === routine && one.tier === tier);
        const orders = [...new Set(own.map(({ order }) => order))];
        const rows = orders.map((order) => [
            order,
            ...own
                .filter((one) => one.order === order)
                .map(({ time, ratio }) => `${cell(time)}${ratio ? ` ${ratio.toFixed(2)}` : ''}`),
        ]);
        console.log(`\n${routine}, ${tier}: time, and ratio to the best rival\n\n${table(['', ...COUNTS], rows)}`);
    }
}

const ratios = Object.fromEntries(cells.map((one) => [keyOf(one), one.ratio]));
if (options.save) writeFileSync(options.save, `${JSON.stringify(ratios, null, 1)}\n`);
if (options.against) {
    const saved = JSON.parse(readFileSync(options.against, 'utf8'));
    const worse = cells.filter((one) => one.ratio > WORSE * (saved[keyOf(one)] ?? Infinity));
    for (const one of worse) console.error(`worse: ${lost(one, one.rival)}, was ${saved[keyOf(one)].toFixed(2)}`);
    process.exitCode = worse.length > 0 ? 1 : 0;
}
