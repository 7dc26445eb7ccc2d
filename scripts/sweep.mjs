// SPDX-License-Identifier: MIT

/**
 * npm run sweep: every strict implementation that runs here gives the bits of strict/typescript, for every routine, on
 * data from the ordinary to the absurd, every length from 0 to 300, every misalignment, index lists and skeletons of
 * every kind, in place and not. So do the plain and the bound functions. Every NaN counts as the same; all else is
 * compared exactly.
 *
 * Options: --full (10 million joints a routine and implementation, instead of some 200 000), --routine name,
 * --implementations a,b,… (others than the strict ones; the first is the one to compare with).
 */

import { parseArgs } from 'node:util';
import poselane from '../dist/index.js';
import sweep from './sweep/index.cjs';

const { values: options } = parseArgs({
    options: {
        full: { type: 'boolean', default: false },
        routine: { type: 'string' },
        implementations: { type: 'string' },
    },
});

const size = options.full ? 'full' : 'quick';
// What has to agree. The plain and the bound functions run these kernels too: by themselves they prove nothing.
const independent = options.implementations
    ? options.implementations.split(',').map((name) => ({ name, kernels: poselane.implementation(name) }))
    : sweep.strictImplementations(poselane);
const implementations = options.implementations
    ? independent
    : [...independent, ...sweep.plainImplementations(poselane)];
const routines = sweep.ROUTINE_NAMES.filter((name) => options.routine === undefined || options.routine === name);
if (routines.length === 0) throw new Error(`there is no routine ${options.routine}`);

const names = implementations.map(({ name }) => name);
for (const { name, available, reason } of poselane.implementations()) {
    if (sweep.STRICT.includes(name) && !available) console.log(`not here: ${name}, ${reason}`);
}
const different = new Set(independent.map(({ name }) => name));
if (different.size < 2) {
    const what = options.implementations ? 'different implementations' : 'strict implementations that run here';
    console.error(`sweep: nothing to compare: needs two ${what}, has ${[...different].join() || 'none'}`);
    process.exit(1);
}
console.log(`${names.slice(1).join(', ')} against ${names[0]}, ${size}`);

let failed = 0;
let total = 0;
for (const routine of routines) {
    const start = performance.now();
    try {
        const { cases, elements } = sweep.sweepRoutine(routine, size, implementations);
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        total += elements;
        console.log(`${routine}: ${elements} joints in ${cases} cases, the same bits (${seconds} s)`);
    } catch (error) {
        failed++;
        console.error(`${routine}: FAILED: ${error.message}`);
    }
}
console.log(`sweep: ${total} joints in each of ${names.length} implementations, ${failed} routines differ`);
process.exit(failed === 0 ? 0 : 1);
