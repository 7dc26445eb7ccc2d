// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import type { Palettes } from '../table/palettes';
import { checkTable, checkTextureOptions, type PaletteTextureOptions, texelsOfTable } from '../table/texture';
import type { SharedThree } from './types';

/** Data for shaders: a texture, or an array texture if the data exceeds the height of textures. */
export type Texels = THREE.DataTexture | THREE.DataArrayTexture;

/**
 * The palette of a table as a texture for shaders. A texel is a column of a 4x4 matrix, a row of a 3x4 matrix, or for
 * `qts16` the rotation or the pivot and scale (of a stretched column, a row of a 3x4 matrix). A line of texels is a row
 * of the table. A table higher than the limit becomes an array texture: row r is line r % height of layer r / height.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param table A bake with a palette.
 * @param options `maxSize`: `renderer.capabilities.maxTextureSize`; default 8192.
 * @returns A texture of floats or half floats, as in the palette.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_INDEX_RANGE`: the bake has no palette; `ERR_COUNT_RANGE`: it
 * is larger than textures can be.
 */
export function createPaletteTexture(
    three: Pick<SharedThree, 'DataArrayTexture' | 'DataTexture' | 'FloatType' | 'HalfFloatType' | 'RGBAFormat'>,
    table: BakedTable,
    options?: Pick<PaletteTextureOptions, 'maxSize'>,
): Texels {
    checkTable('createPaletteTexture', table);
    return createTexture(three, table, checkTextureOptions('createPaletteTexture', options));
}

/** {@link createPaletteTexture} for any table with checked options. */
export function createTexture(
    three: Pick<SharedThree, 'DataArrayTexture' | 'DataTexture' | 'FloatType' | 'HalfFloatType' | 'RGBAFormat'>,
    table: Palettes,
    options: Required<PaletteTextureOptions>,
): Texels {
    const { data, width, height, layers } = texelsOfTable('createPaletteTexture', table, options);
    const type = data instanceof Uint16Array ? three.HalfFloatType : three.FloatType;
    return textureOf(three, data, [width, height, layers], three.RGBAFormat, type);
}

/** The morph weights of a table, one texel each, in the lines and layers of its palette. */
export function createMorphTexture(three: SharedThree, { arrays }: Palettes, { image }: Texels): Texels | null {
    if (arrays.morph === undefined || arrays.morph.rowFloats === 0) return null;
    const { data, rowFloats } = arrays.morph;
    const { height, depth = 1 } = image as { height: number; depth?: number };
    const floats = rowFloats * height * depth;
    let texels = data as Float32Array;
    if (texels.length !== floats) {
        texels = new Float32Array(floats);
        texels.set(data);
    }
    return textureOf(three, texels, [rowFloats, height, depth], three.RedFormat, three.FloatType);
}

/** The pivots of a palette of layout `qts16`, with third texels as `w`, one texel for each column; null for matrices. */
export function createPivotTexture(three: SharedThree, { arrays }: Palettes): Texels | null {
    const { pivots } = arrays.palette!;
    if (pivots === undefined) return null;
    return textureOf(three, pivots, [pivots.length / 4, 1, 1], three.RGBAFormat, three.FloatType);
}

export function textureOf(
    three: Pick<SharedThree, 'DataArrayTexture' | 'DataTexture'>,
    data: Float32Array | Uint16Array,
    [width, height, layers]: readonly [number, number, number],
    format: THREE.PixelFormat,
    type: THREE.TextureDataType,
): Texels {
    // WebGL rejects views of a SharedArrayBuffer. Such memory is up to the caller.
    const texels = data as Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
    const texture =
        layers === 1
            ? new three.DataTexture(texels, width, height)
            : new three.DataArrayTexture(texels, width, height, layers);
    texture.format = format;
    texture.type = type;
    texture.needsUpdate = true;
    return texture;
}
