// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { rangeError } from '../errors';
import type { BakedTable } from '../table';
import { paletteTexture } from '../table/texture';
import type { BabylonLike } from './types';

/** What Babylon's shader fetches from: 4x4 matrices of float32, which is all that it reads. */
export interface Rows {
    readonly texture: BABYLON.RawTexture;
    /** The rows of the table, then one for each instance. */
    readonly data: Float32Array;
    /** Of a row. */
    readonly floats: number;
    /** How many rows of the table are in the texture: all, or none, where a texture cannot be high enough for them. */
    readonly shared: number;
    /** The instances' rows in the texture. Uploads what `data` has for them. */
    upload(): void;
}

/**
 * Rows of their own let instances show what Babylon's shader cannot, mixtures of rows, in every pass that Babylon has.
 *
 * @throws RangeError `ERR_COUNT_RANGE`.
 */
export function createRows(
    { Constants, RawTexture }: BabylonLike,
    table: BakedTable,
    scene: BABYLON.Scene,
    count: number,
    maxSize = 8192,
): Rows {
    const { data: baked, width } = paletteTexture(table, { maxSize, mat4: true });
    if (count > maxSize) {
        const needs = `options.instances is ${count}, options.maxSize ${maxSize}`;
        throw rangeError('ERR_COUNT_RANGE', `createBakedAnimation: ${needs}: each needs a row of the texture`);
    }
    const floats = width * 4;
    const data = new Float32Array((table.rows + count) * floats);
    data.set(baked.subarray(0, table.rows * floats));
    for (let i = 0; i < count; i++) data.copyWithin((table.rows + i) * floats, 0, floats);
    const own = data.subarray(table.rows * floats);
    const shared = table.rows + count <= maxSize ? table.rows : 0;
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
    return { texture, data, floats, shared, upload };
}

/** The row that a place means, as `mixRows` of `lib/table/places` makes it; without memory of its own, for each frame. */
export function mixRow(
    data: Float32Array,
    floats: number,
    places: Float32Array,
    place: number,
    out: Float32Array,
    at: number,
): void {
    const [a, b, s] = [places[place]! * floats, places[place + 1]! * floats, places[place + 2]!];
    const weight = places[place + 3]!;
    const [c, d, t] = [places[place + 4]! * floats, places[place + 5]! * floats, places[place + 6]!];
    for (let i = 0; i < floats; i++) {
        const from = data[a + i]! + (data[b + i]! - data[a + i]!) * s;
        if (weight === 0) out[at + i] = from;
        else out[at + i] = from + (data[c + i]! + (data[d + i]! - data[c + i]!) * t - from) * weight;
    }
}
