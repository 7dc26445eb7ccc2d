// SPDX-License-Identifier: MIT
// Twin: native/rig/skin_vertices.h

import type { SkinningKernels, SkinningTables, SlotTables } from './contract';
import { createGatherPose, type SkinScratch, skinRange } from './skin-matrices';

/** The vertices of a mesh in every pose. */
export function createSkinVertices(
    tables: SkinningTables,
    slots: SlotTables,
    scratch: SkinScratch,
): SkinningKernels['skinVertices'] {
    const gatherPose = createGatherPose(tables, slots, scratch);
    return (data, count, meshIndex, outPositions, outNormals) => {
        const mesh = tables.meshes[meshIndex]!;
        for (let pose = 0; pose < count; pose++) {
            gatherPose(data, pose, mesh);
            const at = pose * mesh.vertexCount * 3;
            skinRange(mesh, scratch, 0, mesh.vertexCount, outPositions, outNormals, at);
        }
    };
}
