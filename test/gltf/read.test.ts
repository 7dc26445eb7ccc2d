// SPDX-License-Identifier: MIT

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readGltfBytes } from '../../lib/gltf/read';
import type { GltfScene } from '../../lib/gltf/scene';
import { skinnedModel } from './support/builder';
import { read, readGltf } from './support/faults';

test('the scene has the name of the file without its folder', async () => {
    const bytes = skinnedModel().toGlb();
    expect((await readGltfBytes(bytes, { name: 'assets/hero.glb' })).name).toBe('hero.glb');
});

test('a fault names the file as the caller did', async () => {
    await expect(readGltfBytes(new Uint8Array(0), { name: 'assets/hero.glb' })).rejects.toMatchObject({
        file: 'assets/hero.glb',
        message: expect.stringMatching(/^assets\/hero\.glb: /),
    });
});

test('a file with neither skins nor animations is fine', async () => {
    const scene = await read(new TextEncoder().encode('{"asset":{"version":"2.0"}}'));
    expect(scene).toMatchObject({ nodes: [], skins: [], animations: [], skinnedMeshes: [], warnings: [] });
});

test('properties of the JSON that are named like those of all objects do no harm', async () => {
    const text = Buffer.from(skinnedModel().toGltf()).toString();
    const hostile = text.replace(/^\{/, '{"__proto__":{"nodes":7},"constructor":null,"toString":1,');
    const scene = await read(new TextEncoder().encode(hostile));
    expect(scene.nodes).toHaveLength(4);
});

const models = path.resolve(__dirname, '../../../shared/models');

/** What is in a scene, in numbers. */
const census = ({ nodes, skins, animations, skinnedMeshes, warnings }: GltfScene) => ({
    nodes: nodes.length,
    joints: skins.map(({ joints }) => joints.length),
    clips: animations.length,
    channels: animations.reduce((sum, { channels }) => sum + channels.length, 0),
    vertices: skinnedMeshes.map(({ primitives }) => primitives.reduce((sum, p) => sum + p.positions.length / 3, 0)),
    warnings: warnings.map(({ code, pointer }) => `${code} ${pointer}`),
});

const available = existsSync(models);
const describeModels = available ? describe : describe.skip;
describeModels(`real models${available ? '' : ' (skipped: ../shared/models is absent)'}`, () => {
    const open = async (file: string) => census(await readGltf(path.join(models, file)));
    const nonUnit = 'NON_UNIT_ROTATION /animations/0/channels/0';

    test.each([
        ['Fox.glb', { nodes: 26, joints: [24], clips: 3, channels: 63, vertices: [1728], warnings: [] }],
        [
            'RiggedFigure/RiggedFigure.gltf',
            { nodes: 22, joints: [19], clips: 1, channels: 57, vertices: [370], warnings: [] },
        ],
        [
            'SimpleSkin/SimpleSkin.gltf',
            { nodes: 3, joints: [2], clips: 1, channels: 1, vertices: [10], warnings: [nonUnit] },
        ],
        [
            'SimpleSkin/SimpleSkin-multi-target.gltf',
            { nodes: 4, joints: [2], clips: 1, channels: 1, vertices: [10, 10], warnings: [nonUnit] },
        ],
        [
            'InterpolationTest/InterpolationTest.gltf',
            { nodes: 12, joints: [], clips: 9, channels: 9, vertices: [], warnings: [] },
        ],
        [
            'KayKit/Knight.glb',
            {
                nodes: 57,
                joints: [41],
                clips: 76,
                channels: 8712,
                vertices: [486, 486, 1141, 727, 438, 438],
                warnings: [],
            },
        ],
    ])('%s', async (file, expected) => {
        expect(await open(file)).toEqual(expected);
    });
});
