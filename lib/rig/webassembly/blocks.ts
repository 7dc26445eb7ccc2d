// SPDX-License-Identifier: MIT

/** Blocks of poses, where the kernels work on them: in the memory of the rig's tables, or in a copy there. */

import { bufferOf, byteOffsetOf } from '../../base/arguments';
import { type Heap, viewOf } from '../../webassembly/heap';
import { blockFloats, GLOBAL_FLOATS, LANES, LOCAL_FLOATS, type RigTables, type SlotTables } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import { type LoadedRig, loadSlots } from './tables';

/** A rig's tables in a memory for poses, with scratch memory for calls. */
export interface Region extends LoadedRig {
    readonly kernelsOf: (slots: SlotTables) => PoseKernels;
    /** `BlockTimes` */
    readonly times: number;
    /** Arguments: a weight for each pose of a block, and a mask. */
    readonly weights: number;
    readonly mask: number;
    /**
     * Results of a call: matrices of a block, of `tileJoints` joints at a time. `places` has the places of these
     * joints.
     */
    readonly tileJoints: number;
    readonly tile: number;
    readonly places: number;
    /** Copies of blocks that are stored in other memory, for example shared poses. */
    readonly stages: readonly number[];
}

/** The poses of some slots. A block's parts are locals, globals and weights; their sizes are in floats. */
export type Blocks = ReturnType<typeof createBlocks>;

export function createBlocks(region: Region, tables: RigTables, slots: SlotTables) {
    const { heap, stages } = region;
    const weights = tables.restWeights.length;
    const floats = blockFloats(slots.slots.length, weights);
    const locals = LOCAL_FLOATS * LANES * slots.slots.length;
    const globals = GLOBAL_FLOATS * LANES * slots.slots.length;

    /** Whether the poses are in this memory. Otherwise a block is copied to a stage of the region. */
    const isHere = (data: Float32Array) => bufferOf(data) === heap.buffer;
    const blockAt = (data: Float32Array, index: number, stage = 0) =>
        isHere(data) ? byteOffsetOf(data) + index * floats * 4 : stages[stage]!;
    const copyIn = (at: number, data: Float32Array, index: number, first: number, length: number) => {
        if (length > 0 && !isHere(data))
            heap.floats.set(viewOf(data, index * floats + first, length), (at >>> 2) + first);
    };
    const copyOut = (at: number, data: Float32Array, index: number, first: number, length: number) => {
        if (length === 0 || isHere(data)) return;
        const from = (at >>> 2) + first;
        viewOf(data, index * floats + first, length).set(heap.floats.subarray(from, from + length));
    };
    const copyInLocals = (at: number, data: Float32Array, index: number) => {
        copyIn(at, data, index, 0, locals);
        copyIn(at, data, index, locals + globals, weights * LANES);
    };
    const copyOutLocals = (at: number, data: Float32Array, index: number) => {
        copyOut(at, data, index, 0, locals);
        copyOut(at, data, index, locals + globals, weights * LANES);
    };
    const copyWeights = (weights: number | Float32Array, first: number, poses: number) => {
        for (let lane = 0; lane < poses; lane++) {
            heap.floats[(region.weights >>> 2) + lane] = typeof weights === 'number' ? weights : weights[first + lane]!;
        }
    };
    const inBlock = (count: number, index: number) => Math.min(LANES, count - index * LANES);
    return {
        region,
        heap,
        run: heap.functions,
        tables,
        slots,
        ...loadSlots(region, tables, slots),
        floats,
        locals,
        globals,
        blockAt,
        copyIn,
        copyOut,
        copyInLocals,
        copyOutLocals,
        copyWeights,
        inBlock,
        give: giver(heap),
    };
}

/** Copies floats at an address out to a list. It keeps its views of the memory, so that calls do not allocate. */
export function giver(heap: Heap) {
    const views = new Map<number, Map<number, Float32Array>>();
    return (out: Float32Array, first: number, at: number, length: number): void => {
        const byLength = views.get(at) ?? new Map<number, Float32Array>();
        if (byLength.size === 0) views.set(at, byLength);
        let view = byLength.get(length);
        if (view === undefined) {
            view = new Float32Array(heap.buffer, at, length);
            byLength.set(length, view);
        }
        setFloats.call(out, view, first);
    };
}

/** Not the list's own method, which user code can change. */
const setFloats = Float32Array.prototype.set;
