// SPDX-License-Identifier: MIT

import type * as WEBGPU from 'three/webgpu' with { 'resolution-mode': 'import' };
import type { ThreeWebGPULike } from './types';

/** Members that three's types lack. */
type Builder = WEBGPU.NodeBuilder & { needsPreviousData?(): boolean };

let last = 0;

/**
 * Makes a material move its vertices, before its own `positionNode`. Changes the material; call it once for each. It
 * need not be a node material: WebGPURenderer converts GLTFLoader's materials with all their properties.
 */
export function moveMaterial(
    { TSL: { Fn, positionLocal, positionPrevious } }: ThreeWebGPULike,
    material: WEBGPU.Material,
    move: () => void,
): void {
    const node = material as WEBGPU.NodeMaterial;
    const before = node.positionNode ?? null;
    const key = node.customProgramCacheKey;
    node.positionNode = Fn((builder: Builder) => {
        move();
        // Motion vectors contain only the camera's and the group's motion: vertices of the last frame are not kept.
        if (builder.needsPreviousData?.()) positionPrevious.assign(positionLocal);
        return before ?? positionLocal;
    })();
    // Otherwise three.js shares programs between materials with different nodes.
    const id = last++;
    node.customProgramCacheKey = () => `${key.call(material)} poselane ${id}`;
}
