// SPDX-License-Identifier: MIT

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runProgram } from '../../support/processes';
import { testUnless } from '../../support/unless';

const ROOT = join(__dirname, '../../..');
const { findCompiler } = require('../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

/** Runs the built package in its own process, and returns the loaded addon and the results of one kernel. */
const PROBE = `
const poselane = require('poselane');
const joints = Float32Array.from({ length: 8 * 37 }, (_, i) => Math.fround(((i * 7919) % 1013) / 1013 - 0.5));
const blend = Float32Array.from(joints, (v, i) => Math.fround(v * ((i % 5) - 1.5)));
poselane.slerpJoints(joints, blend, 0.375);
const file = Object.keys(require.cache).find((name) => name.endsWith('.node')) ?? null;
console.log(JSON.stringify({ backend: poselane.backend, file, bytes: Buffer.from(joints.buffer).toString('hex') }));
`;

function probe(env: Record<string, string>): { backend: string; file: string | null; bytes: string } {
    const { stdout, stderr } = runNode(['-e', PROBE], { cwd: ROOT, env: { ...process.env, ...env } });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
}

const isWithout = process.env.POSELANE_BACKEND === 'ts' && 'POSELANE_BACKEND=ts';
const unbuildable = isWithout || (findCompiler() === null && 'no C++ compiler');
const withoutCmake = runProgram('cmake', ['--version']).status !== 0 && 'no CMake';

describe('builds', () => {
    testUnless(unbuildable, 'the node-gyp build is what the package loads', () => {
        // scripts/build/build.mjs stores the name of the builder.
        expect(readFileSync(join(ROOT, 'build/builder.txt'), 'utf8').trim()).toBe('node-gyp');
        const { backend, file } = probe({ POSELANE_BACKEND: 'native' });
        expect(backend).toBe('native');
        expect(file).toBe(join(ROOT, 'build/Release/poselane.node'));
    });

    testUnless(
        unbuildable || withoutCmake,
        'the cmake-js build loads and gives the same bytes as the node-gyp build',
        () => {
            const { status, stdout, stderr } = runNode(
                [require.resolve('cmake-js/bin/cmake-js'), 'compile', '--parallel', '2', '--out', 'build-cmake/build'],
                { cwd: ROOT },
            );
            expect(status === 0 ? '' : stdout + stderr).toBe('');
            const other = probe({ POSELANE_BACKEND: 'native', POSELANE_PREBUILD: join(ROOT, 'build-cmake') });
            expect(other.file).toBe(join(ROOT, 'build-cmake/build/Release/poselane.node'));
            expect(other.bytes).toBe(probe({ POSELANE_BACKEND: 'native' }).bytes);
        },
        120_000,
    );

    test('without any addon the package loads silently, in WebAssembly', () => {
        const { backend, file } = probe({ POSELANE_PREBUILD: join(ROOT, 'test/package'), POSELANE_BACKEND: '' });
        expect(existsSync(join(ROOT, 'test/package/build'))).toBe(false);
        expect({ backend, file }).toEqual({ backend: 'wasm', file: null });
    });
});
