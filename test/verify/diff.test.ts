// SPDX-License-Identifier: MIT

/** A comparison of two bakes lists all their differences, and nothing else. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeContainer, type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { diffBakes } from '../../lib/verify';
import { CHARACTER } from '../support/models';
import { scratchFolder } from '../support/temporary-folder';
import { fullBake } from './full-bake';

const folder = scratchFolder();
let number = 0;

async function baked(options: BakeOptions = {}, container: BakeContainer = 'files'): Promise<string> {
    const { outputs } = await bakeFile(CHARACTER.path, options);
    const [written] = await writeBake(outputs, join(folder(), String(number++)), { container });
    return written!.json;
}

const palette = (kind: string) => [{ array: 'palette', kind, count: 0, greatest: null }];

test('the same input and options: equal', async () => {
    const [pair, one] = [await baked(), await baked({}, 'glb')];
    for (const [a, b] of [
        [pair, await baked()],
        [pair, one],
        [one, pair],
    ] as const) {
        expect(await diffBakes(a, b)).toEqual({
            equal: true,
            sameValues: true,
            manifest: [],
            clips: { onlyInA: [], onlyInB: [], retimed: [] },
            arrays: palette('equal'),
        });
    }
});

test('another rate, and fewer clips', async () => {
    const [all, idle] = [await baked({ fps: 30 }), await baked({ fps: 30, clips: ['#1'] })];
    const { equal, sameValues, clips, arrays, manifest } = await diffBakes(all, idle);
    expect([equal, sameValues]).toEqual([false, false]);
    expect(clips.onlyInA.length).toBeGreaterThan(0);
    expect(clips.onlyInB).toEqual([]);
    // The clip of both is equal, although its rows have other indexes.
    expect(arrays).toEqual(palette('equal'));
    expect(manifest.map(({ pointer }) => pointer)).toContain('/arrays/palette/shape/0');

    const faster = await diffBakes(await baked({ fps: 24 }), all);
    expect(faster.sameValues).toBe(false);
    expect(faster.manifest).toContainEqual({ pointer: '/recipe/fps/0', a: '24', b: '30' });
    expect(clips.retimed).toEqual([]);
    expect(faster.clips.retimed).toHaveLength(3);
    const [a, b] = [24, 30].map((fps) => ({ frameCount: fps + 1, fps }));
    expect(faster.clips.retimed[1]).toEqual({ clip: "#1 'Walk'", a, b });
    // No row of one equals a row of the other.
    expect(faster.arrays).toEqual(palette('shape'));
});

test('no clip in common, or no clips', async () => {
    const { sameValues, arrays } = await diffBakes(await baked({ clips: ['#0'] }), await baked({ clips: ['#1'] }));
    expect(sameValues).toBe(false);
    expect(arrays).toEqual(palette('shape'));

    const bake = await fullBake(CHARACTER.path);
    bake.manifest.clips = [];
    const none = await diffBakes(bake.write(folder()), bake.write(folder()));
    expect([none.sameValues, none.arrays.length]).toEqual([true, 5]);
});

test('the max difference, and its place', async () => {
    const bake = await fullBake(CHARACTER.path);
    const before = bake.write(folder());
    const { firstRow, animation, name } = bake.manifest.clips[1];
    const width = bake.manifest.arrays.palette.shape[1] * 16;
    const at = (firstRow + 4) * width + 5 * 16 + 12;
    const right = bake.at('palette', at);
    bake.set('palette', at, right + 2);
    bake.set('palette', at + 1, bake.at('palette', at + 1) + 1);
    bake.set('root', 3, NaN);
    const { equal, manifest, arrays } = await diffBakes(before, bake.write(folder()));
    expect(equal).toBe(false);
    expect(manifest).toEqual([]);
    const byName = new Map(arrays.map((array) => [array.array, array]));
    expect([...byName.keys()]).toEqual(['bounds', 'hit', 'local', 'palette', 'root']);
    expect(byName.get('local')!.kind).toBe('equal');
    expect(byName.get('palette')).toEqual({
        array: 'palette',
        kind: 'values',
        count: 2,
        greatest: {
            difference: expect.closeTo(2, 6),
            a: right,
            b: Math.fround(right + 2),
            clip: name,
            animation,
            frame: 4,
            at: [5, 12],
        },
    });
    expect(byName.get('root')!.greatest).toMatchObject({ difference: Infinity, frame: 0, at: [3], b: NaN });
});

test('arrays of only one bake, and of another layout', async () => {
    const full = (await fullBake(CHARACTER.path, { layout: 'mat3x4' })).write(folder());
    const { arrays } = await diffBakes(full, await baked());
    const kinds = arrays.map(({ array, kind }) => `${array} ${kind}`);
    expect(kinds.join()).toBe('bounds only-a,hit only-a,local only-a,palette shape,root only-a');
    const other = await diffBakes(await baked(), full);
    expect(other.arrays[0]!.kind).toBe('only-b');
});

test('files that are not bakes', async () => {
    await expect(diffBakes(CHARACTER.path, CHARACTER.path)).rejects.toMatchObject({
        name: 'InputError',
        code: 'BAKE_INVALID',
        message: `${CHARACTER.path}#/extras/poselane: is not a manifest: this GLB is not a bake; if it is a model, bake it`,
    });
    const [one, cut] = [await baked({ fps: 1 }, 'glb'), join(folder(), 'cut.glb')];
    for (const length of [3, 11, 19, 27, 3000, readFileSync(one).length - 1]) {
        writeFileSync(cut, readFileSync(one).subarray(0, length));
        await expect(diffBakes(one, cut)).rejects.toMatchObject({ name: 'InputError', code: 'BAKE_INVALID' });
    }
    await expect(diffBakes('no.json', 'no.json')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});

test.each([
    [undefined, 'b', 'a must be a path, got undefined'],
    ['a', 3, 'b must be a path, got 3'],
])('the error names an argument that is not a path: %p, %p', async (a, b, rule) => {
    const refused = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE', message: `diffBakes: ${rule}` };
    await expect(diffBakes(a as never, b as never)).rejects.toMatchObject(refused);
});

test('names of inherited members are ordinary names', async () => {
    const plain = await fullBake(CHARACTER.path);
    const hostile = await fullBake(CHARACTER.path);
    for (const name of ['constructor', 'toString', '__proto__']) {
        Object.defineProperty(hostile.manifest.arrays, name, { value: plain.manifest.arrays.root, enumerable: true });
    }
    Object.defineProperty(hostile.manifest.source, '__proto__', { value: { name: 'x' }, enumerable: true });
    hostile.manifest.arrays.local.dtype = 'constructor';
    const [a, b] = [plain.write(folder()), hostile.write(folder())];
    for (const [first, second, only] of [[a, b, 'only-b'] as const, [b, a, 'only-a'] as const]) {
        const { arrays, manifest } = await diffBakes(first, second);
        const kinds = Object.fromEntries(arrays.map(({ array, kind }) => [`a ${array}`, kind]));
        expect(kinds).toMatchObject({
            'a constructor': only,
            'a toString': only,
            'a __proto__': only,
            'a local': 'shape',
        });
        expect(manifest.map(({ pointer }) => pointer)).toContain('/source/__proto__');
    }
});

test('a bin that does not match its manifest: rejected with a separate code', async () => {
    const [a, b] = [await baked(), await baked()];
    const bin = b.replace(/json$/, 'bin');
    const bytes = readFileSync(bin);
    bytes[0]! ^= 1;
    for (const other of [bytes, bytes.subarray(1)]) {
        writeFileSync(bin, other);
        for (const pair of [[a, b] as const, [b, a] as const]) {
            await expect(diffBakes(...pair)).rejects.toMatchObject({
                name: 'InputError',
                code: 'BINARY_DIFFERS',
                message: `${b}#/binary: the bin is not the one that the manifest describes: another bake's, or being replaced`,
            });
        }
    }
});
