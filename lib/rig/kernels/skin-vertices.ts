// SPDX-License-Identifier: MIT
// Twin: native/rig/skin_vertices.h

import type { SkinningTables, SlotTables } from './contract';
import { createGatherPose, type SkinScratch, skinRange } from './skin-matrices';

/** The vertices of a mesh in every pose. */
export function createSkinVertices(tables: SkinningTables, slots: SlotTables, scratch: SkinScratch) {
    const gatherPose = createGatherPose(tables, slots, scratch);
    return (
        data: Float32Array,
        count: number,
        meshIndex: number,
        outPositions: Float32Array,
        outNormals: Float32Array | null,
    ): void => {
        const mesh = tables.meshes[meshIndex]!;
        for (let pose = 0; pose < count; pose++) {
            gatherPose(data, pose, mesh);
            const at = pose * mesh.vertexCount * 3;
            skinRange(mesh, scratch, 0, mesh.vertexCount, outPositions, outNormals, at);
        }
    };
}
