// SPDX-License-Identifier: MIT

/** Columns of meshes, tables of another model, and inputs of the shader. Rendered images: test/long/browser. */

import type * as Babylon from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { createBakedAnimation } from '../../lib/babylon';
import { smallTable } from '../three/support/small-scene';
import { eightInfluences } from './support/eight-influences';
import { loadBabylon } from './support/load-babylon';

let BABYLON: typeof Babylon;
beforeAll(async () => {
    BABYLON = await loadBabylon();
});

/** Like small-scene.ts without the skinned mesh: a hat that moves with the fan, the fan, a floor. */
const LONE = {
    joints: [],
    attachments: [
        { node: 3, name: 'The Hat', parent: -1 },
        { node: 4, name: 'fan', parent: -1 },
    ],
};
const lone = (change?: Parameters<typeof smallTable>[1]) => smallTable(LONE, change);

let engine: Babylon.NullEngine;
beforeEach(() => {
    engine = new BABYLON.NullEngine();
});
afterEach(() => engine.dispose());

function smallModel(...names: string[]) {
    const scene = new BABYLON.Scene(engine);
    const root = new BABYLON.Mesh('__root__', scene);
    const meshes = names.map((name) => {
        const mesh = BABYLON.CreateBox(name, {}, scene);
        mesh.parent = root;
        return mesh;
    });
    return [root, ...meshes];
}
const all = () => smallModel('The Hat', 'fan', 'floor');
const made = (options?: Parameters<typeof createBakedAnimation>[3]) =>
    createBakedAnimation(BABYLON, lone(), all(), options);
const parametersOf = ({ managers }: ReturnType<typeof createBakedAnimation>) =>
    managers[0]!.animationParameters.asArray();

test('meshes get their columns by name; others do not change', () => {
    const meshes = all();
    const { meshes: moving } = createBakedAnimation(BABYLON, lone(), meshes);
    expect(moving.map(({ name }) => name)).toEqual(['The Hat', 'fan']);
    expect(moving.map((mesh) => mesh.getVerticesData('matricesIndices')![0])).toEqual([0, 1]);
    expect(meshes[3]!.bakedVertexAnimationManager ?? null).toBeNull();
});

test('thin instances with joints 5 to 8 keep the bounds of the bake, and rays hit them where they are drawn', () => {
    const table = smallTable({ attachments: [], at: (row, column) => [column * row * 0.5, 0, 0] });
    const model = eightInfluences(BABYLON, new BABYLON.Scene(engine));
    const animation = createBakedAnimation(BABYLON, table, model, { instances: 2 });
    animation.place(Float32Array.from([0, 10].flatMap((y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1])));
    animation.pose(0, Float64Array.of(0, 0.2), { loop: 'clamp' }); // rows 0 and 2: the vertex of the knee at x = 1 and 2
    const [mesh] = animation.meshes;
    const box = () => {
        const { minimum, maximum } = mesh!.getBoundingInfo();
        return [...minimum.asArray(), ...maximum.asArray()];
    };
    expect(box()).toEqual([-2, -2, -2, 2, 12, 2]);
    const pick = (x: number, y: number) => {
        const ray = new BABYLON.Ray(new BABYLON.Vector3(x, y, -9), new BABYLON.Vector3(0, 0, 1), 100);
        return mesh!.getScene().pickWithRay(ray)!;
    };
    expect(pick(1.8, 10.1)).toMatchObject({ hit: true, thinInstanceIndex: 1, distance: 9 });
    expect(pick(1.8, 0.1).hit).toBe(false);
    expect(box()).toEqual([-2, -2, -2, 2, 12, 2]);
});

test('by the nodes of the file, if they are known', () => {
    const meshes = smallModel('fan', 'fan');
    for (const [i, node] of [3, 4].entries()) {
        Object.assign(meshes[i + 1]!, { _internalMetadata: { gltf: { pointers: [`/nodes/${node}`] } } });
    }
    const { attachments } = LONE;
    const table = smallTable({ ...LONE, attachments: attachments.map((one) => ({ ...one, name: 'fan' })) });
    const { meshes: moving } = createBakedAnimation(BABYLON, table, meshes);
    expect(moving.map((mesh) => mesh.getVerticesData('matricesIndices')![0])).toEqual([0, 1]);
    expect(() => createBakedAnimation(BABYLON, table, smallModel('fan', 'fan'))).toThrow(
        expect.objectContaining({ code: 'ERR_AMBIGUOUS_NAME' }),
    );
});

test.each<[string, () => unknown, string, RegExp]>([
    ['a mesh is missing', () => createBakedAnimation(BABYLON, lone(), smallModel('fan')), 'ERR_MODEL_DIFFERS', /Hat/],
    ['no skin', () => createBakedAnimation(BABYLON, smallTable(), all()), 'ERR_MODEL_DIFFERS', /2 joints.*'hip'/],
    ['no meshes', () => createBakedAnimation(BABYLON, lone(), []), 'ERR_COUNT_RANGE', /meshes is empty/],
    ['half an instance', () => made({ instances: 0.5 }), 'ERR_COUNT_RANGE', /0\.5/],
    [
        'more instances than rows of a texture',
        () => made({ instances: 9, maxSize: 8 }),
        'ERR_COUNT_RANGE',
        /instances is 9/,
    ],
    ['too many times', () => made().pose(0, new Float64Array(2)), 'ERR_BUFFER_LENGTH', /2 elements/],
    ['no clip', () => made().play(2, new Float64Array(1)), 'ERR_INDEX_RANGE', /clips/],
    ['matrices without thin instances', () => made().place(new Float32Array(16)), 'ERR_BUFFER_LENGTH', /needs 0/],
])('rejected: %s', (_, call, code, message) => {
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});

test('the shader shows a row of the table, or the spare row with an interpolated pose', () => {
    const uploads = jest.fn();
    Object.assign(engine, { updateTextureData: uploads });
    const animation = made();
    expect(parametersOf(animation)).toEqual([0, 0, 0, 0]);
    animation.pose(1, Float64Array.of(0.1));
    expect(parametersOf(animation)).toEqual([4, 4, 0, 0]);
    expect(uploads).not.toHaveBeenCalled();
    animation.pose(0, Float64Array.of(0.05));
    expect(parametersOf(animation)).toEqual([6, 6, 0, 0]);
    const [, row, x, y, width, height] = uploads.mock.calls[0] as [unknown, Float32Array, ...number[]];
    expect([x, y, width, height]).toEqual([0, 6, 8, 1]);
    expect(row[12]).toBeCloseTo(5, 5);
    animation.pose(0, Float64Array.of(0.06), { between: 'nearest' });
    expect(parametersOf(animation)).toEqual([1, 1, 0, 0]);
    const fade = { clips: 1, times: Float64Array.of(0.1) };
    animation.pose(0, Float64Array.of(0), { to: { ...fade, weight: 1 } });
    expect(parametersOf(animation)).toEqual([4, 4, 0, 0]);
    animation.pose(0, Float64Array.of(0), { to: { ...fade, weight: 0.5 } });
    expect(parametersOf(animation)).toEqual([6, 6, 0, 0]);
    animation.play(1, Float64Array.of(0.5), 2);
    const [first, last, offset, rate] = parametersOf(animation);
    expect([first, last, offset]).toEqual([3, 5, 0.5]);
    expect(rate).toBeCloseTo(30, 4);
});

test('after free, meshes play nothing', () => {
    const animation = made();
    animation.dispose();
    expect(animation.meshes.map((mesh) => mesh.bakedVertexAnimationManager)).toEqual([null, null]);
});

describe('skins that share a palette after a scale and a translation', () => {
    const RESCALED = { skin: 1, scale: 0.5, translation: [1, 2, 3], error: 0 };
    const shared = () =>
        smallTable({ attachments: [] }, ({ skin }) => Object.assign(skin, { indices: [0], rescaled: [RESCALED] }));
    const at = (node: unknown, index: number) =>
        Object.assign(node as object, { _internalMetadata: { gltf: { pointers: [`/nodes/${index}`] } } });

    /** A mesh for each skin, as the glTF loader makes it; the second has a morph target. */
    function skinnedModel(known = true): Babylon.Mesh[] {
        const scene = new BABYLON.Scene(engine);
        const root = new BABYLON.Mesh('__root__', scene);
        const nodes = ['hip', 'knee'].map((name) => new BABYLON.TransformNode(name, scene));
        if (known) for (const [i, node] of nodes.entries()) at(node, i);
        const meshes = [0, 1].map((skin) => {
            const mesh = BABYLON.CreateBox(`part${skin}`, {}, scene);
            mesh.parent = root;
            mesh.skeleton = new BABYLON.Skeleton(`skin${skin}`, `skeleton${skin}`, scene);
            for (const [i, node] of nodes.entries()) {
                const bind = BABYLON.Matrix.Translation(skin, 0, 0);
                const bone = new BABYLON.Bone(node.name, mesh.skeleton, null, null, null, bind, i);
                bone.linkTransformNode(node);
            }
            return mesh;
        });
        const manager = new BABYLON.MorphTargetManager(scene);
        const target = new BABYLON.MorphTarget('smile', 0, scene);
        target.setPositions(meshes[1]!.getVerticesData('position')!.map((x) => x + 1));
        manager.addTarget(target);
        meshes[1]!.morphTargetManager = manager;
        return [root, ...meshes];
    }
    const rescaledOf = (positions: Babylon.FloatArray) =>
        Array.from(positions, (x, i) => RESCALED.scale * x + RESCALED.translation[i % 3]!);

    test('vertices and morph targets move to its space; those of the first skin do not change', () => {
        const [, first, second] = skinnedModel() as [Babylon.Mesh, Babylon.Mesh, Babylon.Mesh];
        const positions = Array.from(first.getVerticesData('position')!);
        const { meshes } = createBakedAnimation(BABYLON, shared(), [first, second]);
        expect(meshes).toEqual([first, second]);
        expect(Array.from(first.getVerticesData('position')!)).toEqual(positions);
        expect(Array.from(second.getVerticesData('position')!)).toEqual(rescaledOf(positions));
        const target = second.morphTargetManager!.getTarget(0).getPositions()!;
        expect(Array.from(target)).toEqual(rescaledOf(positions.map((x) => x + 1)));
    });

    test('meshes that share vertices are changed once each', () => {
        const [root, first, second] = skinnedModel() as [Babylon.Mesh, Babylon.Mesh, Babylon.Mesh];
        const positions = Array.from(first.getVerticesData('position')!);
        const copy = second.clone('copy', root);
        copy.skeleton = second.skeleton;
        createBakedAnimation(BABYLON, shared(), [first, second, copy]);
        for (const mesh of [second, copy]) {
            expect(Array.from(mesh.getVerticesData('position')!)).toEqual(rescaledOf(positions));
            const target = mesh.morphTargetManager!.getTarget(0).getPositions()!;
            expect(Array.from(target)).toEqual(rescaledOf(positions.map((x) => x + 1)));
        }
    });

    test('not without the skin of each mesh', () => {
        expect(() => createBakedAnimation(BABYLON, shared(), skinnedModel(false))).toThrow(
            expect.objectContaining({ code: 'ERR_AMBIGUOUS_NAME' }),
        );
    });
});
