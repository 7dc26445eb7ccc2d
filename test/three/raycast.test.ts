// SPDX-License-Identifier: MIT

/** Rays into instances; beside live models: test/long/browser/whole-scenes.test.ts. */

import { createBakedCrowd } from '../../lib/three';
import { smallScene, smallTable, THREE } from './support/small-scene';

/** What a ray down the z axis hits at a place. */
function hitsAt(object: Parameters<InstanceType<typeof THREE.Raycaster>['intersectObject']>[0], x: number, y: number) {
    object.updateMatrixWorld(true);
    const raycaster = new THREE.Raycaster(new THREE.Vector3(x, y, 5), new THREE.Vector3(0, 0, -1));
    return raycaster.intersectObject(object);
}

const hit = { distance: 5, faceIndex: 0, face: { a: 0, b: 1, c: 2 } };

test('each mesh where its columns move it: joints, one column, none', () => {
    // hip, knee, hat, fan.
    const places = [
        [0, 0, 0],
        [0.5, 0, 0],
        [0, 0.5, 0],
        [-0.8, 0, 0],
    ] as const;
    const crowd = createBakedCrowd(THREE, smallTable({ at: (_, column) => places[column]! }), smallScene(), 2);
    crowd.setMatrixAt(1, new THREE.Matrix4().makeTranslation(10, 0, 0));
    const names = (x: number, y: number) =>
        hitsAt(crowd.group, x, y).map(({ object, instanceId }) => [object.name, instanceId]);
    // The third corner of the body is at 0.5, 1.
    expect(names(0.5, 0.4)).toEqual([['body', 0]]);
    expect(names(0.05, 0.4)).toEqual([]);
    expect(names(0.1, 0.9)).toEqual([['The_Hat', 0]]);
    expect(names(-0.7, 0.1)).toEqual([['fan', 0]]);
    expect(names(0.1, -0.9)).toEqual([['floor', 0]]);
    expect(names(10.5, 0.4)).toEqual([['body', 1]]);
    expect(hitsAt(crowd.group, 10.5, 0.4)).toMatchObject([{ ...hit, point: { x: 10.5, y: 0.4, z: 0 }, instanceId: 1 }]);
});

test('between rows and clips, the mixture; instances that are not drawn, too', () => {
    // The fan: rows 0 to 5 at y = 0, 0.2 ... 1; clip 1 from row 3 on.
    const table = smallTable({ at: (row, column) => (column === 3 ? [-1, 0.2 * row - 0.5, 0] : [9, 0, 0]) });
    const crowd = createBakedCrowd(THREE, table, smallScene(), 1);
    const lowest = () => {
        for (let y = -1; y < 1; y += 0.01) if (hitsAt(crowd.meshes[2]!, -0.99, y).length > 0) return y;
        return Number.NaN;
    };
    crowd.pose(0, Float64Array.of(0.05));
    expect(lowest()).toBeCloseTo(-0.4, 1.5);
    crowd.pose(0, Float64Array.of(0.05), { to: { clips: 1, times: Float64Array.of(0.15), weight: 0.5 } });
    // Halfway from -0.4 to 0.4.
    expect(lowest()).toBeCloseTo(0, 1.5);
    const away = new THREE.OrthographicCamera();
    away.position.x = 1000;
    expect(crowd.cull(away)).toBe(0);
    expect(lowest()).toBeCloseTo(0, 1.5);
});

test('morph weights of the bake', () => {
    const small = smallScene();
    small.fan.geometry.morphAttributes.position = [new THREE.Float32BufferAttribute([0, 0, 0, 0, 0, 0, 0, -0.6, 0], 3)];
    small.fan.geometry.morphTargetsRelative = true;
    small.fan.updateMorphTargets();
    const data = Float32Array.of(0, 1, 0, 0, 0, 0);
    const morph = { layout: 'weights', shape: [1], data, meshes: [{ node: 4, name: 'fan', first: 0, count: 1 }] };
    const crowd = createBakedCrowd(THREE, smallTable({ at: () => [0, 0, 0], morph }), small, 1);
    const fan = crowd.meshes[2]!;
    expect(hitsAt(fan, 0.1, 0.6)).toHaveLength(1);
    crowd.pose(0, Float64Array.of(0.1));
    expect(hitsAt(fan, 0.1, 0.6)).toHaveLength(0);
    expect(hitsAt(fan, 0.1, 0.3)).toHaveLength(1);
    expect(small.fan.morphTargetInfluences).toEqual([0]);
});
