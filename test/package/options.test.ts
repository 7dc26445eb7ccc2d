// SPDX-License-Identifier: MIT

/** Every callback and option of the wrong type is rejected with the library's own error, before any work. */

import { readdirSync } from 'node:fs';
import * as babylon from '../../lib/babylon';
import { bakeDocument, bakedFiles, bakeFile, writeBake } from '../../lib/bake';
import { bakeAnimations, bakedGlb, loadAnimationPointer } from '../../lib/bake/dense';
import { Rig as BrowserRig } from '../../lib/browser/rig';
import { Rig } from '../../lib/rig';
import { BakedTable, paletteTexture } from '../../lib/table';
import * as three from '../../lib/three';
import { diffBakes, verifyBake, verifyReduced } from '../../lib/verify';
import { scratchFolder } from '../support/temporary-folder';
import { ruler } from '../table/small-bake';

const folder = scratchFolder();
/** A missing file, so that a late check gives another error. */
const ABSENT = 'absent.glb';
const { manifest, bin } = ruler([{ frameCount: 2, duration: Math.fround(0.1) }]);
const table = BakedTable.open(manifest, bin);
/** Any access to it is a fault, because it is too early. */
const any = new Proxy(
    {},
    {
        get: (_, key) => {
            throw new Error(`${String(key)} is asked for`);
        },
    },
) as never;

type Call = (value: never) => unknown;
const PLAYING = ['loop', 'between'];

/** Options that are not objects, and invalid functions and signals. */
const OPTIONS: [string, Call, string[]][] = [
    ['bakeFile: options', (options) => bakeFile(ABSENT, options), []],
    ['bakeFile: hooks', (hooks) => bakeFile(ABSENT, {}, hooks), ['signal', 'onProgress']],
    ['bakeDocument: options', (options) => bakeDocument(any, options), []],
    ['bakeDocument: hooks', (hooks) => bakeDocument(any, {}, hooks), ['signal', 'onProgress', 'name']],
    ['writeBake', (options) => writeBake([], folder(), options), ['signal', 'container']],
    ['bakedFiles', (options) => bakedFiles([], options), ['container']],
    ['bakeAnimations', (options) => bakeAnimations(options), []],
    ['bakedGlb', (options) => bakedGlb(ABSENT, options), ['onWarning']],
    ['loadAnimationPointer', (options) => loadAnimationPointer(options), ['onIgnored']],
    ['verifyBake', (options) => verifyBake(ABSENT, 'absent.bake.json', options), ['signal', 'onProgress']],
    ['verifyReduced', (options) => verifyReduced(ABSENT, ABSENT, options), ['signal', 'onProgress']],
    ['Rig.load', (options) => Rig.load(ABSENT, options), ['name', 'resolve', 'meshes']],
    ['Rig.load in browsers', (options) => BrowserRig.load(new Uint8Array(4), options), ['name', 'resolve', 'meshes']],
    ['paletteTexture', (options) => paletteTexture(table, options), ['maxSize', 'mat4']],
    ['createPaletteTexture', (options) => three.createPaletteTexture(any, table, options), ['maxSize']],
    ['createBakedCrowd', (options) => three.createBakedCrowd(any, table, any, 1, options), ['maxSize']],
    [
        'createBakedAnimation',
        (options) => babylon.createBakedAnimation(any, table, [any], options),
        ['maxSize', 'root', 'instances'],
    ],
    ['sample', (options) => table.sample('bounds', 0, new Float64Array(1), new Float32Array(6), options), PLAYING],
    ['rowsAt', (options) => table.rowsAt(0, new Float64Array(1), new Float32Array(3), options), PLAYING],
];

const CASES = OPTIONS.flatMap(([name, call, keys]) => [
    ...[null, 3, 'options'].map((options): [string, unknown, Call] => [name, options, call]),
    ...keys.map((key): [string, unknown, Call] => [name, { [key]: 3n }, call]),
]);

test.each(CASES)('%s: %p', async (_, options, call) => {
    const expected = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' };
    await expect((async () => call(options as never))()).rejects.toMatchObject(expected);
});

const ONE = [{ stem: 'a', json: '', bin }];

/** Other arguments. */
test.each<[string, () => unknown, string?]>([
    ['bakeFile: input', () => bakeFile(3 as never)],
    ['bakedGlb: input', () => bakedGlb(3 as never)],
    ['verifyReduced: input', () => verifyReduced(null as never, '')],
    ['verifyReduced: reduced', () => verifyReduced('', undefined as never)],
    ['verifyBake: input', () => verifyBake(null as never, '')],
    ['verifyBake: manifest', () => verifyBake('', undefined as never)],
    ['diffBakes', () => diffBakes('', 3 as never)],
    ['writeBake: no bake', () => writeBake({} as never, folder())],
    ['writeBake: an output without a bin', () => writeBake([{ stem: 'a', json: '{}' }] as never, folder())],
    ['writeBake: no output', () => writeBake([null] as never, folder())],
    ['writeBake: no bytes', () => writeBake({ outputs: ONE, files: [{ name: 'b' }] } as never, folder())],
    ['writeBake: folder', () => writeBake([], 3 as never)],
    ['BakedTable.open: bin', () => BakedTable.open(manifest, [] as never)],
    ['BakedTable.open: a detached bin', () => BakedTable.open(manifest, detached().buffer), 'ERR_DETACHED_BUFFER'],
    ['BakedTable.open: a view of one', () => BakedTable.open(manifest, detached()), 'ERR_DETACHED_BUFFER'],
    ['clipNamed', () => table.clipNamed(0 as never)],
    ['paletteTexture: table', () => paletteTexture(null as never)],
    ['paletteTexture: no table', () => paletteTexture({} as never)],
    ['createBakedCrowd: model', () => three.createBakedCrowd(any, table, 3 as never, 1)],
    ['createBakedCrowd: count', () => three.createBakedCrowd(any, table, any, '1' as never)],
    ['createBakedCrowd: half an instance', () => three.createBakedCrowd(any, table, any, 0.5), 'ERR_COUNT_RANGE'],
    ['createBakedAnimation: meshes', () => babylon.createBakedAnimation(any, table, 3 as never)],
])('%s', async (_, call, code = 'ERR_ARGUMENT_TYPE') => {
    await expect((async () => call())()).rejects.toMatchObject({ code });
    expect(readdirSync(folder())).toEqual([]);
});

function detached(): Uint8Array<ArrayBuffer> {
    const view = new Uint8Array(8);
    structuredClone(view, { transfer: [view.buffer] });
    return view;
}
