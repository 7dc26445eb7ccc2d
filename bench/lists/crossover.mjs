// SPDX-License-Identifier: MIT

/**
 * Prints up to how many elements strict/typescript is faster than a call into the addon or WebAssembly, for plain calls and for bound
 * functions. Set `typescriptUpTo` in lib/lists/routines.ts or TYPESCRIPT_UP_TO in lib/lists/plain-webassembly.ts from these numbers.
 *
 *     npm run build && node bench/lists/crossover.mjs [strict/wasm]
 */

import { createRequire } from 'node:module';
import { measure } from '../harness.mjs';

const load = createRequire(import.meta.url);
const poselane = load('../../dist/index.js');
const { callsOn } = load('../../dist/bench/routine-calls.js');
const { createData, T } = load('../../dist/bench/data.js');
const { bind } = load('../../dist/lists/bind.js');
const { findImplementation } = load('../../dist/lists/implementations.js');
const { ROUTINES, STRICT_ROUTINES } = load('../../dist/lists/routines.js');

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 64];
const best = poselane.implementations().find(({ name, available }) => available && name.startsWith('strict/')).name;
const PAIR = ['strict/typescript', process.argv[2] ?? best];

function boundCall(routine, name, call, data) {
    const { lists, selection } = ROUTINES[routine];
    const args = [...call.addon(0).slice(0, lists.length), ...(selection === 'parents' ? [data.parents] : [])];
    const bound = bind(routine, findImplementation(name, '').bindable(routine, 0), args);
    return () => bound.run(T);
}

/** Minimum nanoseconds of a call by both implementations: `{ n, call: [typescript, addon], bound: [typescript, addon] }`. */
async function measureCount(routine, n) {
    const data = createData(n, 'random');
    const call = callsOn(data)[routine];
    const runs = [
        ...PAIR.map((name) => call.javascript(poselane.implementation(name))),
        ...PAIR.map((name) => boundCall(routine, name, call, data)),
    ];
    // Routines that work in place must not reach denormal numbers, which are slow.
    const prepare = () => call.source && call.destination.set(call.source);
    const subjects = runs.map((run) => ({ run, prepare, outputs: [], units: 1 }));
    const times = (await measure(subjects, { rounds: 20, warm: 5, calls: 1500 })).map(
        ({ nanoseconds }) => nanoseconds.min,
    );
    return { n, call: times.slice(0, 2), bound: times.slice(2) };
}

// slerpQuatTimes is as slow as slerpQuats.
for (const routine of STRICT_ROUTINES.filter((name) => name !== 'slerpQuatTimes')) {
    const rows = [];
    for (const n of COUNTS) rows.push(await measureCount(routine, n));
    const texts = ['call', 'bound'].map((form) => {
        const crossover = rows.findLast(({ [form]: [typescript, native] }) => typescript < native)?.n ?? 0;
        const at = (count) =>
            rows
                .find(({ n }) => n === count)
                [form].map((ns) => ns.toFixed(1))
                .join('/');
        return `${form} ≤ ${String(crossover).padStart(2)} (1: ${at(1)}, 4: ${at(4)})`.padEnd(40);
    });
    console.log(`${routine.padEnd(30)} ${texts.join(' ')}`);
}
