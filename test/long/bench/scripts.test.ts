// SPDX-License-Identifier: MIT

/** The scripts of bench/. */

import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const run = (script: string, ...options: string[]) => runNode([join(ROOT, 'bench', script), ...options]);

interface Result {
    poses?: string;
    work?: string;
    name: string;
    milliseconds: { min: number; median: number };
    nanoseconds: { min: number; median: number };
}

test('bench/lists/run.mjs: the cases of poselane bench, by Benchmark.js', () => {
    const { status, stdout } = run('lists/run.mjs', ...'--routine lerp --rounds 1 --seconds 0.005 --json'.split(' '));
    expect(status).toBe(0);
    const { results } = JSON.parse(stdout) as { results: { implementation: string; min: number }[] };
    expect(results.map(({ implementation }) => implementation)).toContain('paper/typescript');
    for (const { min } of results) expect(min).toBeGreaterThan(0);
});

describe('bench/rig/run.mjs', () => {
    test('measures the Rig, also in TypeScript, and what it is compared with', () => {
        const parts = '--rounds 1 --warm 1 --part poses --part skinning --json'.split(' ');
        const { stdout, stderr } = run('rig/run.mjs', ...parts);
        expect(stderr).toBe('');
        const { poses, skinning } = JSON.parse(stdout) as { poses: Result[]; skinning: Result[] };
        const works = (results: Result[]) => [...new Set(results.map(({ poses, work }) => poses ?? work))];
        expect(works(poses)).toEqual(['1 pose', '64 poses', '200 poses']);
        expect(works(skinning)).toEqual(['positions and normals', 'positions', 'bounds']);
        const names = (results: Result[]) => results.map(({ name }) => name);
        expect(names(poses)).toEqual(expect.arrayContaining(['strict/typescript', 'flat JavaScript']));
        expect(names(skinning)).toEqual(expect.arrayContaining(['strict/typescript', 'flat JavaScript', 'three.js']));
        for (const { milliseconds, nanoseconds } of [...poses, ...skinning]) {
            expect(milliseconds.min).toBeGreaterThan(0);
            expect(nanoseconds.median).toBeGreaterThanOrEqual(nanoseconds.min);
        }
    });

    test.each([
        [['--part', 'poems'], '--part is poems; it must be one of poses, skinning, growth'],
        [['--rounds', '0'], '--rounds is 0; it must be a whole number of at least 1'],
    ])('%p is an error', (options, message) => {
        expect(run('rig/run.mjs', ...options).stderr).toContain(message);
    });
});
