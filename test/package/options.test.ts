// SPDX-License-Identifier: MIT

/** Every callback and option of the wrong type is refused with the library's own error, before there is any work. */

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
/** No such file, so that a fault that is found too late is another one. */
const ABSENT = 'absent.glb';
const { manifest, bin } = ruler([{ frameCount: 2, duration: Math.fround(0.1) }]);
const table = BakedTable.open(manifest, bin);
/** Anything that is asked of it is a fault: it is too soon. */
const untouched = new Proxy(
    {},
    {
        get: (_, key) => {
            throw new Error(`${String(key)} is asked for`);
        },
    },
);

type Call = (value: never) => unknown;

/** Options that are no object, and what has to be a function or a signal. */
const OPTIONS: [string, Call, string[]][] = [
    ['bakeFile: options', (options) => bakeFile(ABSENT, options), []],
    ['bakeFile: hooks', (hooks) => bakeFile(ABSENT, {}, hooks), ['signal', 'onProgress']],
    ['bakeDocument: options', (options) => bakeDocument(untouched as never, options), []],
    ['bakeDocument: hooks', (hooks) => bakeDocument(untouched as never, {}, hooks), ['signal', 'onProgress', 'name']],
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
    ['createPaletteTexture', (options) => three.createPaletteTexture(untouched as never, table, options), ['maxSize']],
    [
        'createBakedCrowd',
        (options) => three.createBakedCrowd(untouched as never, table, untouched as never, 1, options),
        ['maxSize'],
    ],
    [
        'createBakedAnimation',
        (options) => babylon.createBakedAnimation(untouched as never, table, [untouched as never], options),
        ['maxSize', 'root', 'instances'],
    ],
    [
        'sample',
        (options) => table.sample('bounds', 0, new Float64Array(1), new Float32Array(6), options),
        ['loop', 'between'],
    ],
    ['rowsAt', (options) => table.rowsAt(0, new Float64Array(1), new Float32Array(3), options), ['loop', 'between']],
];

const CASES = OPTIONS.flatMap(([name, call, keys]) => [
    ...[null, 3, 'options'].map((options): [string, unknown, Call] => [name, options, call]),
    ...keys.map((key): [string, unknown, Call] => [name, { [key]: 3n }, call]),
]);

test.each(CASES)('%s: %p', async (_, options, call) => {
    const expected = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' };
    await expect((async () => call(options as never))()).rejects.toMatchObject(expected);
});

/** Other arguments. */
test.each<[string, () => unknown, string]>([
    ['bakeFile: input', () => bakeFile(3 as never), 'ERR_ARGUMENT_TYPE'],
    ['bakedGlb: input', () => bakedGlb(3 as never), 'ERR_ARGUMENT_TYPE'],
    ['verifyReduced: input', () => verifyReduced(null as never, ''), 'ERR_ARGUMENT_TYPE'],
    ['verifyReduced: reduced', () => verifyReduced('', undefined as never), 'ERR_ARGUMENT_TYPE'],
    ['verifyBake: input', () => verifyBake(null as never, ''), 'ERR_ARGUMENT_TYPE'],
    ['verifyBake: manifest', () => verifyBake('', undefined as never), 'ERR_ARGUMENT_TYPE'],
    ['diffBakes', () => diffBakes('', 3 as never), 'ERR_ARGUMENT_TYPE'],
    ['writeBake: no bake', () => writeBake({} as never, folder()), 'ERR_ARGUMENT_TYPE'],
    [
        'writeBake: an output without a bin',
        () => writeBake([{ stem: 'a', json: '{}' }] as never, folder()),
        'ERR_ARGUMENT_TYPE',
    ],
    ['writeBake: no output', () => writeBake([null] as never, folder()), 'ERR_ARGUMENT_TYPE'],
    [
        'writeBake: a file without bytes',
        () => writeBake({ outputs: [{ stem: 'a', json: '', bin: bin }], files: [{ name: 'b' }] } as never, folder()),
        'ERR_ARGUMENT_TYPE',
    ],
    ['writeBake: folder', () => writeBake([], 3 as never), 'ERR_ARGUMENT_TYPE'],
    ['BakedTable.open: bin', () => BakedTable.open(manifest, [] as never), 'ERR_ARGUMENT_TYPE'],
    ['BakedTable.open: a detached bin', () => BakedTable.open(manifest, detached()), 'ERR_DETACHED_BUFFER'],
    [
        'BakedTable.open: a view of a detached bin',
        () => BakedTable.open(manifest, detachedView()),
        'ERR_DETACHED_BUFFER',
    ],
    ['clipNamed', () => table.clipNamed(0 as never), 'ERR_ARGUMENT_TYPE'],
    ['paletteTexture: table', () => paletteTexture(null as never), 'ERR_ARGUMENT_TYPE'],
    ['paletteTexture: no table', () => paletteTexture({} as never), 'ERR_ARGUMENT_TYPE'],
    [
        'createBakedCrowd: model',
        () => three.createBakedCrowd(untouched as never, table, 3 as never, 1),
        'ERR_ARGUMENT_TYPE',
    ],
    [
        'createBakedCrowd: count',
        () => three.createBakedCrowd(untouched as never, table, untouched as never, '1' as never),
        'ERR_ARGUMENT_TYPE',
    ],
    [
        'createBakedCrowd: half an instance',
        () => three.createBakedCrowd(untouched as never, table, untouched as never, 0.5),
        'ERR_COUNT_RANGE',
    ],
    [
        'createBakedAnimation: meshes',
        () => babylon.createBakedAnimation(untouched as never, table, 3 as never),
        'ERR_ARGUMENT_TYPE',
    ],
])('%s', async (_, call, code) => {
    await expect((async () => call())()).rejects.toMatchObject({ code });
    expect(readdirSync(folder())).toEqual([]);
});

function detached(): ArrayBuffer {
    const buffer = new ArrayBuffer(8);
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
}

function detachedView(): Uint8Array {
    const view = new Uint8Array(8);
    structuredClone(view, { transfer: [view.buffer] });
    return view;
}
