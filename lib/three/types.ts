// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { SampleOptions } from '../table';
import type { PaletteTextureOptions } from '../table/texture';

/** What is used of the module `three`. */
export type ThreeLike = Pick<
    typeof THREE,
    | 'Box3'
    | 'BufferGeometry'
    | 'DataArrayTexture'
    | 'DataTexture'
    | 'DynamicDrawUsage'
    | 'FloatType'
    | 'Group'
    | 'HalfFloatType'
    | 'InstancedBufferAttribute'
    | 'InstancedMesh'
    | 'RGBAFormat'
    | 'Sphere'
    | 'Vector3'
>;

/** Options of {@link createBakedCrowd}. */
export interface BakedCrowdOptions extends Pick<PaletteTextureOptions, 'maxSize'> {}

/** Many instances of a character, each at its own place, clip and time. */
export interface BakedCrowd {
    /** All of the meshes: put it into the scene. */
    readonly group: THREE.Group;
    /** One for each skinned mesh that was given. They share their places and poses. */
    readonly meshes: readonly THREE.InstancedMesh[];
    /** The palette, which all meshes share. */
    readonly texture: THREE.DataTexture | THREE.DataArrayTexture;
    /**
     * Places an instance: on top of where the file has the character. Throws nothing.
     *
     * @param instance From 0 to `count - 1`.
     * @param matrix From the character's own scene to the world.
     */
    setMatrixAt(instance: number, matrix: THREE.Matrix4): void;
    /**
     * Poses the instances, the first `times.length` of them, by the rules of `BakedTable.sample`; the shader interpolates.
     *
     * @param clips One clip for all, or one for each.
     * @param times Seconds.
     * @param options `loop`, `between`: as for `BakedTable.sample`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     */
    pose(clips: number | Uint16Array, times: Float32Array | Float64Array, options?: SampleOptions): void;
    /** Frees what was made here; geometry and textures of the given meshes stay. Throws nothing. */
    dispose(): void;
}
