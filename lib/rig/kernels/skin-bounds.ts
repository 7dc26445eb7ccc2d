// SPDX-License-Identifier: MIT
// Twin: native/rig/skin_bounds.h

import type { SkinningTables, SlotTables } from './contract';
import { createGatherPose, type SkinScratch, skinRange } from './skin-matrices';

/** Number of vertices that are skinned before the box grows by them. They fit in the first-level cache. */
const CHUNK = 256;

/** The box around the vertices of a mesh in every pose. */
export function createBounds(tables: SkinningTables, slots: SlotTables, scratch: SkinScratch) {
    const gatherPose = createGatherPose(tables, slots, scratch);
    const chunk = new Float32Array(CHUNK * 3);
    return (data: Float32Array, count: number, meshIndex: number, out: Float32Array): void => {
        const mesh = tables.meshes[meshIndex]!;
        for (let pose = 0; pose < count; pose++) {
            gatherPose(data, pose, mesh);
            const o = pose * 6;
            for (let i = o; i < o + 6; i++) out[i] = i < o + 3 ? Infinity : -Infinity;
            for (let first = 0; first < mesh.vertexCount; first += CHUNK) {
                const end = Math.min(first + CHUNK, mesh.vertexCount);
                skinRange(mesh, scratch, first, end, chunk, null, 0);
                for (let axis = 0; axis < 3; axis++) growAxis(out, o + axis, chunk, axis, end - first);
            }
            // -0 becomes +0.
            for (let i = o; i < o + 6; i++) out[i] = out[i]! + 0;
        }
    };
}

/** Comparisons with a NaN are false, so a NaN does not change the box. */
function growAxis(out: Float32Array, o: number, vertices: Float32Array, axis: number, count: number): void {
    let min = out[o]!;
    let max = out[o + 3]!;
    for (let i = axis; i < count * 3; i += 3) {
        const value = vertices[i]!;
        if (value < min) min = value;
        if (value > max) max = value;
    }
    out[o] = min;
    out[o + 3] = max;
}
