// SPDX-License-Identifier: MIT

/** The verifier accepts right palettes of layout qts16 and boxes of columns, and finds faults. */

import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { diffBakes, verifyBake } from '../../lib/verify';
import type { LooseJson } from '../gltf/support/builder';
import { limbsFile } from '../support/limbs-file';
import { stretchedFile } from '../support/stretched-file';
import { scratchFolder } from '../support/temporary-folder';
import { complaints, copyOf, type FullBake, fullBake } from './full-bake';

const folder = scratchFolder();
const OPTIONS: BakeOptions = { fps: 15, layout: 'qts16', maxError: 0.02, emit: ['palette', 'bounds', 'jointBounds'] };
const COLUMNS = 4;

type Spoil = (manifest: LooseJson, bin: Buffer) => void;

let input: string;
let right: FullBake;
beforeAll(async () => {
    input = limbsFile(folder(), 1);
    right = await fullBake(input, OPTIONS);
});

/** The bake of the file, changed by `spoil`. */
function bakeOf(spoil: Spoil = () => {}): string {
    const bake = copyOf(right);
    spoil(bake.manifest, bake.bin);
    return bake.write(folder());
}

test('a right bake passes', async () => {
    const result = await verifyBake(input, bakeOf());
    expect(complaints(result)).toEqual([]);
    expect(result.ok).toBe(true);
    const palette = result.clips.flatMap(({ arrays }) => arrays.filter(({ array }) => array === 'palette'));
    expect(palette).toHaveLength(2);
    // Half floats: close to the tolerance, and within it.
    expect(Math.max(...palette.map(({ share }) => share))).toBeGreaterThan(1e-5);
});

const halfAt = (row: number, column: number, k: number) => ((row * COLUMNS + column) * 8 + k) * 2;
const ROW = 4;

const changeHalf = (bin: Buffer, at: number, change: (bits: number) => number) =>
    void bin.writeUInt16LE(change(bin.readUInt16LE(at)), at);
const negated = (bits: number) => bits ^ 0x8000;
/** Multiplies the side of a box. */
const scaleBox =
    (column: number, side: number, factor: number): Spoil =>
    ({ arrays }, bin) => {
        const at = arrays.jointBounds.byteOffset + (column * 6 + side) * 4;
        bin.writeFloatLE(bin.readFloatLE(at) * factor, at);
    };
/** Changes some numbers of a column. */
const halves =
    (column: number, numbers: number[], change: (bits: number) => number): Spoil =>
    (_, bin) => {
        for (const k of numbers) changeHalf(bin, halfAt(ROW, column, k), change);
    };
const scaleError =
    (name: string, factor: number): Spoil =>
    ({ clips: [{ error }] }) => {
        error[name] *= factor;
    };
const boxes = ({ arrays }: LooseJson, change: object) => void Object.assign(arrays.jointBounds, change);
const wrong = (joint: number) => `palette: clip 0, frame ${ROW}, joint ${joint}`;

test.each<[string, string, Spoil]>([
    ['a wrong rotation', wrong(1), halves(1, [0], negated)],
    ['a wrong pivot', wrong(2), halves(2, [5], (bits) => bits + 60)],
    ['a wrong scale', wrong(0), halves(0, [7], (bits) => bits + 60)],
    ['the same rotation on the other side', wrong(1), halves(1, [0, 1, 2, 3], negated)],
    [
        'rotations of a first row on the side of a w below 0',
        'palette: clip 0, frame 0, joint 0',
        ({ clips }, bin) => {
            for (let row = 0; row < clips[0].frameCount; row++) {
                for (let k = 0; k < 4; k++) changeHalf(bin, halfAt(row, 0, k), negated);
            }
        },
    ],
    ['a rotation without unit length', wrong(1), halves(1, [0, 1, 2, 3], (bits) => bits + 10)],
    ['another pivot', 'ARRAY_INVALID /arrays/palette', (m) => m.arrays.palette.pivots[1].splice(0, 1, 7)],
    ['no pivots', 'ARRAY_INVALID /arrays/palette', (m) => delete m.arrays.palette.pivots],
    ['a pivot of an attachment', 'ARRAY_INVALID /arrays/palette', (m) => m.arrays.palette.pivots[3].splice(2, 1, 1e-3)],
    ['another layout', 'ARRAY_INVALID /arrays/palette', (m) => Object.assign(m.arrays.palette, { layout: 'mat4' })],
    ['a stated error that is too small', 'CLIP_DIFFERS /clips/0/error/maxLerp', scaleError('maxLerp', 0.99)],
    ['the stated error of matrices', 'CLIP_DIFFERS /clips/0/error/maxNearest', scaleError('maxNearest', 1.01)],
    ['a box that is too small', 'JOINT_BOUNDS_DIFFER /arrays/jointBounds', scaleBox(2, 4, 0.999)],
    ['a box for a column without vertices', 'JOINT_BOUNDS_DIFFER /arrays/jointBounds', scaleBox(0, 0, Number.NaN)],
    ['boxes of another shape', 'ARRAY_INVALID /arrays/jointBounds', (m) => boxes(m, { shape: [6, 4] })],
    ['boxes of another layout', 'ARRAY_INVALID /arrays/jointBounds', (m) => boxes(m, { layout: 'tr' })],
])('%s', async (_, line, spoil) => {
    expect(complaints(await verifyBake(input, bakeOf(spoil)))).toContainEqual(line);
});

describe('stretched columns', () => {
    let stretched: FullBake;
    let source: string;
    beforeAll(async () => {
        source = stretchedFile(folder(), 3, 1, true, false);
        stretched = await fullBake(source, { ...OPTIONS, maxError: 0.1 });
    });

    /** Columns 1, 2, 3, 5 and the mesh, which is 6, are stretched. */
    const TEXELS = 19;
    const at = (row: number, texel: number, k: number) => ((row * TEXELS + texel) * 4 + k) * 2;

    test('a right bake passes', async () => {
        expect(stretched.manifest.arrays.palette.shape.slice(1)).toEqual([TEXELS, 4]);
        expect(complaints(await verifyBake(source, copyOf(stretched).write(folder())))).toEqual([]);
    });

    test.each<[string, string, Spoil]>([
        ['a number of the third row', wrong(1), (_, bin) => changeHalf(bin, at(ROW, 14, 2), (bits) => bits + 300)],
        ['a number of the second row', wrong(2), (_, bin) => changeHalf(bin, at(ROW, 5, 1), (bits) => bits + 300)],
        ['a place', wrong(3), (_, bin) => changeHalf(bin, at(ROW, 6, 3), (bits) => bits + 300)],
        [
            'a third row at another place',
            'ARRAY_INVALID /arrays/palette',
            (m) => m.arrays.palette.pivots[1].splice(3, 1, 15),
        ],
        ['a fifth number', 'ARRAY_INVALID /arrays/palette', (m) => m.arrays.palette.pivots[1].push(0)],
        ['a missing third row', 'ARRAY_INVALID /arrays/palette', (m) => m.arrays.palette.pivots[4].push(19)],
        [
            'columns instead of texels',
            'ARRAY_INVALID /arrays/palette',
            (m) => m.arrays.palette.shape.splice(1, 2, 7, 8),
        ],
        ['a stated error that is too small', 'CLIP_DIFFERS /clips/0/error/maxLerp', scaleError('maxLerp', 0.99)],
    ])('%s', async (_, line, spoil) => {
        const bake = copyOf(stretched);
        spoil(bake.manifest, bake.bin);
        expect(complaints(await verifyBake(source, bake.write(folder())))).toContainEqual(line);
    });
});

describe('diff', () => {
    test('the differing number, decoded from half float; the differing box, without a clip', async () => {
        const after = bakeOf((m, bin) => {
            bin.writeUInt16LE(bin.readUInt16LE(halfAt(ROW, 2, 5)) + 1, halfAt(ROW, 2, 5));
            const at = m.arrays.jointBounds.byteOffset + (2 * 6 + 4) * 4;
            bin.writeFloatLE(bin.readFloatLE(at) + 1, at);
        });
        const { sameValues, manifest, arrays } = await diffBakes(bakeOf(), after);
        expect([sameValues, manifest]).toEqual([false, []]);
        expect(arrays.map(({ array, kind, count }) => [array, kind, count])).toEqual([
            ['bounds', 'equal', 0],
            ['jointBounds', 'values', 1],
            ['palette', 'values', 1],
        ]);
        expect(arrays[1]!.greatest).toMatchObject({
            animation: -1,
            clip: '',
            at: [2, 4],
            difference: expect.closeTo(1, 5),
        });
        expect(arrays[2]!.greatest).toMatchObject({ animation: 0, frame: ROW, at: [2, 5] });
        expect(arrays[2]!.greatest!.difference).toBeLessThan(2e-3);
    });

    test('other columns cannot be compared', async () => {
        const { outputs } = await bakeFile(input, { ...OPTIONS, attachments: 'none' });
        const { arrays } = await diffBakes(bakeOf(), (await writeBake(outputs, folder()))[0]!.json);
        expect(arrays.map(({ array, kind }) => `${array} ${kind}`)).toEqual([
            'bounds values',
            'jointBounds shape',
            'palette shape',
        ]);
    });
});
