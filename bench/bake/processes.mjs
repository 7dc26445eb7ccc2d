// SPDX-License-Identifier: MIT

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/lib.mjs';
import { measureWorks } from '../harness.mjs';

/**
 * Times whole processes in interleaved rounds.
 *
 * @param subjects By name: arguments of Node, or a list of such lists for several processes at once.
 * @param before By name: what runs before that subject and is not timed.
 * @returns By name: minimum and median, in milliseconds.
 */
export async function timeProcesses(subjects, rounds, before = {}) {
    const work = async ([name, args]) => {
        before[name]?.();
        const start = performance.now();
        await Promise.all((Array.isArray(args[0]) ? args : [args]).map(runNode));
        return performance.now() - start;
    };
    // The first run of each brings the files into the system's cache.
    for (const subject of Object.entries(subjects)) await work(subject);
    const works = Object.entries(subjects).map((subject) => [subject[0], () => work(subject)]);
    return measureWorks(Object.fromEntries(works), rounds);
}

export const TOOL = join(root, 'dist/cli/main.js');

function runNode(args) {
    return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
        let stderr = '';
        child.stderr.on('data', (text) => {
            stderr += text;
        });
        child.on('error', reject);
        child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`${args.join(' ')}: ${stderr}`))));
    });
}
