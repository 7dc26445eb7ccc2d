// SPDX-License-Identifier: MIT

/**
 * npm run sweep: every strict implementation that runs here, and the plain and bound functions, have the bits of
 * strict/typescript: for every routine, on ordinary and extreme data, all lengths from 0 to 300, every misalignment, all kinds
 * of index lists and skeletons, in place and not. All implementations of the Rig agree in all methods, on generated rigs.
 * All NaN are equal; the comparison is otherwise exact.
 *
 * Options: --full (10 million joints a routine and implementation, instead of some 200 000; 6000 rigs, instead of 100),
 * --routine name (Rig: only the Rig), --implementations a,b,… (others than the strict ones; the first is the reference).
 */

import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import sweep from './sweep/index.cjs';
import rigSweep from './sweep/rigs.cjs';

const { values: options } = parseArgs({
    options: {
        full: { type: 'boolean', default: false },
        routine: { type: 'string' },
        implementations: { type: 'string' },
    },
});

const size = options.full ? 'full' : 'quick';
// Independent implementations. The plain and bound functions run the same kernels, so they prove nothing by themselves.
const independent = options.implementations
    ? options.implementations.split(',').map((name) => ({ name, kernels: poselane.implementation(name) }))
    : sweep.strictImplementations(poselane);
const implementations = options.implementations
    ? independent
    : [...independent, ...sweep.plainImplementations(poselane)];
const routines = sweep.ROUTINE_NAMES.filter((name) => options.routine === undefined || options.routine === name);
const withRig = options.routine === undefined || options.routine === 'Rig';
if (routines.length === 0 && !withRig) throw new Error(`there is no routine ${options.routine}`);

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

/** The Rig, by every implementation of it that is compared here. */
function sweepRig() {
    const wanted = new Set(independent.map(({ name }) => name));
    const rigs = rigSweep.builtRigs().filter(({ name }) => wanted.has(name));
    if (rigs.length < 2) {
        const has = rigs.map(({ name }) => name).join() || 'none';
        console.log(`Rig: nothing to compare: needs two implementations of it, has ${has}`);
        // With `--routine Rig`, nothing was checked: not a pass.
        if (routines.length === 0) failed++;
        return;
    }
    const start = performance.now();
    try {
        const { cases, counts } = rigSweep.sweepRigs(size, rigs);
        for (const [method, { results, floats }] of Object.entries(counts)) {
            console.log(`Rig.${method}: ${floats} floats in ${results} results`);
        }
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        console.log(`Rig: ${cases} rigs, the same bits from ${rigs.map(({ name }) => name).join(', ')} (${seconds} s)`);
    } catch (error) {
        failed++;
        console.error(`Rig: FAILED: ${error.message}`);
    }
}

if (withRig) sweepRig();
console.log(`sweep: ${total} joints in each of ${names.length} implementations, ${failed} routines differ`);
process.exit(failed === 0 ? 0 : 1);
