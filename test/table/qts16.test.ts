// SPDX-License-Identifier: MIT

/** Palettes of layout qts16, and boxes of columns, are read back, compared with matrices by three.js. */

import type * as Three from 'three' with { 'resolution-mode': 'import' };
import { BakedTable, paletteTexture } from '../../lib/table';
import { halfToNumber, numberToHalf } from '../support/half';
import { random, randomRotation, randomVector } from '../support/random';
import { type SmallBake, smallBake } from './small-bake';

const THREE: typeof Three = require('three');

const COLUMNS = 2;
const PIVOTS = [
    [0.5, -1, 2],
    [0, 0, 0],
];
const EMPTY_BOX = [1, 1, 1, -1, -1, -1].map((sign) => sign * Infinity);
const JOINT_BOUNDS = Float32Array.of(-1, -2, -3, 1, 2, 3, ...EMPTY_BOX);

/** Two rows of column numbers, an eighth of a second apart. */
function bakeOf(numbers: readonly number[]): SmallBake {
    const data = Uint16Array.from(numbers, numberToHalf);
    const clip = { frameCount: 2, duration: 0.125, fps: 8 };
    const small = smallBake([clip], { palette: { layout: 'qts16', shape: [COLUMNS, 8], data } }, COLUMNS);
    small.manifest.recipe.fps = [8, 1];
    small.manifest.arrays.palette.pivots = PIVOTS;
    return small;
}

const next = random(9);
const column = (sign: number) => [
    ...randomRotation(next).map((x) => sign * x),
    ...randomVector(next, 3),
    next() * 2 - 1,
];
/** The second column turns by quaternions of the other sign. */
const first = [column(1), column(1)];
const second = first.map((numbers, c) => numbers.map((x, k) => (k < 4 ? (c === 0 ? 1 : -1) * (x + 0.2 * k) : x + 1)));
const NUMBERS = [...first, ...second].flat();

function open(): BakedTable {
    const { manifest, bin } = bakeOf(NUMBERS);
    return BakedTable.open(manifest, bin);
}

const decoded = Array.from(open().arrays.palette!.data, halfToNumber);

/** The matrix of a column between two rows, by three.js. */
function meant(c: number, share: number): Three.Matrix4 {
    const at = (row: number) => decoded.slice((row * COLUMNS + c) * 8, (row * COLUMNS + c) * 8 + 8);
    const [a, b] = [at(0), at(1)];
    const dot = [0, 1, 2, 3].reduce((sum, k) => sum + a[k]! * b[k]!, 0);
    const mixed = a.map((x, k) => x * (1 - share) + b[k]! * share * (k < 4 && dot < 0 ? -1 : 1));
    const turn = new THREE.Quaternion(...(mixed.slice(0, 4) as [number, number, number, number])).normalize();
    const [scale] = mixed.slice(7);
    const matrix = new THREE.Matrix4().compose(new THREE.Vector3(), turn, new THREE.Vector3(scale, scale, scale));
    const pivot = new THREE.Vector3().fromArray(PIVOTS[c]!).applyMatrix4(matrix);
    return matrix.setPosition(new THREE.Vector3().fromArray(mixed, 4).sub(pivot));
}

test('at a frame the numbers of its row; between frames the rotation on the shorter arc, at unit length, and linear values', () => {
    const table = open();
    const sample = (share: number) => [...table.sample('palette', 0, Float64Array.of(share / 8), new Float32Array(16))];
    expect(sample(0)).toEqual(decoded.slice(0, 16));
    expect(sample(1)).toEqual(decoded.slice(16));
    const half = sample(0.5);
    for (const c of [0, 8]) {
        expect(Math.hypot(...half.slice(c, c + 4))).toBeCloseTo(1, 6);
        // Equally near to both, as rotations.
        const turns = [0, 1].map((row) => {
            const q = decoded.slice(row * 16 + c, row * 16 + c + 4);
            return Math.abs(q.reduce((sum, x, k) => sum + x * half[c + k]!, 0)) / Math.hypot(...q);
        });
        expect(turns[0]).toBeGreaterThan(0.8);
        expect(turns[0]! - turns[1]!).toBeCloseTo(0, 1);
        for (let k = c + 4; k < c + 8; k++) expect(half[k]).toBeCloseTo((decoded[k]! + decoded[16 + k]!) / 2, 6);
    }
});

test.each([0, 0.125, 0.5, 0.875, 1])('toMatrices: the matrices by three.js, %d of the way', (share) => {
    const table = open();
    const rows = table.sample('palette', 0, Float64Array.of(share / 8), new Float32Array(16));
    const out = new Float32Array(40).fill(7);
    expect(table.toMatrices(rows, out)).toBe(out);
    for (let c = 0; c < COLUMNS; c++) {
        const { elements } = meant(c, share);
        for (let i = 0; i < 16; i++) expect(out[c * 16 + i]).toBeCloseTo(elements[i]!, 5);
    }
    expect(out.subarray(32).every((value) => value === 7)).toBe(true);
});

describe('a stretched column, with its third matrix row at the end', () => {
    /** A third column: rows of a matrix in its texels, which are numbers 4 and 5, and in texel 6. */
    const stretched = (row: number) => Array.from({ length: 12 }, (_, i) => ((i * 7 + row * 5) % 11) / 4 - 1);
    const rowOf = (row: number) => [...[first, second][row]!.flat(), ...stretched(row)];
    const pivots = [...PIVOTS, [0.25, 0.5, -1, 6]];

    function openStretched(given: unknown = pivots, shape = [7, 4]): BakedTable {
        const data = Uint16Array.from([rowOf(0), rowOf(1)].flat(), numberToHalf);
        const clip = { frameCount: 2, duration: 0.125, fps: 8 };
        const { manifest, bin } = smallBake([clip], { palette: { layout: 'qts16', shape, data } }, 3);
        manifest.recipe.fps = [8, 1];
        manifest.arrays.palette.pivots = given;
        return BakedTable.open(manifest, bin);
    }

    /** The column's transform, by three.js: x to L (x - p0) + p. */
    function meantAt(share: number): Three.Matrix4 {
        const [a, b] = [stretched(0), stretched(1)];
        const m = a.map((x, i) => x + (b[i]! - x) * share) as [number, ...number[]] & Record<number, number>;
        const matrix = new THREE.Matrix4();
        matrix.set(m[0], m[1]!, m[2]!, 0, m[4]!, m[5]!, m[6]!, 0, m[8]!, m[9]!, m[10]!, 0, 0, 0, 0, 1);
        const pivot = new THREE.Vector3(0.25, 0.5, -1).applyMatrix4(matrix);
        return matrix.setPosition(new THREE.Vector3(m[3], m[7], m[11]).sub(pivot));
    }

    test.each([0, 0.25, 0.5, 1])('is linear between rows, %d of the way; the others are as before', (share) => {
        const table = openStretched();
        const rows = table.sample('palette', 0, Float64Array.of(share / 8), new Float32Array(28));
        const out = table.toMatrices(rows, new Float32Array(48));
        for (let i = 0; i < 16; i++) expect(out[32 + i]).toBeCloseTo(meantAt(share).elements[i]!, 5);
        for (let c = 0; c < COLUMNS; c++)
            for (let i = 0; i < 16; i++) expect(out[c * 16 + i]).toBeCloseTo(meant(c, share).elements[i]!, 5);
    });

    test('is three texels of a texture, and a 4x4 matrix for Babylon', () => {
        const table = openStretched();
        expect(paletteTexture(table)).toMatchObject({ texelsPerJoint: 2, width: 7, height: 2, layers: 1 });
        const wide = paletteTexture(table, { mat4: true });
        expect(wide).toMatchObject({ texelsPerJoint: 4, width: 12 });
        for (let row = 0; row < 2; row++)
            for (let i = 0; i < 16; i++) expect(wide.data[row * 48 + 32 + i]).toBeCloseTo(meantAt(row).elements[i]!, 5);
    });

    test.each<[string, unknown, number[]]>([
        ['/pivots/2/3', [...PIVOTS, [0, 0, 0, 7]], [7, 4]],
        ['/pivots/2/3', [...PIVOTS, [0, 0, 0, 0]], [7, 4]],
        ['/pivots/2/3', [...PIVOTS, [0, 0, 0, 6.5]], [7, 4]],
        ['/pivots/1/3', [PIVOTS[0], [0, 0, 0, 7], [0, 0, 0, 6]], [7, 4]],
        ['/pivots/2', [...PIVOTS, [0, 0, 0, 6, 0]], [7, 4]],
        ['/pivots/2', [...PIVOTS, [0, 0]], [7, 4]],
        ['/shape', pivots, [3, 8]],
        ['/shape', [...PIVOTS, [0, 0, 0]], [7, 4]],
        ['/shape/1', pivots, [8, 4]],
    ])('rejected: %s, by %j', (where, given, shape) => {
        const message = expect.stringContaining(`open: /arrays/palette${where} `);
        const expected = expect.objectContaining({ code: 'ERR_BAKE_INVALID', message });
        expect(() => openStretched(given, shape)).toThrow(expected);
    });
});

test.each<[string, Float32Array, Float32Array]>([
    ['ERR_BUFFER_LENGTH', new Float32Array(15), new Float32Array(32)],
    ['ERR_BUFFER_LENGTH', new Float32Array(32), new Float32Array(63)],
    ['ERR_ARGUMENT_TYPE', [] as never, new Float32Array(32)],
    ['ERR_ARGUMENT_TYPE', new Float32Array(16), [] as never],
])('toMatrices rejects wrong arguments: %s', (code, rows, out) => {
    expect(() => open().toMatrices(rows, out)).toThrow(expect.objectContaining({ code }));
    const shared = new Float32Array(64);
    const overlap = () => open().toMatrices(shared.subarray(0, 16), shared);
    expect(overlap).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_OVERLAP' }));
});

test('as a texture two texels for each column, the original bytes; for Babylon 4x4 matrices of float32', () => {
    const table = open();
    const { data, ...texture } = paletteTexture(table);
    expect(texture).toEqual({ texelsPerJoint: 2, width: 4, height: 2, layers: 1 });
    expect(data).toBe(table.arrays.palette!.data);
    const wide = paletteTexture(table, { mat4: true });
    expect(wide).toMatchObject({ texelsPerJoint: 4, width: 8 });
    for (let i = 0; i < 64; i++) {
        const { elements } = meant((i >> 4) & 1, i >> 5);
        expect(wide.data[i]).toBeCloseTo(elements[i % 16]!, 5);
    }
});

/** The bake, with boxes of the columns. */
function withBoxes(): SmallBake {
    const { manifest, bin } = bakeOf(NUMBERS);
    const byteOffset = Math.ceil(bin.length / 256) * 256;
    const bytes = new Uint8Array(byteOffset + 48);
    bytes.set(bin);
    bytes.set(new Uint8Array(JOINT_BOUNDS.buffer), byteOffset);
    const place = { byteOffset, byteLength: 48, dtype: 'f32', layout: 'minmax', shape: [COLUMNS, 6] };
    manifest.arrays.jointBounds = place;
    manifest.binary.byteLength = bytes.length;
    return { manifest, bin: bytes };
}

test('boxes: one for each column, for all rows; empty ones stay', () => {
    const { manifest, bin } = withBoxes();
    const table = BakedTable.open(manifest, bin);
    expect(table.jointBounds).toEqual(JOINT_BOUNDS);
    expect(Object.keys(table.arrays)).toEqual(['palette']);
    expect(open().jointBounds).toBeUndefined();
    // Without other arrays, and with more rows than bytes.
    const { jointBounds } = manifest.arrays;
    const [clip] = manifest.clips;
    const long = { ...clip, frameCount: 1001, duration: 125 };
    const alone = { ...manifest, clips: [long], arrays: { jointBounds: { ...jointBounds, byteOffset: 0 } } };
    alone.binary = { ...manifest.binary, byteLength: 48 };
    expect(BakedTable.open(alone, bin.slice(-48)).jointBounds).toEqual(JOINT_BOUNDS);
});

test.each<[array: string, where: string, object]>([
    ['jointBounds', '/shape', { shape: [3, 6] }],
    ['jointBounds', '/shape', { shape: [2, 2, 6] }],
    ['jointBounds', '/dtype', { dtype: 'f16' }],
    ['jointBounds', '/layout', { layout: 'mat4' }],
    ['jointBounds', '/byteLength', { byteLength: 24 }],
    ['jointBounds', '', { byteOffset: 2048 }],
    ['palette', '/pivots', { pivots: undefined }],
    ['palette', '/pivots', { pivots: PIVOTS.slice(1) }],
    ['palette', '/pivots/1', { pivots: [PIVOTS[0], [0, 0]] }],
    ['palette', '/pivots/1', { pivots: [PIVOTS[0], [0, 0, null]] }],
    ['palette', '/dtype', { dtype: 'f32' }],
    ['palette', '/shape', { shape: [2, 2, 16] }],
])('rejected: %s%s, by %j', (array, where, change) => {
    const { manifest, bin } = withBoxes();
    Object.assign(manifest.arrays[array], change);
    const message = expect.stringContaining(`open: /arrays/${array}${where} `);
    expect(() => BakedTable.open(manifest, bin)).toThrow(
        expect.objectContaining({ code: 'ERR_BAKE_INVALID', message }),
    );
});
