// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { Poses } from '../rig/poses';
import type { PoseOptions } from '../table/poses';
import type { PaletteTextureOptions } from '../table/texture';

/** The members of the module `@babylonjs/core`, or of the global `BABYLON`, that are used here. */
export type BabylonLike = Pick<
    typeof BABYLON,
    'BakedVertexAnimationManager' | 'Constants' | 'Matrix' | 'RawTexture' | 'Skeleton' | 'Vector3'
>;

/** Options of {@link createLiveCrowd}. */
export interface LiveCrowdOptions extends Pick<PaletteTextureOptions, 'maxSize'> {
    /** Parent node of the palette's space. Default: the meshes' ancestor `__root__`, which the glTF loader makes. */
    root?: BABYLON.Node | null;
}

/** Options of {@link createBakedAnimation}. */
export interface BakedAnimationOptions extends LiveCrowdOptions {
    /**
     * Number of thin instances of the meshes. Needs `@babylonjs/core/Meshes/thinInstanceMesh`. Default: none, only the
     * model itself.
     */
    instances?: number;
}

/** The meshes of a model that rows of palettes move. */
export interface MovedMeshes {
    /**
     * The meshes that move, in the given order, for shadow generators and layers. Instances have been replaced by
     * meshes.
     */
    readonly meshes: readonly BABYLON.Mesh[];
    /** One for each table. */
    readonly managers: readonly BABYLON.BakedVertexAnimationManager[];
    /** The palettes, one for each table: a row is a line, a column of the palette is several texels. */
    readonly textures: readonly BABYLON.RawTexture[];
    /**
     * Sets the transforms of all thin instances, relative to the file's own position of the model.
     *
     * @param matrices `[instance][16]`, column-major as in Babylon, from the model's own scene to the root.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`.
     */
    place(matrices: Float32Array): void;
    /** Frees what was created here. The model no longer moves. Throws nothing. */
    dispose(): void;
}

/** A model played from its bake. */
export interface BakedAnimation extends MovedMeshes {
    /**
     * Poses the first `times.length` instances by the rules of `BakedTable.sample`. Babylon's shader shows only whole
     * rows. A mixture of two rows is calculated here and uploaded, one row for each instance; with `between: 'nearest'`
     * the GPU does everything. Without thin instances, morph weights of the bake are included. Does not allocate.
     *
     * @param clips One clip for all, or one for each.
     * @param times Seconds.
     * @param options `loop`, `between`: as for `BakedTable.sample`. By default a clip repeats if all tables have it as a
     * loop. `to`: a second clip that instances fade to. Matrices are then mixed element by element. Babylon mixes
     * rotations instead, so the two agree only at weights 0 and 1.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`. The poses are then unchanged.
     */
    pose(clips: number | Uint16Array, times: Float32Array | Float64Array, options?: PoseOptions): void;
    /**
     * Makes the first `offsets.length` instances repeat clips by Babylon's own clock, the `time` of the managers in seconds,
     * without work in each frame. Babylon's shader shows whole rows. It takes the first row as a repetition of the
     * last, and skips it from the second round on. The rate is chosen so that each round takes the clip's duration.
     *
     * @param clips One clip for all, or one for each.
     * @param offsets Rows to start ahead.
     * @param speed 1 is the file's speed.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`; `ERR_COUNT_RANGE`: the rows exceed the height of textures, so only `pose` works.
     */
    play(clips: number | Uint16Array, offsets: Float32Array | Float64Array, speed?: number): void;
}

/** Thin instances of a model that a Rig poses. */
export interface LiveCrowd extends MovedMeshes {
    /**
     * Shows poses of the Rig: the first `poses.count` instances, the others keep theirs. Call it once in each frame,
     * after `rig.toGlobal`. Uploads palettes, and sets the boxes of the meshes. Babylon has one set of morph
     * weights for all thin instances: they are set if there is one instance. Does not allocate.
     *
     * @param poses Poses of the Rig, with all slots that the model needs. Read.
     * @throws RangeError `ERR_BUFFER_LENGTH`: there are more poses than instances; errors of `rig.palettes`: Error
     * `ERR_STALE_GLOBALS` if locals were written since the last `toGlobal`, TypeError `ERR_FOREIGN_POSES`, `ERR_ARGUMENT_TYPE`,
     * `ERR_DISPOSED`; RangeError `ERR_INDEX_RANGE` if the poses lack a slot.
     */
    update(poses: Poses): void;
}
