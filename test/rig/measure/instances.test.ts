// SPDX-License-Identifier: MIT

/** EXT_mesh_gpu_instancing: bounds include all instances, a warning says that palettes lack them, verify agrees. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import { verifyBake } from '../../../lib/verify';
import { GltfBuilder, keyed } from '../../support/gltf-builder';
import { random as randomOf, randomRotation, randomVector } from '../../support/random';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
const random = randomOf(4);
const ALL: BakeOptions = { fps: 2, emit: ['palette', 'bounds', 'jointBounds', 'pvat'] };

interface Places {
    translation?: number[][];
    rotation?: number[][];
    scale?: number[][];
}

const points = (...list: number[][]) => list;
const CORNERS = points([0.2, 0, 0], [0, 0.3, 0], [0, 0, -0.1]);

type Accessors = { accessor(type: string, elements: readonly number[][]): number };
const accessorIn = (builder: GltfBuilder, list: readonly number[][]) =>
    (builder as unknown as Accessors).accessor(list[0]!.length === 3 ? 'VEC3' : 'VEC4', list);

/** Writes a model whose nodes have instances with some attributes. */
function instanced(builder: GltfBuilder, name: string, nodes: number[], attributes: Record<string, number>): string {
    const path = builder.write(folder(), name);
    const json = JSON.parse(readFileSync(path, 'utf8'));
    for (const node of nodes) json.nodes[node].extensions = { EXT_mesh_gpu_instancing: { attributes } };
    json.extensionsUsed = ['EXT_mesh_gpu_instancing'];
    writeFileSync(path, JSON.stringify(json));
    return path;
}

/** Node 1, pillars, has an animated parent; node 2, a fence, does not move. Both have these instances. */
function model(places: Places | null, others: Record<string, number> = {}): string {
    const builder = new GltfBuilder([{ children: [1] }, { name: 'pillars' }, { name: 'fence' }]);
    const mesh = builder.rigidMesh(CORNERS);
    for (const node of [1, 2]) builder.nodes[node]!.mesh = mesh;
    builder.animation('rise', [keyed(0, 'translation', [0, 1], [0, 0, 0], [0, 1, 0])]);
    if (places === null) return builder.write(folder(), 'pillars');
    const lists = Object.entries(places).map(([name, list]) => [name.toUpperCase(), accessorIn(builder, list)]);
    return instanced(builder, 'pillars', [1, 2], { ...others, ...Object.fromEntries(lists) });
}

const warningsOf = async (path: string, options: BakeOptions = ALL) =>
    (await bakeFile(path, options)).warnings.filter(({ code }) => code === 'INSTANCES_NOT_BAKED');

test('translated instances: bounds are exactly those of all copies', async () => {
    const path = model({ translation: points([0, 0, 0], [5, 0, 0], [10, 0, -3]) });
    const { manifest } = (await bakeFile(path, ALL)).outputs[0]!;
    expect(manifest.attachments).toHaveLength(1);
    const bounds = [0, 0, -3.1, 10.2, 1.3, 0];
    for (const [side, value] of manifest.clips[0]!.bounds.entries()) expect(value).toBeCloseTo(bounds[side]!, 6);
});

const PLACES = {
    translation: () => randomVector(random, 8),
    rotation: () => randomRotation(random),
    scale: () => randomVector(random, 3),
};

test.each([[['translation']], [['rotation']], [['scale']], [['translation', 'rotation', 'scale']]] as const)(
    '%j: bounds equal those of verify',
    async (names) => {
        const lists = names.map((name) => [name, Array.from({ length: 7 }, PLACES[name])]);
        const path = model(Object.fromEntries(lists));
        await writeBake(await bakeFile(path, ALL), folder());
        expect((await verifyBake(path, join(folder(), 'pillars.bake.json'))).problems).toEqual([]);
    },
);

test('the warning names the extension and the moving node', async () => {
    const path = model({ translation: points([0, 0, 0], [5, 0, 0], [10, 0, 0]) });
    for (const emit of [['palette'], ['pvat'], ['local'], ['palette', 'glb']] as const) {
        const [warning, ...others] = await warningsOf(path, { fps: 2, emit });
        expect(others).toEqual([]);
        expect(warning).toEqual({
            code: 'INSTANCES_NOT_BAKED',
            pointer: '/nodes/1/extensions/EXT_mesh_gpu_instancing',
            message: expect.stringMatching(
                /^EXT_mesh_gpu_instancing draws the mesh of node 1 'pillars' \(3 places\): /,
            ),
        });
    }
    await expect(bakeFile(path, { fps: 2, strict: true, emit: ['palette'] })).rejects.toThrow();
});

test('no warning if nothing is missing', async () => {
    expect(await warningsOf(model(null))).toEqual([]);
    expect(await warningsOf(model({ translation: [[0, 0, 0]], scale: [[1, 1, 1]] }))).toEqual([]);
    expect(await warningsOf(model({ translation: points([0, 0, 1]) }))).toHaveLength(1);
    expect(await warningsOf(model({ translation: points([0, 0, 0], [1, 0, 0]) }), { fps: 2, emit: ['glb'] })).toEqual(
        [],
    );
    expect(await warningsOf(model({}, { _ID: 0 }))).toEqual([]);
});

test('morph weights are measured at the size of the drawn mesh, in the bake and in its verdict', async () => {
    const builder = new GltfBuilder([{ children: [1] }, { name: 'face' }]);
    builder.nodes[1]!.mesh = builder.rigidMesh(CORNERS, [0], [CORNERS.map(() => [0, 0.3, 0])]);
    builder.animation('blink', [
        keyed(0, 'translation', [0, 1], [0, 0, 0], [0, 1, 0]),
        keyed(1, 'weights', [0, 0.2, 0.25, 0.3, 1], [0], [0], [1], [0], [0]),
    ]);
    const SCALE = accessorIn(builder, points([1, 1, 1], [2, 10, 2], [3, -3, 3]));
    const path = instanced(builder, 'face', [1], { SCALE });
    const result = await bakeFile(path, { fps: 2, emit: ['palette', 'morph'] });
    // No frame has the weight of 1, which lifts the second copy by 10 * 0.3.
    expect(result.outputs[0]!.manifest.clips[0]!.error.maxMorph).toBeCloseTo(3, 6);
    await writeBake(result, folder());
    expect((await verifyBake(path, join(folder(), 'face.bake.json'))).problems).toEqual([]);
});
