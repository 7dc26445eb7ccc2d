// SPDX-License-Identifier: MIT

/** Data of instances, their positions, and culling. Rendered images: test/long/browser. */

import type * as Three from 'three' with { 'resolution-mode': 'import' };
import { createBakedCrowd } from '../../lib/three';
import { smallScene, smallTable, THREE } from './support/small-scene';

const crowdOf = (count: number) => createBakedCrowd(THREE, smallTable(), smallScene(), count);

/** Shader inputs of a mesh for each drawn instance: `bakedRows` and `bakedTo`. */
function placesOf({ meshes }: ReturnType<typeof crowdOf>): number[][] {
    const { bakedRows, bakedTo } = meshes[0]!.geometry.attributes as Record<string, Three.InterleavedBufferAttribute>;
    return Array.from({ length: meshes[0]!.count }, (_, i) => [
        ...[0, 1, 2, 3].map((k) => bakedRows!.getComponent(i, k)),
        ...[0, 1, 2].map((k) => bakedTo!.getComponent(i, k)),
    ]);
}

test('meshes have the settings of the model and share instance data; they cast shadows separately', () => {
    const small = smallScene();
    Object.assign(small.hat, { castShadow: true, receiveShadow: true, renderOrder: 4 });
    const { meshes, group } = createBakedCrowd(THREE, smallTable(), small, 3);
    expect(group.children).toEqual(meshes);
    expect(meshes[0]).toMatchObject({
        name: 'The_Hat',
        castShadow: true,
        receiveShadow: true,
        renderOrder: 4,
        count: 3,
    });
    expect(meshes[1]).toMatchObject({ castShadow: false, receiveShadow: false, renderOrder: 0 });
    for (const mesh of meshes) {
        expect(mesh.instanceMatrix).toBe(meshes[0]!.instanceMatrix);
        expect(mesh.material).not.toBe(small.hat.material);
        expect(mesh.customDepthMaterial).toBeInstanceOf(THREE.MeshDepthMaterial);
        expect(mesh.customDistanceMaterial).toBeInstanceOf(THREE.MeshDistanceMaterial);
    }
});

test('the first row at the start; then the rows of clips and times, for the instances with times', () => {
    const crowd = crowdOf(3);
    expect(placesOf(crowd)).toEqual(Array(3).fill([0, 0, 0, 0, 0, 0, 0]));
    const { version } = crowd.meshes[0]!.geometry.attributes.bakedRows as unknown as { version: number };
    crowd.pose(Uint16Array.of(1, 0), Float64Array.of(0.1, 0.05));
    const [first, [row, next, fraction], last] = placesOf(crowd) as number[][];
    expect(first).toEqual([4, 4, 0, 0, 0, 0, 0]);
    expect([row, next]).toEqual([0, 1]);
    expect(fraction).toBeCloseTo(0.5, 6);
    expect(last).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(version).not.toBe(-1);
});

test('fades: a weight of at most 0 shows one clip, of at least 1 the other', () => {
    const crowd = crowdOf(5);
    const weight = Float32Array.of(-1, 0, 0.25, 1, 7);
    crowd.pose(0, new Float64Array(5).fill(0.1), {
        to: { clips: 1, times: new Float64Array(5).fill(9), weight, loop: 'clamp' },
    });
    const [alone, other] = [
        [1, 1, 0, 0, 0, 0, 0],
        [5, 5, 0, 0, 0, 0, 0],
    ];
    expect(placesOf(crowd)).toEqual([alone, alone, [1, 1, 0, 0.25, 5, 5, 0], other, other]);
    const boxes = Array.from(weight, (_, i) => crowd.boxAt(i, new THREE.Box3()).max.x);
    // Boxes of clips 1 and 2; the floor, which is 1 below, is in both.
    expect(boxes).toEqual([1, 1, 2, 2, 2]);
    crowd.pose(0, new Float64Array(5), {
        to: { clips: Uint16Array.of(0, 0, 0, 0, 0), times: new Float64Array(5), weight: 0.5 },
    });
    expect(crowd.boxAt(3, new THREE.Box3())).toMatchObject({ min: { x: -1, y: -1, z: -1 }, max: { x: 1, y: 1, z: 1 } });
});

test('boxes are at the instances', () => {
    const crowd = crowdOf(2);
    const place = new THREE.Matrix4().makeScale(2, 1, 1).setPosition(5, 0, 0);
    crowd.setMatrixAt(1, place);
    expect(crowd.getMatrixAt(1, new THREE.Matrix4())).toEqual(place);
    expect(crowd.boxAt(1, new THREE.Box3())).toMatchObject({ min: { x: 3, y: -1, z: -1 }, max: { x: 7, y: 1, z: 1 } });
    const [mesh] = crowd.meshes;
    mesh!.computeBoundingSphere();
    expect(mesh!.boundingSphere!.containsPoint(new THREE.Vector3(9, 0, 0))).toBe(true);
    expect(crowd.meshes[2]!.boundingSphere).toBe(mesh!.boundingSphere);
    crowd.setMatrixAt(1, new THREE.Matrix4());
    expect(mesh!.boundingSphere).toBeNull();
});

describe('culling', () => {
    const camera = new THREE.OrthographicCamera(-3, 3, 3, -3, 0, 100);
    camera.position.z = 50;
    let crowd: ReturnType<typeof crowdOf>;
    beforeEach(() => {
        crowd = crowdOf(6);
        for (let i = 0; i < 6; i++) crowd.setMatrixAt(i, new THREE.Matrix4().makeTranslation(8 * (i - 4), 0, 0));
        crowd.setColorAt(4, new THREE.Color(0, 0, 1));
        crowd.pose(Uint16Array.of(0, 0, 0, 0, 1, 0), new Float64Array(6));
    });
    const drawnAt = (slot: number) => crowd.meshes[1]!.instanceMatrix.getComponent(slot, 12);
    const colorAt = (slot: number) => [0, 1, 2].map((k) => crowd.meshes[2]!.instanceColor!.getComponent(slot, k));

    test('draws what a camera sees, and later writes go there', () => {
        expect(crowd.cull(camera)).toBe(1);
        expect(crowd.meshes.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
        expect([drawnAt(0), colorAt(0), placesOf(crowd)[0]![0]]).toEqual([0, [0, 0, 1], 3]);
        crowd.setMatrixAt(4, new THREE.Matrix4().makeTranslation(1, 0, 0));
        crowd.setMatrixAt(5, new THREE.Matrix4().makeTranslation(2, 0, 0));
        crowd.setColorAt(4, new THREE.Color(1, 0, 0));
        crowd.setColorAt(5, new THREE.Color(0, 1, 0));
        crowd.pose(0, new Float64Array(6).fill(0.1));
        expect([drawnAt(0), colorAt(0), placesOf(crowd)]).toEqual([1, [1, 0, 0], [[1, 1, 0, 0, 0, 0, 0]]]);
        expect(crowd.cull(camera)).toBe(2);
        expect([drawnAt(1), colorAt(1)]).toEqual([2, [0, 1, 0]]);
        expect(crowd.cull()).toBe(6);
        expect([drawnAt(0), drawnAt(5), colorAt(0), colorAt(5)]).toEqual([-32, 2, [1, 1, 1], [0, 1, 0]]);
    });

    test('several cameras: everything that one of them sees; the group can be anywhere', () => {
        const other = camera.clone();
        other.position.x = -16;
        expect(crowd.cull(camera, other)).toBe(2);
        expect([drawnAt(0), drawnAt(1)]).toEqual([-16, 0]);
        crowd.group.position.x = 8;
        expect(crowd.cull(camera)).toBe(1);
        expect(drawnAt(0)).toBe(-8);
    });
});

test('a material of a separate pass, for one of the meshes', () => {
    const { meshes, patch } = crowdOf(1);
    const material = new THREE.MeshNormalMaterial();
    const before = material.customProgramCacheKey();
    patch(material, meshes[0]!);
    expect(material.customProgramCacheKey()).not.toBe(before);
    const error = { code: 'ERR_INDEX_RANGE', message: expect.stringContaining('mesh') };
    expect(() => patch(material, new THREE.InstancedMesh(undefined, undefined, 0))).toThrow(
        expect.objectContaining(error),
    );
});

test('created objects are disposed; those of the model stay', () => {
    const small = smallScene();
    const crowd = createBakedCrowd(THREE, smallTable(), small, 1);
    const freed: string[] = [];
    const listen = (name: string, of: { addEventListener(type: 'dispose', listener: () => void): void }) =>
        of.addEventListener('dispose', () => freed.push(name));
    for (const mesh of crowd.meshes) {
        for (const one of [mesh, mesh.geometry, mesh.material as Three.Material, mesh.customDepthMaterial!])
            listen('own', one);
    }
    listen('texture', crowd.textures[0]!);
    listen('model', small.hat.geometry);
    listen('model', small.hat.material as Three.Material);
    crowd.dispose();
    expect(freed.sort()).toEqual([...Array(16).fill('own'), 'texture']);
});

describe('rejected, and the drawing does not change', () => {
    const two = () => new Float64Array(2);
    type Crowd = ReturnType<typeof crowdOf>;
    const fading =
        (to: object) =>
        ({ pose }: Crowd) =>
            pose(0, two(), { to: { clips: 0, times: two(), weight: 0, ...to } });
    test.each<[RegExp, string, (crowd: Crowd) => void]>([
        [/times holds 3 .* 2 instances/, 'ERR_BUFFER_LENGTH', ({ pose }) => pose(0, new Float64Array(3))],
        [/clips is 2/, 'ERR_INDEX_RANGE', ({ pose }) => pose(2, two())],
        [/times\[1\]/, 'ERR_NOT_FINITE', ({ pose }) => pose(0, Float64Array.of(1, Number.NaN))],
        [/times/, 'ERR_ARGUMENT_TYPE', ({ pose }) => pose(0, [0, 0] as never)],
        [/options/, 'ERR_ARGUMENT_TYPE', ({ pose }) => pose(0, two(), { to: 3 as never })],
        [/to\.times holds 1 .* 2/, 'ERR_BUFFER_LENGTH', fading({ times: new Float64Array(1) })],
        [/clips is 5/, 'ERR_INDEX_RANGE', fading({ clips: 5 })],
        [/weight holds 1 .* 2/, 'ERR_BUFFER_LENGTH', fading({ weight: new Float32Array(1) })],
        [/weight is NaN/, 'ERR_NOT_FINITE', fading({ weight: Number.NaN })],
        [/weight/, 'ERR_ARGUMENT_TYPE', fading({ weight: '1' })],
        [/instance is 2/, 'ERR_INDEX_RANGE', ({ boxAt }) => boxAt(2, new THREE.Box3())],
    ])('%s', (message, code, call) => {
        const crowd = crowdOf(2);
        crowd.pose(1, two());
        const before = placesOf(crowd);
        expect(() => call(crowd)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
        expect(placesOf(crowd)).toEqual(before);
    });
});
