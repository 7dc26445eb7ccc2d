// SPDX-License-Identifier: MIT
'use strict';

/**
 * Prints the results of the golden cases on this machine as JSON: the available implementations, the hashes of inputs and
 * outputs by routine and of the Rig, and the first difference between implementations. Also runs fast/*, without a
 * comparison. A plain Node program for emulated machines; test/long/sweep-qemu.mjs and test/long/arm64.mjs read it.
 *
 * --only a,b: only these implementations, the plain and the bound functions among them.
 * --other-arithmetic file: the addon that sets another arithmetic (other-arithmetic.cjs). Then only the strict
 * implementations of the addon run, with it in force.
 */

const { parseArgs } = require('node:util');

const poselane = require('../../../dist/index.js');
const sweep = require('./index.cjs');
const { disturbedRig, disturbedRoutines, loadDisturbance } = require('./other-arithmetic.cjs');
const { builtRigs, hashRigs } = require('./rigs.cjs');

const { values: options } = parseArgs({
    options: { 'other-arithmetic': { type: 'string' }, only: { type: 'string' } },
});
const disturb = options['other-arithmetic'] && loadDisturbance(options['other-arithmetic']);

const strict = sweep.strictImplementations(poselane);
const inAddon = ({ name }) => !name.endsWith('/typescript');
const wanted = ({ name }) => options.only === undefined || options.only.split(',').includes(name);
const implementations = disturb
    ? strict.filter(inAddon).map((one) => disturbedRoutines(disturb, one))
    : [...strict, ...sweep.plainImplementations(poselane)].filter(wanted);
const rigs = builtRigs(disturb && ((one) => disturbedRig(disturb, one)));
const fast = poselane
    .implementations()
    .filter(({ name, available }) => available && name.startsWith('fast/'))
    .map(({ name }) => ({ name, kernels: poselane.implementation(name) }));
const report = {
    available: poselane
        .implementations()
        .filter((entry) => entry.available)
        .map(({ name }) => name),
    defaultImplementation: poselane.defaultImplementation,
    names: implementations.map(({ name }) => name),
    fast: fast.map(({ name }) => name),
    hashes: {},
    rigs: rigs.map(({ name }) => name),
    rig: hashRigs(rigs.filter(wanted)),
    faults: [],
};

for (const routine of sweep.ROUTINE_NAMES) {
    sweep.hashRoutine(routine, fast);
    const hashes = sweep.hashRoutine(routine, implementations);
    report.hashes[routine] = hashes;
    if (new Set(Object.values(hashes.outputs)).size === 1) continue;
    try {
        sweep.sweepRoutine(routine, 'golden', implementations);
    } catch (error) {
        report.faults.push(error.message);
    }
}
process.stdout.write(`${JSON.stringify(report)}\n`);
