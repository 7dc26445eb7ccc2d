// SPDX-License-Identifier: MIT

/** Columns of meshes, and tables of another model. */

import type { BakedTable } from '../../lib/table';
import { createBakedCrowd } from '../../lib/three';
import { partsOf } from '../../lib/three/model';
import { ATTACHMENTS, smallScene, smallTable, THREE } from './support/small-scene';

type Small = ReturnType<typeof smallScene>;

/** Mesh, the node that it follows, and its column. */
function found(tables: BakedTable[], model: Parameters<typeof partsOf>[2]): unknown[] {
    return partsOf(THREE, tables, model, 'bake').map(({ mesh, follows, table, column }) =>
        follows === 'column' ? [mesh.name, table, column] : [mesh.name, follows],
    );
}

const ALL = [
    ['The_Hat', 0, 2],
    ['body', 'joints'],
    ['fan', 0, 3],
    ['floor', 'rest'],
];

test('meshes by the nodes of the file, or only by name', () => {
    const small = smallScene();
    expect(found([smallTable()], small)).toEqual(ALL);
    expect(found([smallTable()], small.scene)).toEqual(ALL);
});

test("names as GLTFLoader makes them, if the file's are not kept", () => {
    const small = smallScene();
    small.scene.traverse((object) => {
        object.userData = {};
    });
    small.fan.name = 'fan_1';
    expect(found([smallTable()], small.scene)).toEqual(
        ALL.map(([name, ...others]) => [name === 'fan' ? 'fan_1' : name, ...others]),
    );
});

test('the primitives of a mesh follow the node of the group; a mesh of a joint follows its own column', () => {
    const small = smallScene();
    const pair = new THREE.Group();
    Object.assign(pair, { name: 'fan', userData: { name: 'fan' } });
    small.scene.remove(small.fan);
    small.scene.add(pair.add(new THREE.Mesh(small.fan.geometry).clone(), new THREE.Mesh(small.fan.geometry)));
    small.knee.add(new THREE.Mesh(small.fan.geometry));
    const attachments = [...ATTACHMENTS, { node: 1, name: 'knee', parent: 1 }];
    const expected = [
        ['', 0, 4],
        ['', 0, 3],
        ['', 0, 3],
    ];
    const of = (list: unknown[]) => list.filter((one) => (one as string[])[0] === '');
    expect(of(found([smallTable({ attachments })], small.scene))).toEqual(expected);
    small.parser.associations.set(pair, { nodes: 4 });
    small.parser.associations.delete(small.fan);
    expect(of(found([smallTable({ attachments })], small))).toEqual(expected);
});

test('two meshes of one name: identified by their parents, otherwise only by the gltf', () => {
    const small = smallScene();
    small.fan.userData.name = 'The Hat';
    const attachments = [ATTACHMENTS[0]!, { node: 4, name: 'The Hat', parent: -1 }];
    expect(found([smallTable({ attachments })], small.scene)).toEqual(ALL);
    small.knee.add(small.fan);
    const table = smallTable({ attachments: [ATTACHMENTS[0]!, { node: 4, name: 'The Hat', parent: 1 }] });
    const ambiguous = {
        name: 'RangeError',
        code: 'ERR_AMBIGUOUS_NAME',
        message: expect.stringMatching(/'The Hat'.*whole gltf/),
    };
    expect(() => found([table], small.scene)).toThrow(expect.objectContaining(ambiguous));
    expect(found([table], small)).toEqual([ALL[0], ALL[2], ALL[1], ALL[3]]);
});

test('a table for each skin; skins of one table are bound equally', () => {
    const small = smallScene();
    const foot = small.knee.clone(false);
    foot.userData = { name: 'foot' };
    small.knee.add(foot);
    const shoe = new THREE.SkinnedMesh(small.body.geometry);
    shoe.userData.name = 'shoe';
    const skeleton = new THREE.Skeleton([small.knee, foot]);
    shoe.bind(skeleton, new THREE.Matrix4());
    small.scene.add(shoe);
    const second = smallTable({ joints: ['knee', 'foot'], attachments: [] }, ({ skin }) =>
        Object.assign(skin, { index: 1 }),
    );
    expect(partsOf(THREE, [smallTable(), second], small.scene, 'bake').map(({ table }) => table)).toEqual([
        0, 0, 0, 0, 1,
    ]);
    shoe.bind(
        new THREE.Skeleton([small.hip, small.knee], [new THREE.Matrix4(), new THREE.Matrix4()]),
        new THREE.Matrix4(),
    );
    expect(partsOf(THREE, [smallTable()], small.scene, 'bake')).toHaveLength(5);
    shoe.skeleton.boneInverses[1]!.setPosition(1, 0, 0);
    const differs = { code: 'ERR_MODEL_DIFFERS', message: expect.stringContaining('inverse bind') };
    expect(() => partsOf(THREE, [smallTable()], small.scene, 'bake')).toThrow(expect.objectContaining(differs));
});

test('nodes left out of the bake are left out here', () => {
    const none = smallTable({ attachments: [] }, ({ recipe }) => Object.assign(recipe, { attachments: 'none' }));
    expect(found([none], smallScene())).toEqual([ALL[1]]);
    const named = smallTable({ attachments: [ATTACHMENTS[0]!] }, ({ recipe }) =>
        Object.assign(recipe, { attachments: 'named' }),
    );
    expect(found([named], smallScene())).toEqual([ALL[0], ALL[1]]);
});

test('invisible meshes and those below invisible nodes exist, and stay invisible', () => {
    const small = smallScene();
    small.knee.visible = false;
    small.floor.visible = false;
    const { meshes } = createBakedCrowd(THREE, smallTable(), small, 1);
    expect(meshes.map(({ visible }) => visible)).toEqual([false, true, true, false]);
});

describe('rejected, with the difference', () => {
    const withMorph = () => {
        const meshes = [{ node: 2, name: 'body', first: 0, count: 1 }];
        return smallTable({ morph: { layout: 'weights', shape: [1], data: new Float32Array(6), meshes } });
    };

    test.each<[RegExp, (small: Small) => unknown, (() => BakedTable)?]>([
        [/'body' has skin 3, not 0/, ({ parser }) => Object.assign(parser.json.nodes[2]!, { skin: 3 })],
        [/no skinned mesh has the 2 joints/, ({ body }) => body.removeFromParent()],
        [/no mesh 'fan' \(node 4\)/, ({ fan }) => fan.removeFromParent()],
        [/instanced/, ({ scene }) => scene.add(new THREE.InstancedMesh(new THREE.BufferGeometry(), undefined, 2))],
        [/'body' has 2 morph targets, in the bake 1/, ({ body }) => (body.morphTargetInfluences = [0, 0]), withMorph],
    ])('the model: %s', (message, change, table = smallTable) => {
        const small = smallScene();
        change(small);
        const error = { name: 'RangeError', code: 'ERR_MODEL_DIFFERS', message: expect.stringMatching(message) };
        expect(() => createBakedCrowd(THREE, table(), small, 1)).toThrow(expect.objectContaining(error));
    });

    test.each<[RegExp, () => BakedTable | BakedTable[], string?]>([
        [/'body' has 2 joints, not 1/, () => smallTable({ joints: ['hip'], attachments: [] })],
        [/'knee' as joint 1, not 'toe'/, () => smallTable({ joints: ['hip', 'toe'] })],
        [/'The Hat' moves/, () => smallTable({ attachments: [ATTACHMENTS[1]!] })],
        [/clips/, () => [smallTable(), smallTable({}, ({ clips }) => Object.assign(clips[1], { name: 'Walk' }))]],
        [/two tables/, () => [smallTable(), smallTable()], 'ERR_AMBIGUOUS_NAME'],
        [/clip 1 .* no bounds/, () => smallTable({}, ({ clips }) => delete clips[1].bounds), 'ERR_BAKE_INVALID'],
        [/no palette/, () => smallTable({}, ({ arrays }) => delete arrays.palette), 'ERR_INDEX_RANGE'],
        [/table is an empty list/, () => [], 'ERR_COUNT_RANGE'],
    ])('the bake: %s', (message, table, code = 'ERR_MODEL_DIFFERS') => {
        const error = { name: 'RangeError', code, message: expect.stringMatching(message) };
        expect(() => createBakedCrowd(THREE, table(), smallScene(), 1)).toThrow(expect.objectContaining(error));
    });

    test('values other than a model', () => {
        for (const model of [null, 3, [], {}, { scene: new THREE.Group() }]) {
            const error = { name: 'TypeError', code: 'ERR_ARGUMENT_TYPE', message: expect.stringContaining('model') };
            expect(() => createBakedCrowd(THREE, smallTable(), model as never, 1)).toThrow(
                expect.objectContaining(error),
            );
        }
    });
});
