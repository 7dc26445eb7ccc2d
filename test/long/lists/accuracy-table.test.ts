// SPDX-License-Identifier: MIT

/** The errors of every implementation, on some of the pairs that docs/tables/accuracy.md was measured on. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../..');
const DOCUMENT = path.join(ROOT, 'docs/tables/accuracy.md');
const folder = scratchFolder();

test('docs/tables/accuracy.md has a row for every implementation and states its errors; wrong numbers are reported', () => {
    const text = fs.readFileSync(DOCUMENT, 'utf8');
    expect(text).not.toMatch(/NaN|Infinity|undefined|not measured/);
    const changed = path.join(folder(), 'changed.md');
    const row = /^\| `intel\/typescript` \| \S+ \| (\S+) \| \S+ /m;
    fs.writeFileSync(
        changed,
        text
            .replace(/, `eberly\/typescript`, 12 terms/, ', 12 terms')
            .replace(row, '| `intel/typescript` | 1.00e-8 | $1 | 9.9e-7 '),
    );
    // One measurement serves both files.
    const script = path.join(ROOT, 'scripts/docs/accuracy.mjs');
    const { status, stdout, stderr } = runNode([script, '--check', DOCUMENT, changed]);
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
        'changed.md: no row for slerpQuats: eberly/typescript, 12 terms',
        expect.stringMatching(/^changed\.md: slerpQuats: intel\/typescript: \(a\) max is \S+e-7, stated 1\.00e-8$/),
        expect.stringMatching(/^changed\.md: slerpQuats: intel\/typescript: rotation is \S+e-7, stated 9\.9e-7$/),
    ]);
    expect(stdout).toBe('accuracy.md: holds\nchanged.md: 3 faults\n');
    expect(status).toBe(1);
});
