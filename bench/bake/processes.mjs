// SPDX-License-Identifier: MIT

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spread } from '../rig/measure.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const TOOL = join(root, 'dist/cli/main.js');
export const here = (name) => join(root, 'bench/bake', name);

/**
 * Times processes from their start to their end, each subject once a round, in turns: a slow moment of the machine falls on
 * all alike.
 *
 * @param subjects Arguments of Node, by name; a list of such lists for several processes at once, until the last one ends.
 * @returns Milliseconds by name: minimum and median over the rounds.
 */
export async function timeProcesses(subjects, rounds) {
    const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
    for (let round = 0; round <= rounds; round++) {
        for (const [name, args] of Object.entries(subjects)) {
            const start = performance.now();
            await Promise.all((Array.isArray(args[0]) ? args : [args]).map(runNode));
            const milliseconds = performance.now() - start;
            // The first round brings the files into the system's cache.
            if (round > 0) samples[name].push(milliseconds);
        }
    }
    return Object.fromEntries(Object.entries(samples).map(([name, times]) => [name, spread(times)]));
}

/** Rejects where the process does not end with 0. */
function runNode(args) {
    return new Promise((done, fail) => {
        const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
        let stderr = '';
        child.stderr.on('data', (text) => {
            stderr += text;
        });
        child.on('error', fail);
        child.on('close', (status) => {
            if (status === 0) done();
            else fail(new Error(`${args.join(' ')}: ${stderr}`));
        });
    });
}

/** `min` is the ratio of the minima. */
export function ratioOf(slow, fast) {
    return { min: slow.min / fast.min, median: slow.median / fast.median };
}

/** Runs with a folder that is gone afterwards. */
export async function withFolder(run) {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-bench-'));
    try {
        return await run(folder);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}
