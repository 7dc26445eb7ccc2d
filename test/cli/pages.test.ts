// SPDX-License-Identifier: MIT

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readPage } from '../report/read-page';
import { CHARACTER } from '../support/models';
import { filesIn, inNewFolder, poselane, put, readJson } from './command-line';
import { smallGltf } from './small-gltf';

// `bake --html`

inNewFolder();

function gltf(name: string, small: Parameters<typeof smallGltf>[0] = {}): string {
    put(name, smallGltf(small));
    return name;
}

const bake = (...argv: string[]) => poselane(['bake', ...argv, '-o', 'out']);

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
    const { code, stdout } = await bake(input, '--html', 'page.html', '--fps', '10');
    expect(code).toBe(0);
    expect(stdout).toContain(`, page.html, `);
    const { data, blobs } = readPage(readFileSync('page.html', 'utf8'));
    const [output] = data.bakes[0]!.outputs;
    expect(output!.json).toBe(readFileSync('out/small.bake.json', 'utf8'));
    expect(blobs[output!.bin]).toEqual(readFileSync('out/small.bake.bin'));
    expect(output!.errors[0]!.lerp).toHaveLength(10);
    expect(readdirSync('.').sort()).toEqual(['out', 'page.html', 'small.gltf']);
});

test('several inputs: a page for each that was baked, and an index of all, in their order, whatever is in names', async () => {
    const good = gltf(`<b>&"'.gltf`, { clips: ['<i>Walk', 'Run'] });
    put('bad.glb', '<script>');
    const options = '--fps keys --html deep/pages -j 1 --report r.json'.split(' ');
    const { code, stdout } = await bake(good, 'bad.glb', CHARACTER.path, ...options);
    expect(code).toBe(5);
    expect(stdout).toContain(`deep/pages/index.html: 3 files\n`);
    expect(readdirSync('deep/pages').sort()).toEqual([`<b>&"'.html`, 'character.html', 'index.html']);
    const index = readFileSync('deep/pages/index.html', 'utf8');
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
    for (const link of linksOf(index)) expect(existsSync(`deep/pages/${decodeURIComponent(link)}`)).toBe(true);
    // A joint without a mesh cannot be seen.
    expect(index.match(/<img/g)).toHaveLength(1);
    const pages = readJson('r.json').inputs.map(({ page }: { page: unknown }) => page);
    const path = 'deep/pages/character.html';
    expect(pages.slice(1)).toEqual([null, { path, byteLength: readFileSync(path).length }]);
});

test('a folder for one input: one that is there, or by a slash; a page that would be the index gets another name', async () => {
    mkdirSync('there');
    expect((await bake(gltf('Index.gltf'), '--html', 'there')).code).toBe(0);
    expect((await bake('Index.gltf', '--html', 'new/')).code).toBe(0);
    for (const name of ['there', 'new']) {
        expect(readdirSync(name).sort()).toEqual(['_Index.html', 'index.html']);
        expect(linksOf(readFileSync(`${name}/index.html`, 'utf8'))).toEqual(['_Index.html']);
    }
});

test('shards share a folder', async () => {
    const inputs = [gltf('a.gltf'), gltf('b.gltf'), gltf('c.gltf')];
    for (const shard of ['1/2', '2/2'])
        expect((await bake(...inputs, '--html', 'pages', '--shard', shard)).code).toBe(0);
    const indices = ['index.1-of-2.html', 'index.2-of-2.html'];
    expect(readdirSync('pages').sort()).toEqual(['a.html', 'b.html', 'c.html', ...indices]);
    expect(linksOf(readFileSync('pages/index.1-of-2.html', 'utf8'))).toEqual(['a.html', 'c.html']);
});

test('a dry run writes none', async () => {
    expect((await bake(gltf('a.gltf'), gltf('b.gltf'), '--html', 'pages', '--dry-run')).code).toBe(0);
    expect(readdirSync('.').sort()).toEqual(['a.gltf', 'b.gltf']);
});

test.each<[string, RegExp]>([
    ['a.gltf --html ', /--html: the name of the file is empty/],
    ['a.gltf --html a.gltf', /--html: 'a\.gltf' is the input 'a\.gltf'/],
    ['a.html b.gltf --html .', /--html: '.*a\.html' is the input/],
    ['a.gltf b.gltf --html a.gltf', /--html: '.*a\.gltf' is not a folder/],
    ['a.gltf --html out/a.bake.json', /--html: '.+' has the name of a bake/],
    ['a.gltf --html x --report x', /--report: '.+' is a page of --html/],
    ['a.gltf --html none/a.html', /--html: '.*none' is not a folder/],
    ['a.gltf --emit glb --html page.html', /--html: a page shows arrays, and '--emit glb' has none/],
])('bake %s is refused before any work', async (line, message) => {
    const inputs = ['a.gltf', 'a.html', 'b.gltf'];
    for (const name of inputs) gltf(name);
    const { code, stderr } = await bake(...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(filesIn()).toEqual(inputs);
    for (const name of inputs) expect(readJson(name).asset).toBeDefined();
});
