// SPDX-License-Identifier: MIT

/**
 * Meshes that EXT_mesh_gpu_instancing draws several times. Bounds contain all instances; palettes have the node's
 * matrix.
 */

import type { SkinnedPrimitive } from '../../gltf/scene';
import { addPoint, emptyBox, rotationMatrix } from './geometry';

/** Numbers of an instance: translation, rotation, scale. */
const TRS = 10;

/** Whether a mesh has an instance that is not exactly at its node. */
export function isElsewhere(instances: Float32Array | undefined): boolean {
    if (instances === undefined) return false;
    return instances.length !== TRS || instances.some((x, i) => x !== (i < 6 ? 0 : 1));
}

/** The corners of the vertices' box at all instances. Vertices times instances may be too many. */
export function cornersAt(primitives: readonly SkinnedPrimitive[], instances: Float32Array): SkinnedPrimitive[] {
    const box = emptyBox();
    for (const { positions } of primitives) {
        for (let p = 0; p < positions.length; p += 3)
            addPoint(box, positions[p]!, positions[p + 1]!, positions[p + 2]!);
    }
    if (box[0]! > box[3]!) return [];
    const positions = new Float32Array((instances.length / TRS) * 24);
    for (let at = 0, to = 0; at < instances.length; at += TRS) {
        for (let corner = 0; corner < 8; corner++, to += 3) {
            const point = [0, 1, 2].map((c) => box[c + 3 * ((corner >> c) & 1)]!);
            positions.set(placed(instances.subarray(at, at + TRS), point), to);
        }
    }
    return [{ positions, influences: 0, joints: new Uint16Array(0), weights: new Float32Array(0) }];
}

/** The linear part of each instance's transform: nine numbers, column by column. */
export function linearPartsOf(instances: Float32Array): Float32Array {
    const parts = new Float32Array((instances.length / TRS) * 9);
    for (let at = 0, to = 0; at < instances.length; at += TRS, to += 9) {
        const trs = instances.slice(at, at + TRS).fill(0, 0, 3);
        for (let c = 0; c < 3; c++)
            parts.set(placed(trs, [Number(c === 0), Number(c === 1), Number(c === 2)]), to + 3 * c);
    }
    return parts;
}

/** Applies translation x rotation x scale to a point (glTF 2.0, 3.5.3). */
function placed(trs: Float32Array, point: readonly number[]): number[] {
    const [tx, ty, tz, x, y, z, w, sx, sy, sz] = Array.from(trs) as number[] & { length: 10 };
    const [px, py, pz] = [point[0]! * sx!, point[1]! * sy!, point[2]! * sz!];
    const m = rotationMatrix(x!, y!, z!, w!);
    return [tx!, ty!, tz!].map((t, row) => m[row]! * px + m[3 + row]! * py + m[6 + row]! * pz + t);
}
