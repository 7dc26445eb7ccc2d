// SPDX-License-Identifier: MIT

/**
 * npm run sweep:qemu: this very build on processors that are older than this one, under qemu-user (Debian: qemu-user or
 * qemu-user-static). On each of them exactly the implementations that it can run are there, the strict ones have the
 * golden bits, those of the Rig too, and the fast ones are as near to them as they promise. An instruction that the processor lacks would end
 * the process.
 *
 * Says so where qemu is not installed; with --required that is a failure.
 */

import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from './lib.mjs';
import sweep from './sweep/index.cjs';

const EVERYWHERE = ['strict/sse2', 'strict/scalar', 'strict/typescript'];

/** Processors, by qemu's names, and what they have beside what every x86-64 processor has. */
const PROCESSORS = [
    { model: 'Haswell', without: 'AVX-512', has: ['strict/avx2', 'fast/avx2', 'intel/avx'] },
    { model: 'SandyBridge', without: 'AVX2', has: ['intel/avx'] },
    { model: 'qemu64', without: 'AVX', has: [] },
];

/** How far a fast implementation may be from a strict one. */
const FAST_BOUND = 4.8e-7;

/** What is listed only where the processor has it. */
const CONDITIONAL = /^(strict|fast|intel)\//;

function findQemu() {
    return ['qemu-x86_64-static', 'qemu-x86_64'].find((command) => spawnSync(command, ['--version']).status === 0);
}

function runOn(qemu, model) {
    const program = path.join(root, 'scripts/sweep/report.cjs');
    return new Promise((resolve, reject) => {
        const child = spawn(qemu, ['-cpu', model, process.execPath, program], { cwd: root });
        let stdout = '';
        let stderr = '';
        child.stdout.setEncoding('utf8').on('data', (text) => {
            stdout += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text) => {
            stderr += text;
        });
        child.on('error', reject);
        child.on('close', (status, signal) => {
            if (status === 0) resolve(JSON.parse(stdout));
            else reject(new Error(`ended with ${signal ?? status}: ${stderr.trim().split('\n').at(-1)}`));
        });
    });
}

function faultsOf({ has }, report, golden) {
    const faults = [...report.faults];
    const expected = [...has, ...EVERYWHERE, 'intel/typescript'].sort().join(', ');
    const available = report.available.filter((name) => CONDITIONAL.test(name)).sort();
    if (available.join(', ') !== expected) faults.push(`has ${available.join(', ')}; expected ${expected}`);
    for (const name of has.filter((one) => one.startsWith('fast/'))) {
        const differences = Object.entries(report.fast[name] ?? {});
        if (differences.length === 0) faults.push(`${name} was not run`);
        for (const [routine, difference] of differences) {
            // JSON has no NaN: null.
            if (difference === null || !(difference <= FAST_BOUND)) {
                faults.push(`${routine}: ${name} is ${difference} from strict, allowed are ${FAST_BOUND}`);
            }
        }
    }
    for (const routine of sweep.ROUTINE_NAMES) {
        const { inputs, outputs } = report.hashes[routine];
        if (inputs !== golden.inputs[routine]) faults.push(`${routine}: the INPUTS differ`);
        for (const [name, hash] of Object.entries(outputs)) {
            if (hash !== golden.outputs[routine]) faults.push(`${routine}: ${name} does not have the golden bits`);
        }
    }
    return [...faults, ...rigFaultsOf(has, report.rig, golden.rig)];
}

/** The Rig is there in the same implementations as the routines. */
function rigFaultsOf(has, { inputs, outputs }, golden) {
    const faults = inputs === golden.inputs ? [] : ['Rig: the INPUTS differ'];
    const expected = [...has, ...EVERYWHERE].filter((name) => name.startsWith('strict/')).sort();
    const names = Object.keys(outputs).sort();
    if (names.join() !== expected.join())
        faults.push(`the Rig has ${names.join(', ')}; expected ${expected.join(', ')}`);
    for (const [name, hashes] of Object.entries(outputs)) {
        for (const [method, hash] of Object.entries(hashes)) {
            if (hash !== golden.outputs[method]) faults.push(`Rig.${method}: ${name} does not have the golden bits`);
        }
    }
    return faults;
}

async function check(qemu, processor, golden) {
    const { model, without } = processor;
    const start = performance.now();
    let faults;
    let done = '';
    try {
        const report = await runOn(qemu, model);
        faults = faultsOf(processor, report, golden);
        const fast = Object.entries(report.fast).map(
            ([name, all]) => `; ${name} within ${Math.max(...Object.values(all)).toPrecision(2)}`,
        );
        done = `golden bits of ${report.names.join(', ')}${fast.join('')}`;
    } catch (error) {
        faults = [error.message];
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    for (const fault of faults) console.error(`qemu ${model}: ${fault}`);
    console.log(`qemu ${model}, without ${without}: ${faults.length === 0 ? done : 'FAILED'} (${seconds} s)`);
    return faults.length;
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('qemu: run on x86-64 Linux only');
    process.exit(0);
}
const qemu = findQemu();
if (qemu === undefined) {
    console.log('qemu: not run, qemu-x86_64 is not installed (Debian: qemu-user)');
    process.exit(process.argv.includes('--required') ? 1 : 0);
}
const golden = JSON.parse(fs.readFileSync(path.join(root, 'test/golden/strict@1.json'), 'utf8'));
const counts = await Promise.all(PROCESSORS.map((processor) => check(qemu, processor, golden)));
process.exit(counts.every((count) => count === 0) ? 0 : 1);
