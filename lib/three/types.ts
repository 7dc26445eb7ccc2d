// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { Poses } from '../rig/poses';
import type { PoseOptions } from '../table/poses';
import type { PaletteTextureOptions } from '../table/texture';

/** The common members of `three` and `three/webgpu` that are used here. */
export type SharedThree = Pick<
    typeof THREE,
    | 'Box3'
    | 'BufferAttribute'
    | 'BufferGeometry'
    | 'DataArrayTexture'
    | 'DataTexture'
    | 'FloatType'
    | 'Frustum'
    | 'Group'
    | 'HalfFloatType'
    | 'InstancedBufferAttribute'
    | 'InstancedMesh'
    | 'Matrix4'
    | 'Mesh'
    | 'PropertyBinding'
    | 'RedFormat'
    | 'RGBAFormat'
    | 'Sphere'
    | 'Vector3'
>;

/** The members of the module `three` that are used here. */
export type ThreeLike = SharedThree &
    Pick<
        typeof THREE,
        | 'DynamicDrawUsage'
        | 'InstancedInterleavedBuffer'
        | 'InterleavedBufferAttribute'
        | 'MeshDepthMaterial'
        | 'MeshDistanceMaterial'
        | 'RGBADepthPacking'
    >;

/** A model by GLTFLoader, with its parser, which knows the file's node of each object. */
export interface LoadedModel {
    /** The whole scene of the file. */
    readonly scene: THREE.Object3D;
    /** GLTFLoader's parser. */
    readonly parser: {
        /** The file's nodes, by object. */
        readonly associations: ReadonlyMap<unknown, unknown>;
        /** The file's JSON. */
        // biome-ignore lint/suspicious/noExplicitAny: of whatever type the loader has
        readonly json: any;
    };
}

/** Options of {@link createBakedCrowd} and {@link createLiveCrowd}. */
export interface CrowdOptions extends Pick<PaletteTextureOptions, 'maxSize'> {}

/** Many instances of a model, each with its own transform and pose. */
export interface Crowd {
    /** All meshes. Add it to the scene. */
    readonly group: THREE.Group;
    /** One for each mesh of the model, in the order of the scene. They share transforms and poses. */
    readonly meshes: readonly THREE.InstancedMesh[];
    /** The palettes, one for each table, shared by all meshes. */
    readonly textures: readonly (THREE.DataTexture | THREE.DataArrayTexture)[];
    /**
     * Sets the transform of an instance, relative to the file's own position of the model. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param matrix From the model's own scene to the group.
     */
    setMatrixAt(instance: number, matrix: THREE.Matrix4): void;
    /**
     * Reads the transform of an instance. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param target Output.
     * @returns `target`.
     */
    getMatrixAt(instance: number, target: THREE.Matrix4): THREE.Matrix4;
    /**
     * Sets the color that the instance's materials are multiplied by, at first white. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param color Copied.
     */
    setColorAt(instance: number, color: THREE.Color): void;
    /**
     * The box around an instance, in the space of the group: for baked crowds around everything that it can reach in
     * the clips that it plays, for live crowds around its pose.
     *
     * @param instance From 0 to `count - 1`.
     * @param target Output.
     * @returns `target`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_INDEX_RANGE`.
     */
    boxAt(instance: number, target: THREE.Box3): THREE.Box3;
    /**
     * Restricts drawing to the instances whose boxes at least one of the cameras sees. Without cameras, draws all. Call
     * it in each frame, after `pose` or `update`, if cameras or instances move. An invisible instance can cast a visible shadow:
     * pass `light.shadow.camera` too. Throws nothing; does not allocate.
     *
     * @param cameras The cameras that will draw.
     * @returns Number of drawn instances.
     */
    cull(...cameras: THREE.Camera[]): number;
    /**
     * Makes the material of a custom render pass move like a mesh of this crowd. Materials of the picture and of
     * shadows already do.
     *
     * @param material Only for this mesh. Its `onBeforeCompile` (for WebGPURenderer its `positionNode`) and its
     * program's cache key are changed once.
     * @param mesh One of `meshes`.
     * @throws RangeError `ERR_INDEX_RANGE`: another mesh.
     */
    patch(material: THREE.Material, mesh: THREE.InstancedMesh): void;
    /** Frees what was created here, but not the model's geometry and textures. Throws nothing. */
    dispose(): void;
}

/** Many instances of a model, each with its own transform, clip and time. */
export interface BakedCrowd extends Crowd {
    /**
     * Poses the first `times.length` instances by the rules of `BakedTable.sample`. The shader interpolates. Morph
     * weights of the bake are included. Does not allocate.
     *
     * @param clips One clip for all, or one for each.
     * @param times Seconds.
     * @param options `loop`, `between`: as for `BakedTable.sample`. By default a clip repeats if all tables have it as a
     * loop. `to`: a second clip that instances fade to. Matrices are then mixed element by element, as between two rows,
     * and palettes of `qts16` by their own rule. three.js mixes the rotations of nodes instead, so the two agree only at
     * weights 0 and 1.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`. The poses are then unchanged.
     */
    pose(clips: number | Uint16Array, times: Float32Array | Float64Array, options?: PoseOptions): void;
}

/** Many instances of a model that a Rig poses. */
export interface LiveCrowd extends Crowd {
    /**
     * Shows poses of the Rig: the first `poses.count` instances, the others keep theirs. Call it once in each frame,
     * after `rig.toGlobal`. Copies palettes, attachments and morph weights into textures. Does not allocate.
     *
     * @param poses Poses of the Rig, with all slots that the model needs. Read.
     * @throws RangeError `ERR_BUFFER_LENGTH`: there are more poses than instances; errors of `rig.palettes`: Error
     * `ERR_STALE_GLOBALS` if locals were written since the last `toGlobal`, TypeError `ERR_FOREIGN_POSES`, `ERR_ARGUMENT_TYPE`,
     * `ERR_DISPOSED`; RangeError `ERR_INDEX_RANGE` if the poses lack a slot.
     */
    update(poses: Poses): void;
}
