// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

test('each set of coefficients in use is within 3% of the min error of its shape, and docs/tables/slerps.md says so', () => {
    const { stdout, stderr } = runNode([join(ROOT, 'scripts/docs/fit.mjs')]);
    expect(stderr).toBe('');
    const rows = stdout.trimEnd().split('\n');
    const cells = rows.slice(2).map((row) => row.split(' | '));
    expect(cells.map(([name]) => name)).toEqual(['| PS7', '| PQ7', '| PS9', '| PQ8']);
    for (const row of cells) expect(Number.parseFloat(row.at(-1)!)).toBeLessThanOrEqual(1.03);
    const page = readFileSync(join(ROOT, 'docs/tables/slerps.md'), 'utf8');
    for (const row of rows) expect(page).toContain(`\n${row}\n`);
});
