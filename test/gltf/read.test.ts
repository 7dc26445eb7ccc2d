// SPDX-License-Identifier: MIT

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readGltfBytes } from '../../lib/gltf/read';
import type { SkinnedMesh } from '../../lib/gltf/scene';
import { describeUnless } from '../support/unless';
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

test('a file with neither skins nor animations is valid', async () => {
    const scene = await read(new TextEncoder().encode('{"asset":{"version":"2.0"}}'));
    expect(scene).toMatchObject({ nodes: [], skins: [], animations: [], skinnedMeshes: [], warnings: [] });
});

test('properties named like inherited members are harmless', async () => {
    const text = Buffer.from(skinnedModel().toGltf()).toString();
    const hostile = text.replace(/^\{/, '{"__proto__":{"nodes":7},"constructor":null,"toString":1,');
    const scene = await read(new TextEncoder().encode(hostile));
    expect(scene.nodes).toHaveLength(4);
});

const models = path.resolve(__dirname, '../../../shared/models');

describeUnless(!existsSync(models) && '../shared/models is absent', 'real models', () => {
    const nonUnit = ['NON_UNIT_ROTATION'];

    test.each<[file: string, nodes: number, joints: number[], clips: number, vertices: number[], warnings: string[]]>([
        ['Fox.glb', 26, [24], 3, [1728], []],
        ['RiggedFigure/RiggedFigure.gltf', 22, [19], 1, [370], []],
        ['SimpleSkin/SimpleSkin.gltf', 3, [2], 1, [10], nonUnit],
        ['SimpleSkin/SimpleSkin-multi-target.gltf', 4, [2], 1, [10, 10], nonUnit],
        ['InterpolationTest/InterpolationTest.gltf', 12, [], 9, [], []],
        ['KayKit/Knight.glb', 57, [41], 76, [486, 486, 1141, 727, 438, 438], []],
    ])('%s', async (file, ...expected) => {
        const { nodes, skins, animations, skinnedMeshes, warnings } = await readGltf(path.join(models, file));
        const vertices = ({ primitives }: SkinnedMesh) =>
            primitives.reduce((sum, p) => sum + p.positions.length / 3, 0);
        expect([
            nodes.length,
            skins.map(({ joints }) => joints.length),
            animations.length,
            skinnedMeshes.map(vertices),
            warnings.map(({ code }) => code),
        ]).toEqual(expected);
    });
});
