// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { PoseOptions } from '../table/poses';
import type { PaletteTextureOptions } from '../table/texture';

/** What is used of `three` and of `three/webgpu` alike. */
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

/** What is used of the module `three`. */
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

/** A model as GLTFLoader gives it: with its parser, which knows the nodes of the file that its objects were made of. */
export interface LoadedModel {
    /** The whole scene of the file. */
    readonly scene: THREE.Object3D;
    /** GLTFLoader's. */
    readonly parser: {
        /** Objects, and the nodes of the file that they stand for. */
        readonly associations: ReadonlyMap<unknown, unknown>;
        /** The file's JSON. */
        // biome-ignore lint/suspicious/noExplicitAny: of whatever type the loader has
        readonly json: any;
    };
}

/** Options of {@link createBakedCrowd}. */
export interface BakedCrowdOptions extends Pick<PaletteTextureOptions, 'maxSize'> {}

/** Many instances of a model, each at its own place, clip and time. */
export interface BakedCrowd {
    /** All of the meshes: put it into the scene. */
    readonly group: THREE.Group;
    /** One for each mesh of the model, in the order of the scene. They share places and poses. */
    readonly meshes: readonly THREE.InstancedMesh[];
    /** The palettes, one for each table, which all meshes share. */
    readonly textures: readonly (THREE.DataTexture | THREE.DataArrayTexture)[];
    /**
     * Places an instance: on top of where the file has the model. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param matrix From the model's own scene to the group.
     */
    setMatrixAt(instance: number, matrix: THREE.Matrix4): void;
    /**
     * The place of an instance. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param target Is written.
     * @returns `target`.
     */
    getMatrixAt(instance: number, target: THREE.Matrix4): THREE.Matrix4;
    /**
     * The colour by which the materials of an instance are multiplied, white at first. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param color Is copied.
     */
    setColorAt(instance: number, color: THREE.Color): void;
    /**
     * Poses the instances, the first `times.length` of them, by the rules of `BakedTable.sample`; the shader interpolates. Morph
     * weights of the bake come along. Does not allocate.
     *
     * @param clips One clip for all, or one for each.
     * @param times Seconds.
     * @param options `loop`, `between`: as for `BakedTable.sample`; `to`: a second clip that instances fade to. Matrices are then mixed
     * element by element, as between two rows, and palettes of `qts16` by their own rule: three.js mixes the rotations of nodes, so that the
     * two agree where the weight is 0 or 1.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`. Nothing has been drawn otherwise then.
     */
    pose(clips: number | Uint16Array, times: Float32Array | Float64Array, options?: PoseOptions): void;
    /**
     * The box around all that an instance can reach in the clips that it plays, in the space of the group.
     *
     * @param instance From 0 to `count - 1`.
     * @param target Is written.
     * @returns `target`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_INDEX_RANGE`.
     */
    boxAt(instance: number, target: THREE.Box3): THREE.Box3;
    /**
     * From now on draws only those instances whose boxes one of the cameras sees; without cameras all of them. Call it in each frame,
     * after `pose`, where cameras or instances move. What is out of sight may throw a shadow into sight: give
     * `light.shadow.camera` as well. Throws nothing; does not allocate.
     *
     * @param cameras As they will draw.
     * @returns How many instances are drawn.
     */
    cull(...cameras: THREE.Camera[]): number;
    /**
     * Makes a material of a pass of your own move as a mesh of this crowd does; those for its picture and for shadows do already.
     *
     * @param material For this mesh alone: its `onBeforeCompile` (for WebGPURenderer its `positionNode`) and the key of its program are
     * changed, once.
     * @param mesh One of `meshes`.
     * @throws RangeError `ERR_INDEX_RANGE`: the mesh is none of them.
     */
    patch(material: THREE.Material, mesh: THREE.InstancedMesh): void;
    /** Frees what was made here; geometry and textures of the model stay. Throws nothing. */
    dispose(): void;
}
