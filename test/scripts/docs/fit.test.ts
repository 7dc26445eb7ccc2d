// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

test('docs/tables/slerps.md has the errors of the coefficients in use', () => {
    const { stdout, stderr } = runNode([join(ROOT, 'scripts/docs/fit.mjs'), '--sets']);
    expect(stderr).toBe('');
    const rows = stdout.trimEnd().split('\n');
    expect(rows.slice(2).map((row) => row.split(' ')[1])).toEqual(['PS7', 'PQ7', 'PS9', 'PQ8']);
    const page = readFileSync(join(ROOT, 'docs/tables/slerps.md'), 'utf8');
    for (const row of rows) expect(page).toContain(`\n${row}\n`);
});
