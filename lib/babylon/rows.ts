// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import type { Palettes } from '../table/palettes';
import { paletteTexture, texelsOfTable } from '../table/texture';
import type { BabylonLike } from './types';

/** The texture of Babylon's shader, which reads only 4x4 matrices of float32. */
export interface Rows {
    readonly texture: BABYLON.RawTexture;
    /** The rows of the table, then one row for each instance. */
    readonly data: Float32Array;
    /** Floats of a row. */
    readonly rowFloats: number;
    /** Number of the table's rows in the texture: all, or 0 if they exceed the height of textures. */
    readonly shared: number;
    /** Uploads the instances' rows of `data`. */
    upload(): void;
}

/**
 * Rows for each instance let it show mixtures of rows, which Babylon's shader cannot calculate, in every pass.
 *
 * @throws RangeError `ERR_COUNT_RANGE`.
 */
export function createRows(
    babylon: BabylonLike,
    table: BakedTable,
    scene: BABYLON.Scene,
    count: number,
    maxSize = 8192,
): Rows {
    const { data: baked, width } = paletteTexture(table, { maxSize, mat4: true });
    const rowFloats = width * 4;
    const data = new Float32Array((table.rows + count) * rowFloats);
    data.set(baked.subarray(0, table.rows * rowFloats));
    for (let i = 0; i < count; i++) data.copyWithin((table.rows + i) * rowFloats, 0, rowFloats);
    const shared = table.rows + count <= maxSize ? table.rows : 0;
    return rowsOf(babylon, scene, data, rowFloats, shared, count);
}

/**
 * A live table has one row for each instance.
 *
 * @throws RangeError `ERR_COUNT_RANGE`: it is too wide for a texture.
 */
export function createLiveRows(babylon: BabylonLike, table: Palettes, scene: BABYLON.Scene, maxSize: number): Rows {
    const { data, width } = texelsOfTable('createLiveCrowd', table, { maxSize, mat4: false });
    return rowsOf(babylon, scene, data as Float32Array, width * 4, 0, table.rows);
}

/** Rows whose last `count` belong to instances. Without `shared` rows, only these are on the GPU. */
function rowsOf(
    { Constants, RawTexture }: BabylonLike,
    scene: BABYLON.Scene,
    data: Float32Array,
    rowFloats: number,
    shared: number,
    count: number,
): Rows {
    const own = data.subarray(data.length - count * rowFloats);
    const width = rowFloats / 4;
    const { TEXTURE_NEAREST_SAMPLINGMODE, TEXTUREFORMAT_RGBA, TEXTURETYPE_FLOAT } = Constants;
    const texture = new RawTexture(
        shared > 0 ? data : own,
        width,
        shared + count,
        TEXTUREFORMAT_RGBA,
        scene,
        false,
        false,
        TEXTURE_NEAREST_SAMPLINGMODE,
        TEXTURETYPE_FLOAT,
    );
    const engine = scene.getEngine() as BABYLON.Engine;
    const upload = () => engine.updateTextureData(texture.getInternalTexture()!, own, 0, shared, width, count);
    return { texture, data, rowFloats, shared, upload };
}
