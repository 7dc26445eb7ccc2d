// SPDX-License-Identifier: MIT

/** The public properties of a rig. All are plain values or copies: changing them does not affect poses. */

import type { ClipEvent } from '../base/clip-events';
import { eventsOf } from '../gltf/clip-events';
import type { SceneAnimation } from '../gltf/scene';
import { type Cadence, cadenceOf } from './cadence';
import { type ClipTables, type SkinTables, TRACK_NUMBERS } from './kernels/contract';
import type { Skeleton } from './skeleton';
import type { NodeMesh } from './source/list-meshes';
import { type MeshGeometry, NO_GEOMETRY } from './source/mesh-geometry';

/** A node that the rig evaluates (glTF 2.0, 3.5.2). */
export interface RigSlot {
    /** Name of the node. Not unique; may be empty. */
    readonly name: string;
    /** Index of the node in the file. */
    readonly node: number;
    /** Slot of the parent, always a lower index; -1 for a root. */
    readonly parent: number;
    /**
     * Whether the node has a `matrix`. Such a transform is constant: clips and `setLocal` cannot change it (glTF 2.0,
     * 3.5.3).
     */
    readonly hasMatrix: boolean;
}

/** A skin (glTF 2.0, 3.7.3). Its joints are slots of the rig. */
export interface RigSkin {
    /** Name of the skin. Not unique; may be empty. */
    readonly name: string;
    /**
     * Slot of each joint, in the order of the file. JOINTS_n and palettes have the same order. For `rig.joints` and
     * `only`.
     */
    readonly joints: Int32Array;
    /** For each joint, its nearest ancestor among the joints of the skin: index into `joints`, or -1. */
    readonly parents: Int32Array;
    /** `[joint][12]`: inverse bind matrices, row-major 3x4. */
    readonly inverseBinds: Float32Array;
}

/** A clip: an animation of a file (glTF 2.0, 3.11). */
export interface RigClip {
    /** Name of the animation. Not unique; may be empty. */
    readonly name: string;
    /** Duration in seconds, a float32: the maximum of the last key times of all channels. */
    readonly duration: number;
    /** Number of channels that move a slot or morph weights over time. Constant channels are not counted. */
    readonly tracks: number;
    /** The spacing of the keys. */
    readonly cadence: Cadence;
    /**
     * The events in `extras.events` and `extras.markers` of the animation, by time. `rig.events` finds those between
     * two times.
     */
    readonly events: readonly ClipEvent[];
    /**
     * Whether the first and last pose agree, with morph weights: the `loop` of bakes with default options, of all
     * skins. Such a clip repeats without a jump. Without vertices the joints decide.
     */
    readonly loop: boolean;
}

/**
 * A node whose mesh a skin or morph targets move (glTF 2.0, 3.7.2 and 3.7.3). All primitives are joined into one list
 * of vertices. Nodes with the same mesh share this list. A mesh that only morphs has no vertices here.
 */
export interface RigMesh extends MeshGeometry {
    /** Name of the node. Not unique; may be empty. */
    readonly name: string;
    /** Index of the node in the file. */
    readonly node: number;
    /** Index into `rig.skins`; -1 if the mesh only morphs. */
    readonly skin: number;
    /** Index of the first morph weight of the mesh among the weights of a pose. */
    readonly firstWeight: number;
    /** Number of morph targets. */
    readonly weightCount: number;
}

/** The rest pose: the transforms and weights of the nodes. */
export interface RigRest {
    /** `[slot][10]`: T 3, R 4 (x y z w), S 3; the identity for slots with a matrix. */
    readonly locals: Float32Array;
    /** `[slot][12]`: the matrices of slots with a matrix, row-major 3x4; zeros for other slots. */
    readonly matrices: Float32Array;
    /** `[weight]`: the morph weights. Those of a mesh start at its `firstWeight`. */
    readonly weights: Float32Array;
}

export function describeSlots(
    names: readonly string[],
    { nodes, parents, matrixOfSlot }: Pick<Skeleton, 'nodes' | 'parents' | 'matrixOfSlot'>,
): readonly RigSlot[] {
    return names.map((name, slot) => ({
        name,
        node: nodes[slot]!,
        parent: parents[slot]!,
        hasMatrix: matrixOfSlot[slot]! >= 0,
    }));
}

export function describeSkins(
    names: readonly string[],
    skins: readonly SkinTables[],
    parents: Int32Array,
): readonly RigSkin[] {
    return names.map((name, skin) => {
        const { joints, inverseBinds } = skins[skin]!;
        return {
            name,
            joints: joints.slice(),
            parents: nearestJoints(parents, joints),
            inverseBinds: inverseBinds.slice(),
        };
    });
}

/** One pass suffices, because parents come before children. */
function nearestJoints(parents: Int32Array, joints: Int32Array): Int32Array {
    const jointOfSlot = new Int32Array(parents.length).fill(-1);
    for (let joint = 0; joint < joints.length; joint++) jointOfSlot[joints[joint]!] = joint;
    const above = new Int32Array(parents.length);
    for (let slot = 0; slot < parents.length; slot++) {
        const parent = parents[slot]!;
        if (parent < 0) above[slot] = -1;
        else above[slot] = jointOfSlot[parent]! >= 0 ? jointOfSlot[parent]! : above[parent]!;
    }
    return joints.map((slot) => above[slot]!);
}

export function describeClips(
    animations: readonly SceneAnimation[],
    clips: readonly ClipTables[],
): readonly Omit<RigClip, 'loop'>[] {
    return animations.map((animation, index) => {
        const { duration, tracks, morphTracks } = clips[index]!;
        let moving = 0;
        for (const table of [tracks, morphTracks]) {
            for (let i = 0; i < table.length; i += TRACK_NUMBERS) if (table[i]! >= 0) moving++;
        }
        const { events } = eventsOf(animation);
        return { name: animation.name, duration, tracks: moving, cadence: cadenceOf(animation), events };
    });
}

export interface NamedMesh extends NodeMesh {
    readonly name: string;
}

export function describeMeshes(meshes: readonly NamedMesh[]): readonly RigMesh[] {
    return meshes.map(({ name, node, skin, geometry, firstWeight, weightCount }) => ({
        name,
        node,
        skin,
        firstWeight,
        weightCount,
        ...(geometry ?? NO_GEOMETRY),
    }));
}

export function describeRest(
    { rest, matrixOfSlot, matrices: own }: Pick<Skeleton, 'rest' | 'matrixOfSlot' | 'matrices'>,
    weights: Float32Array,
): RigRest {
    const matrices = new Float32Array(matrixOfSlot.length * 12);
    for (let slot = 0; slot < matrixOfSlot.length; slot++) {
        const matrix = matrixOfSlot[slot]!;
        if (matrix >= 0) matrices.set(own.subarray(matrix * 12, matrix * 12 + 12), slot * 12);
    }
    return { locals: rest.slice(), matrices, weights: weights.slice() };
}
