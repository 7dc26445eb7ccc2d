// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { PoseOptions } from '../table/poses';
import type { PaletteTextureOptions } from '../table/texture';

/** What is used of the module `@babylonjs/core`, or of the global `BABYLON`. */
export type BabylonLike = Pick<
    typeof BABYLON,
    'BakedVertexAnimationManager' | 'Constants' | 'Matrix' | 'RawTexture' | 'Skeleton' | 'Vector3'
>;

/** Options of {@link createBakedAnimation}. */
export interface BakedAnimationOptions extends Pick<PaletteTextureOptions, 'maxSize'> {
    /** How many thin instances the meshes get, which needs `@babylonjs/core/Meshes/thinInstanceMesh`. Default: none, the model itself. */
    instances?: number;
    /** Under which node the palette's space is. Default: the meshes' ancestor `__root__`, which the glTF loader makes. */
    root?: BABYLON.Node | null;
}

/** What plays, and how to end it. */
export interface BakedAnimation {
    /** The meshes that move, in the order given: for shadow generators and layers. Instances have become meshes. */
    readonly meshes: readonly BABYLON.Mesh[];
    /** One for each table: `time`, in seconds, is that of {@link play}. */
    readonly managers: readonly BABYLON.BakedVertexAnimationManager[];
    /** The palettes, one for each table: rows down, texels of the columns across. */
    readonly textures: readonly BABYLON.RawTexture[];
    /**
     * Poses the instances, the first `times.length` of them, by the rules of `BakedTable.sample`. Babylon's shader shows whole rows: what
     * lies between two is mixed here and uploaded, a row for each instance; `between: 'nearest'` leaves all to the GPU. Without thin
     * instances morph weights of the bake come along. Does not allocate.
     *
     * @param clips One clip for all, or one for each.
     * @param times Seconds.
     * @param options `loop`, `between`: as for `BakedTable.sample`; `to`: a second clip that instances fade to. Matrices are then mixed
     * element by element: Babylon mixes rotations, so that the two agree where the weight is 0 or 1.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`. Nothing has been drawn otherwise then.
     */
    pose(clips: number | Uint16Array, times: Float32Array | Float64Array, options?: PoseOptions): void;
    /**
     * Makes the instances, the first `offsets.length` of them, play clips over and over by Babylon's own clock, the `time` of the managers,
     * with nothing to do from frame to frame. Babylon's shader shows whole rows, takes the first for the last one's double and leaves it
     * out from the second time round; the rate is chosen for each round to take the clip's duration.
     *
     * @param clips One clip for all, or one for each.
     * @param offsets Rows to be ahead.
     * @param speed 1: as fast as in the file.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
     * `ERR_NOT_FINITE`; `ERR_COUNT_RANGE`: a texture is not high enough for all rows, so that only `pose` works.
     */
    play(clips: number | Uint16Array, offsets: Float32Array | Float64Array, speed?: number): void;
    /**
     * Places all thin instances, on top of where the file has the model.
     *
     * @param matrices `[instance][16]`, column-major as Babylon has them, from the model's own scene to the root.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`.
     */
    place(matrices: Float32Array): void;
    /** Frees what was made here; the model does not move any more. Throws nothing. */
    dispose(): void;
}
