// SPDX-License-Identifier: MIT

/** Rays into instances. Compared with live models: test/long/browser/whole-scenes.test.ts. */

import { BakedTable } from '../../lib/table';
import { createBakedCrowd } from '../../lib/three';
import { numberToHalf } from '../support/half';
import { smallScene, smallTable, THREE } from './support/small-scene';

/** Hits of a ray down the z axis at a position. */
function hitsAt(object: Parameters<InstanceType<typeof THREE.Raycaster>['intersectObject']>[0], x: number, y: number) {
    object.updateMatrixWorld(true);
    const raycaster = new THREE.Raycaster(new THREE.Vector3(x, y, 5), new THREE.Vector3(0, 0, -1));
    return raycaster.intersectObject(object);
}

const hit = { distance: 5, faceIndex: 0, face: { a: 0, b: 1, c: 2 } };

test('each mesh at the position of its columns: joints, one column, none', () => {
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

test('between rows and clips, the interpolated pose; also for instances that are not drawn', () => {
    // The fan: rows 0 to 5 at y = 0, 0.2 ... 1; clip 1 from row 3.
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

test('palettes of qts16: rotations on the shorter arc, between rows and between clips; a negative scale mirrors', () => {
    // The fan has its pivot 1, 0, 0 at -1, 0, 0. It turns by 30 degrees for each row, with quaternions of either sign; mirrored.
    const turn = (row: number) => {
        const [half, sign] = [(row * Math.PI) / 12, row % 2 === 0 ? 1 : -1];
        return [0, 0, sign * Math.sin(half), sign * Math.cos(half)];
    };
    const elsewhere = [0, 0, 0, 1, 9, 0, 0, 1];
    const rows = Array.from({ length: 6 }, (_, row) => [
        ...[...elsewhere, ...elsewhere, ...elsewhere],
        ...[...turn(row), -1, 0, 0, -1],
    ]);
    const data = Uint16Array.from(rows.flat(), numberToHalf);
    const { manifest } = smallTable();
    const array = { byteOffset: 0, byteLength: data.byteLength, dtype: 'f16', layout: 'qts16', shape: [6, 4, 8] };
    const pivots = [...[0, 0, 0].map(() => [0, 0, 0]), [1, 0, 0]];
    const json = { ...manifest, binary: { byteLength: data.byteLength }, arrays: { palette: { ...array, pivots } } };
    const table = BakedTable.open(json, new Uint8Array(data.buffer));
    const small = smallScene();
    // Inside out it shows its back.
    small.fan.material.side = THREE.DoubleSide;
    const crowd = createBakedCrowd(THREE, table, small, 1);
    const fan = crowd.meshes[2]!;
    /** The fan spans 45 degrees around its second corner, the pivot. Its first corner is in direction -x, mirrored and turned. */
    const expectTurned = (degrees: number) => {
        for (const [offset, hits] of [
            [2, 0],
            [-2, 1],
        ] as const) {
            const angle = ((degrees + offset) * Math.PI) / 180;
            const [x, y] = [-1 + 0.5 * Math.cos(angle), 0.5 * Math.sin(angle)];
            expect([degrees, offset, hitsAt(fan, x, y).length]).toEqual([degrees, offset, hits]);
        }
    };
    crowd.pose(0, Float64Array.of(0.1));
    expectTurned(30);
    expect(hitsAt(fan, -1 + 0.5 * Math.cos(0.3), 0.5 * Math.sin(0.3))[0]?.face).toMatchObject({ a: 0, b: 1, c: 2 });
    crowd.pose(0, Float64Array.of(0.15));
    expectTurned(45);
    crowd.pose(0, Float64Array.of(0.05), { to: { clips: 1, times: Float64Array.of(0.15), weight: 0.5 } });
    // Halfway between 15 and 135 degrees.
    expectTurned(75);
});

test('stretched columns of qts16 are linear, between rows and between clips', () => {
    // The fan, with height (1 + row) / 8, about its pivot 1, 0, 0, which is at 0, 0, 0.
    const elsewhere = [0, 0, 0, 1, 9, 0, 0, 1];
    const rows = Array.from({ length: 6 }, (_, row) => [
        ...[...elsewhere, ...elsewhere, ...elsewhere],
        ...[1, 0, 0, 0, 0, (1 + row) / 8, 0, 0, 0, 0, 1, 0],
    ]);
    const data = Uint16Array.from(rows.flat(), numberToHalf);
    const { manifest } = smallTable();
    const array = { byteOffset: 0, byteLength: data.byteLength, dtype: 'f16', layout: 'qts16', shape: [6, 9, 4] };
    const pivots = [...[0, 0, 0].map(() => [0, 0, 0]), [1, 0, 0, 8]];
    const json = { ...manifest, binary: { byteLength: data.byteLength }, arrays: { palette: { ...array, pivots } } };
    const crowd = createBakedCrowd(THREE, BakedTable.open(json, new Uint8Array(data.buffer)), smallScene(), 1);
    const fan = crowd.meshes[2]!;
    const heightAt = (x: number) => {
        for (let y = 0.001; y < 1; y += 0.002) if (hitsAt(fan, x, y).length === 0) return y;
        return Number.NaN;
    };
    crowd.pose(0, Float64Array.of(0.15));
    expect(heightAt(-0.9)).toBeCloseTo((0.9 * 2.5) / 8, 2);
    crowd.pose(0, Float64Array.of(0.05), { to: { clips: 1, times: Float64Array.of(0.15), weight: 0.5 } });
    expect(heightAt(-0.9)).toBeCloseTo((0.9 * 3.5) / 8, 2);
});
