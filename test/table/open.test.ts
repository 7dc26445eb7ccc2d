// SPDX-License-Identifier: MIT

/** Rejected arguments of `BakedTable.open`, and the methods of a table. */

import { BakedTable, paletteTexture } from '../../lib/table';
import { type SmallBake, smallBake } from './small-bake';

const clips = [
    { name: 'Walk', frameCount: 3, duration: Math.fround(0.2), discontinuities: [1], bounds: [0, 0, 0, 1, 1, 1] },
    { name: 'Still', frameCount: 1, duration: 0, fps: null },
];
const good = (): SmallBake =>
    structuredClone(
        smallBake(
            clips,
            {
                palette: { layout: 'mat4', shape: [2, 16], data: Float32Array.from({ length: 128 }, (_, i) => i) },
                bounds: { layout: 'minmax', shape: [6], data: new Float32Array(24) },
            },
            2,
        ),
    );

test('the content of a bake', () => {
    const { manifest, bin } = good();
    manifest.later = 1;
    manifest.arrays.later = {};
    for (const json of [manifest, JSON.stringify(manifest)]) {
        for (const bytes of [bin, bin.buffer as ArrayBuffer]) {
            const table = BakedTable.open(json, bytes);
            expect(table.rows).toBe(4);
            expect(table.joints).toEqual([
                { node: 0, name: 'joint0', parent: -1 },
                { node: 1, name: 'joint1', parent: 0 },
            ]);
            expect(table.clips.map(({ name, firstRow }) => [name, firstRow])).toEqual([
                ['Walk', 0],
                ['Still', 3],
            ]);
            expect(Object.keys(table.arrays)).toEqual(['palette', 'bounds']);
            expect([...table.arrays.palette!.data]).toEqual(Array.from({ length: 128 }, (_, i) => i));
            expect(table.arrays.palette!.rowFloats).toBe(32);
            expect(table.clipNamed('Still')).toBe(1);
            expect(() => table.clipNamed('Run')).toThrow(expect.objectContaining({ code: 'ERR_UNKNOWN_NAME' }));
            expect(() => table.clipNamed('Run')).toThrow("clipNamed: no clip 'Run', has 'Walk', 'Still'");
            expect(table.manifest).toMatchObject({ later: 1 });
        }
    }
});

test('bytes at an odd address are read, also in a Buffer, whose slice does not copy', () => {
    const { manifest, bin } = good();
    const odd = new Uint8Array(bin.byteLength + 1);
    odd.set(bin, 1);
    for (const bytes of [odd.subarray(1), Buffer.from(odd.buffer, 1)]) {
        const { data } = BakedTable.open(manifest, bytes).arrays.palette!;
        expect([...data]).toEqual(Array.from({ length: 128 }, (_, i) => i));
    }
});

// biome-ignore lint/suspicious/noExplicitAny: a manifest that tests make invalid
const FAULTS: [where: string, spoil: (manifest: any) => void][] = [
    ['/format', (m) => (m.format = 'other')],
    ['/version', (m) => (m.version = 2)],
    ['/binary', (m) => delete m.binary],
    ['/binary/byteLength', (m) => (m.binary.byteLength = -1)],
    ['/skin', (m) => (m.skin = [])],
    ['/skin/joints', (m) => (m.skin.joints = {})],
    ['/skin/joints/1/parent', (m) => (m.skin.joints[1].parent = 2)],
    ['/recipe', (m) => delete m.recipe],
    ['/recipe/fps', (m) => (m.recipe.fps = 30)],
    ['/recipe/fps/1', (m) => (m.recipe.fps = [30, 0])],
    ['/clips', (m) => (m.clips = [])],
    ['/clips/0', (m) => (m.clips[0] = null)],
    ['/clips/1/firstRow', (m) => (m.clips[1].firstRow = 2)],
    ['/clips/0/frameCount', (m) => (m.clips[0].frameCount = 0)],
    ['/clips/0/frameCount', (m) => (m.clips[0].frameCount = 1.5)],
    ['/clips/0/duration', (m) => (m.clips[0].duration = -1)],
    ['/clips/0/duration', (m) => (m.clips[0].duration = null)],
    ['/clips/0', (m) => (m.clips[0].duration = 0.05)],
    ['/clips/0/fps', (m) => (m.clips[0].fps = null)],
    ['/clips/0/fps', (m) => (m.clips[0].fps = 0)],
    ['/clips/0/lastFrameTime', (m) => (m.clips[0].lastFrameTime = 'x')],
    ['/clips/0/discontinuities/0', (m) => (m.clips[0].discontinuities = [3])],
    ['/clips/0/discontinuities/0', (m) => (m.clips[0].discontinuities = [0])],
    ['/clips/0/bounds', (m) => (m.clips[0].bounds = [1, 2])],
    ['/arrays', (m) => delete m.arrays],
    ['/arrays/palette', (m) => (m.arrays.palette = 7)],
    ['/arrays/palette/layout', (m) => (m.arrays.palette.layout = 'trs')],
    ['/arrays/palette/layout', (m) => (m.arrays.palette.layout = 'toString')],
    ['/arrays/palette/dtype', (m) => (m.arrays.palette.dtype = 'f64')],
    ['/arrays/bounds/dtype', (m) => (m.arrays.bounds.dtype = 'f16')],
    ['/arrays/palette/shape', (m) => (m.arrays.palette.shape = [4, 2, 12])],
    ['/arrays/palette/shape', (m) => (m.arrays.palette.shape = [5, 2, 16])],
    ['/arrays/palette/shape', (m) => (m.arrays.palette.shape = [4, 32])],
    ['/arrays/palette/shape/1', (m) => (m.arrays.palette.shape = [4, 1, 16])],
    ['/arrays/palette/shape/1', (m) => (m.arrays.palette.shape = [4, -2, 16])],
    ['/arrays/palette/byteLength', (m) => (m.arrays.palette.byteLength -= 4)],
    ['/arrays/palette/byteOffset', (m) => (m.arrays.palette.byteOffset = 4)],
    ['/arrays/bounds', (m) => (m.arrays.bounds.byteOffset = 256 * 1000)],
    ['/arrays/bounds/byteOffset', (m) => (m.arrays.bounds.byteOffset = -256)],
];

test.each(FAULTS)('rejected: %s, by %p', (where, spoil) => {
    const { manifest, bin } = good();
    spoil(manifest);
    const open = () => BakedTable.open(manifest, bin);
    expect(open).toThrow(RangeError);
    expect(open).toThrow(expect.objectContaining({ code: 'ERR_BAKE_INVALID' }));
    expect(open).toThrow(new RegExp(`^BakedTable\\.open: ${where} `));
});

test.each<[string, (bake: SmallBake) => unknown[]]>([
    ['ERR_BAKE_INVALID', ({ bin }) => ['{', bin]],
    ['ERR_BAKE_INVALID', ({ bin }) => ['[]', bin]],
    ['ERR_ARGUMENT_TYPE', ({ bin }) => [7, bin]],
    ['ERR_ARGUMENT_TYPE', ({ bin }) => [null, bin]],
    ['ERR_ARGUMENT_TYPE', ({ manifest }) => [manifest, []]],
    ['ERR_ARGUMENT_TYPE', ({ manifest, bin }) => [manifest, new DataView(bin.buffer)]],
    ['ERR_BINARY_DIFFERS', ({ manifest, bin }) => [manifest, bin.subarray(1)]],
])('%s for text that is not JSON, JSON that is not an object, or other types', (code, argumentsOf) => {
    const [manifest, bin] = argumentsOf(good());
    const name = code === 'ERR_ARGUMENT_TYPE' ? 'TypeError' : 'RangeError';
    expect(() => BakedTable.open(manifest as never, bin as never)).toThrow(expect.objectContaining({ name, code }));
});

describe('arguments of sample and rowsAt', () => {
    const { manifest, bin } = good();
    const table = BakedTable.open(manifest, bin);
    const times = Float64Array.of(0, 0.1);

    test.each<[code: string, args: unknown[]]>([
        ['ERR_INDEX_RANGE', ['hit', 0, times]],
        ['ERR_INDEX_RANGE', ['toString', 0, times]],
        ['ERR_ARGUMENT_TYPE', [0, 0, times]],
        ['ERR_INDEX_RANGE', ['palette', 2, times]],
        ['ERR_INDEX_RANGE', ['palette', -1, times]],
        ['ERR_INDEX_RANGE', ['palette', Uint16Array.of(0, 2), times]],
        ['ERR_BUFFER_LENGTH', ['palette', Uint16Array.of(0), times]],
        ['ERR_ARGUMENT_TYPE', ['palette', [0, 0], times]],
        ['ERR_ARGUMENT_TYPE', ['palette', 0, [0]]],
        ['ERR_NOT_FINITE', ['palette', 0, Float32Array.of(0, Number.NaN)]],
        ['ERR_ARGUMENT_TYPE', ['palette', 0, times, { loop: 'ping' }]],
        ['ERR_ARGUMENT_TYPE', ['palette', 0, times, { between: 'cubic' }]],
        ['ERR_ARGUMENT_TYPE', ['palette', 0, times, 7]],
    ])('%s, and nothing is written', (code, [array, which, at, options]) => {
        const out = new Float32Array(64).fill(7);
        expect(() => table.sample(array as 'hit', which as 0, at as Float32Array, out, options as object)).toThrow(
            expect.objectContaining({ code }),
        );
        if (array === 'palette') {
            expect(() => table.rowsAt(which as 0, at as Float32Array, out, options as object)).toThrow(
                expect.objectContaining({ code }),
            );
        }
        expect(out.every((value) => value === 7)).toBe(true);
    });

    test('an `out` that is too short, missing, or in shared memory', () => {
        const code = (expected: string) => expect.objectContaining({ code: expected });
        expect(() => table.sample('palette', 0, times, new Float32Array(63))).toThrow(code('ERR_BUFFER_LENGTH'));
        expect(() => table.sample('palette', 0, times, [] as never)).toThrow(code('ERR_ARGUMENT_TYPE'));
        expect(() => table.rowsAt(0, times, new Float32Array(5))).toThrow(code('ERR_BUFFER_LENGTH'));
        const shared = new Float32Array(64);
        expect(() => table.sample('palette', 0, shared.subarray(0, 2), shared)).toThrow(code('ERR_BUFFER_OVERLAP'));
        const own = table.arrays.palette!.data as Float32Array;
        expect(() => table.sample('palette', 0, times, own)).toThrow(code('ERR_BUFFER_OVERLAP'));
        expect(() => table.frameTime(0, 3)).toThrow(code('ERR_INDEX_RANGE'));
        expect(() => table.frameTime(2, 0)).toThrow(code('ERR_INDEX_RANGE'));
    });
});

describe('the palette as a texture', () => {
    const { manifest, bin } = good();
    const table = BakedTable.open(manifest, bin);

    test('in one piece: the bytes of the bake', () => {
        const { width, height, layers, data } = paletteTexture(table);
        expect([width, height, layers]).toEqual([8, 4, 1]);
        expect(data).toBe(table.arrays.palette!.data);
    });

    test('in layers: each row at line r % height of layer floor(r / height)', () => {
        const clip = [{ frameCount: 19, duration: Math.fround(1.8) }];
        const data = Float32Array.from({ length: 19 * 16 }, (_, i) => i);
        const tall = smallBake(clip, { palette: { layout: 'mat4', shape: [1, 16], data } });
        const texture = paletteTexture(BakedTable.open(tall.manifest, tall.bin), { maxSize: 8 });
        const { width, height, layers } = texture;
        expect([width, height, layers]).toEqual([4, 7, 3]);
        expect(texture.data.length).toBe(width * height * layers * 4);
        for (let row = 0; row < 19; row++) {
            const at = (Math.floor(row / height) * height + (row % height)) * width * 4;
            expect([...texture.data.subarray(at, at + 16)]).toEqual([...data.subarray(row * 16, row * 16 + 16)]);
        }
    });

    test('3x4 as three texels for each joint, or expanded to 4x4; half floats are kept or converted to floats', () => {
        const rows = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        const still = [{ frameCount: 1, duration: 0, fps: null }];
        const small = smallBake(still, { palette: { layout: 'mat3x4', shape: [1, 12], data: rows } });
        const table3x4 = BakedTable.open(small.manifest, small.bin);
        expect(paletteTexture(table3x4)).toMatchObject({ texelsPerJoint: 3, width: 3, data: rows });
        const columns = [1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1];
        expect([...paletteTexture(table3x4, { mat4: true }).data]).toEqual(columns);
        const ones = Uint16Array.from({ length: 16 }, () => 0x3c00);
        const halves = smallBake(still, { palette: { layout: 'mat4', shape: [1, 16], data: ones } });
        const table16 = BakedTable.open(halves.manifest, halves.bin);
        expect(paletteTexture(table16).data).toEqual(ones);
        expect(paletteTexture(table16, { mat4: true }).data).toEqual(new Float32Array(16).fill(1));
    });

    test('rejected: no palette, too wide, an invalid limit', () => {
        const code = (expected: string) => expect.objectContaining({ code: expected });
        expect(() => paletteTexture(table, { maxSize: 7 })).toThrow(code('ERR_COUNT_RANGE'));
        expect(() => paletteTexture(table, { maxSize: 0 })).toThrow(code('ERR_COUNT_RANGE'));
        const { arrays } = manifest;
        const without = BakedTable.open({ ...manifest, arrays: { bounds: arrays.bounds } }, bin);
        expect(() => paletteTexture(without)).toThrow(code('ERR_INDEX_RANGE'));
    });
});
