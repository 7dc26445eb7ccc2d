// SPDX-License-Identifier: MIT

/** `bakedGlb` keeps every number of a model that is micrometers large, or almost at its default. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakedGlb } from '../../../lib/bake/dense';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { GltfBuilder, keyed, type NodeSpec } from '../../support/gltf-builder';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

/** A root that a clip moves by 9 um, and a joint below it. */
function tinyModel(tip: NodeSpec, morphs: readonly number[] = []): string {
    const builder = new GltfBuilder([{ children: [1] }, tip]);
    builder.skinnedMesh(builder.skin([0, 1]), {}, morphs);
    builder.animation('move', [keyed(0, 'translation', [0, 1], [0, 0, 0], [9e-6, 0, 0])]);
    return builder.write(folder(), 'tiny');
}

async function bakedOf(path: string): Promise<DoubleEvaluator> {
    const output = join(folder(), 'tiny.baked.glb');
    writeFileSync(output, await bakedGlb(path, { fps: 2 }));
    return DoubleEvaluator.load(output);
}

test.each<[string, NodeSpec]>([
    ['translation', { translation: [0, 8e-6, -3e-12] }],
    ['rotation', { rotation: [6e-6, 0, 0, 1] }],
    ['scale', { scale: [1.000008, 1, 0.999995] }],
    ['all three', { translation: [1e-9, 0, 0], rotation: [0, -2e-6, 0, 1], scale: [1, 1, 1.000001] }],
])('a %s within 1e-5 of the default, at rest and in clips', async (_, tip) => {
    const path = tinyModel(tip);
    const [source, baked] = [await DoubleEvaluator.load(path), await bakedOf(path)];
    expect(baked.file.json.nodes![1]).toMatchObject(tip);
    expect(baked.palette(0, null, 0)).toEqual(source.palette(0, null, 0));
    for (const time of [0, 0.5, 1]) expect(baked.palette(0, 0, time)).toEqual(source.palette(0, 0, time));
});

test('morph weights within 1e-5 of 0', async () => {
    const baked = await bakedOf(tinyModel({}, [4e-6, -7e-9]));
    expect(baked.weights(2, null, 0)).toEqual([4e-6, -7e-9]);
});

test('colors within 1e-5 of the default', async () => {
    const path = tinyModel({});
    const pbrMetallicRoughness = { baseColorFactor: [1, 1, 1, 0.999995] };
    const materials = [{ emissiveFactor: [5e-6, 0, 0], pbrMetallicRoughness }, {}];
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), materials }));
    const baked = await bakedOf(path);
    expect((baked.file.json as { materials?: unknown }).materials).toEqual([
        materials[0],
        { pbrMetallicRoughness: {} },
    ]);
});

test('defaults are not written', async () => {
    const { nodes } = (await bakedOf(tinyModel({}))).file.json;
    expect(nodes!.map((node) => Object.keys(node).filter((key) => /translation|rotation|scale/.test(key)))).toEqual([
        [],
        [],
        [],
    ]);
});

test('a small matrix far away must be rotation and scale relative to its size', async () => {
    const shear = [1e-3, 0, 0, 0, 9e-4, 1e-3, 0, 0, 0, 0, 1e-3, 0, 2000, 0, 0, 1];
    await expect(bakedGlb(tinyModel({ matrix: shear }))).rejects.toMatchObject({ code: 'MATRIX_NOT_TRS' });
    const moved = [1e-3, 0, 0, 0, 0, 1e-3, 0, 0, 0, 0, 1e-3, 0, 2000, 0, 0, 1];
    expect((await bakedOf(tinyModel({ matrix: moved }))).globals(null, 0)[1 * 16 + 12]).toBe(2000);
});
