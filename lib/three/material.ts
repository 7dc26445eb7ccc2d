// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { type ShaderKind, vertexShader } from './vertex-shader';

/** The data that a mesh's shaders use to move it. */
export interface Patch extends ShaderKind {
    readonly uniforms: Readonly<Record<string, THREE.IUniform>>;
}

/**
 * Makes a material move its vertices by a palette and the attributes `bakedRows` and `bakedTo`. Changes the material;
 * call it once for each. A shader without three's skinning is unchanged.
 */
export function patchMaterial(material: THREE.Material, patch: Patch): void {
    // Must be first: three.js calculates it from the source of `onBeforeCompile`.
    const key = material.customProgramCacheKey();
    const before = material.onBeforeCompile;
    material.onBeforeCompile = (shader, renderer) => {
        before.call(material, shader, renderer);
        Object.assign(shader.uniforms, patch.uniforms);
        shader.vertexShader = vertexShader(shader.vertexShader, patch);
    };
    const { follows, texelsPerJoint, layered, morphs } = patch;
    material.customProgramCacheKey = () => `${key} poselane ${follows} ${texelsPerJoint} ${layered} ${morphs}`;
}
