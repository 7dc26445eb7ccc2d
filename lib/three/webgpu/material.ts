// SPDX-License-Identifier: MIT

import type * as WEBGPU from 'three/webgpu' with { 'resolution-mode': 'import' };
import type { ThreeWebGPULike } from './types';

/** What three's types leave out. */
type Builder = WEBGPU.NodeBuilder & { needsPreviousData?(): boolean };

let last = 0;

/**
 * Once for each material: makes it move its vertices, before a `positionNode` that it has. Changes the material. Those that are no
 * node materials, as GLTFLoader makes them, will do: WebGPURenderer makes node materials of them, with all their properties.
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
        // Motion vectors are those of the camera and the group: where vertices were in the last frame is not kept.
        if (builder.needsPreviousData?.()) positionPrevious.assign(positionLocal);
        return before ?? positionLocal;
    })();
    // Otherwise three.js takes materials for the same whose nodes are not.
    const id = last++;
    node.customProgramCacheKey = () => `${key.call(material)} poselane ${id}`;
}
