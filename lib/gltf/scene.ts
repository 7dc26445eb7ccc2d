// SPDX-License-Identifier: MIT

import type { InputError } from '../base/errors';
import type { OwnBytes } from './limits';

/**
 * A glTF file as plain data: what evaluating its skins and animations needs, decoded and already validated.
 * Everything is addressed by the file's own indices (names may repeat or be empty, glTF 2.0 section 5).
 */
export interface GltfScene {
    /** The file's name without its folder, for manifests and messages. */
    readonly name: string;
    /** SHA-256 (hex) over the file's JSON chunk or text and then every buffer in index order. */
    readonly sha256: string;
    readonly nodes: readonly SceneNode[];
    readonly skins: readonly SceneSkin[];
    readonly animations: readonly SceneAnimation[];
    /** Every node that has both a mesh and a skin, in node order. */
    readonly skinnedMeshes: readonly SkinnedMesh[];
    /** Every node that has a mesh and no skin, in node order; missing unless they were asked for. */
    readonly rigidMeshes?: readonly RigidMesh[];
    readonly warnings: readonly Warning[];
    /** The bytes of the file before it was decoded: they limit what a rig makes of it. Missing: as of a small file. */
    readonly ownBytes?: OwnBytes;
    /** The files that clips were taken of, in the order of `animations`, behind the scene's own. Missing: there are none. */
    readonly clipFiles?: readonly ClipFile[];
    /** The files of its buffers and images, relative to its folder. Missing: the scene was not read from a file. */
    readonly references?: readonly string[];
}

/** A file whose clips were added to a scene. */
export interface ClipFile {
    /** Without its folder. */
    readonly name: string;
    /** As {@link GltfScene.sha256}. */
    readonly sha256: string;
    /** How many clips it has: all were taken. */
    readonly clips: number;
}

/**
 * glTF 2.0, section 3.5.3. Units: metres; rotations are quaternions x y z w, of unit length unless a warning says
 * otherwise. The arrays are views into shared memory: never write to them, and do not use their `buffer`.
 */
export interface SceneNode {
    readonly name: string;
    /** Node index of the parent, -1 for a root. */
    readonly parent: number;
    /** Column-major 4x4 exactly as in the file (shear and zero scale included), or null where the node has TRS. */
    readonly matrix: Float32Array | null;
    readonly translation: Float32Array;
    readonly rotation: Float32Array;
    readonly scale: Float32Array;
    /** Morph weights at rest, one for each target of the node's mesh (3.7.4); empty where nothing morphs. */
    readonly weights: Float32Array;
}

/** glTF 2.0, section 3.7.3. */
export interface SceneSkin {
    readonly name: string;
    /** Node indices, in the order of the file, which is the order of JOINTS_n and of the palette. */
    readonly joints: readonly number[];
    /** `joints.length * 16` floats, column-major; identities where the file has none. */
    readonly inverseBindMatrices: Float32Array;
}

/** glTF 2.0, section 3.11. */
export interface SceneAnimation {
    readonly name: string;
    /** None where it has a `fault`. */
    readonly channels: readonly SceneChannel[];
    /** Why the clip cannot be read. Missing: it can be, or faults were not wanted: then the first one ended the reading. */
    readonly fault?: InputError;
}

export type ChannelPath = 'translation' | 'rotation' | 'scale' | 'weights';
/** Between two keys (glTF 2.0, appendix C): straight, none, or a cubic Hermite spline. */
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

export interface SceneChannel {
    /** JSON pointer of the channel, for messages. */
    readonly pointer: string;
    readonly node: number;
    readonly path: ChannelPath;
    readonly interpolation: Interpolation;
    /** Seconds, ascending (equal neighbours are kept: the last one wins, with a warning). */
    readonly times: Float32Array;
    /**
     * Decoded to float. LINEAR and STEP: `times.length * width` values; CUBICSPLINE: `times.length * 3 * width`
     * (in-tangent, value, out-tangent per key). Width: 3, rotation 4, weights the number of morph targets.
     */
    readonly values: Float32Array;
}

export interface SkinnedMesh {
    readonly node: number;
    readonly mesh: number;
    readonly skin: number;
    readonly primitives: readonly SkinnedPrimitive[];
    /** Normals and morph targets of each of the primitives; missing unless they were asked for. */
    readonly surfaces?: readonly SkinnedSurface[];
    /** As {@link RigidMesh.instances}; missing unless meshes without a skin were asked for. */
    readonly instances?: Float32Array;
}

/** A mesh that its node alone places (glTF 2.0, 3.5.2). */
export interface RigidMesh {
    readonly node: number;
    readonly mesh: number;
    /** Whether joints or clips can move it. */
    readonly moves: boolean;
    /** Without influences. Empty where the mesh does not move, unless it was asked for: clips of other files may move it. */
    readonly primitives: readonly SkinnedPrimitive[];
    /** As {@link SkinnedMesh.surfaces}. */
    readonly surfaces?: readonly SkinnedSurface[];
    /**
     * Of a mesh that moves, the places that it is drawn at in its node's space (EXT_mesh_gpu_instancing): translation, rotation and
     * scale, ten numbers each. Missing: it is drawn once.
     */
    readonly instances?: Float32Array;
}

export interface SkinnedPrimitive {
    /** `vertices * 3`, decoded to float. */
    readonly positions: Float32Array;
    /** Influences per vertex: 4 for each JOINTS_n / WEIGHTS_n pair; 0 for vertices that their node alone places. */
    readonly influences: number;
    /** `vertices * influences` indices into `SceneSkin.joints`. */
    readonly joints: Uint16Array;
    /** `vertices * influences`; each vertex's own add up to 1 but for rounding, unless all are 0 or one is negative. */
    readonly weights: Float32Array;
    /** The greatest sum of a vertex's weights in the file, none with its sign; missing where that is 1 but for rounding, or less. */
    readonly weightSum?: number;
}

/** The part of a primitive that skinning needs, and evaluating poses does not. */
export interface SkinnedSurface {
    /** The primitive's index in the mesh. Primitives that no skin can move are left out. */
    readonly index: number;
    /** `vertices * 3`; null where the file has none. */
    readonly normals: Float32Array | null;
    /** As many as the node has weights. */
    readonly targets: readonly MorphTarget[];
}

/** `vertices * 3` each, to be added; null where the target leaves them as they are. */
export interface MorphTarget {
    readonly positions: Float32Array | null;
    readonly normals: Float32Array | null;
}

/** A fact about the file that the user should know: legal, or harmless enough to go on. Stable `code`s: docs/faq.md. */
export interface Warning {
    /** Stable; all of them: docs/faq.md. */
    readonly code: string;
    /** JSON pointer (RFC 6901) into the glTF JSON. */
    readonly pointer: string;
    /** For people; may change. */
    readonly message: string;
}
