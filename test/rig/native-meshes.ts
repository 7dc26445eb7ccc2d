// SPDX-License-Identifier: MIT

/** Random meshes as `kernels/contract.ts` describes them, for the rigs of native-tables.ts. */

import type { MeshTables, SkinningTables, SlotTables } from '../../lib/rig/kernels/contract';
import { type GeneratedRig, posesFor, randomFloat, type Values } from './native-tables';

type Next = () => number;

const whole = (next: Next, limit: number) => Math.floor(next() * limit);

const floats = (next: Next, length: number, values: Values) =>
    Float32Array.from({ length }, () => randomFloat(next, values) + 0);

/** Influences for each set: none (only if another set has some) up to four; weights of 1, tiny and large ones. */
function randomInfluences(next: Next, vertexCount: number, sets: number, joints: number) {
    const starts = new Uint32Array(vertexCount * sets + 1);
    const influenceJoints: number[] = [];
    const influenceWeights: number[] = [];
    const most = next() < 0.3 ? 1 : 4;
    for (let v = 0; v < vertexCount; v++) {
        const needed = whole(next, sets);
        for (let set = 0; set < sets; set++) {
            const least = set === needed ? 1 : 0;
            const count = Math.max(least, Math.min(most, whole(next, 5)));
            for (let i = 0; i < count; i++) {
                influenceJoints.push(whole(next, joints));
                const kind = next();
                influenceWeights.push(kind < 0.2 ? 1 : kind < 0.25 ? 1.5e-45 : kind < 0.3 ? 70 : 1 - next());
            }
            starts[v * sets + set + 1] = influenceJoints.length;
        }
    }
    return {
        starts,
        influenceJoints: Uint16Array.from(influenceJoints),
        influenceWeights: Float32Array.from(influenceWeights),
    };
}

/** Targets that move all vertices, some, or none. */
function randomTargets(next: Next, vertexCount: number, targetCount: number, hasNormals: boolean, values: Values) {
    const chance = [0.02, 0.3, 1][whole(next, 3)]!;
    const morphStarts = new Uint32Array(targetCount === 0 ? 0 : vertexCount + 1);
    const morphTargets: number[] = [];
    for (let v = 0; v + 1 < morphStarts.length; v++) {
        for (let target = 0; target < targetCount; target++) if (next() < chance) morphTargets.push(target);
        morphStarts[v + 1] = morphTargets.length;
    }
    return {
        targetCount,
        morphStarts,
        morphTargets: Uint32Array.from(morphTargets),
        morphPositions: floats(next, morphTargets.length * 3, values),
        morphNormals: floats(next, hasNormals ? morphTargets.length * 3 : 0, values),
    };
}

/** A mesh for skin 0 or another; `normals` includes a few of length 0. */
export function randomMesh(
    { tables, next }: GeneratedRig,
    values: Values,
    { vertexCount, sets = 1, normals = true }: { vertexCount: number; sets?: number; normals?: boolean },
): MeshTables {
    const skin = whole(next, tables.skins.length);
    const all = Array.from(tables.skins[skin]!.joints.keys());
    const some = all.filter(() => next() < 0.7);
    const joints = Int32Array.from(some.length > 0 ? some : all);
    const weights = tables.restWeights.length;
    const firstWeight = whole(next, weights + 1);
    const targetCount = whole(next, weights - firstWeight + 1);
    const normalList = floats(next, normals ? vertexCount * 3 : 0, values);
    for (let v = 0; v < normalList.length; v += 3) if (next() < 0.05) normalList.fill(0, v, v + 3);
    return {
        skin,
        vertexCount,
        positions: floats(next, vertexCount * 3, values),
        normals: normalList,
        joints,
        sets,
        ...randomInfluences(next, vertexCount, sets, joints.length),
        firstWeight,
        ...randomTargets(next, vertexCount, targetCount, normals && vertexCount > 0, values),
    };
}

export function withMeshes({ tables }: GeneratedRig, meshes: readonly MeshTables[]): SkinningTables {
    return { ...tables, meshes };
}

/** Whether poses with these slots can move the mesh. */
export function haveJoints(tables: SkinningTables, slots: SlotTables, mesh: MeshTables): boolean {
    const { joints } = tables.skins[mesh.skin]!;
    return mesh.joints.every((joint) => slots.places[joints[joint]!]! >= 0);
}

/** Random poses, with mirrored and singular globals. `beyond` adds NaN and infinities. Some weights are 0. */
export function randomPoses(
    { tables, next }: GeneratedRig,
    slots: SlotTables,
    count: number,
    values: Values | 'beyond',
): Float32Array {
    const { data } = posesFor(tables, slots, count);
    const idle = next() < 0.2;
    const [locals, blockFloats] = [slots.slots.length * 22 * 16, slots.slots.length * 22 + tables.restWeights.length];
    for (let i = 0; i < data.length; i++) {
        const isWeight = i % (blockFloats * 16) >= locals;
        if (isWeight && (idle || next() < 0.3)) data[i] = next() < 0.5 ? 0 : -0;
        else if (values !== 'beyond') data[i] = randomFloat(next, values);
        else data[i] = next() < 0.1 ? [NaN, Infinity, -Infinity, 3e38][whole(next, 4)]! : randomFloat(next, 'extreme');
    }
    return data;
}
