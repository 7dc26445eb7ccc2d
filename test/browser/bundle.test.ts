// SPDX-License-Identifier: MIT

/** Bundles of the entries for browsers contain no Node modules, no packages, and no LGPL files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildFailure, type BuildResult, build } from 'esbuild';

const ROOT = join(__dirname, '../..');
const ENTRIES = ['browser', 'browser/bake', 'typescript', 'table', 'three', 'three/webgpu', 'babylon'];

function bundle(contents: string, external: string[] = []): Promise<BuildResult<{ metafile: true; write: false }>> {
    return build({
        stdin: { contents, resolveDir: ROOT, loader: 'ts' },
        absWorkingDir: ROOT,
        bundle: true,
        external,
        write: false,
        metafile: true,
        format: 'esm',
        platform: 'browser',
        logLevel: 'silent',
    });
}

/** Files that a bundle must not contain. */
function unwanted({ metafile }: { metafile: { inputs: Record<string, unknown> } }): string[] {
    return Object.keys(metafile.inputs).filter((file) => {
        if (file === '<stdin>') return false;
        if (file.includes('node_modules/')) return true;
        return readFileSync(join(ROOT, file), 'utf8').slice(0, 300).includes('LGPL');
    });
}

test('the baker and the reports of examples/bake.html, and their page, which includes parts of three.js', async () => {
    for (const entry of ['bake', 'report']) {
        expect(unwanted(await bundle(`export * from './lib/browser/${entry}'`))).toEqual([]);
    }
    expect(unwanted(await bundle(`import './lib/report/page/main'`, ['three', 'three/*', 'draco:*']))).toEqual([]);
});

test('the check works: the entry for Node has all three', async () => {
    const failure = (await bundle("export * from './lib'").catch((error) => error)) as BuildFailure;
    const missing = failure.errors.map(({ text }) => text).join('\n');
    expect(missing).toContain('"node:fs/promises"');
    expect(missing).toContain('"node:crypto"');
    const listings = await bundle("export * from './lib/papers'");
    expect(unwanted(listings).length).toBeGreaterThan(3);
    expect(unwanted(await bundle("export * from 'gl-matrix'")).length).toBeGreaterThan(0);
});

describe('the built package, with the condition `browser`', () => {
    const names = ENTRIES.map((entry) => `poselane/${entry}`.replace(/\/browser(\/bake)?$/, '$1'));

    test.each(names)('import %s', async (name) => {
        const result = await bundle(`export * from '${name}'`);
        const files = Object.keys(result.metafile.inputs).filter((file) => file !== '<stdin>');
        expect(files.every((file) => file.startsWith('dist/esm/'))).toBe(true);
    });

    // The baker has only an ES module there.
    test.each(names.filter((name) => name !== 'poselane/bake'))('require %s', async (name) => {
        const result = await bundle(`export default require('${name}')`);
        expect(unwanted(result)).toEqual([]);
        const files = Object.keys(result.metafile.inputs).filter((file) => file !== '<stdin>');
        expect(files.every((file) => file.startsWith('dist/') && !file.startsWith('dist/esm/'))).toBe(true);
    });
});

describe('the WebAssembly module', () => {
    const minified = async (contents: string) => {
        const { outputFiles } = await build({
            stdin: { contents, resolveDir: ROOT },
            bundle: true,
            minify: true,
            write: false,
            format: 'esm',
            platform: 'browser',
            logLevel: 'silent',
        });
        return outputFiles[0]!.text;
    };
    /** First characters of gzip in base64. */
    const modules = (text: string) => text.split('H4sIA').length - 1;

    const sizeOf = async (entry: string) => gzipSync(await minified(`export * from '${entry}'`)).length;
    const install = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');

    test('adds the size in docs/install.md to a page, at most 40 kB', async () => {
        const bytes = (await sizeOf('poselane')) - (await sizeOf('poselane/typescript'));
        expect(bytes).toBeLessThanOrEqual(40_000);
        expect((bytes / 1000).toFixed()).toBe(/(\d+) kB of this are/.exec(install)![1]);
    });

    test.each<[entry: string, document: string, stated: RegExp]>([
        ['poselane', 'install', /give the bits of Node: (\d+) kB/],
        ['poselane/typescript', 'install', /without WebAssembly: (\d+) kB/],
        ['poselane/bake', 'install', /no dependency and takes (\d+) kB/],
        ['poselane/table', 'loaders', /`poselane\/table` .* (\d+) kB/],
        ['poselane/three', 'loaders', /`poselane\/three` .* (\d+) kB/],
        ['poselane/three/webgpu', 'loaders', /`poselane\/three\/webgpu` .* (\d+) kB/],
        ['poselane/babylon', 'loaders', /`poselane\/babylon` .* (\d+) kB/],
    ])('%s has the size in docs/%s.md', async (entry, document, stated) => {
        const said = stated.exec(readFileSync(join(ROOT, `docs/${document}.md`), 'utf8'))![1];
        expect(Math.abs(Number(said) - (await sizeOf(entry)) / 1000)).toBeLessThan(1);
    });

    test.each(['slerpJoints', 'Rig', 'ready'])('%s includes it, with its start code', async (name) => {
        const text = await minified(`export { ${name} } from 'poselane'`);
        expect(modules(text)).toBe(1);
        expect(text).toContain('DecompressionStream');
    });

    test.each([
        "export * from 'poselane/typescript'",
        "export * from 'poselane/table'",
        "export * from 'poselane/three'",
        "export * from 'poselane/three/webgpu'",
        "export * from 'poselane/babylon'",
        "export { BakedTable, InputError } from 'poselane'",
    ])('is not in %s', async (contents) => {
        expect(modules(await minified(contents))).toBe(0);
    });

    test('is included once, shared by the entries that use its classes', async () => {
        const names = ['poselane', ...['typescript', 'table', 'three', 'babylon'].map((name) => `poselane/${name}`)];
        const text = await minified(names.map((name, i) => `export * as e${i} from '${name}';`).join(''));
        expect(modules(text)).toBe(1);
    });
});

test('the entry for browsers has the exports of that for Node, except files, the addon and the listings', () => {
    const inBrowsers = Object.keys(require('../../lib/browser'));
    const inNode = Object.keys(require('../../lib'));
    expect(inBrowsers.filter((name) => !inNode.includes(name))).toEqual([]);
    for (const name of ['Rig', 'BakedTable', 'InputError', 'backend']) expect(inBrowsers).toContain(name);
    const lists = Object.keys(require('../../lib/lists'));
    expect(lists.filter((name) => !inBrowsers.includes(name)).sort()).toEqual([
        'atanPositive',
        'implementation',
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
