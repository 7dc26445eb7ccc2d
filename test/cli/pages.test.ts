// SPDX-License-Identifier: MIT

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../lib/cli/main';
import { readPage } from '../report/read-page';
import { CHARACTER } from '../support/models';
import { smallGltf } from './small-gltf';

// `bake --html`

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'poselane-pages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

function gltf(name: string, small: Parameters<typeof smallGltf>[0] = {}): string {
    writeFileSync(at(name), smallGltf(small));
    return at(name);
}

async function bake(...argv: string[]) {
    const outcome = { stdout: '', stderr: '' };
    const stream = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (outcome[name] += text) });
    const io = { stdout: stream('stdout'), stderr: stream('stderr') };
    return { code: await run(['bake', ...argv, '-o', at('out')], io), ...outcome };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const textOf = (html: string) => html.replace(/&(\w+|#39);/g, (_, name: string) => ENTITIES[name]!);

/** Rows of an index: what its cells have, tags taken out. */
function rowsOf(html: string): string[][] {
    const [, body = ''] = /<tbody>([\s\S]*)<\/tbody>/.exec(html) ?? [];
    return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
        [...row!.matchAll(/<(?:td|th)\b[^>]*>([\s\S]*?)<\/(?:td|th)>/g)].map(([, cell]) =>
            textOf(cell!.replace(/<[^>]*>/g, ' ')).trim(),
        ),
    );
}

const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => textOf(href!));

test('one input: the page of what was baked, and of nothing else', async () => {
    const input = gltf('small.gltf');
    const { code, stdout } = await bake(input, '--html', at('page.html'), '--fps', '10');
    expect(code).toBe(0);
    expect(stdout).toContain(`, ${at('page.html')}, `);
    const { data, blobs } = readPage(readFileSync(at('page.html'), 'utf8'));
    const [output] = data.bakes[0]!.outputs;
    expect(output!.json).toBe(readFileSync(at('out/small.bake.json'), 'utf8'));
    expect(blobs[output!.bin]).toEqual(readFileSync(at('out/small.bake.bin')));
    expect(output!.errors[0]!.lerp).toHaveLength(10);
    expect(readdirSync(folder).sort()).toEqual(['out', 'page.html', 'small.gltf']);
});

test('several inputs: a page for each that was baked, and an index of all, in their order, whatever is in names', async () => {
    const good = gltf(`<b>&"'.gltf`, { clips: ['<i>Walk', 'Run'] });
    writeFileSync(at('bad.glb'), '<script>');
    const { code, stdout } = await bake(
        good,
        at('bad.glb'),
        CHARACTER.path,
        '--html',
        at('deep/pages'),
        '-j',
        '1',
        '--report',
        at('r.json'),
    );
    expect(code).toBe(5);
    expect(stdout).toContain(`${at('deep/pages/index.html')}: 3 files\n`);
    expect(readdirSync(at('deep/pages')).sort()).toEqual([`<b>&"'.html`, 'character.html', 'index.html']);
    const index = readFileSync(at('deep/pages/index.html'), 'utf8');
    expect(index).not.toMatch(/<b>|<i>|<script/);
    const [first, second, third] = rowsOf(index);
    expect(first!.slice(2, 5)).toEqual(['2', expect.stringMatching(/^\d+$/), expect.stringMatching(/^[\d.]+ KiB$/)]);
    expect(first![1]).toContain(`<b>&"'.gltf`);
    expect(second).toHaveLength(3);
    expect(second![2]).toMatch(/bad\.glb: must be a GLB file/);
    expect(third!.slice(2, 4)).toEqual(['3', '140']);
    expect(third![5]).toMatch(/^1\.99% of the extent \(0\.0319\), Idle$/);
    expect(third![6]).toMatch(/^1\s+PLAYBACK_ERROR_LARGE: /);
    expect(linksOf(index).map(decodeURIComponent)).toEqual([`<b>&"'.html`, 'character.html']);
    for (const link of linksOf(index)) expect(existsSync(at(`deep/pages/${decodeURIComponent(link)}`))).toBe(true);
    // A joint without a mesh cannot be seen.
    expect(index.match(/<img/g)).toHaveLength(1);
    const pages = JSON.parse(readFileSync(at('r.json'), 'utf8')).inputs.map(({ page }: { page: unknown }) => page);
    const path = at('deep/pages/character.html');
    expect(pages.slice(1)).toEqual([null, { path, byteLength: readFileSync(path).length }]);
});

test('a folder for one input: one that is there, or by a slash; a page that would be the index gets another name', async () => {
    mkdirSync(at('there'));
    expect((await bake(gltf('Index.gltf'), '--html', at('there'))).code).toBe(0);
    expect((await bake(at('Index.gltf'), '--html', `${at('new')}/`)).code).toBe(0);
    for (const name of ['there', 'new']) {
        expect(readdirSync(at(name)).sort()).toEqual(['_Index.html', 'index.html']);
        expect(linksOf(readFileSync(at(`${name}/index.html`), 'utf8'))).toEqual(['_Index.html']);
    }
});

test('shards share a folder', async () => {
    const inputs = [gltf('a.gltf'), gltf('b.gltf'), gltf('c.gltf')];
    for (const shard of ['1/2', '2/2'])
        expect((await bake(...inputs, '--html', at('pages'), '--shard', shard)).code).toBe(0);
    expect(readdirSync(at('pages')).sort()).toEqual([
        'a.html',
        'b.html',
        'c.html',
        'index.1-of-2.html',
        'index.2-of-2.html',
    ]);
    expect(linksOf(readFileSync(at('pages/index.1-of-2.html'), 'utf8'))).toEqual(['a.html', 'c.html']);
});

test('a dry run writes none', async () => {
    expect((await bake(gltf('a.gltf'), gltf('b.gltf'), '--html', at('pages'), '--dry-run')).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['a.gltf', 'b.gltf']);
});

test.each<[what: string, argv: () => string[], message: RegExp]>([
    ['an empty name', () => [gltf('a.gltf'), '--html', ''], /--html: the name of the file is empty/],
    ['the input', () => [gltf('a.gltf'), '--html', at('a.gltf')], /--html: '.+a\.gltf' is the input '.+a\.gltf'/],
    [
        'a page that is an input',
        () => [gltf('a.html'), gltf('b.gltf'), '--html', folder],
        /--html: '.+a\.html' is the input/,
    ],
    [
        'a file for several',
        () => [gltf('a.gltf'), gltf('b.gltf'), '--html', at('a.gltf')],
        /--html: '.+a\.gltf' is not a folder/,
    ],
    [
        'the name of a bake',
        () => [gltf('a.gltf'), '--html', at('out/a.bake.json')],
        /--html: '.+' has the name of a bake/,
    ],
    [
        'the report',
        () => [gltf('a.gltf'), '--html', at('x'), '--report', at('x')],
        /--report: '.+' is a page of --html/,
    ],
    [
        'a folder that is not there',
        () => [gltf('a.gltf'), '--html', at('none/a.html')],
        /--html: '.+none' is not a folder/,
    ],
    [
        'glb alone',
        () => [gltf('a.gltf'), '--emit', 'glb', '--html', at('a.html')],
        /--html: a page shows arrays, and '--emit glb' has none/,
    ],
])('refuses %s before any work', async (_, argv, message) => {
    const { code, stderr } = await bake(...argv());
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(at('out'))).toBe(false);
    expect(JSON.parse(readFileSync(at(existsSync(at('a.gltf')) ? 'a.gltf' : 'a.html'), 'utf8')).asset).toBeDefined();
});
