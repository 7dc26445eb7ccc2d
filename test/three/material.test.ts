// SPDX-License-Identifier: MIT

import { patchMaterial } from '../../lib/three/material';

/** Keys of a material that three.js reads before it compiles or reuses a program. */
class Material {
    onBeforeCompile(_shader: { fragmentShader: string }): void {}

    /** As in three.js. */
    customProgramCacheKey(): string {
        return this.onBeforeCompile.toString();
    }
}

const PATCH = { follows: 'joints', texelsPerJoint: 4, layered: false, morphs: null, uniforms: {} } as const;

function patched(onBeforeCompile?: Material['onBeforeCompile'], patch: object = {}): Material {
    const material = new Material();
    if (onBeforeCompile) material.onBeforeCompile = onBeforeCompile;
    patchMaterial(material as never, { ...PATCH, ...patch });
    return material;
}

test('materials share a program only if their own shader changes are equal', () => {
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
    const shaders = [
        { follows: 'column' },
        { texelsPerJoint: 3 },
        { texelsPerJoint: 2 },
        { layered: true },
        { morphs: 'relative' },
    ];
    const others = shaders.map((patch) => patched(undefined, patch).customProgramCacheKey());
    expect(new Set([...keys, ...others]).size).toBe(8);
});
