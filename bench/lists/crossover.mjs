// SPDX-License-Identifier: MIT

/**
 * Prints up to how many elements strict/typescript is faster than a call into the addon, for checked calls and for bound
 * functions. Set `typescriptUpTo` in lib/lists/routines.ts from these numbers.
 *
 *     npm run build && node bench/lists/crossover.mjs
 *
 * Compares the min times of a call.
 */

import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const poselane = load('../../dist/index.js');
const { callsOn } = load('../../dist/bench/calls.js');
const { createData, T } = load('../../dist/bench/data.js');
const { interleave } = load('../../dist/bench/measure.js');
const { bind } = load('../../dist/lists/bind.js');
const { findImplementation } = load('../../dist/lists/implementations.js');
const { ROUTINES, STRICT_ROUTINES } = load('../../dist/lists/routines.js');

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 64];
const ROUNDS = 20;
const CALLS = 1500;

const best = poselane.implementations().find(({ name, available }) => available && name.startsWith('strict/')).name;
const PAIR = ['strict/typescript', best];

function boundCall(routine, name, call, data) {
    const { lists, selection } = ROUTINES[routine];
    const args = [...call.addon(0).slice(0, lists.length), ...(selection === 'parents' ? [data.parents] : [])];
    const bound = bind(routine, findImplementation(name, '').bindable(routine, 0), args);
    return () => bound.run(T);
}

/** What both take for a call, in nanoseconds: of a plain call, and of a run of a bound function. */
async function measureCount(routine, n) {
    const data = createData(n, 'random');
    const call = callsOn(data)[routine];
    const timed = (run) => ({
        sample() {
            if (call.source !== null) call.destination.set(call.source);
            const start = process.hrtime.bigint();
            for (let i = 0; i < CALLS; i++) run();
            return [Number(process.hrtime.bigint() - start) / CALLS];
        },
    });
    const forms = {
        call: PAIR.map((name) => timed(call.javascript(poselane.implementation(name)))),
        bound: PAIR.map((name) => timed(boundCall(routine, name, call, data))),
    };
    for (const one of Object.values(forms).flat()) for (let warm = 0; warm < 5; warm++) one.sample();
    const samples = await interleave(Object.values(forms), { rounds: ROUNDS, milliseconds: 0 });
    const least = (pair) => pair.map((one) => Math.min(...samples.get(one).flat()));
    return { n, call: least(forms.call), bound: least(forms.bound) };
}

// One pair at several times is as slow as one pair.
for (const routine of STRICT_ROUTINES.filter((name) => name !== 'slerpQuatTimes')) {
    const rows = [];
    for (const n of COUNTS) rows.push(await measureCount(routine, n));
    const texts = ['call', 'bound'].map((form) => {
        // Up to the first that is not faster.
        const slower = rows.findIndex(({ [form]: [typescript, addon] }) => typescript >= addon);
        const crossover = (slower < 0 ? rows.at(-1) : rows[slower - 1])?.n ?? 0;
        const at = (count) =>
            rows
                .find(({ n }) => n === count)
                [form].map((ns) => ns.toFixed(1))
                .join('/');
        return `${form} ≤ ${String(crossover).padStart(2)} (1: ${at(1)}, 4: ${at(4)})`.padEnd(40);
    });
    console.log(`${routine.padEnd(30)} ${texts.join(' ')}`);
}
