// SPDX-License-Identifier: MIT

/**
 * Prints up to how many elements strict/typescript is faster than a call into the addon or WebAssembly, for plain calls, for bound
 * functions, for calls with a list in random order, and for lists in WebAssembly's own memory. Set `typescriptUpTo` in
 * lib/lists/routines.ts, or the three tables of lib/lists/plain-webassembly.ts, from these numbers.
 *
 *     npm run build && node bench/lists/crossover.mjs [strict/wasm [Joints]]
 */

import { createRequire } from 'node:module';
import { measure } from '../harness.mjs';

const load = createRequire(import.meta.url);
const poselane = load('../../dist/index.js');
const { callsOn } = load('../../dist/bench/routine-calls.js');
const { createData, generator, T } = load('../../dist/bench/data.js');
const { bind } = load('../../dist/lists/bind.js');
const { findImplementation } = load('../../dist/lists/implementations.js');
const { ROUTINES, STRICT_ROUTINES } = load('../../dist/lists/routines.js');
const { createFloats } = load('../../dist/webassembly/heap.js');
const { strictModule } = load('../../dist/webassembly/module.js');

const FORMS = ['call', 'bound', 'listed', 'inPlace'];
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128];
const best = poselane.implementations().find(({ name, available }) => available && name.startsWith('strict/')).name;
const PAIR = ['strict/typescript', process.argv[2] ?? best];

function boundCall(routine, name, call, data) {
    const { lists, selection } = ROUTINES[routine];
    const args = [...call.addon(0).slice(0, lists.length), ...(selection === 'parents' ? [data.parents] : [])];
    const bound = bind(routine, findImplementation(name, '').bindable(routine, 0), args);
    return () => bound.run(T);
}

function listedCall(routine, name, call, n) {
    const random = generator(n);
    const index = Int32Array.from(Array.from({ length: n }, (_, i) => i).sort(() => random() - 0.5));
    const { lists, parameter } = ROUTINES[routine];
    const args = call.addon(0).slice(0, lists.length + (parameter ? 1 : 0));
    const run = poselane.implementation(name)[routine];
    return () => run(...args, index);
}

/** The same data with its lists of floats in WebAssembly's memory. */
function inWebassembly(data) {
    const moved = Object.entries(data).map(([name, value]) => {
        if (!(value instanceof Float32Array)) return [name, value];
        const list = createFloats(strictModule(), value.length);
        list.set(value);
        return [name, list];
    });
    return Object.fromEntries(moved);
}

/** Minimum nanoseconds of a call by both implementations: `{ n, call: [typescript, addon], bound: …, … }`. */
async function measureCount(routine, n) {
    const data = createData(n, 'random');
    const call = callsOn(data)[routine];
    const placed = PAIR[1] === 'strict/wasm' ? callsOn(inWebassembly(data))[routine] : null;
    const runs = [
        ...PAIR.map((name) => call.javascript(poselane.implementation(name))),
        ...PAIR.map((name) => boundCall(routine, name, call, data)),
        ...(ROUTINES[routine].selection === 'index' ? PAIR : []).map((name) => listedCall(routine, name, call, n)),
        ...(placed ? PAIR : []).map((name) => placed.javascript(poselane.implementation(name))),
    ];
    // Routines that work in place must not reach denormal numbers, which are slow.
    const prepare = () => {
        for (const one of [call, placed]) if (one?.source) one.destination.set(one.source);
    };
    const subjects = runs.map((run) => ({ run, prepare, outputs: [], units: 1 }));
    const times = (await measure(subjects, { rounds: 20, warm: 5, calls: 1500 })).map(
        ({ nanoseconds }) => nanoseconds.min,
    );
    const inPlace = placed ? times.splice(-2) : [];
    return { n, call: times.slice(0, 2), bound: times.slice(2, 4), listed: times.slice(4), inPlace };
}

// slerpQuatTimes is as slow as slerpQuats.
const [chosen = ''] = process.argv.slice(3);
for (const routine of STRICT_ROUTINES.filter((name) => name !== 'slerpQuatTimes' && name.includes(chosen))) {
    const rows = [];
    for (const n of COUNTS) rows.push(await measureCount(routine, n));
    const texts = FORMS.filter((form) => rows[0][form].length > 0).map((form) => {
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
