// SPDX-License-Identifier: MIT

/** A short random search of hostile caches, and that it draws the same case of the same number. */

import { join } from 'node:path';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const SCRIPT = join(__dirname, 'fuzz-cache.mjs');
const folder = scratchFolder();
const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix(
    'no hostile cache ends, holds or changes a bake',
    () => {
        const { status, stdout } = runNode([SCRIPT, '--seconds', '20', '--seed', 'short', '--kept', folder()]);
        expect(stdout).not.toContain('FOUND');
        const { cases, subjects } = JSON.parse(stdout.trim().split('\n').pop()!);
        expect(cases).toBeGreaterThan(5);
        expect(Object.keys(subjects).sort()).toEqual(['folder', 'server']);
        expect(status).toBe(0);
    },
    240_000,
);

test('a case is drawn by its seed and number', () => {
    const { drawCase } = require('./fuzz-cache/job.cjs') as { drawCase(seed: string, n: number): object };
    const cases = (seed: string) => Array.from({ length: 50 }, (_, n) => drawCase(seed, n));
    expect(cases('a')).toEqual(cases('a'));
    expect(cases('a')).not.toEqual(cases('b'));
});
