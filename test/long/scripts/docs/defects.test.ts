// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itNative } from '../../../support/implementations';
import { runNode } from '../../../support/processes';

const ROOT = join(__dirname, '../../../..');

// 68 needs a compiler, 73 half a minute.
itNative('docs/tables/papers-defects.md says what scripts/docs/defects.mjs measures', () => {
    const { stdout, stderr } = runNode([join(ROOT, 'scripts/docs/defects.mjs'), '61', '71']);
    expect(stderr).toBe('');
    const page = readFileSync(join(ROOT, 'docs/tables/papers-defects.md'), 'utf8');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
        const [, number, says] = /^(\d+): (.{40,})$/.exec(line)!;
        expect(page.split('\n').find((row) => row.startsWith(`| <a id="d${number}">`))).toContain(says);
    }
});
