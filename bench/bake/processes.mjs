// SPDX-License-Identifier: MIT

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureWorks } from '../harness.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const TOOL = join(root, 'dist/cli/main.js');
export const here = (name) => join(root, 'bench/bake', name);

/**
 * Times processes from their start to their end, in interleaved rounds.
 *
 * @param subjects Arguments of Node, by name; a list of such lists for several processes at once, until the last one ends.
 * @param before What is done before some of them, untimed.
 * @returns Milliseconds by name: minimum and median over the rounds.
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

/** Runs with a folder that is gone afterwards. */
export async function withFolder(run) {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-bench-'));
    try {
        return await run(folder);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}
