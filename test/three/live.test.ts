// SPDX-License-Identifier: MIT

/** Uploads of live crowds, their boxes, and rejected arguments. Rendered images: test/long/browser/whole-scenes.ts. */

import type * as Three from 'three' with { 'resolution-mode': 'import' };
import { type Poses, Rig } from '../../lib/rig';
import { createLiveCrowd } from '../../lib/three';
import { random, randomRotation, randomVector } from '../support/random';
import { smallScene, THREE } from './support/small-scene';

const next = random(37);

/** The nodes of {@link smallScene}. */
const NODES = ['hip', 'knee', 'body', 'The Hat', 'fan', 'floor'] as const;
const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0];

function smallRig(names: readonly string[] = NODES): Rig {
    const rest = (y: number) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1];
    return Rig.create({
        parents: [-1, 0, 0, 1, -1, -1],
        rest: [rest(0), rest(0), rest(0), rest(2), rest(0), rest(-1)].flat(),
        names,
        skins: [{ joints: [0, 1] }],
        meshes: [
            {
                node: 2,
                skin: 0,
                positions: TRIANGLE,
                joints: [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
                weights: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
                targets: [{ positions: [0, 0, 1, 0, 0, 0, 0, 0, 0] }],
            },
        ],
    });
}

/** Moves nodes at random, both in a pose and in three.js. */
function move(rig: Rig, poses: Poses, pose: number, small: ReturnType<typeof smallScene>): void {
    for (const name of ['hip', 'knee', 'hat', 'fan'] as const) {
        const slot = rig.slotNamed(name === 'hat' ? 'The Hat' : name);
        const [place, turn, size] = [randomVector(next, 2), randomRotation(next), 0.5 + next()];
        rig.setLocal(poses, pose, slot, Float32Array.of(...place, ...turn, size, size, size));
        small[name].position.fromArray(place);
        small[name].quaternion.fromArray(turn);
        small[name].scale.setScalar(size);
    }
    small.scene.updateMatrixWorld(true);
}

/** A matrix of a crowd's texture, from its rows. */
function matrixOf({ image }: { image: unknown }, row: number, column: number): Three.Matrix4 {
    const { data, width } = image as { data: Float32Array; width: number };
    const [a, b, c] = [0, 4, 8].map((k) => [...data.subarray(row * width * 4 + column * 12).subarray(k, k + 4)]);
    return new THREE.Matrix4().fromArray([...a!, ...b!, ...c!, 0, 0, 0, 1]).transpose();
}

function expectNear(found: Three.Matrix4, expected: Three.Matrix4): void {
    for (const [i, value] of expected.elements.entries()) expect(found.elements[i]).toBeCloseTo(value, 5);
}

test('textures have the matrices of joints and of meshes', () => {
    const [rig, model, small] = [smallRig(), smallScene(), smallScene()];
    const crowd = createLiveCrowd(THREE, rig, model, 5);
    const poses = rig.createPoses(5);
    poses.count = 4;
    const expected = Array.from({ length: 4 }, (_, pose) => {
        move(rig, poses, pose, small);
        const { hip, knee, hat, fan } = small;
        return [hip, knee, hat, fan].map(({ matrixWorld }) => matrixWorld.clone());
    });
    rig.toGlobal(poses);
    const versions = crowd.textures.map(({ version }) => version);
    crowd.update(poses);
    expect(crowd.textures.map(({ version }) => version)).toEqual(versions.map((version) => version + 1));
    const [joints, loose] = crowd.textures;
    for (const [pose, [hip, knee, hat, fan]] of expected.entries()) {
        expectNear(matrixOf(joints!, pose, 0), hip!);
        expectNear(matrixOf(joints!, pose, 1), knee!);
        // In scene order.
        expectNear(matrixOf(loose!, pose, 0), hat!);
        expectNear(matrixOf(loose!, pose, 1), fan!);
    }
    // The last one stays at rest.
    expectNear(matrixOf(joints!, 4, 1), new THREE.Matrix4());
    expectNear(matrixOf(loose!, 4, 0), new THREE.Matrix4().makeTranslation(0, 2, 0));
});

test('a texture with layers is the updated memory', () => {
    const rig = smallRig();
    const crowd = createLiveCrowd(THREE, rig, smallScene(), 30, { maxSize: 12 });
    const poses = rig.createPoses(30);
    rig.setLocal(poses, 29, 0, Float32Array.of(7, 0, 0, 0, 0, 0, 1, 1, 1, 1));
    rig.toGlobal(poses);
    crowd.update(poses);
    const [joints] = crowd.textures;
    expect(joints!.image).toMatchObject({ width: 6, height: 10, depth: 3 });
    expect(matrixOf(joints!, 29, 0).elements[12]).toBe(7);
});

test('boxes contain all drawn vertices, and distant instances are not drawn', () => {
    const [rig, small] = [smallRig(), smallScene()];
    const crowd = createLiveCrowd(THREE, rig, smallScene(), 20);
    const poses = rig.createPoses(20);
    const points = Array.from({ length: 20 }, (_, pose) => {
        move(rig, poses, pose, small);
        return [small.body, small.hat, small.fan, small.floor].flatMap((mesh) =>
            [0, 1, 2].map((v) => mesh.getVertexPosition(v, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld)),
        );
    });
    rig.toGlobal(poses);
    crowd.update(poses);
    for (let i = 0; i < 20; i++) crowd.setMatrixAt(i, new THREE.Matrix4().makeTranslation(100 * i, 0, 0));
    for (const [i, all] of points.entries()) {
        const box = crowd.boxAt(i, new THREE.Box3()).expandByScalar(1e-4);
        for (const point of all) expect(box.containsPoint(point.add(new THREE.Vector3(100 * i, 0, 0)))).toBe(true);
        expect(box.getSize(new THREE.Vector3()).length()).toBeLessThan(30);
    }
    const camera = new THREE.PerspectiveCamera(50, 1, 1, 60);
    camera.position.set(300, 0, 40);
    expect(crowd.cull(camera)).toBe(1);
    expect(crowd.meshes.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
    expect(crowd.meshes.some(({ frustumCulled }) => frustumCulled)).toBe(false);
    crowd.meshes[0]!.computeBoundingSphere();
    expect(crowd.meshes[1]!.boundingSphere!.radius).toBeGreaterThan(900);
});

test('an empty crowd', () => {
    const crowd = createLiveCrowd(THREE, smallRig(), smallScene(), 0);
    expect(crowd.cull(new THREE.PerspectiveCamera())).toBe(0);
    expect(crowd.meshes.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
});

test('meshes whose node is not a slot stay', () => {
    const rig = smallRig();
    const small = smallScene();
    const lamp = new THREE.Mesh(small.hat.geometry, small.hat.material);
    lamp.userData.name = 'lamp';
    small.scene.add(lamp.translateX(5));
    const crowd = createLiveCrowd(THREE, rig, small.scene, 1);
    expect(crowd.meshes).toHaveLength(5);
    expect(crowd.boxAt(0, new THREE.Box3()).max.x).toBe(6);
});

const made = (rig: unknown, count = 2) => createLiveCrowd(THREE, rig as Rig, smallScene(), count);
const updated = (poses: (rig: Rig) => unknown) => {
    const rig = smallRig();
    made(rig).update(poses(rig) as Poses);
};
const ready = (rig: Rig, poses: Poses) => {
    rig.toGlobal(poses);
    return poses;
};
test.each<[string, () => unknown, string, RegExp]>([
    ['no rig', () => made({}), 'ERR_ARGUMENT_TYPE', /rig must be a Rig/],
    ['a rig without slots', () => made(Rig.create({ parents: [], rest: [] })), 'ERR_MODEL_DIFFERS', /moves nothing/],
    ['half an instance', () => made(smallRig(), 0.5), 'ERR_COUNT_RANGE', /0\.5/],
    ['another model', () => made(smallRig(['a', 'b', 'c', 'd', 'e', 'f'])), 'ERR_MODEL_DIFFERS', /'hip'.*of the rig/],
    ['no poses', () => updated(() => undefined), 'ERR_ARGUMENT_TYPE', /poses must be Poses/],
    ['more poses', () => updated((rig) => ready(rig, rig.createPoses(3))), 'ERR_BUFFER_LENGTH', /3 poses.*2 instances/],
    ['stale poses', () => updated((rig) => rig.createPoses(2)), 'ERR_STALE_GLOBALS', /toGlobal/],
    ['poses of another rig', () => updated(() => smallRig().createPoses(2)), 'ERR_FOREIGN_POSES', /another rig/],
    [
        'poses without the hat',
        () => updated((rig) => ready(rig, rig.createPoses(2, { only: [0, 1] }))),
        'ERR_INDEX_RANGE',
        /lack slot \d+ \('The Hat'\)/,
    ],
])('rejected: %s', (_, call, code, message) => {
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});
