// SPDX-License-Identifier: MIT

/** Shared code of the runs on emulated processors: sweep-qemu.mjs and arm64.mjs. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root, runCommand } from '../../../scripts/lib.mjs';
import sweep from './index.cjs';

export const golden = JSON.parse(fs.readFileSync(path.join(root, 'test/golden/strict@1.json'), 'utf8'));

/** For Node: its threads beside the first one cost an emulator more than they save. */
export const NODE_FLAGS = ['--single-threaded'];

/** The line of the error in the output of a failed program, or else the last line. */
function causeIn(output) {
    const lines = output.trim().split('\n');
    return lines.find((line) => /^\S*Error\b/.test(line)) ?? lines.at(-1);
}

/** Runs a program in the repository's root, and returns its output; throws if it fails. */
export async function outputOf([command, ...args], env = {}) {
    const { status, stdout, output } = await runCommand(command, args, { env: { ...process.env, ...env } });
    if (status !== 0) throw new Error(`ended with ${status}: ${causeIn(output)}`);
    return stdout;
}

/**
 * Where a report (report.cjs) is not what test/golden/strict@1.json says.
 *
 * @param expected The implementations that the Rig must have been run by.
 */
export function goldenFaults(report, expected) {
    const faults = [...report.faults];
    for (const routine of sweep.ROUTINE_NAMES) {
        const { inputs, outputs } = report.hashes[routine];
        if (inputs !== golden.inputs[routine]) faults.push(`${routine}: the INPUTS differ`);
        for (const [name, hash] of Object.entries(outputs)) {
            if (hash !== golden.outputs[routine]) faults.push(`${routine}: ${name} does not have the golden bits`);
        }
    }
    return [...faults, ...rigFaults(report.rig, expected)];
}

function rigFaults({ inputs, outputs }, expected) {
    const faults = inputs === golden.rig.inputs ? [] : ['Rig: the INPUTS differ'];
    const names = Object.keys(outputs).sort();
    if (names.join() !== [...expected].sort().join())
        faults.push(`the Rig has ${names.join(', ')}; expected ${expected.join(', ')}`);
    for (const [name, hashes] of Object.entries(outputs)) {
        for (const [method, hash] of Object.entries(hashes)) {
            if (hash !== golden.rig.outputs[method])
                faults.push(`Rig.${method}: ${name} does not have the golden bits`);
        }
    }
    return faults;
}
