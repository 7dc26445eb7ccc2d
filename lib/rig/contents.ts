// SPDX-License-Identifier: MIT

import {
    describeClips,
    describeMeshes,
    describeRest,
    describeSkins,
    describeSlots,
    type RigClip,
    type RigMesh,
    type RigRest,
    type RigSkin,
    type RigSlot,
} from './describe-rig';
import type { MeshTables, RigTables } from './kernels/contract';
import { type Evaluator, loopsOf } from './measure/loops';
import { always } from './once';
import { findMorphs } from './pack/morphs';
import { packRig } from './pack/rig';
import { buildSkeleton, nodesToEvaluate, type Skeleton } from './skeleton';
import { listMeshes, packMeshes } from './source/list-meshes';
import { joinMeshes, numbersIn } from './source/mesh-geometry';
import type { RigSource } from './source/source';

/** All parts of a rig, from a scene or from the bytes of a rig file. */
export interface RigContents {
    readonly tables: RigTables;
    /** Called once, when vertices are first skinned. Rigs keep it until then, but nothing else of the contents. */
    readonly meshTables: () => readonly MeshTables[];
    readonly skeleton: Pick<Skeleton, 'parents' | 'matrixOfSlot'>;
    readonly slots: readonly RigSlot[];
    readonly skins: readonly RigSkin[];
    readonly meshes: readonly RigMesh[];
    readonly rest: RigRest;
    readonly clips: readonly Omit<RigClip, 'loop'>[];
    /** `loop` of each clip; empty if it is not needed. */
    loopsIn(rig: Evaluator): readonly boolean[];
    readonly withoutVertices: boolean;
}

/** @param wanted 1 for each node that the rig evaluates. Default: those of `nodesToEvaluate`. */
export function contentsOf(source: RigSource, wanted: Uint8Array = nodesToEvaluate(source)): RigContents {
    const { nodes, skins, animations } = source;
    const skeleton = buildSkeleton(nodes, wanted);
    const morphs = findMorphs(nodes);
    const geometries = joinMeshes(source);
    const meshes = listMeshes(source, morphs, geometries);
    const tables = packRig(source, skeleton, morphs, numbersIn(geometries.values()));
    return {
        tables,
        // Now, because callers can change the lists of `rig.meshes`. A function made here would keep the source.
        meshTables: always(packMeshes(meshes)),
        skeleton,
        slots: describeSlots(
            Array.from(skeleton.nodes, (node) => nodes[node]!.name),
            skeleton,
        ),
        skins: describeSkins(
            skins.map(({ name }) => name),
            tables.skins,
            skeleton.parents,
        ),
        meshes: describeMeshes(meshes.map((mesh) => ({ ...mesh, name: nodes[mesh.node]!.name }))),
        rest: describeRest(skeleton, morphs.rest),
        clips: describeClips(animations, tables.clips),
        loopsIn: (rig) => (source.withoutLoops ? [] : loopsOf(rig, source)),
        withoutVertices: source.withoutVertices === true,
    };
}
