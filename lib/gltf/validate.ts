// SPDX-License-Identifier: MIT

import { type BufferData, storedBytes } from './buffers';
import { movingNodes } from './hierarchy';
import type { JsonObject } from './json';
import type { OwnBytes } from './limits';
import type { Report } from './reading';
import type { ReadOptions } from './scene';
import { type AccessorInfo, createAccessorTable } from './validate/accessors';
import { type CheckedAnimation, checkAnimations } from './validate/animations';
import { FileClaims } from './validate/claims';
import { type CheckedInstances, checkInstances } from './validate/instances';
import { type CheckedPrimitive, createMeshTable, type MeshTable } from './validate/meshes';
import { type CheckedNodes, checkNodes } from './validate/nodes';
import { type CheckedSkin, checkSkins } from './validate/skins';
import { createViewTable } from './validate/views';

/** The JSON after every check that evaluation depends on. Only the values of accessors are still unknown. */
export interface CheckedGltf {
    readonly nodes: CheckedNodes;
    readonly skins: readonly CheckedSkin[];
    readonly animations: readonly CheckedAnimation[];
    readonly skinnedMeshes: readonly CheckedSkinnedMesh[];
    /** Every node with a mesh but no skin, in node order, if requested. */
    readonly rigidMeshes: readonly CheckedRigidMesh[] | undefined;
    readonly ownBytes: OwnBytes;
    /** Looks up and checks accessors by their indices. They count towards the limits. */
    lookUp(indices: Iterable<number>): Map<number, AccessorInfo>;
}

export interface CheckedSkinnedMesh {
    readonly node: number;
    readonly mesh: number;
    readonly skin: number;
    readonly primitives: readonly CheckedPrimitive[];
    /** Null for a mesh that is drawn once, or if meshes without a skin are not requested. */
    readonly instances: CheckedInstances | null;
}

export interface CheckedRigidMesh extends Omit<CheckedSkinnedMesh, 'skin'> {
    readonly moves: boolean;
}

/**
 * Checks the raw JSON before anything is decoded: types, indices, counts against the existing bytes, one parent per
 * node, no cycles, limits. Throws `GLTF_INVALID` with the JSON pointer of the first fault. Faults that do not affect
 * evaluation are warnings, or are not checked: textures, indices, scenes, bounds.
 *
 * @param wanted The parts to read, and whether invalid clips reject the file.
 */
export function validate(
    json: JsonObject,
    buffers: readonly BufferData[],
    report: Report,
    wanted: ReadOptions = {},
): CheckedGltf {
    const { surfaces, targets, vertices = true, rigid, looseWeights = false, looseClips = false } = wanted;
    const claims = new FileClaims(storedBytes(buffers), report);
    const views = createViewTable(json, buffers, claims, report);
    const accessors = createAccessorTable(json, views, claims, report);
    let morphed: ReadonlySet<number> = new Set();
    const surfacesOf = (mesh: number) => {
        if (surfaces === true) return 'all';
        const displaced = surfaces === 'positions' || (targets && (rigid === 'all' || morphed.has(mesh)));
        return displaced ? 'targets' : 'none';
    };
    const meshes = createMeshTable(json, accessors, views, claims, report, surfacesOf);
    const nodes = checkNodes(json, meshes.restWeights, report);
    const skins = checkSkins(json, accessors, report);
    const animations = checkAnimations({ json, nodes, meshes, accessors, report, looseWeights, looseClips });
    const channels = animations.flatMap((animation) => animation.channels);
    morphed = new Set(channels.flatMap(({ path, node }) => (path === 'weights' ? nodes.meshes[node]! : [])));
    const instancesOf = (node: number) =>
        checkInstances((json.nodes as JsonObject[])[node]!, `/nodes/${node}`, accessors, report);
    const skinnedMeshes: CheckedSkinnedMesh[] = [];
    for (const [node, mesh] of nodes.meshes.entries()) {
        const skin = nodes.skins[node]!;
        if (mesh === -1 || skin === -1) continue;
        skinnedMeshes.push({
            node,
            mesh,
            skin,
            primitives: vertices ? meshes.primitives(mesh) : [],
            instances: rigid ? instancesOf(node) : null,
        });
    }
    const rigidMeshes = rigid
        ? rigidMeshesOf(nodes, skins, animations, meshes, rigid === 'all', instancesOf)
        : undefined;
    claims.check();
    const lookUp = (indices: Iterable<number>) => {
        const found = Array.from(new Set(indices), (index): [number, AccessorInfo] => [
            index,
            accessors(index, `/accessors/${index}`),
        ]);
        claims.check();
        return new Map(found);
    };
    return { nodes, skins, animations, skinnedMeshes, rigidMeshes, ownBytes: claims.ownBytes, lookUp };
}

function rigidMeshesOf(
    { nodes, meshes, skins: skinOf }: CheckedNodes,
    skins: readonly CheckedSkin[],
    animations: readonly CheckedAnimation[],
    table: MeshTable,
    all: boolean,
    instancesOf: (node: number) => CheckedInstances | null,
): CheckedRigidMesh[] {
    const moving = movingNodes({ nodes, skins, animations });
    const rigid: CheckedRigidMesh[] = [];
    for (const [node, mesh] of meshes.entries()) {
        if (mesh === -1 || skinOf[node] !== -1) continue;
        const moves = moving[node] === 1;
        const primitives = moves || all ? table.primitives(mesh, false) : [];
        rigid.push({ node, mesh, moves, primitives, instances: moves ? instancesOf(node) : null });
    }
    return rigid;
}
