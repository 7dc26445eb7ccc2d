// SPDX-License-Identifier: MIT

/** The license check finds each fault, in a working tree of a few files. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode, runProgram } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../../..');

const MIT = '// SPDX-License-Identifier: MIT\n';
const LGPL = '// SPDX-License-Identifier: LGPL-2.1-or-later\n// Copyright (C) 2005 Id Software, Inc.\n';

function check(...options: string[]) {
    const script = path.join(ROOT, 'scripts/check/licenses.mjs');
    return runNode([script, ...options]);
}

const scratch = scratchFolder();
let number = 0;

/** What the check says of these files; nothing where it passes. */
function checkFiles(files: Record<string, string>): string {
    const folder = path.join(scratch(), String(number++));
    for (const [name, text] of Object.entries(files)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), text);
    }
    expect(runProgram('git', ['init', '--quiet', folder]).status).toBe(0);
    const { status, stderr } = check('--folder', folder);
    expect(status).toBe(stderr === '' ? 0 : 1);
    return stderr.replaceAll(/^licenses: /gm, '');
}

describe('scripts/check/licenses.mjs', () => {
    test('this working tree passes, files for browsers included', () => {
        const { status, stdout, stderr } = check();
        expect(stderr).toBe('');
        expect(status).toBe(0);
        const [, forBrowsers] = / (\d+) for browsers checked, 0 faults\n$/.exec(stdout)!;
        expect(Number(forBrowsers)).toBeGreaterThan(25);
    });

    test('no license, a missing notice, and one too many', () => {
        expect(checkFiles({ 'lib/a.ts': 'export {};\n' })).toBe(
            'lib/a.ts: no SPDX line in the first three lines (found none)\n',
        );
        expect(checkFiles({ 'lib/a.ts': LGPL.split('\n')[0]! })).toMatch(/id's notice is missing\n$/);
        expect(checkFiles({ 'lib/a.ts': MIT + LGPL.split('\n')[1]! })).toMatch(/it carries id's notice\n$/);
    });

    const listing = { 'lib/papers/listing.ts': `${LGPL}export type T = 1;\nexport const f = () => 1;\n` };

    test('every kind of import of a file under the LGPL is found', () => {
        const imports = [
            ["import { f } from '../papers/listing'; f();", 'strict'],
            ["import { f, type T } from '../papers/listing'; f();", 'strict'],
            ["import '../papers/listing';", 'strict'],
            ["import * as all from '../papers/listing'; all.f();", 'strict'],
            ["export { f } from '../papers/listing';", 'strict'],
            ["export * from '../papers/listing';", 'strict'],
            ["export const f = () => import('../papers/listing');", 'strict'],
            ["const { f } = require('../papers/listing');", 'strict'],
            ["import { f } from '../../papers/listing'; f();", 'rig/kernels'],
        ].map(([line, folder], i) => [`lib/${folder}/a${i}.ts`, `${MIT}${line}\n`] as const);
        const files = Object.fromEntries(imports);
        const faults = Object.keys(files).map(
            (file) => `${file}: reaches a file under the LGPL: ${file} -> lib/papers/listing.ts`,
        );
        expect(
            checkFiles({ ...listing, ...files })
                .trimEnd()
                .split('\n')
                .sort(),
        ).toEqual(faults.sort());
    });

    test('so is one through other files, which may go round in circles', () => {
        const stderr = checkFiles({
            ...listing,
            'lib/strict/index.ts': `${MIT}import '../lists';\n`,
            'lib/lists/index.ts': `${MIT}import '../strict';\nimport '../papers';\n`,
            'lib/papers/index.ts': `${MIT}export * from './listing';\n`,
        });
        expect(stderr).toBe(
            'lib/strict/index.ts: reaches a file under the LGPL: lib/strict/index.ts -> lib/lists/index.ts -> ' +
                'lib/papers/index.ts -> lib/papers/listing.ts\n',
        );
    });

    test('types alone are no import', () => {
        const lines = [
            "import type { T } from '../papers/listing';",
            "import { type T } from '../papers/listing';",
            "export type { T } from '../papers/listing';",
        ];
        const files = Object.fromEntries(lines.map((line, i) => [`lib/strict/a${i}.ts`, `${MIT}${line}\n`]));
        expect(checkFiles({ ...listing, ...files })).toBe('');
    });

    test('elsewhere they may be imported', () => {
        expect(checkFiles({ ...listing, 'lib/lists/a.ts': `${MIT}import '../papers/listing';\n` })).toBe('');
    });
});
