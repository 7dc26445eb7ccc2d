// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { runNode } from '../../support/processes';

test('docs/tables/papers-contents.md is what scripts/docs/papers-contents.mjs writes, and its files, names, tests and commands exist', () => {
    const { status, stdout, stderr } = runNode([
        join(__dirname, '../../../scripts/docs/papers-contents.mjs'),
        '--check',
    ]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^papers-contents: \d+ rows, \d+ gaps, 0 faults\n$/);
    expect(status).toBe(0);
});
