// SPDX-License-Identifier: MIT

import type { Module } from '../../webassembly/api';
import { allocate, place } from '../../webassembly/heap';
import {
    blockFloats,
    GLOBAL_FLOATS,
    LANES,
    LOCAL_FLOATS,
    type SkinningTables,
    type SlotTables,
} from '../kernels/contract';
import type { SkinningKernels } from '../kernels/table';
import { giver } from './blocks';
import { type LoadedRig, loadRig, loadSlots } from './tables';

/** Tables for each selection of slots, freed with its poses, and room for the vertices of a block of poses. */
export function loadSkinning(module: () => Module, tables: SkinningTables) {
    return {
        select(slots: SlotTables): SkinningKernels {
            let kernels: SkinningKernels | undefined;
            const loaded = () => {
                kernels ??= place(module(), (heap) =>
                    skinningKernels(loadRig(heap, { ...tables, clips: [] }, tables.meshes), tables, slots),
                );
                return kernels;
            };
            return {
                skinVertices: (...args) => loaded().skinVertices(...args),
                bounds: (...args) => loaded().bounds(...args),
            };
        },
    };
}

function skinningKernels(rig: LoadedRig, tables: SkinningTables, slots: SlotTables): SkinningKernels {
    const { heap } = rig;
    const { meshPlaces } = loadSlots(rig, tables, slots);
    const floats = blockFloats(slots.slots.length, tables.restWeights.length);
    const locals = LOCAL_FLOATS * LANES * slots.slots.length;
    const globals = GLOBAL_FLOATS * LANES * slots.slots.length;
    /** Globals and weights of a block. */
    const stage = allocate(heap, (floats - locals) * 4);
    /** `SkinBlock`: poses, globals, weights, places, scratch. */
    const skinBlock = allocate(heap, 24);
    const maxVertices = rig.meshes.reduce((max, { vertices }) => Math.max(max, vertices), 0);
    const normalBytes = tables.meshes.some(({ normals }) => normals.length > 0) ? maxVertices * 12 : 0;
    /** Positions of a block, then normals; or boxes. */
    const results = allocate(heap, LANES * Math.max(24, maxVertices * 12 + normalBytes));
    heap.ints.set([0, stage, stage + globals * 4, 0, rig.skinMatrices, rig.morphWeights], skinBlock >>> 2);

    const stageBlock = (data: Float32Array, block: number, count: number, mesh: number) => {
        const poses = Math.min(LANES, count - block * LANES);
        const from = block * floats + locals;
        for (let i = 0; i < floats - locals; i++) heap.floats[(stage >>> 2) + i] = data[from + i]!;
        heap.ints[skinBlock >>> 2] = poses;
        heap.ints[(skinBlock >>> 2) + 3] = meshPlaces[mesh]!;
        return poses;
    };
    const give = giver(heap);

    return {
        skinVertices(data, count, mesh, outPositions, outNormals) {
            const { view, vertices } = rig.meshes[mesh]!;
            const length = vertices * 3;
            if (length === 0) return;
            const normals = outNormals === null ? 0 : results + LANES * length * 4;
            for (let b = 0; b * LANES < count; b++) {
                const poses = stageBlock(data, b, count, mesh);
                heap.functions.skinVertices!(view, skinBlock, results, normals);
                give(outPositions, b * LANES * length, results, poses * length);
                if (outNormals !== null) give(outNormals, b * LANES * length, normals, poses * length);
            }
        },
        bounds(data, count, mesh, out) {
            for (let b = 0; b * LANES < count; b++) {
                const poses = stageBlock(data, b, count, mesh);
                heap.functions.bounds!(rig.meshes[mesh]!.view, skinBlock, results);
                give(out, b * LANES * 6, results, poses * 6);
            }
        },
    };
}
