// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { describe } from '../arguments';
import { rangeError } from '../errors';
import { vertexShader } from './vertex-shader';

/**
 * Once for each material: makes it take its skinning from a palette texture and the attribute `bakedRows`. Changes the material; for
 * materials of other passes too, such as `customDepthMaterial`. A shader without three's skinning stays as it is.
 *
 * @param material Changed: its `onBeforeCompile` and the key of its program.
 * @param texture What {@link createPaletteTexture} made.
 * @param texelsPerJoint 4 for palettes of layout `mat4`, 3 for `mat3x4`.
 * @throws RangeError `ERR_COUNT_RANGE` for any other number.
 * @example
 * const texture = createPaletteTexture(THREE, table);
 * patchMaterial(material, texture, texture.image.width / table.columns);
 */
export function patchMaterial(
    material: THREE.Material,
    texture: THREE.DataTexture | THREE.DataArrayTexture,
    texelsPerJoint: number,
): void {
    if (texelsPerJoint !== 3 && texelsPerJoint !== 4) {
        const got = describe(texelsPerJoint);
        throw rangeError('ERR_COUNT_RANGE', `patchMaterial: texelsPerJoint must be 3 or 4, got ${got}`);
    }
    const layered = 'isDataArrayTexture' in texture;
    // First: three.js makes it of the source of `onBeforeCompile`.
    const key = material.customProgramCacheKey();
    const before = material.onBeforeCompile;
    material.onBeforeCompile = (shader, renderer) => {
        before.call(material, shader, renderer);
        shader.uniforms.bakedPalette = { value: texture };
        shader.vertexShader = vertexShader(shader.vertexShader, texelsPerJoint, layered);
    };
    material.customProgramCacheKey = () => `${key} poselane ${texelsPerJoint} ${layered}`;
}
