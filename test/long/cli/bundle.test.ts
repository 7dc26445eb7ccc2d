// SPDX-License-Identifier: MIT

/** The command's one file, and the compiled code beside it: what it saves is time, and nothing depends on it. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const CLI = join(ROOT, 'dist/cli');
// Another processor must not take it up.
const cacheOf = (name: string) => `${name}.${process.platform}-${process.arch}.cache`;
const CACHE = join(CLI, cacheOf('main.bundle'));
const EXAMPLE = join(ROOT, 'examples/character.glb');

test.each(['main.bundle', 'worker.bundle'])(
    'the code that was compiled with %s.js is taken up by this Node',
    (name) => {
        // In a process of its own: V8 refuses code where a flag is another one, and a test may have set one in this one.
        const program = `
            const { readFileSync } = require('node:fs');
            const [filename, cache] = process.argv.slice(1);
            const cachedData = readFileSync(cache);
            const { cachedDataRejected } = new (require('node:vm').Script)(readFileSync(filename, 'latin1'), { filename, cachedData });
            console.log(cachedDataRejected);`;
        const files = [join(CLI, `${name}.js`), join(CLI, cacheOf(name))];
        const { stdout, stderr } = runNode(['-e', program, ...files]);
        expect([stdout, stderr]).toEqual(['false\n', '']);
    },
);

test.each([
    ['is absent', null],
    ['is empty', Buffer.alloc(0)],
    ['is damaged', Buffer.from('not what V8 wrote')],
    ['is cut short', readFileSync(CACHE).subarray(0, 1000)],
    ['is of another V8', readFileSync(CACHE).fill(1, 4, 12)],
])('the command runs silently where that code %s', (_, cache) => {
    // As deep as dist/cli, because what the bundle looks for is so many folders above.
    const folder = mkdtempSync(join(ROOT, 'build/bundle-test-'));
    try {
        for (const name of ['main.js', 'main.bundle.js']) copyFileSync(join(CLI, name), join(folder, name));
        if (cache !== null) writeFileSync(join(folder, cacheOf('main.bundle')), cache);
        const run = (main: string, out: string) => {
            const { status, stdout, stderr } = runNode([main, 'bake', EXAMPLE, '-o', join(folder, out), '--quiet']);
            expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
            return readFileSync(join(folder, out, 'character.bake.json'), 'utf8');
        };
        expect(run(join(folder, 'main.js'), 'without')).toBe(run(join(CLI, 'main.js'), 'with'));
    } finally {
        rmSync(folder, { recursive: true });
    }
});
