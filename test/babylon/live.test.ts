// SPDX-License-Identifier: MIT

/** The boxes of live crowds, and rejected arguments. Rendered images: test/long/browser/whole-scenes.ts. */

import type * as Babylon from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { createLiveCrowd } from '../../lib/babylon';
import { Rig } from '../../lib/rig';
import { eightInfluences } from './support/eight-influences';
import { loadBabylon } from './support/load-babylon';

let BABYLON: typeof Babylon;
let engine: Babylon.NullEngine;
beforeAll(async () => {
    BABYLON = await loadBabylon();
    engine = new BABYLON.NullEngine();
    engine.updateTextureData = () => {}; // it needs WebGL
});
afterAll(() => engine.dispose());

/** A root that turns and scales, with a mast (a box 2 high). */
function boxOnRoot() {
    const scene = new BABYLON.Scene(engine);
    const root = new BABYLON.Mesh('__root__', scene);
    const mast = BABYLON.CreateBox('mast', { height: 2 }, scene);
    mast.parent = root;
    return [root, mast];
}
const rig = Rig.create({
    parents: [-1, 0],
    rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 3, 0, 0, 0, 0, 1, 1, 1, 1],
    names: ['ship', 'mast'],
});

/** Translation matrices with these x, y and z. */
const places = (...all: [number, number, number][]) =>
    Float32Array.from(all.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]));

test('boxes contain all instances in their poses and positions', () => {
    const crowd = createLiveCrowd(BABYLON, rig, boxOnRoot(), 2);
    const [mesh] = crowd.meshes;
    const box = () => {
        const { minimum, maximum } = mesh!.getBoundingInfo();
        return [...minimum.asArray(), ...maximum.asArray()];
    };
    expect(box()).toEqual([-0.5, 2, -0.5, 0.5, 4, 0.5]);
    const poses = rig.createPoses(2);
    rig.setLocal(poses, 1, 0, Float32Array.of(0, 10, 0, 0, 0, 0, 1, 2, 2, 2)); // the mast is at 16, 4 high
    rig.toGlobal(poses);
    crowd.update(poses);
    expect(box()).toEqual([-1, 2, -1, 1, 18, 1]);
    crowd.place(places([0, -100, 0], [50, 0, 0]));
    expect(box()).toEqual([-0.5, -98, -1, 51, 18, 1]);
    const ray = new BABYLON.Ray(new BABYLON.Vector3(50, 17, -9), new BABYLON.Vector3(0, 0, 1), 100);
    const pick = (at: number) => {
        ray.origin.y = at;
        return mesh!.getScene().pickWithRay(ray)!;
    };
    expect(pick(17)).toMatchObject({ hit: true, thinInstanceIndex: 1, distance: 8 });
    expect(pick(3).hit).toBe(false);
    expect(box()).toEqual([-0.5, -98, -1, 51, 18, 1]);
    crowd.dispose();
    expect(mesh!.bakedVertexAnimationManager).toBeNull();
});

test('boxes contain vertices that only joints 5 to 8 move, and rays hit them', () => {
    const skinned = Rig.create({
        parents: [-1, 0],
        rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
        names: ['hip', 'knee'],
        skins: [{ joints: [0, 1] }],
        meshes: [{ node: 0, skin: 0, positions: [0, 0, 0], joints: [0, 0, 0, 0], weights: [1, 0, 0, 0] }],
    });
    const crowd = createLiveCrowd(BABYLON, skinned, eightInfluences(BABYLON, new BABYLON.Scene(engine)), 2);
    const poses = skinned.createPoses(2);
    skinned.setLocal(poses, 0, 1, Float32Array.of(0, 0, -5, 0, 0, 0, 1, 1, 1, 1)); // (1, 0, 0) to (1, 0, -5)
    skinned.setLocal(poses, 1, 1, Float32Array.of(8, 0, 0, 0, 0, 0, 1, 1, 1, 1)); // to (9, 0, 0), (0, 1, 0) to (4, 1, 0)
    skinned.toGlobal(poses);
    crowd.update(poses);
    crowd.place(places([0, 0, 0], [0, 10, 0]));
    const [mesh] = crowd.meshes;
    const { minimum, maximum } = mesh!.getBoundingInfo();
    expect([...minimum.asArray(), ...maximum.asArray()]).toEqual([0, 0, -5, 9, 11, 0]);
    const pick = (x: number, y: number) => {
        const ray = new BABYLON.Ray(new BABYLON.Vector3(x, y, -9), new BABYLON.Vector3(0, 0, 1), 100);
        return mesh!.getScene().pickWithRay(ray)!;
    };
    expect(pick(7, 10.2)).toMatchObject({ hit: true, thinInstanceIndex: 1, distance: 9 });
    expect(pick(0.5, 0.1)).toMatchObject({ hit: true, thinInstanceIndex: 0 });
    expect(pick(0.5, 0.1).pickedPoint!.z).toBeCloseTo(-2.75, 6); // halfway to (1, 0, -5), a tenth of the way to (0, 1, -2.5)
    expect(pick(7, 10.8).hit).toBe(false);
});

test.each<[string, () => unknown, string, RegExp]>([
    ['no rig', () => createLiveCrowd(BABYLON, {} as Rig, boxOnRoot(), 1), 'ERR_ARGUMENT_TYPE', /rig must be a Rig/],
    ['no instances', () => createLiveCrowd(BABYLON, rig, boxOnRoot(), 0), 'ERR_COUNT_RANGE', /count must be .*above 0/],
    ['no meshes', () => createLiveCrowd(BABYLON, rig, [], 1), 'ERR_COUNT_RANGE', /meshes is empty/],
    [
        'more than lines of a texture',
        () => createLiveCrowd(BABYLON, rig, boxOnRoot(), 9, { maxSize: 8 }),
        'ERR_COUNT_RANGE',
        /count is 9/,
    ],
    [
        'more columns than a texture has',
        () => createLiveCrowd(BABYLON, rig, boxOnRoot(), 1, { maxSize: 3 }),
        'ERR_COUNT_RANGE',
        /4 texels/,
    ],
    [
        'no poses',
        () => createLiveCrowd(BABYLON, rig, boxOnRoot(), 1).update(null!),
        'ERR_ARGUMENT_TYPE',
        /must be Poses/,
    ],
])('rejected: %s', (_, call, code, message) => {
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});
