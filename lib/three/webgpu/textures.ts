// SPDX-License-Identifier: MIT

import type * as WEBGPU from 'three/webgpu' with { 'resolution-mode': 'import' };
import { textureOf } from '../texture';
import type { ThreeWebGPULike } from './types';

/** Attributes that morph targets change. */
export const MORPHED = ['position', 'normal'] as const;

/** Texels in a line. Every device allows this width. */
const WIDTH = 2048;

/** A texture for `texels` texels of four floats, line after line. */
export function createTexels(three: ThreeWebGPULike, texels: number): WEBGPU.DataTexture {
    const [width, height] = [WIDTH, Math.max(1, Math.ceil(texels / WIDTH))];
    const data = new Float32Array(width * height * 4);
    return textureOf(three, data, [width, height, 1], three.RGBAFormat, three.FloatType) as WEBGPU.DataTexture;
}

/**
 * The morph targets of a mesh, a texel for each vertex: each target's positions, then its normals if it has them. Null
 * if they have neither.
 */
export function createTargets(three: ThreeWebGPULike, geometry: WEBGPU.BufferGeometry): WEBGPU.DataTexture | null {
    const { morphAttributes, attributes } = geometry;
    const vertices = attributes.position!.count;
    const lists = MORPHED.flatMap((kind) => (morphAttributes[kind] === undefined ? [] : [morphAttributes[kind]]));
    if (lists.length === 0) return null;
    const texture = createTexels(three, lists.length * lists[0]!.length * vertices);
    const array = texture.image.data as Float32Array;
    const vertex = new three.Vector3();
    for (const [k, targets] of lists.entries()) {
        for (const [i, target] of targets.entries()) {
            const at = (i * lists.length + k) * vertices;
            for (let v = 0; v < vertices; v++) vertex.fromBufferAttribute(target, v).toArray(array, (at + v) * 4);
        }
    }
    return texture;
}
