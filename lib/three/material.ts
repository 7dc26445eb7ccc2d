// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { type ShaderKind, vertexShader } from './vertex-shader';

/** How a mesh's shaders find what moves it. */
export interface Patch extends ShaderKind {
    readonly uniforms: Readonly<Record<string, THREE.IUniform>>;
}

/**
 * Once for each material: makes it move its vertices by a palette and the attributes `bakedRows` and `bakedTo`. Changes the
 * material. A shader without three's skinning stays as it is.
 */
export function patchMaterial(material: THREE.Material, patch: Patch): void {
    // First: three.js makes it of the source of `onBeforeCompile`.
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
