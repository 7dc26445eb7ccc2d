// SPDX-License-Identifier: MIT
'use strict';

/** Calls for test/long/valgrind.mjs: a few cases of every native routine and of the Rig, or, with --wrong, one wrong call. */

const poselane = require('../../dist');
const { casesOf } = require('./sweep/cases.cjs');
const { ROUTINE_NAMES } = require('./sweep/routines.cjs');
const { runCase } = require('./sweep/run.cjs');
const { builtRigs, sweepRigs } = require('./sweep/rigs.cjs');

const CASES = 12;

function callAll() {
    let calls = 0;
    const native = poselane
        .implementations()
        .filter(({ name, available }) => available && !name.endsWith('/typescript'))
        .map(({ name }) => ({ name, kernels: poselane.implementation(name) }));
    for (const { kernels } of native) {
        for (const routine of ROUTINE_NAMES) {
            if (kernels[routine] === undefined) continue;
            let left = CASES;
            for (const made of casesOf(routine, 'golden')) {
                if (left-- === 0) break;
                runCase(made, kernels);
                calls++;
            }
        }
    }
    const rigs = builtRigs();
    const { cases } = sweepRigs('few', rigs);
    if (native.length < 10 || calls < 500) throw new Error(`only ${native.length} implementations, ${calls} calls`);
    console.log(`${calls} calls in ${native.length} implementations, ${cases} rigs in ${rigs.length}`);
}

/** Passes an uninitialized index list. */
function callWrongly() {
    const index = new Int32Array(Buffer.allocUnsafeSlow(4 * 64).buffer);
    const [joints, blendJoints] = [new Float32Array(8 * 64), new Float32Array(8 * 64)];
    try {
        poselane.implementation('strict/scalar').slerpJoints(joints, blendJoints, 0.5, index);
    } catch (error) {
        // The memory may hold a wrong index.
        if (error.code !== 'ERR_INDEX_RANGE') throw error;
    }
}

if (process.argv[2] === '--wrong') callWrongly();
else callAll();
