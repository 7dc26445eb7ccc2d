// SPDX-License-Identifier: MIT

/** A short random search of hostile caches. */

import { join } from 'node:path';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';
import { NOT_POSIX, testUnless } from '../support/unless';

const SCRIPT = join(__dirname, 'fuzz-cache.mjs');
const folder = scratchFolder();

testUnless(
    NOT_POSIX,
    'no hostile cache ends, blocks or changes a bake',
    () => {
        const { status, stdout } = runNode([SCRIPT, '--seconds', '20', '--seed', 'short', '--kept', folder()]);
        expect(stdout).not.toContain('FOUND');
        const { cases, subjects } = JSON.parse(stdout.trim().split('\n').pop()!);
        expect(cases).toBeGreaterThan(5);
        expect(Object.keys(subjects)).toEqual(['folder', 'server']);
        expect(status).toBe(0);
    },
    240_000,
);
