// SPDX-License-Identifier: MIT

/** The addon's skinning has the bytes of the TypeScript twin, and rejects invalid arguments. */

import { typescriptSkinning } from '../../../lib/rig/kernels';
import type { MeshTables, SkinningTables, SlotTables } from '../../../lib/rig/kernels/contract';
import type { RigImplementation, SkinningKernels } from '../../../lib/rig/kernels/table';
import { haveJoints, randomMesh, randomPoses, withMeshes } from '../../rig/native-meshes';
import { firstDifference, type GeneratedRig, posesFor, randomRig } from '../../rig/native-tables';
import { describeAddonRigs, describeRigs, type Refusable, refusable } from '../../rig/native-tiers';
import { haveSameBytes } from '../../support/bytes';
import { once } from '../../support/once';

const GUARD = 12345;

/** The output of a call, in lists that start at any float and end exactly at the last output. */
function outputs(
    kernels: SkinningKernels,
    data: Float32Array,
    count: number,
    index: number,
    mesh: MeshTables,
    { normals, shift }: { normals: boolean; shift: number },
) {
    const floats = count * mesh.vertexCount * 3;
    const list = (length: number) => new Float32Array(length + shift + 20).fill(GUARD);
    const within = (whole: Float32Array) => whole.subarray(shift, whole.length - 4);
    const [positions, turned, boxes] = [list(floats), list(normals ? floats : 0), list(count * 6)];
    kernels.skinVertices(data, count, index, within(positions), normals ? within(turned) : null);
    if (mesh.vertexCount > 0) kernels.bounds(data, count, index, within(boxes));
    return { positions, turned, boxes };
}

/** Poses, and the twin's results for every mesh whose joints they have. */
function caseOf(rig: GeneratedRig, tables: SkinningTables, slots: SlotTables, count: number, data: Float32Array) {
    const twin = typescriptSkinning.load(tables).select(slots);
    const expected = [...tables.meshes.entries()].flatMap(([index, mesh]) => {
        if (!haveJoints(tables, slots, mesh)) return [];
        return (mesh.normals.length > 0 ? [true, false] : [false]).map((normals) => {
            const how = { normals, shift: Math.floor(rig.next() * 16) };
            return { index, mesh, how, lists: outputs(twin, data, count, index, mesh, how) };
        });
    });
    return { tables, slots, count, data, expected };
}

type Case = ReturnType<typeof caseOf>;

/** An implementation has the results of the twin. */
function compare(implementation: RigImplementation, { tables, slots, count, data, expected }: Case): number {
    const native = implementation.skinning!.load(tables).select(slots);
    for (const { index, mesh, how, lists } of expected) {
        const got = outputs(native, data, count, index, mesh, how);
        for (const key of ['positions', 'turned', 'boxes'] as const) {
            if (haveSameBytes(lists[key], got[key])) continue;
            // NaN has many bytes.
            const difference = firstDifference(lists[key], got[key]);
            if (difference === null) continue;
            const { vertexCount, sets, targetCount } = mesh;
            const what = `${vertexCount} vertices, ${sets} sets, ${targetCount} targets, ${count} poses`;
            throw new Error(`mesh ${index} (${what}), ${key}: ${difference}`);
        }
    }
    return expected.length;
}

const SEEDS = [1, 2, 3];

function randomCases(seed: number): Case[] {
    const rig = randomRig(seed, 'extreme');
    const { next } = rig;
    const meshes = Array.from({ length: 8 }, (_, i) =>
        randomMesh(rig, 'extreme', {
            vertexCount: 1 + Math.floor(next() * (i === 0 ? 300 : 60)),
            sets: next() < 0.5 ? 1 : 2 + Math.floor(next() * 2),
            normals: next() < 0.8,
        }),
    );
    const tables = withMeshes(rig, meshes);
    return [rig.all, rig.some].flatMap((slots) =>
        Array.from({ length: 3 }, () => {
            const count = 1 + Math.floor(next() * 40);
            return caseOf(rig, tables, slots, count, randomPoses(rig, slots, count, 'beyond'));
        }),
    );
}

describe('the bytes of the TypeScript twin', () => {
    const ofSeeds = SEEDS.map((seed) => once(() => randomCases(seed)));

    const ofVertexCounts = once(() => {
        const rig = randomRig(3, 'usual');
        const meshes = Array.from({ length: 41 }, (_, vertexCount) => {
            return randomMesh(rig, 'usual', { vertexCount, sets: 1 + (vertexCount % 2) });
        });
        const tables = withMeshes(rig, meshes);
        expect(tables.meshes.some(({ targetCount }) => targetCount > 0)).toBe(true);
        return [1, 5, 17].map((count) =>
            caseOf(rig, tables, rig.all, count, randomPoses(rig, rig.all, count, 'usual')),
        );
    });

    const ofPoseCounts = once(() => {
        const rig = randomRig(5, 'usual');
        const tables = withMeshes(rig, [randomMesh(rig, 'usual', { vertexCount: 37 })]);
        return Array.from({ length: 40 }, (_, i) => {
            const data = randomPoses(rig, rig.all, i + 1, 'usual');
            const shifted = new Float32Array(new SharedArrayBuffer(data.byteLength + 4), 4);
            shifted.set(data);
            return caseOf(rig, tables, rig.all, i + 1, shifted);
        });
    });

    const ofManyJoints = once(() =>
        [63, 64, 128].flatMap((joints) => {
            const rig = randomRig(8, 'usual');
            const { slots } = rig.tables;
            const many = {
                joints: Int32Array.from({ length: joints }, (_, i) => i % slots),
                inverseBinds: Float32Array.from({ length: joints * 12 }, () => rig.next() * 2 - 1),
            };
            const big = { ...rig, tables: { ...rig.tables, skins: [many] } };
            const mesh = randomMesh(big, 'usual', { vertexCount: 100 });
            const all = { ...mesh, joints: Int32Array.from({ length: joints }, (_, i) => i) };
            const tables = withMeshes(big, [all]);
            return [1, 9, 16, 35].map((count) =>
                caseOf(big, tables, rig.all, count, randomPoses(big, rig.all, count, 'usual')),
            );
        }),
    );

    describeRigs((implementation) => {
        it.each(SEEDS)('rig %i with numbers of all kinds', (seed) => {
            let compared = 0;
            for (const one of ofSeeds[SEEDS.indexOf(seed)]!()) compared += compare(implementation, one);
            expect(compared).toBeGreaterThan(20);
        });

        it('every count of vertices, from none to 40', () => {
            for (const one of ofVertexCounts()) expect(compare(implementation, one)).toBe(81);
        });

        it('every count of poses, from 1 to 40, and poses that are 4-byte aligned and no more', () => {
            expect(ofPoseCounts()).toHaveLength(40);
            for (const one of ofPoseCounts()) expect(compare(implementation, one)).toBe(2);
        });

        it('no poses: nothing is written', () => {
            const rig = randomRig(5, 'usual');
            const tables = withMeshes(rig, [randomMesh(rig, 'usual', { vertexCount: 3 })]);
            const { data } = posesFor(rig.tables, rig.all, 1);
            const native = implementation.skinning!.load(tables).select(rig.all);
            const { positions, turned, boxes } = outputs(native, data, 0, 0, tables.meshes[0]!, {
                normals: true,
                shift: 0,
            });
            for (const list of [positions, turned, boxes]) expect(list.every((x) => x === GUARD)).toBe(true);
        });

        it('64 joints, whose matrices collide in a cache, and 63', () => {
            for (const one of ofManyJoints()) expect(compare(implementation, one)).toBe(2);
        });
    });
});

describe('refusals', () => {
    describeAddonRigs(({ name }) => {
        const rig = randomRig(4, 'usual');
        const weights = { ...rig.tables, restWeights: new Float32Array(5), morphs: Int32Array.of(0, 5), clips: [] };
        const wide: GeneratedRig = { ...rig, tables: weights };
        let made = randomMesh(wide, 'usual', { vertexCount: 20, sets: 2 });
        while (made.targetCount === 0 || made.morphTargets.length < 3 || made.joints.length < 2) {
            made = randomMesh(wide, 'usual', { vertexCount: 20, sets: 2 });
        }
        const good = made;
        const slots: SlotTables = rig.all;
        const load = (meshes: unknown) => refusable(name, { ...weights, meshes });
        const withMesh = (changed: object) => load([{ ...good, ...changed }]);
        const kernels = () => (load([good]) as (slots: unknown) => Refusable)(slots);
        type Lists = 'joints' | 'starts' | 'influenceJoints' | 'morphStarts' | 'morphTargets';
        const withValue = (key: Lists, at: number, value: number) => {
            const list = good[key].slice();
            list[at < 0 ? list.length + at : at] = value;
            return withMesh({ [key]: list });
        };

        it('the mesh of these tests is valid', () => {
            expect(withMesh({})).not.toBe(false);
            expect(load(undefined)).not.toBe(false);
            expect(load([])).not.toBe(false);
            expect(load([good, good])).not.toBe(false);
        });

        it('values that are not meshes, and numbers and lists of wrong types', () => {
            for (const value of [null, 7, 'meshes', {}, [null], [{}], [7], new Uint8Array(3)]) {
                expect(load(value)).toBe(false);
            }
            for (const [key, value] of Object.entries(good)) {
                const others = [undefined, null, 'x', -7, 0.5, NaN, Infinity, 2 ** 31, {}, [], new Float64Array(60)];
                for (const other of others) expect(withMesh({ [key]: other })).toBe(false);
                if (typeof value === 'number') continue;
                for (const other of [new Uint8Array(value.length), value.subarray(1)]) {
                    expect(withMesh({ [key]: other })).toBe(false);
                }
                const longer = new (value.constructor as Float32ArrayConstructor)(value.length + 1);
                longer.set(value);
                if (key !== 'joints') expect(withMesh({ [key]: longer })).toBe(false);
            }
        });

        it('counts that the lists do not have', () => {
            for (const vertexCount of [0, 19, 21, 2 ** 31 - 1]) expect(withMesh({ vertexCount })).toBe(false);
            for (const sets of [0, 1, 3, 2 ** 31 - 1]) expect(withMesh({ sets })).toBe(false);
            for (const skin of [-2, rig.tables.skins.length, 2 ** 31 - 1]) expect(withMesh({ skin })).toBe(false);
            expect(withMesh({ normals: new Float32Array(0) })).toBe(false);
            const none = new Float32Array(0);
            expect(withMesh({ normals: none, morphNormals: none })).not.toBe(false);
            expect(withMesh({ morphNormals: none })).toBe(false);
        });

        it('vertices that no skin moves', () => {
            expect(withMesh({ skin: -1 })).toBe(false);
            const none = { vertexCount: 0, positions: new Float32Array(0), normals: new Float32Array(0) };
            const influences = {
                starts: new Uint32Array(1),
                influenceJoints: new Uint16Array(0),
                influenceWeights: new Float32Array(0),
            };
            const targets = {
                targetCount: 0,
                morphStarts: new Uint32Array(0),
                morphTargets: new Uint32Array(0),
                morphPositions: new Float32Array(0),
                morphNormals: new Float32Array(0),
            };
            const empty = { ...none, ...influences, ...targets, sets: 0, joints: new Int32Array(0) };
            expect(withMesh({ ...empty, skin: -1 })).not.toBe(false);
            expect(withMesh({ ...empty, skin: -1, joints: Int32Array.of(0) })).toBe(false);
            const only = (withMesh({ ...empty, skin: -1 }) as (slots: unknown) => Refusable)(slots);
            const { data } = posesFor(weights, slots, 1);
            expect(only.skinVertices(data, 1, 0, new Float32Array(3), null)).toBeUndefined();
            expect(only.bounds(data, 1, 0, new Float32Array(6))).toBe(false);
        });

        it('joints that the skin or the mesh does not have', () => {
            const skinJoints = rig.tables.skins[good.skin]!.joints.length;
            for (const joint of [-1, skinJoints, 2 ** 31 - 1]) expect(withValue('joints', 0, joint)).toBe(false);
            expect(withValue('influenceJoints', -1, 0)).not.toBe(false);
            for (const joint of [good.joints.length, 0xffff])
                expect(withValue('influenceJoints', -1, joint)).toBe(false);
            expect(withMesh({ joints: new Int32Array(65537) })).toBe(false);
            expect(withMesh({ joints: new Int32Array(65536) })).not.toBe(false);
        });

        it('starts that do not begin at 0, go back, go on too far, or leave more than four or none', () => {
            const last = good.influenceJoints.length;
            expect(withValue('starts', 0, 1)).toBe(false);
            expect(withValue('starts', 2, last + 1)).toBe(false);
            expect(withValue('starts', 2, 0xffffffff)).toBe(false);
            expect(withValue('starts', -1, last - 1)).toBe(false);
            expect(withValue('starts', -1, last + 1)).toBe(false);
            const one = (starts: number[], influences: number) => {
                return withMesh({
                    vertexCount: 2,
                    sets: 1,
                    positions: new Float32Array(6),
                    normals: new Float32Array(6),
                    starts: Uint32Array.from(starts),
                    influenceJoints: new Uint16Array(influences),
                    influenceWeights: new Float32Array(influences).fill(1),
                    morphStarts: new Uint32Array(3),
                    morphTargets: new Uint32Array(0),
                    morphPositions: new Float32Array(0),
                    morphNormals: new Float32Array(0),
                });
            };
            expect(one([0, 1, 5], 5)).not.toBe(false);
            expect(one([0, 5, 6], 6)).toBe(false);
            expect(one([0, 1, 6], 6)).toBe(false);
            expect(one([0, 3, 2], 2)).toBe(false);
            expect(one([0, 0, 4], 4)).toBe(false);
            expect(one([0, 4, 4], 4)).toBe(false);
        });

        it('targets that the mesh or the poses do not have', () => {
            const entries = good.morphTargets.length;
            for (const target of [good.targetCount, 0xffffffff])
                expect(withValue('morphTargets', 0, target)).toBe(false);
            expect(withValue('morphStarts', 0, 1)).toBe(false);
            expect(withValue('morphStarts', 1, entries + 1)).toBe(false);
            expect(withValue('morphStarts', -1, entries - 1)).toBe(false);
            for (const targetCount of [0, 6, 2 ** 31 - 1]) expect(withMesh({ targetCount })).toBe(false);
            for (const firstWeight of [6 - good.targetCount, 2 ** 31 - 1]) {
                expect(withMesh({ firstWeight })).toBe(false);
            }
        });

        it('a mesh whose joints the poses do not have', () => {
            const missing = rig.some.places.indexOf(-1);
            const skins = [{ joints: Int32Array.of(missing, rig.some.slots[0]!), inverseBinds: new Float32Array(24) }];
            const meshes = [0, 1].map((joint) => ({
                ...good,
                skin: 0,
                joints: Int32Array.of(joint),
                influenceJoints: new Uint16Array(good.influenceJoints.length),
            }));
            const select = refusable(name, { ...weights, skins, meshes }) as (slots: unknown) => Refusable;
            const { skinVertices, bounds } = select(rig.some);
            const { data } = posesFor(weights, rig.some, 1);
            expect(skinVertices(data, 1, 0, new Float32Array(60), null)).toBe(false);
            expect(bounds(data, 1, 0, new Float32Array(6))).toBe(false);
            expect(skinVertices(data, 1, 1, new Float32Array(60), null)).toBeUndefined();
            expect(bounds(data, 1, 1, new Float32Array(6))).toBeUndefined();
        });

        it('calls: wrong types, short lists, memory that is shared; nothing is written then', () => {
            const { skinVertices, bounds } = kernels();
            const { data } = posesFor(weights, slots, 20);
            const positions = new Float32Array(20 * 60);
            const calls: [call: (...args: unknown[]) => unknown, arguments_: unknown[], lists: number[]][] = [
                [skinVertices, [data, 20, 0, positions, new Float32Array(20 * 60)], [0, 3, 4]],
                [bounds, [data, 20, 0, new Float32Array(20 * 6)], [0, 3]],
            ];
            for (const [call, args, lists] of calls) {
                const changed = (i: number, value: unknown) => call(...args.map((x, j) => (i === j ? value : x)));
                expect(call(...args)).toBeUndefined();
                expect(call()).toBe(false);
                for (const i of lists) if (i !== 0) (args[i] as Float32Array).fill(GUARD);
                for (const i of args.keys()) {
                    for (const value of [{}, 'x', true, new Uint8Array(1e6), new Float64Array(1e5)]) {
                        expect(changed(i, value)).toBe(false);
                    }
                }
                for (const i of lists) {
                    const list = args[i] as Float32Array;
                    expect(changed(i, list.subarray(1))).toBe(false);
                    if (i !== 0) expect(changed(i, data)).toBe(false);
                    const gone = list.slice();
                    structuredClone(gone, { transfer: [gone.buffer] });
                    expect(changed(i, gone)).toBe(false);
                }
                for (const count of [-1, 0.5, NaN, 33, 2 ** 31 - 1]) expect(changed(1, count)).toBe(false);
                for (const mesh of [-1, 1, 0.5, NaN, 2 ** 32]) expect(changed(2, mesh)).toBe(false);
                for (const i of lists) {
                    if (i !== 0) expect((args[i] as Float32Array).every((x) => x === GUARD)).toBe(true);
                }
            }
            expect(skinVertices(data, 20, 0, positions, null)).toBeUndefined();
            expect(skinVertices(data, 20, 0, positions, undefined)).toBeUndefined();
            expect(skinVertices(data, 20, 0, positions, positions)).toBe(false);
            const both = new Float32Array(20 * 120);
            expect(skinVertices(data, 20, 0, both.subarray(0, 1200), both.subarray(1199))).toBe(false);
            expect(skinVertices(data, 20, 0, both.subarray(0, 1200), both.subarray(1200))).toBeUndefined();
            const bare = { normals: new Float32Array(0), morphNormals: new Float32Array(0) };
            const without = (withMesh(bare) as (slots: unknown) => Refusable)(slots);
            expect(without.skinVertices(data, 20, 0, positions, new Float32Array(1200))).toBe(false);
            expect(without.skinVertices(data, 20, 0, positions, null)).toBeUndefined();
        });

        it('later changes of the tables have no effect: they are copied', () => {
            const mine = structuredClone(good);
            const { skinVertices } = (load([mine]) as (slots: unknown) => Refusable)(slots);
            const data = randomPoses(wide, slots, 4, 'usual');
            const [before, after] = [new Float32Array(240), new Float32Array(240)];
            skinVertices(data, 4, 0, before, null);
            for (const list of Object.values(mine)) if (typeof list !== 'number') list.fill(0xffff);
            skinVertices(data, 4, 0, after, null);
            expect(firstDifference(before, after)).toBeNull();
        });
    });
});
