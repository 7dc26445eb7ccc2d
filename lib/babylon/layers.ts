// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };

const NAME = 'PoselaneLayers';

/** Changes to Babylon's vertex shader, by regular expressions, which it marks with `!`. It breaks the line after each. */
const CHANGES: Readonly<Record<string, string>> = {
    '!uniform sampler2D bakedVertexAnimationTexture;': 'uniform highp sampler2DArray bakedVertexAnimationTexture;',
    '!readMatrixFromRawSamplerVAT\\(sampler2D smp': 'readMatrixFromRawSamplerVAT(highp sampler2DArray smp',
    '!texelFetch\\(smp,ivec2\\((offset\\+[0-3]),frameUV\\),0\\);':
        'texelFetch(smp,ivec3($1,frameUV%textureSize(smp,0).y,frameUV/textureSize(smp,0).y),0);',
};

/** Makes baked vertex animation on this material read from the layers of an array texture. Once is enough. */
export function readFromLayers(
    { MaterialPluginBase }: Pick<typeof BABYLON, 'MaterialPluginBase'>,
    material: BABYLON.Material,
): void {
    if (material.pluginManager?.getPlugin(NAME)) return;
    class LayersPlugin extends MaterialPluginBase {
        override getClassName(): string {
            return NAME;
        }

        override isCompatible(shaderLanguage: BABYLON.ShaderLanguage): boolean {
            return shaderLanguage === 0; // GLSL
        }

        override getCustomCode(shaderType: string): Record<string, string> | null {
            return shaderType === 'vertex' ? { ...CHANGES } : null;
        }
    }
    new LayersPlugin(material, NAME, 200, {}, true, true);
}
