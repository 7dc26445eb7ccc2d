// SPDX-License-Identifier: MIT

import type { MeshTables } from '../kernels/contract';
import { NO_MESH, type PackedMesh, packMesh } from '../pack/mesh';
import type { Morphs } from '../pack/morphs';
import type { MeshGeometry } from './mesh-geometry';
import type { RigSource } from './source';

/** A node with a mesh that a skin or morph targets move, in the order of `rig.meshes`, which is that of the nodes. */
export interface NodeMesh {
    readonly node: number;
    /** -1 where it only morphs. */
    readonly skin: number;
    readonly geometry: MeshGeometry | null;
    readonly firstWeight: number;
    readonly weightCount: number;
}

export function listMeshes(
    { skinnedMeshes }: RigSource,
    morphs: Morphs,
    geometries: ReadonlyMap<number, MeshGeometry>,
): readonly NodeMesh[] {
    const skinned = new Map(skinnedMeshes.map((mesh) => [mesh.node, mesh]));
    const listed = [...new Set([...skinned.keys(), ...morphs.nodes])].sort((a, b) => a - b);
    return listed.map((node) => {
        const mesh = skinned.get(node);
        const morph = morphs.ofNode.get(node);
        return {
            node,
            skin: mesh?.skin ?? -1,
            geometry: mesh === undefined ? null : geometries.get(mesh.mesh)!,
            firstWeight: morph === undefined ? 0 : morphs.ranges[morph * 2]!,
            weightCount: morph === undefined ? 0 : morphs.ranges[morph * 2 + 1]!,
        };
    });
}

/** Nodes that share a mesh share its tables. */
export function packMeshes(meshes: readonly NodeMesh[]): readonly MeshTables[] {
    const packed = new Map<MeshGeometry, PackedMesh>();
    return meshes.map(({ skin, geometry, firstWeight }) => {
        if (geometry === null) return tablesOf(NO_MESH, skin, firstWeight);
        const mesh = packed.get(geometry) ?? packMesh(geometry);
        packed.set(geometry, mesh);
        return tablesOf(mesh, skin, firstWeight);
    });
}

/**
 * Copies property by property. V8 gives spread objects different shapes, which makes skinning take 1.5 times as long.
 */
function tablesOf(mesh: PackedMesh, skin: number, firstWeight: number): MeshTables {
    return {
        skin,
        vertexCount: mesh.vertexCount,
        positions: mesh.positions,
        normals: mesh.normals,
        joints: mesh.joints,
        sets: mesh.sets,
        starts: mesh.starts,
        influenceJoints: mesh.influenceJoints,
        influenceWeights: mesh.influenceWeights,
        firstWeight,
        targetCount: mesh.targetCount,
        morphStarts: mesh.morphStarts,
        morphTargets: mesh.morphTargets,
        morphPositions: mesh.morphPositions,
        morphNormals: mesh.morphNormals,
    };
}
