// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../../..');
const DOCUMENT = path.join(ROOT, 'docs/tables/accuracy.md');

describe('scripts/docs/accuracy.mjs --check', () => {
    const folder = scratchFolder();
    const text = fs.readFileSync(DOCUMENT, 'utf8');

    test('the document has a row for every implementation, and no error is greater than it says; other ones are told', () => {
        const changed = path.join(folder(), 'changed.md');
        fs.writeFileSync(
            changed,
            text
                .replace(/, `eberly\/typescript`, 12 terms/, ', 12 terms')
                .replace(/^\| `intel\/typescript` \| \S+ /m, '| `intel/typescript` | 1.00e-8 '),
        );
        // Both are held against one measurement.
        const script = path.join(ROOT, 'scripts/docs/accuracy.mjs');
        const { status, stdout, stderr } = runNode([script, '--check', DOCUMENT, changed]);
        expect(stderr.trimEnd().split('\n').sort()).toEqual([
            expect.stringMatching(/^changed\.md: no row for slerpQuats: eberly\/typescript, 12 terms$/),
            expect.stringMatching(/^changed\.md: slerpQuats: intel\/typescript: \(a\) max is \S+e-7, stated 1\.00e-8$/),
        ]);
        expect(stdout).toBe('accuracy.md: holds\nchanged.md: 2 faults\n');
        expect(status).toBe(1);
    });

    test('the document names its machine, and every row has its numbers', () => {
        expect(text).toMatch(/^Measured on: .+, Node \d+\.\d+\.\d+, /m);
        expect(text).not.toMatch(/NaN|Infinity|undefined|not measured/);
    });
});
