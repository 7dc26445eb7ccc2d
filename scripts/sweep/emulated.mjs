// SPDX-License-Identifier: MIT

/** What the runs on emulated processors share: sweep-qemu.mjs and arm64.mjs. */

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';
import sweep from './index.cjs';

export const golden = JSON.parse(fs.readFileSync(path.join(root, 'test/golden/strict@1.json'), 'utf8'));

/** For Node: its threads beside the first one cost an emulator more than they save. */
export const NODE_FLAGS = ['--single-threaded'];

/** Of what a program that failed has said: the line of the error, or else the last. */
function causeIn(stderr) {
    const lines = stderr.trim().split('\n');
    return lines.find((line) => /^\S*Error\b/.test(line)) ?? lines.at(-1);
}

/** What a program printed, run in the repository's root; an error where it failed. */
export function outputOf([command, ...args], env = {}) {
    return new Promise((resolve, reject) => {
        const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env } });
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
            if (status === 0) resolve(stdout);
            else reject(new Error(`ended with ${signal ?? status}: ${causeIn(stderr)}`));
        });
    });
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
