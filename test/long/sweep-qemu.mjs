// SPDX-License-Identifier: MIT

/**
 * npm run sweep:qemu: runs this build on older processors, under qemu-user (Debian: qemu-user or qemu-user-static). Each lists
 * exactly the implementations that it can run. The strict ones have the golden bits, also of the Rig, and the fast ones run.
 * An instruction that the processor lacks would end the process.
 *
 * Without qemu it prints that, and runs nothing; with --required that is a failure. --quick: only the oldest processor, which
 * lacks all newer instructions, without strict/typescript.
 */

import * as path from 'node:path';
import { findCommand, root, tryOut } from '../../scripts/lib.mjs';
import { goldenFaults, NODE_FLAGS, outputOf } from './sweep/emulated.mjs';

/** By the fastest strict implementation that the processor can run. */
const PLAIN = ['the plain functions', 'the bound functions'];
const EVERYWHERE = ['strict/sse2', 'strict/scalar', 'strict/typescript'];
const isStrict = (name) => name.startsWith('strict/');
const quick = process.argv.includes('--quick');

/** Processors, by qemu's names, and their implementations beyond those of every x86-64 processor. */
const PROCESSORS = [
    { model: 'Haswell', without: 'AVX-512', has: ['strict/avx2', 'fast/avx2', 'intel/avx'] },
    { model: 'SandyBridge', without: 'AVX2', has: ['intel/avx'] },
    { model: 'qemu64', without: 'AVX', has: [] },
].slice(quick ? -1 : 0);

/** Implementations that are listed only if the processor has them. */
const CONDITIONAL = /^(strict|fast|intel)\//;

const REPORT = path.join(root, 'test/long/sweep/report.cjs');

/** The implementations to run on a processor. */
const runOn = ({ has }) => [
    ...[...has, ...EVERYWHERE].filter((name) => isStrict(name) && !(quick && name === 'strict/typescript')),
    ...PLAIN,
];

function faultsOf(processor, report) {
    const { has } = processor;
    const run = runOn(processor);
    const missing = run.filter((name) => !report.names.includes(name)).map((name) => `${name} was not run`);
    const faults = [...goldenFaults(report, run.filter(isStrict)), ...missing];
    const fastest = has.find(isStrict) ?? 'strict/sse2';
    if (report.defaultImplementation !== fastest) {
        faults.push(`the plain functions are by ${report.defaultImplementation}; expected ${fastest}`);
    }
    // The Rig must have the same implementations as the routines.
    const rigs = [...has, ...EVERYWHERE].filter(isStrict).sort().join(', ');
    const availableRigs = [...report.rigs].sort().join(', ');
    if (availableRigs !== rigs) faults.push(`has the Rig in ${availableRigs}; expected ${rigs}`);
    const expected = [...has, ...EVERYWHERE, 'intel/typescript'].sort().join(', ');
    const available = report.available.filter((name) => CONDITIONAL.test(name)).sort();
    if (available.join(', ') !== expected) faults.push(`has ${available.join(', ')}; expected ${expected}`);
    for (const name of has.filter((one) => one.startsWith('fast/'))) {
        if (!report.fast.includes(name)) faults.push(`${name} was not run`);
    }
    return faults;
}

async function check(qemu, processor) {
    const node = [process.execPath, ...NODE_FLAGS];
    const args = ['--only', runOn(processor).join()];
    const report = JSON.parse(await outputOf([qemu, '-cpu', processor.model, ...node, REPORT, ...args]));
    return {
        faults: faultsOf(processor, report),
        done: `golden bits of ${report.names.join(', ')}; ran ${report.fast.join(', ') || 'no fast ones'}`,
    };
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('qemu: run on x86-64 Linux only');
    process.exit(0);
}
const qemu = findCommand(['qemu-x86_64-static', 'qemu-x86_64']);
if (qemu === undefined) {
    console.log('qemu: not run, qemu-x86_64 is not installed (Debian: qemu-user)');
    process.exit(process.argv.includes('--required') ? 1 : 0);
}
const counts = await Promise.all(
    PROCESSORS.map((processor) =>
        tryOut(`qemu ${processor.model}, without ${processor.without}`, () => check(qemu, processor)),
    ),
);
process.exit(counts.every((count) => count === 0) ? 0 : 1);
