// SPDX-License-Identifier: MIT

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode, runProgram } from '../support/processes';

// The built command in a process of its own: what only a real process shows.
const ROOT = join(__dirname, '../..');
const MAIN = join(ROOT, 'dist/cli/main.js');
const CHARACTER = join(ROOT, 'examples/character.glb');

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-process-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quote = (text: string) => `'${text}'`;

const posix = process.platform !== 'win32';
(posix ? test : test.skip)(
    `a reader that goes away is no error${posix ? '' : ' [skipped: needs a POSIX shell]'}`,
    () => {
        const command = [process.execPath, MAIN, 'bake', CHARACTER, '-o', folder].map(quote).join(' ');
        const { stdout, stderr } = runProgram('sh', ['-c', `{ ${command}; echo "code $?" >&2; } | true`]);
        expect(stdout).toBe('');
        expect(stderr).toBe('code 0\n');
        expect(existsSync(join(folder, 'character.bake.json'))).toBe(true);
    },
);

test.each([
    ['an empty name', ''],
    ['a file', CHARACTER],
    ['a folder below a file', join(CHARACTER, 'out')],
])('--out: %s is refused before any work', (_, out) => {
    const { status, stderr } = runNode([MAIN, 'bake', join(folder, 'missing.glb'), '-o', out], {
        cwd: folder,
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^poselane: --out: .+\n$/);
});
