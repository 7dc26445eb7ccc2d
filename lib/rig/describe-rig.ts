// SPDX-License-Identifier: MIT

/** The properties of a rig that its users see: plain values and copies, so that changing them changes no pose. */

import { type Cadence, cadenceOf } from './cadence';
import type { ClipTables } from './kernels/contract';
import type { Morphs } from './pack/morphs';
import type { Skeleton } from './skeleton';
import type { NodeMesh } from './source/list-meshes';
import type { PrimitiveRange, TargetGeometry } from './source/mesh-geometry';
import type { RigSource } from './source/source';

/** A node that the rig evaluates. */
export interface RigSlot {
    /** The node's; may repeat or be empty. */
    readonly name: string;
    /** Index of the node in the file. */
    readonly node: number;
    /** Slot of the parent, always a lower one; -1 for a root. */
    readonly parent: number;
    /** Whether the node has a `matrix`: it is constant, and neither clips nor `setLocal` change it. */
    readonly hasMatrix: boolean;
}

/** A skin, by slots of the rig. */
export interface RigSkin {
    /** May repeat or be empty. */
    readonly name: string;
    /** Slot of each joint, in the order of the file, which is that of JOINTS_n and of the palette: for `rig.joints` and `only`. */
    readonly joints: Int32Array;
    /** The nearest joint of the skin above each joint, as an index into `joints`; -1 where there is none. */
    readonly parents: Int32Array;
    /** [joint][12], row-major 3x4. */
    readonly inverseBinds: Float32Array;
}

/** A clip, as it was packed. */
export interface RigClip {
    /** The animation's; may repeat or be empty. */
    readonly name: string;
    /** Seconds: the maximum of the last keys of all channels. A float32. */
    readonly duration: number;
    /** Channels of the rig's slots that change over time; the constant ones are folded. */
    readonly tracks: number;
    /** Whether, and at which rate, its keys are evenly spaced. */
    readonly cadence: Cadence;
}

/**
 * A node with a mesh that a skin or morph targets move: all its primitives in one list of vertices, which nodes with the same mesh share. A
 * mesh that only morphs has no vertices in this list.
 */
export interface RigMesh {
    /** The node's; may repeat or be empty. */
    readonly name: string;
    /** Index of the node in the file. */
    readonly node: number;
    /** Index into `rig.skins`, -1 where the mesh only morphs. */
    readonly skin: number;
    /** Index of its first weight among those of a pose. */
    readonly firstWeight: number;
    /** Morph targets. */
    readonly weightCount: number;
    /** Of all primitives. */
    readonly vertexCount: number;
    /** The range of vertices of each primitive. */
    readonly primitives: readonly PrimitiveRange[];
    /** [vertex][3], like all positions of glTF before skinning in the space of the mesh. */
    readonly positions: Float32Array;
    /** [vertex][3]; null where a primitive has none. */
    readonly normals: Float32Array | null;
    /** Influences of a vertex, 4 or 8 (more where the file has more); 0 without a skin. */
    readonly influences: number;
    /** [vertex][influences], indices into the skin's `joints`. */
    readonly joints: Uint16Array;
    /** [vertex][influences], as they are in the file: their sum is 1 only as exactly as it is there. */
    readonly weights: Float32Array;
    /** The morph targets. */
    readonly targets: readonly TargetGeometry[];
}

/** The rest pose. */
export interface RigRest {
    /** [slot][10]: T 3, R 4, S 3; the identity for slots with a matrix. */
    readonly locals: Float32Array;
    /** [slot][12], row-major 3x4: of the slots with a matrix that matrix, zeros for the others. */
    readonly matrices: Float32Array;
    /** `[weight]`: the morph weights, each mesh's from its `firstWeight` on. */
    readonly weights: Float32Array;
}

export function describeSlots({ nodes }: RigSource, skeleton: Skeleton): readonly RigSlot[] {
    return Array.from(skeleton.nodes, (node, slot) => ({
        name: nodes[node]!.name,
        node,
        parent: skeleton.parents[slot]!,
        hasMatrix: skeleton.matrixOfSlot[slot]! >= 0,
    }));
}

export function describeSkins(
    { skins }: RigSource,
    skeleton: Skeleton,
    inverseBinds: readonly Float32Array[],
): readonly RigSkin[] {
    return skins.map(({ name, joints }, skin) => {
        const jointSlots = Int32Array.from(joints, (node) => skeleton.slotOfNode[node]!);
        return {
            name,
            joints: jointSlots,
            parents: nearestJoints(skeleton, jointSlots),
            inverseBinds: inverseBinds[skin]!.slice(),
        };
    });
}

/** Parents come first, so one pass carries the nearest joint above down every chain. */
function nearestJoints({ parents }: Skeleton, joints: Int32Array): Int32Array {
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

export function describeClips({ animations }: RigSource, clips: readonly ClipTables[]): readonly RigClip[] {
    return animations.map((animation, index) => {
        const { duration, tracks, morphTracks } = clips[index]!;
        const moving = [tracks, morphTracks].map(
            (table) => table.filter((group, i) => i % 3 === 0 && group >= 0).length,
        );
        return { name: animation.name, duration, tracks: moving[0]! + moving[1]!, cadence: cadenceOf(animation) };
    });
}

export function describeMeshes({ nodes }: RigSource, meshes: readonly NodeMesh[]): readonly RigMesh[] {
    return meshes.map(({ node, skin, geometry, firstWeight, weightCount }) => ({
        name: nodes[node]!.name,
        node,
        skin,
        firstWeight,
        weightCount,
        vertexCount: geometry?.vertexCount ?? 0,
        primitives: geometry?.primitives ?? [],
        positions: geometry?.positions ?? new Float32Array(0),
        normals: geometry?.normals ?? null,
        influences: geometry?.influences ?? 0,
        joints: geometry?.joints ?? new Uint16Array(0),
        weights: geometry?.weights ?? new Float32Array(0),
        targets: geometry?.targets ?? [],
    }));
}

export function describeRest(skeleton: Skeleton, morphs: Morphs): RigRest {
    const matrices = new Float32Array(skeleton.nodes.length * 12);
    for (let slot = 0; slot < skeleton.nodes.length; slot++) {
        const matrix = skeleton.matrixOfSlot[slot]!;
        if (matrix >= 0) matrices.set(skeleton.matrices.subarray(matrix * 12, matrix * 12 + 12), slot * 12);
    }
    return { locals: skeleton.rest.slice(), matrices, weights: morphs.rest.slice() };
}
