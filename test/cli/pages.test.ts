// SPDX-License-Identifier: MIT

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { groupWarnings, roughSizeOf } from '../../lib/base/messages';
import type { IndexData, IndexEntry, ReportBake } from '../../lib/report/data';
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

const entriesOf = (index: string) => readPage<IndexData>(readFileSync(index, 'utf8')).data.entries;
const linksOf = (index: string) => entriesOf(index).flatMap(({ href }) => href ?? []);

test('one input: the page of its bake only', async () => {
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

test('a page shows the options that the command advises', async () => {
    const { stdout } = await bake(CHARACTER.path, '--html', 'page.html');
    expect((await poselane(['view', CHARACTER.path, '--html', 'view.html'])).code).toBe(0);
    for (const page of ['page.html', 'view.html']) {
        const { smaller } = readPage(readFileSync(page, 'utf8')).data;
        expect(smaller).toMatchObject([{ options: { layout: 'qts16' }, bound: '1%' }]);
        expect(stdout).toContain(`--layout qts16: about ${roughSizeOf(smaller[0]!.byteLength)} instead of`);
    }
});

test('the bound is that of playback, not of half floats', async () => {
    for (const [options, bound] of [
        ['--layout qts16', 0.01],
        ['--layout qts16 --max-error 0.2%', 0.002],
    ] as const) {
        await bake(CHARACTER.path, '--html', 'page.html', '--clips', 'Walk', ...options.split(' '));
        await poselane(['view', CHARACTER.path, 'out/character.bake.json', '--html', 'view.html']);
        for (const page of ['page.html', 'view.html'])
            expect(readPage(readFileSync(page, 'utf8')).data.bakes[0]!.bound).toBeCloseTo(bound, 6);
    }
});

test('several inputs: a page for each bake, and an index of all, in their order, with any names', async () => {
    const good = gltf(`<b>&"'.gltf`, { clips: ['<i>Walk', 'Run'] });
    put('bad.glb', '<script>');
    const options = '--fps keys --html deep/pages -j 1 --report r.json'.split(' ');
    const { code, stdout } = await bake(good, 'bad.glb', CHARACTER.path, ...options);
    expect(code).toBe(5);
    expect(stdout).toContain(`deep/pages/index.html: 3 files\n`);
    expect(readdirSync('deep/pages').sort()).toEqual([`<b>&"'.html`, 'character.html', 'index.html']);
    const index = 'deep/pages/index.html';
    const [first, second, third] = entriesOf(index);
    expect(first).toMatchObject({ input: good, clips: 2, failure: null, bound: 0.01 });
    expect(second).toMatchObject({
        href: null,
        thumbnail: null,
        failure: expect.stringMatching(/bad\.glb: must be a GLB file/),
    });
    const { outputs } = readJson('r.json').inputs[2];
    expect(third).toMatchObject({
        clips: 3,
        rows: 140,
        fps: [30, 30],
        bytes: outputs[0].byteLength + outputs[0].jsonByteLength,
        error: { share: expect.closeTo(0.0199, 4), distance: expect.closeTo(0.0319, 4), clip: 'Idle' },
    });
    expect(linksOf(index).map(decodeURIComponent)).toEqual([`<b>&"'.html`, 'character.html']);
    for (const link of linksOf(index)) {
        const page = readFileSync(`deep/pages/${decodeURIComponent(link)}`, 'utf8');
        expect(readPage(page).data.index).toBe('index.html');
    }
    // A joint without a mesh is invisible.
    expect([first!.thumbnail, third!.thumbnail]).toEqual([null, expect.any(String)]);
    const pages = readJson('r.json').inputs.map(({ page }: { page: unknown }) => page);
    const path = 'deep/pages/character.html';
    expect(pages.slice(1)).toEqual([null, { path, byteLength: readFileSync(path).length }]);
});

test('a folder for one input: an existing one, or with a slash; a page named like the index gets another name', async () => {
    mkdirSync('there');
    expect((await bake(gltf('Index.gltf'), '--html', 'there')).code).toBe(0);
    expect((await bake('Index.gltf', '--html', 'new/')).code).toBe(0);
    for (const name of ['there', 'new']) {
        expect(readdirSync(name).sort()).toEqual(['_Index.html', 'index.html']);
        expect(linksOf(`${name}/index.html`)).toEqual(['_Index.html']);
    }
});

test('warnings of a file are the same on the command line, in the report, on its page and in the index', async () => {
    const model = JSON.parse(smallGltf());
    for (const { channels } of model.animations) channels.push({ ...channels[0], target: { path: 'scale' } });
    put('a.gltf', JSON.stringify(model));
    const { stderr } = await bake(
        'a.gltf',
        CHARACTER.path,
        '--html',
        'pages',
        '--fps',
        '30',
        '-v',
        '--report',
        'r.json',
    );
    const printed = [...stderr.matchAll(/warning (\w+): (\S+?)(?:#\S*)?: .*?(?:; and (\d+) more of these.*)?\n/g)].map(
        ([, code, file, more]) => [file, code, 1 + Number(more ?? 0)],
    );
    const counted = ({ input, warnings }: Pick<IndexEntry, 'input' | 'warnings'>) =>
        groupWarnings(warnings).map((group) => [input, group[0]!.code, group.length]);
    expect(printed).toContainEqual(['a.gltf', 'CHANNEL_IGNORED', 2]);
    expect(printed).toContainEqual([CHARACTER.path, 'PLAYBACK_ERROR_LARGE', 1]);
    expect(readJson('r.json').inputs.flatMap(counted)).toEqual(printed);
    const entries = entriesOf('pages/index.html');
    expect(entries.flatMap(counted)).toEqual(printed);
    for (const { input, href } of entries) {
        const [{ warnings }] = readPage(readFileSync(`pages/${href}`, 'utf8')).data.bakes as [ReportBake];
        expect(counted({ input, warnings })).toEqual(printed.filter(([file]) => file === input));
    }
});

test('the bound on a page is that of the bake, or 1%', async () => {
    const boundOf = async (...options: string[]) => {
        expect((await bake(CHARACTER.path, '--html', 'page.html', ...options)).code).toBe(0);
        return readPage(readFileSync('page.html', 'utf8')).data.bakes[0]!.bound;
    };
    expect(await boundOf('--fps', '30')).toBe(0.01);
    expect(await boundOf('--fps', 'auto', '--max-error', '0.3%')).toBeCloseTo(0.003, 6);
    const { extent } = readJson('out/character.bake.json');
    expect(await boundOf('--dtype', 'f16', '--max-error', '0.02')).toBeCloseTo(0.02 / extent, 6);
});

test('shards share a folder', async () => {
    const inputs = [gltf('a.gltf'), gltf('b.gltf'), gltf('c.gltf')];
    for (const shard of ['1/2', '2/2'])
        expect((await bake(...inputs, '--html', 'pages', '--shard', shard)).code).toBe(0);
    const indices = ['index.1-of-2.html', 'index.2-of-2.html'];
    expect(readdirSync('pages').sort()).toEqual(['a.html', 'b.html', 'c.html', ...indices]);
    expect(linksOf('pages/index.1-of-2.html')).toEqual(['a.html', 'c.html']);
});

test('a dry run writes no page', async () => {
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
])('bake %s is rejected before any work', async (line, message) => {
    const inputs = ['a.gltf', 'a.html', 'b.gltf'];
    for (const name of inputs) gltf(name);
    const { code, stderr } = await bake(...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(filesIn()).toEqual(inputs);
    for (const name of inputs) expect(readJson(name).asset).toBeDefined();
});
