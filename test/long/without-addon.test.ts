// SPDX-License-Identifier: MIT

/** That what tests the addon fails where it could be there and is not, and says why it need not be there elsewhere. */

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runNode } from '../support/processes';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = resolve(__dirname, '../..');
const { withoutAddon } = require('../support/without-addon.cjs') as {
    withoutAddon(poselane: object, asked?: string): string | null;
};

const folder = scratchFolder();
const failed = { backend: 'ts', nativeLoadError: new Error('cannot open shared object file') };
const NO_COMPILER = 'no-such-compiler';

function withCompiler<T>(command: string, run: () => T): T {
    const before = process.env.CXX;
    process.env.CXX = command;
    try {
        return run();
    } finally {
        if (before === undefined) delete process.env.CXX;
        else process.env.CXX = before;
    }
}

// On Windows there is always one, as far as anybody knows.
const told = process.platform !== 'win32';
const ifTold = told ? test : test.skip;
const where = told ? '' : ' [skipped: needs POSIX]';

test('it is there', () => {
    expect(withoutAddon({ backend: 'native', nativeLoadError: null })).toBe(null);
});

test('it was not asked for', () => {
    expect(withoutAddon({ backend: 'ts', nativeLoadError: null }, 'ts')).toBe('POSELANE_BACKEND=ts');
    expect(() => withoutAddon({ backend: 'ts', nativeLoadError: null }, 'strict/typescript')).toThrow(
        'POSELANE_BACKEND=strict/typescript',
    );
});

ifTold(`it cannot be built${where}`, () => {
    expect(withCompiler(NO_COMPILER, () => withoutAddon(failed, ''))).toBe('no C++ compiler');
});

ifTold(`it could be built, and does not load${where}`, () => {
    // Whatever there is, it says its version.
    withCompiler(process.execPath, () => {
        expect(() => withoutAddon(failed, '')).toThrow('cannot open shared object file');
    });
});

describe('scripts that test it', () => {
    /** In a process whose addon is none. */
    function run(args: readonly string[], compiler: string) {
        const hook = join(folder(), 'no-addon.cjs');
        writeFileSync(
            hook,
            `const Module = require('node:module');
            const load = Module._load;
            Module._load = function (name, ...rest) {
                if (name === 'node-gyp-build') return Object.assign(() => { throw new Error('broken') }, { path: () => '' });
                return load.call(this, name, ...rest);
            };`,
        );
        const env = { ...process.env, NODE_OPTIONS: `--require ${hook}`, CXX: compiler, POSELANE_BACKEND: '' };
        return runNode(args, { cwd: ROOT, env });
    }

    const scripts: readonly (readonly [string, () => string[]])[] = [
        ['threads', () => ['test/long/threads.mjs', '--terminations', '2']],
        [
            'soak',
            () => [
                '--expose-gc',
                'test/long/soak.mjs',
                '--calls',
                '24',
                '--loads',
                '0',
                '--bakes',
                '0',
                '--most',
                '99',
            ],
        ],
        [
            'fuzz-gltf',
            () => ['test/long/fuzz-gltf.mjs', '--cases', '40', '--jobs', '1', '--kept', join(folder(), 'kept')],
        ],
    ];

    test.each(scripts)('%s fails where it should be there', (_, args) => {
        const { status, stderr } = run(args(), process.execPath);
        expect([status, stderr]).toEqual([1, expect.stringContaining('the addon is not what would be tested')]);
    });

    ifTold.each(scripts)(`%s runs where it cannot be, and says so${where}`, (name, args) => {
        const { status, stdout, stderr } = run(args(), NO_COMPILER);
        expect([status, stderr]).toEqual([0, '']);
        expect(stdout).toContain(name === 'fuzz-gltf' ? '"compared":0' : '"native":false');
    });
});
