// SPDX-License-Identifier: MIT

import type * as WEBGPU from 'three/webgpu' with { 'resolution-mode': 'import' };
import type { SharedThree } from '../types';

/** The members of the module `three/webgpu` that are used here. */
export type ThreeWebGPULike = SharedThree & {
    readonly TSL: Pick<
        typeof WEBGPU.TSL,
        | 'attribute'
        | 'float'
        | 'Fn'
        | 'If'
        | 'instanceIndex'
        | 'int'
        | 'ivec2'
        | 'Loop'
        | 'mat3'
        | 'mat4'
        | 'normalLocal'
        | 'positionLocal'
        | 'positionPrevious'
        | 'select'
        | 'tangentLocal'
        | 'textureLoad'
        | 'transformNormal'
        | 'uniform'
        | 'varyingProperty'
        | 'vec3'
        | 'vec4'
        | 'vertexIndex'
    >;
};
