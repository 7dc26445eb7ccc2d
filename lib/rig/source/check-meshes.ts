// SPDX-License-Identifier: MIT

import type { SkinnedMesh, SkinnedPrimitive, SkinnedSurface } from '../../gltf/scene';
import type { Refuse, RigSource } from './source';

interface Meshes extends Pick<RigSource, 'skinnedMeshes'> {
    readonly nodes: readonly { readonly weights: { readonly length: number } }[];
    readonly skins: readonly { readonly joints: { readonly length: number } }[];
}

type Where = readonly (string | number)[];

/** The highest joint index of the vertices, and the first vertex that has it. */
interface LastJoint {
    readonly joint: number;
    readonly vertex: number;
    /** The n of JOINTS_n. */
    readonly set: number;
}

/** Data that was already checked, because meshes, primitives and accessors can be shared. */
interface Done {
    readonly primitives: Map<SkinnedPrimitive, LastJoint>;
    readonly vectors: Set<Float32Array>;
}

/**
 * Checks skinned meshes (glTF 2.0, 3.7.3.3) of any source. The reader of files does not reject negative weights.
 * `where` is the JSON pointer of the attribute in a glTF.
 */
export function checkMeshes({ nodes, skins, skinnedMeshes }: Meshes, refuse: Refuse): void {
    const lastJoints = new Map<number, LastJoint & { readonly where: Where }>();
    const done: Done = { primitives: new Map(), vectors: new Set() };
    for (const mesh of skinnedMeshes) {
        let last = lastJoints.get(mesh.mesh);
        if (last === undefined) {
            last = checkMesh(mesh, nodes[mesh.node]!.weights.length, done, refuse);
            lastJoints.set(mesh.mesh, last);
        }
        const count = skins[mesh.skin]!.joints.length;
        if (last.joint < count) continue;
        const rule = `vertex ${last.vertex} has joint ${last.joint}, skin ${mesh.skin} has ${count} joints (3.7.3.3)`;
        refuse([...last.where, 'attributes', `JOINTS_${last.set}`], rule);
    }
}

function checkMesh({ mesh, primitives, surfaces = [] }: SkinnedMesh, targets: number, done: Done, refuse: Refuse) {
    let max: LastJoint & { readonly where: Where } = { joint: -1, vertex: 0, set: 0, where: [] };
    for (const [i, primitive] of primitives.entries()) {
        const surface = surfaces[i];
        const where = ['meshes', mesh, 'primitives', surface?.index ?? i];
        const { length } = primitive.positions;
        checkVectors(primitive.positions, length, [...where, 'attributes', 'POSITION'], done, refuse);
        if (surface !== undefined) checkSurface(surface, length, targets, where, done, refuse);
        let last = done.primitives.get(primitive);
        if (last === undefined) {
            last = checkInfluences(primitive, [...where, 'attributes'], refuse);
            done.primitives.set(primitive, last);
        }
        if (last.joint > max.joint) max = { ...last, where };
    }
    return max;
}

function checkInfluences(
    { positions, influences, joints, weights }: SkinnedPrimitive,
    where: Where,
    refuse: Refuse,
): LastJoint {
    const vertices = positions.length / 3;
    if (!(Number.isInteger(influences) && influences >= 4 && influences % 4 === 0)) {
        refuse([...where, 'JOINTS_0'], `${influences} influences for each vertex, must be a multiple of 4`);
    }
    for (const [name, { length }] of Object.entries({ JOINTS_0: joints, WEIGHTS_0: weights })) {
        if (length === vertices * influences) continue;
        const need = `${vertices} vertices x ${influences} = ${vertices * influences}`;
        refuse([...where, name], `has ${length} numbers, must have ${need}`);
    }
    let max = -1;
    let at = 0;
    for (let first = 0; first < weights.length; first += influences) {
        let follows = true;
        for (let i = first; i < first + influences; i++) {
            const weight = weights[i]!;
            if (weight === 0) continue;
            if (!(weight > 0 && weight < Infinity)) {
                const rule = weight < 0 ? 'must not be negative' : 'must be finite';
                const vertex = `vertex ${first / influences} has weight ${weight}`;
                refuse([...where, `WEIGHTS_${(i - first) >> 2}`], `${vertex}, ${rule} (3.7.3.3)`);
            }
            follows = false;
            if (joints[i]! > max) {
                max = joints[i]!;
                at = i;
            }
        }
        // A vertex whose weights are all 0 follows its first joint.
        if (follows && joints[first]! > max) {
            max = joints[first]!;
            at = first;
        }
    }
    return { joint: max, vertex: Math.floor(at / influences), set: (at % influences) >> 2 };
}

function checkSurface(
    { normals, targets }: SkinnedSurface,
    length: number,
    count: number,
    where: Where,
    done: Done,
    refuse: Refuse,
): void {
    if (normals !== null) checkVectors(normals, length, [...where, 'attributes', 'NORMAL'], done, refuse);
    if (targets.length !== count) {
        refuse([...where, 'targets'], `has ${targets.length} morph targets, its node has ${count} weights (3.7.4)`);
    }
    for (const [t, target] of targets.entries()) {
        const at = [...where, 'targets', t];
        if (target.positions !== null) checkVectors(target.positions, length, [...at, 'POSITION'], done, refuse);
        if (target.normals !== null) checkVectors(target.normals, length, [...at, 'NORMAL'], done, refuse);
    }
}

function checkVectors(values: Float32Array, length: number, where: Where, done: Done, refuse: Refuse): void {
    if (values.length % 3 !== 0) refuse(where, `has ${values.length} numbers, must have 3 for each vertex`);
    if (values.length !== length) {
        refuse(where, `has ${values.length / 3} vertices, POSITION has ${length / 3} (3.7.2.1)`);
    }
    if (done.vectors.has(values)) return;
    done.vectors.add(values);
    for (let i = 0; i < values.length; i++) {
        if (values[i]! - values[i]! === 0) continue;
        refuse(where, `vertex ${Math.floor(i / 3)} has ${values[i]}, must be finite`);
    }
}
