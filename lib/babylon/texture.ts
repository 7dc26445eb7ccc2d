// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import { paletteTexture } from '../table/texture';
import type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';

/** The palette, a line for each row of the table: 4x4 matrices of float32, which is all that Babylon reads. */
export function createTexture(
    { Constants, RawTexture, RawTexture2DArray }: BabylonLike,
    table: BakedTable,
    scene: BABYLON.Scene,
    options?: BakedAnimationOptions,
): BakedAnimation['texture'] {
    const { data, width, height, layers } = paletteTexture(table, { maxSize: options?.maxSize, mat4: true });
    const { TEXTURE_NEAREST_SAMPLINGMODE, TEXTUREFORMAT_RGBA, TEXTURETYPE_FLOAT } = Constants;
    const flags = [scene, false, false, TEXTURE_NEAREST_SAMPLINGMODE, TEXTURETYPE_FLOAT] as const;
    return layers === 1
        ? new RawTexture(data, width, height, TEXTUREFORMAT_RGBA, ...flags)
        : new RawTexture2DArray(data, width, height, layers, TEXTUREFORMAT_RGBA, ...flags);
}
