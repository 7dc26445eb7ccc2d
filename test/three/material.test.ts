// SPDX-License-Identifier: MIT

import { patchMaterial } from '../../lib/three';

/** What three.js asks of a material before it compiles a program, or takes one that it has. */
class Material {
    onBeforeCompile(_shader: { fragmentShader: string }): void {}

    /** As three.js has it. */
    customProgramCacheKey(): string {
        return this.onBeforeCompile.toString();
    }
}

function patched(onBeforeCompile?: Material['onBeforeCompile']): Material {
    const material = new Material();
    if (onBeforeCompile) material.onBeforeCompile = onBeforeCompile;
    patchMaterial(material as never, {} as never, 4);
    return material;
}

test('materials share a program only where their own changes to the shader are the same', () => {
    const materials = [
        patched(),
        patched((shader) => {
            shader.fragmentShader += '// red';
        }),
        patched((shader) => {
            shader.fragmentShader += '// blue';
        }),
    ];
    const keys = materials.map((material) => material.customProgramCacheKey());
    expect(new Set(keys).size).toBe(3);
    expect(patched().customProgramCacheKey()).toBe(keys[0]);
});
