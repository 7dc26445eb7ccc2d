// SPDX-License-Identifier: MIT

/** The scripts of bench/. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { implementations } from '../../../lib/lists';
import { runNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const run = (script: string, ...options: string[]) => runNode([join(ROOT, 'bench', script), ...options]);

interface Result {
    poses?: string;
    work?: string;
    name: string;
    milliseconds: { min: number; median: number };
    nanoseconds: { min: number; median: number };
}

describe('bench/sweep.mjs', () => {
    const folder = scratchFolder();
    const sweep = (only: string, ...options: string[]) => run('sweep.mjs', '--quick', '--only', only, ...options);

    test.each(['lists: lerpQuats, 64', 'rig, evaluate: 64 joints, 16, 4 clips'])('%p in every tier', (only) => {
        const { stdout, stderr } = sweep(only);
        expect(stderr).toBe('');
        const tiers = implementations().filter(({ name, available }) => available && name.startsWith('strict/'));
        for (const { name } of tiers)
            expect(stdout).toMatch(new RegExp(`^\\| ${name}, .* \\| [\\d.]+ \\([\\d.]+\\)`, 'm'));
    });

    test('--against fails where a ratio is over 1.3 times the saved one', () => {
        const file = join(folder(), 'ratios.json');
        const only = 'lists: lerpQuats, 64';
        expect(sweep(only, '--save', file).status).toBe(0);
        const { cpu, ratios } = JSON.parse(readFileSync(file, 'utf8')) as { cpu: string; ratios: object };
        const timesAll = (factor: number) => {
            const changed = Object.entries(ratios).map(([key, ratio]) => [key, ratio * factor]);
            writeFileSync(file, JSON.stringify({ cpu, ratios: Object.fromEntries(changed) }));
            return sweep(only, '--against', file);
        };
        expect(timesAll(10)).toMatchObject({ status: 0, stderr: '' });
        const { status, stderr } = timesAll(0.1);
        expect(status).toBe(1);
        expect(stderr).toMatch(/^worse: lists: lerpQuats, 64, no list, strict\/wasm: /m);
    });
});

describe('bench/rig/run.mjs', () => {
    test('measures the Rig, also in TypeScript, and its competitors', () => {
        const parts = '--rounds 1 --warm 1 --part poses --part skinning --json'.split(' ');
        const { stdout, stderr } = run('rig/run.mjs', ...parts);
        expect(stderr).toBe('');
        const { poses, skinning } = JSON.parse(stdout) as { poses: Result[]; skinning: Result[] };
        const works = (results: Result[]) => [...new Set(results.map(({ poses, work }) => poses ?? work))];
        const mixed = ['200 poses, 76 clips', '200 poses, 76 clips, jumping'];
        expect(works(poses)).toEqual(['1 pose', '64 poses', '200 poses', ...mixed]);
        expect(works(skinning)).toEqual(['positions and normals', 'positions', 'bounds']);
        const names = (results: Result[]) => results.map(({ name }) => name);
        expect(names(poses)).toEqual(expect.arrayContaining(['strict/typescript', 'flat JavaScript']));
        expect(names(skinning)).toEqual(expect.arrayContaining(['strict/typescript', 'flat JavaScript', 'three.js']));
        for (const { milliseconds, nanoseconds } of [...poses, ...skinning]) {
            expect(milliseconds.min).toBeGreaterThan(0);
            expect(nanoseconds.median).toBeGreaterThanOrEqual(nanoseconds.min);
        }
    });

    test('measures loading in their own processes', () => {
        const { stdout, stderr } = run('rig/run.mjs', '--rounds', '1', '--part', 'loading', '--json');
        expect(stderr).toBe('');
        const { loading } = JSON.parse(stdout) as { loading: Record<string, { min: number }> };
        expect(Object.keys(loading)).toEqual(['Rig.deserialize', 'Rig.load', 'three.js, GLTFLoader']);
        for (const { min } of Object.values(loading)) expect(min).toBeGreaterThan(0);
    });

    test.each([
        [['--part', 'poems'], '--part is poems; it must be one of poses, skinning, growth, loading'],
        [['--rounds', '0'], '--rounds is 0; it must be a whole number of at least 1'],
    ])('%p is an error', (options, message) => {
        expect(run('rig/run.mjs', ...options).stderr).toContain(message);
    });
});
