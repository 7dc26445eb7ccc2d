// SPDX-License-Identifier: MIT

/** Skins that quantization gave to each mesh share a palette. Their faults: test/verify/sharing.test.ts. */

import { readFileSync, writeFileSync } from 'node:fs';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import { verifyBake } from '../../../lib/verify';
import { DYADIC, type Part, quantizedModel, ROUNDED } from '../../support/quantized-model';
import { scratchFolder } from '../../support/temporary-folder';
import { readVat } from '../../support/vat';

const folder = scratchFolder();
const ALL: BakeOptions = { fps: 12, emit: ['palette', 'morph', 'bounds', 'jointBounds'] };

test('one palette for all, with a third of the bytes; the manifest states the transform of vertices', async () => {
    const { outputs, warnings } = await bakeFile(quantizedModel(folder(), 'parts', ROUNDED), { fps: 12 });
    expect(outputs.map(({ stem, skin, manifest }) => [stem, skin, manifest.skin!.indices])).toEqual([
        ['parts', 0, [0]],
    ]);
    expect(warnings.filter(({ code }) => code === 'SKINS_ALIKE')).toEqual([]);
    expect(outputs[0]!.bin.length).toBe(13 * 2 * 64);
    const [first, ...others] = ROUNDED;
    for (const [i, { scale, translation }] of others.entries()) {
        const { skin, error, ...found } = outputs[0]!.manifest.skin!.rescaled![i]!;
        expect(skin).toBe(i + 1);
        expect(found.scale).toBeCloseTo(scale / first!.scale, 6);
        for (const c of [0, 1, 2])
            expect(found.translation[c]).toBeCloseTo((translation[c]! - first!.translation[c]!) / first!.scale, 6);
        expect(error).toBeGreaterThan(0);
        expect(error).toBeLessThan(1e-6 * outputs[0]!.manifest.extent);
    }
});

test('without rounding, the bytes are those of the model before its quantization', async () => {
    const parts = [{ scale: 1, translation: [0, 0, 0] } as const, ...DYADIC];
    const [after, before] = await Promise.all(
        [false, true].map(async (whole) => {
            const { outputs, files } = await bakeFile(quantizedModel(folder(), `whole-${whole}`, parts, { whole }), {
                ...ALL,
                emit: [...ALL.emit!, 'pvat'],
            });
            expect(outputs).toHaveLength(1);
            return { ...outputs[0]!, vat: readVat(files[0]!.bytes) };
        }),
    );
    expect(Buffer.from(after!.bin).equals(before!.bin)).toBe(true);
    const { clips, extent, skin } = after!.manifest;
    expect([clips, extent]).toEqual([before!.manifest.clips, before!.manifest.extent]);
    expect(skin!.rescaled).toEqual(DYADIC.map((part, i) => ({ ...part, skin: i + 1, error: 0 })));
    expect(before!.manifest.skin).not.toHaveProperty('rescaled', expect.anything());
    for (let vertex = 0; vertex < 12 * parts.length; vertex++)
        expect(after!.vat.position(vertex, 6)).toEqual(before!.vat.position(vertex, 6));
});

test('also equal skins', async () => {
    const [first, second] = ROUNDED as [Part, Part];
    const path = quantizedModel(folder(), 'equal', [first, second, first, second]);
    const { outputs } = await bakeFile(path, ALL);
    const { indices, rescaled } = outputs[0]!.manifest.skin!;
    expect([outputs.length, indices, rescaled!.map(({ skin }) => skin)]).toEqual([1, [0, 2], [1, 3]]);
    expect(rescaled![0]).toEqual({ ...rescaled![1], skin: 1 });
    const [files] = await writeBake(outputs, folder());
    expect(await verifyBake(path, files!.json)).toMatchObject({ ok: true, problems: [] });
});

test('a mesh with two such skins', async () => {
    const path = quantizedModel(folder(), 'twice', ROUNDED);
    const json = JSON.parse(readFileSync(path, 'utf8'));
    const [, , first, second] = json.nodes;
    second.mesh = first.mesh;
    writeFileSync(path, JSON.stringify(json));
    const { outputs } = await bakeFile(path, ALL);
    const [files] = await writeBake(outputs, folder());
    expect(await verifyBake(path, files!.json)).toMatchObject({ ok: true, problems: [] });
});

const [ONE] = ROUNDED as [Part];
const withMatrix = (matrix: readonly number[]): Part => ({ ...ONE, matrix });
const turn = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

test.each<[string, Part, number]>([
    ['a rotation', withMatrix(turn), 0],
    ['an uneven scale', withMatrix([1, 0, 0, 0, 0, 1.01, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), 0],
    ['a mirror', withMatrix([-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]), 0],
    ['no inverse', withMatrix([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), 0],
    ['rounding far from the origin that would be visible at vertices', ROUNDED[1]!, 4095.9],
])('not shared: %s', async (_, other, far) => {
    const { outputs } = await bakeFile(quantizedModel(folder(), 'apart', [ONE, other], { far }), { fps: 12 });
    expect(outputs.map(({ manifest: { skin } }) => skin!.indices)).toEqual([[0], [1]]);
    expect(outputs.every(({ manifest: { skin } }) => skin!.rescaled === undefined)).toBe(true);
});
