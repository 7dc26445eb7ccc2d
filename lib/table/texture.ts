// SPDX-License-Identifier: MIT

import { checkNumber, wrongType } from '../base/arguments';
import { checkOptions } from '../base/call-arguments';
import { rangeError } from '../base/errors';
import { allMatrices } from './matrices';
import type { TableArray } from './open-array';
import type { Palettes } from './palettes';
import type { BakedTable } from './table';

/** A palette as texels of four floats. Row `r` of the table is line `r % height` of layer `floor(r / height)`. */
export interface PaletteTexture {
    /** Texels of a column: 4 columns of a 4x4 matrix, 3 rows of a 3x4 matrix, or 2 of `qts16`: docs/format.md. */
    readonly texelsPerJoint: 2 | 3 | 4;
    /** Width in texels: `texelsPerJoint` for each joint, then for each attachment; then third rows of `qts16`. */
    readonly width: number;
    /** Lines of a layer. */
    readonly height: number;
    /** 1 if the table fits into one layer. */
    readonly layers: number;
    /** `layers * height * width * 4` floats, or bits of half floats; the table's own memory if the layout allows. */
    readonly data: Float32Array | Uint16Array;
}

/** Options of {@link paletteTexture}. */
export interface PaletteTextureOptions {
    /** Maximum width and height in texels that the device allows. Default 8192. */
    maxSize?: number;
    /** Whether to convert to 4 texels of float32 for each joint, for engines that read nothing else. */
    mat4?: boolean;
}

/** Texels of a column of a palette. */
export function texelsOf({ layout }: Pick<TableArray, 'layout'>): 2 | 3 | 4 {
    return layout === 'mat4' ? 4 : layout === 'qts16' ? 2 : 3;
}

/** The minimum that WebGL 2 guarantees. */
const GUARANTEED_LAYERS = 256;

/**
 * Arranges a table's palette as a texture. A table higher than the limit gets several layers of the same size.
 *
 * @param table A table with a palette.
 * @param options Limits of the device and the engine.
 * @returns Sizes in texels, and the texels.
 * @throws TypeError `ERR_ARGUMENT_TYPE`. RangeError `ERR_INDEX_RANGE`: the bake has no palette; `ERR_COUNT_RANGE`: it
 * is too wide, or needs more than 256 layers.
 * @example
 * const { data, width, height, layers } = paletteTexture(table, { maxSize: 4096 });
 */
export function paletteTexture(
    table: Pick<BakedTable, 'arrays' | 'rows' | 'joints' | 'clips' | 'columns'>,
    options?: PaletteTextureOptions,
): PaletteTexture {
    checkTable('paletteTexture', table);
    return texelsOfTable('paletteTexture', table, checkTextureOptions('paletteTexture', options));
}

/** {@link paletteTexture} for any table with checked options. */
export function texelsOfTable(
    routine: string,
    table: Pick<Palettes, 'arrays' | 'rows' | 'columns'>,
    { maxSize, mat4 }: Required<PaletteTextureOptions>,
): PaletteTexture {
    const { palette } = table.arrays;
    if (palette === undefined) throw rangeError('ERR_INDEX_RANGE', `${routine}: the bake has no palette`);
    const texelsPerJoint = mat4 ? 4 : texelsOf(palette);
    const width = mat4 ? texelsPerJoint * table.columns : palette.rowFloats / 4;
    const { layers, height } = linesOf(table.rows, maxSize);
    if (width > maxSize) {
        const needs = `${table.columns} matrices need ${width} texels in width, options.maxSize is ${maxSize}`;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${needs}`);
    }
    if (layers > GUARANTEED_LAYERS) {
        const needs = `${table.rows} rows need ${layers} layers of ${maxSize}, which is more than ${GUARANTEED_LAYERS}`;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${needs}`);
    }
    let { data } = palette;
    if (mat4 && (palette.layout !== 'mat4' || data instanceof Uint16Array)) data = allMatrices(palette);
    const elements = layers * height * width * 4;
    if (elements !== data.length) {
        const padded = data instanceof Uint16Array ? new Uint16Array(elements) : new Float32Array(elements);
        padded.set(data);
        data = padded;
    }
    return { texelsPerJoint, width, height, layers, data };
}

/** The layers of equal height that hold `rows` lines. */
export function linesOf(rows: number, maxSize: number): Pick<PaletteTexture, 'height' | 'layers'> {
    const layers = Math.ceil(rows / maxSize);
    return { layers, height: Math.ceil(rows / layers) };
}

/** Throws unless `table` is a table of this or of another copy of the package. */
export function checkTable(routine: string, table: unknown): void {
    const { arrays, clips, joints } = (table ?? {}) as Partial<BakedTable>;
    if (typeof arrays === 'object' && arrays !== null && Array.isArray(clips) && Array.isArray(joints)) return;
    throw wrongType(routine, 'table', 'a BakedTable', table);
}

/** The options with defaults filled in. */
export function checkTextureOptions(routine: string, options: unknown): Required<PaletteTextureOptions> {
    const { maxSize = 8192, mat4 = false } = checkOptions(routine, options);
    checkNumber(routine, 'options.maxSize', maxSize);
    if (!Number.isInteger(maxSize) || maxSize < 1) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: options.maxSize must be an integer above 0, got ${maxSize}`);
    }
    if (typeof mat4 !== 'boolean') throw wrongType(routine, 'options.mat4', 'true or false', mat4);
    return { maxSize, mat4 };
}
