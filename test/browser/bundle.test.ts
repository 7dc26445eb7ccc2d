// SPDX-License-Identifier: MIT

/** What a bundler makes of the entries for browsers: no module of Node, no package, no file under the LGPL. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildResult, build } from 'esbuild';

const ROOT = join(__dirname, '../..');
const ENTRIES = ['browser', 'table', 'three', 'three/webgpu', 'babylon'];

function bundle(contents: string): Promise<BuildResult<{ metafile: true; write: false }>> {
    return build({
        stdin: { contents, resolveDir: ROOT, loader: 'ts' },
        absWorkingDir: ROOT,
        bundle: true,
        write: false,
        metafile: true,
        format: 'esm',
        platform: 'browser',
        logLevel: 'silent',
    });
}

/** Files of a bundle that must not be in it. */
function unwanted({ metafile }: { metafile: { inputs: Record<string, unknown> } }): string[] {
    return Object.keys(metafile.inputs).filter((file) => {
        if (file === '<stdin>') return false;
        if (file.includes('node_modules/')) return true;
        return readFileSync(join(ROOT, file), 'utf8').slice(0, 300).includes('LGPL');
    });
}

test.each(ENTRIES)('lib/%s', async (entry) => {
    // A module of Node, or a package that is not there, would fail here: esbuild has nothing to put in its place.
    const result = await bundle(`export * from './lib/${entry}'`);
    expect(Object.keys(result.metafile.inputs).length).toBeGreaterThan(3);
    expect(unwanted(result)).toEqual([]);
    expect(Object.values(result.metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});

test('the check finds what it looks for: the entry for Node has all three', async () => {
    const failure = (await bundle("export * from './lib'").catch((error) => error)) as BuildFailure;
    const missing = failure.errors.map(({ text }) => text).join('\n');
    expect(missing).toContain('"node:fs/promises"');
    expect(missing).toContain('"node:crypto"');
    const listings = await bundle("export * from './lib/papers'");
    expect(unwanted(listings).length).toBeGreaterThan(5);
    expect(unwanted(await bundle("export * from 'gl-matrix'")).length).toBeGreaterThan(0);
});

describe('the built package, by the condition `browser`', () => {
    const names = ENTRIES.map((entry) => (entry === 'browser' ? 'poselane' : `poselane/${entry}`));

    test.each(names)('import %s', async (name) => {
        const result = await bundle(`export * from '${name}'`);
        expect(unwanted(result)).toEqual([]);
        const files = Object.keys(result.metafile.inputs).filter((file) => file !== '<stdin>');
        expect(files.every((file) => file.startsWith('dist/esm/'))).toBe(true);
    });

    test.each(names)('require %s', async (name) => {
        const result = await bundle(`export default require('${name}')`);
        expect(unwanted(result)).toEqual([]);
        const files = Object.keys(result.metafile.inputs).filter((file) => file !== '<stdin>');
        expect(files.every((file) => file.startsWith('dist/') && !file.startsWith('dist/esm/'))).toBe(true);
    });
});

test('the entry for browsers has what that for Node has, but for files, the addon and the listings', () => {
    const inBrowsers = Object.keys(require('../../lib/browser'));
    const inNode = Object.keys(require('../../lib'));
    expect(inBrowsers.filter((name) => !inNode.includes(name))).toEqual([]);
    for (const name of ['Rig', 'BakedTable', 'InputError', 'backend']) expect(inBrowsers).toContain(name);
    const lists = Object.keys(require('../../lib/lists'));
    expect(lists.filter((name) => !inBrowsers.includes(name)).sort()).toEqual([
        'atanPositive',
        'implementation',
        'implementations',
        'lerp',
        'nativeLoadError',
        'reciprocalSqrt',
        'sinZeroHalfPI',
        'slerp',
        'slerpOptimized',
        'slerpOptimizedExact',
        'slerpTransformed',
    ]);
});
