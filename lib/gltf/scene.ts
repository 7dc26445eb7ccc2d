// SPDX-License-Identifier: MIT

import type { InputError } from '../base/errors';
import type { OwnBytes } from './limits';

/**
 * A glTF file as plain data: everything that the evaluation of its skins and animations needs, decoded and validated.
 * All references are the file's own indices, because names can repeat or be empty (glTF 2.0, section 5).
 */
export interface GltfScene {
    /** The file's name without its folder, for manifests and messages. */
    readonly name: string;
    /** SHA-256 (hex) over the file's JSON chunk or text and then every buffer in index order. */
    readonly sha256: string;
    readonly nodes: readonly SceneNode[];
    readonly skins: readonly SceneSkin[];
    readonly animations: readonly SceneAnimation[];
    /** Every node with both a mesh and a skin, in node order. */
    readonly skinnedMeshes: readonly SkinnedMesh[];
    /** Every node with a mesh but no skin, in node order. Missing unless requested. */
    readonly rigidMeshes?: readonly RigidMesh[];
    readonly warnings: readonly Warning[];
    /** Bytes of the file before decoding. They limit the size of a rig. Missing: the limits of a small file apply. */
    readonly ownBytes?: OwnBytes;
    /** The files that clips were taken from, in the order of these clips, which follow the scene's own. */
    readonly clipFiles?: readonly ClipFile[];
    /** Format, units and axes of the FBX or BVH file that it was converted from. Missing: it was glTF. */
    readonly source?: string;
    /** The files of its buffers and images, relative to its folder. Missing: the scene was not read from a file. */
    readonly references?: readonly string[];
    /** Nodes by humanoid bone, as the extensions VRM, VRMC_vrm and VRMC_vrm_animation name them. */
    readonly humanoid?: Readonly<Record<string, number>>;
    /** Names of the morph targets (`extras.targetNames`), by node, for meshes that have them. */
    readonly targetNames?: ReadonlyMap<number, readonly string[]>;
}

export interface ClipFile {
    /** File name, without its folder. */
    readonly name: string;
    /** As {@link GltfScene.sha256}. */
    readonly sha256: string;
    /** Number of its clips. All were taken. */
    readonly clips: number;
}

/**
 * glTF 2.0, section 3.5.3. Lengths are in meters. Rotations are quaternions x y z w, of unit length unless a warning
 * says otherwise. The arrays are views into shared memory: never write to them, and do not use their `buffer`.
 */
export interface SceneNode {
    readonly name: string;
    /** Node index of the parent; -1 for a root. */
    readonly parent: number;
    /** Column-major 4x4 exactly as in the file, including shear and zero scale; null for a node with TRS. */
    readonly matrix: Float32Array | null;
    readonly translation: Float32Array;
    readonly rotation: Float32Array;
    readonly scale: Float32Array;
    /** Morph weights at rest, one for each target of the node's mesh (3.7.4). Empty without targets. */
    readonly weights: Float32Array;
    /** Any JSON value (3.12). Missing without one, and if it is too large. */
    readonly extras?: unknown;
}

/** glTF 2.0, section 3.7.3. */
export interface SceneSkin {
    readonly name: string;
    /** Node indices in file order, which is the order of JOINTS_n and of the palette. */
    readonly joints: readonly number[];
    /** `joints.length * 16` floats, column-major. Identities if the file has none. */
    readonly inverseBindMatrices: Float32Array;
    /** As {@link SceneNode.extras}. */
    readonly extras?: unknown;
    /** Set by bakes, for a skin that uses the palette of an earlier one. Its matrices are then that one's. */
    readonly rescaling?: Rescaling;
}

/** From the vertices of a skin, as stored, to the space of another skin's vertices: `scale * v + translation`. */
export interface Rescaling {
    /** Greater than 0, so that normals and tangents keep their direction. */
    readonly scale: number;
    readonly translation: readonly [x: number, y: number, z: number];
    /**
     * For each joint, the displacement of a vertex in that space by the rounding of both skins' matrices: a 3x4 matrix,
     * column by column.
     */
    readonly residuals: Float64Array;
}

/** glTF 2.0, section 3.11. */
export interface SceneAnimation {
    readonly name: string;
    /** Empty if there is a `fault`. */
    readonly channels: readonly SceneChannel[];
    /** As {@link SceneNode.extras}. {@link eventsOf} finds the events in it. */
    readonly extras?: unknown;
    /** Why the clip cannot be read. Missing for a valid clip, or if the first fault rejects the file. */
    readonly fault?: InputError;
}

export type ChannelPath = 'translation' | 'rotation' | 'scale' | 'weights';
/** Interpolation between two keys (glTF 2.0, appendix C): linear, none, or a cubic Hermite spline. */
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

export interface SceneChannel {
    /** JSON pointer of the channel, for messages. */
    readonly pointer: string;
    readonly node: number;
    readonly path: ChannelPath;
    readonly interpolation: Interpolation;
    /** Seconds, ascending. Equal times are kept: the last one wins, with a warning. */
    readonly times: Float32Array;
    /**
     * Decoded to float. LINEAR and STEP: `times.length * width` values; CUBICSPLINE: `times.length * 3 * width`
     * (in-tangent, value, out-tangent for each key). Width: 3, for rotations 4, for weights the number of morph
     * targets.
     */
    readonly values: Float32Array;
}

export interface SkinnedMesh {
    readonly node: number;
    readonly mesh: number;
    readonly skin: number;
    readonly primitives: readonly SkinnedPrimitive[];
    /** Normals and morph targets of each primitive. Missing unless requested. */
    readonly surfaces?: readonly SkinnedSurface[];
    /** As {@link RigidMesh.instances}. Missing unless meshes without a skin were requested. */
    readonly instances?: Float32Array;
}

/** A mesh that only its node places (glTF 2.0, 3.5.2). */
export interface RigidMesh {
    readonly node: number;
    readonly mesh: number;
    /** Whether joints or clips can move it. */
    readonly moves: boolean;
    /** Without influences. Empty for a mesh that does not move, unless clips of other files may move it. */
    readonly primitives: readonly SkinnedPrimitive[];
    /** As {@link SkinnedMesh.surfaces}. */
    readonly surfaces?: readonly SkinnedSurface[];
    /** Instances of a moving mesh in its node's space: translation, rotation and scale, ten numbers each. */
    readonly instances?: Float32Array;
}

export interface SkinnedPrimitive {
    /** `vertices * 3`, decoded to float. */
    readonly positions: Float32Array;
    /** Influences per vertex: 4 for each JOINTS_n / WEIGHTS_n pair; 0 for vertices that only their node places. */
    readonly influences: number;
    /** `vertices * influences` indices into `SceneSkin.joints`. */
    readonly joints: Uint16Array;
    /** `vertices * influences`. Each vertex's add up to 1, except for rounding, unless all are 0 or one is negative. */
    readonly weights: Float32Array;
    /** Maximum sum of a vertex's absolute weights in the file. Missing if it is at most 1, except for rounding. */
    readonly weightSum?: number;
}

/** The part of a primitive that only skinning needs, not the evaluation of poses. */
export interface SkinnedSurface {
    /** The primitive's index in the mesh. Primitives that no skin can move are left out. */
    readonly index: number;
    /** `vertices * 3`; null if the file has none. */
    readonly normals: Float32Array | null;
    /** One for each of the node's weights. */
    readonly targets: readonly MorphTarget[];
}

/** Displacements, `vertices * 3` each; null for an attribute that the target does not change. */
export interface MorphTarget {
    readonly positions: Float32Array | null;
    readonly normals: Float32Array | null;
}

/** Parts of a file to read in addition to its skeleton, skins and animations. */
export interface ReadOptions {
    /**
     * Whether to read the skinned meshes' normals and morph targets: {@link SkinnedMesh.surfaces}. `'positions'` leaves
     * out the normals. `true` means that vertices are skinned, so weights must be finite. Otherwise weights that are
     * not finite count as 0, with a warning.
     */
    readonly surfaces?: boolean | 'positions';
    /**
     * Whether to read the displacements of morph targets, without normals and without a check that they are finite: for
     * meshes whose weights a clip of the file animates. With `rigid: 'all'` for all meshes, because clips of other
     * files may animate them. Stored in {@link SkinnedMesh.surfaces}.
     */
    readonly targets?: boolean;
    /** `false` reads no accessor of a mesh: skinned meshes have no primitives, and their faults are not found. */
    readonly vertices?: boolean;
    /** Whether to read {@link GltfScene.rigidMeshes}. `'all'`: also the vertices of those that do not move. */
    readonly rigid?: boolean | 'all';
    /** Whether to read morph weights of nodes without a mesh, because the mesh is in another file. */
    readonly looseWeights?: boolean;
    /** Whether an invalid clip only gets a {@link SceneAnimation.fault} instead of rejecting the file. */
    readonly looseClips?: boolean;
}

/** Information about a valid or harmless file. The stable `code`s are in docs/tables/warnings.md. */
export interface Warning {
    /** Stable across versions. All codes are in docs/tables/warnings.md. */
    readonly code: string;
    /** JSON pointer (RFC 6901) into the glTF JSON. */
    readonly pointer: string;
    /** For people. May change. */
    readonly message: string;
}
