// SPDX-License-Identifier: MIT

/** The Rig's kernels in WebAssembly. Blocks of poses are copied into its memory, and what has been made out of them. */

import { bufferOf, byteOffsetOf, isFloat32Array, lengthOf } from '../base/arguments';
import { stateError } from '../base/errors';
import { changedMeanwhile } from '../lists/calls';
import type { Module } from '../webassembly/api';
import { allocate, FULL, floatsIn, type Heap, place, reserve, viewOf } from '../webassembly/heap';
import {
    blockFloats,
    GLOBAL_FLOATS,
    LANES,
    LOCAL_FLOATS,
    type PoseKernels,
    type RigImplementation,
    type RigKernels,
    type RigTables,
    type SkinningKernels,
    type SkinningTables,
    type SlotTables,
} from './kernels/contract';
import { wrapTime, wrapTime32 } from './kernels/wrap-time';
import { once } from './once';
import { type LoadedRig, loadRig, loadSlots } from './webassembly-tables';

/** Bytes of `BlockTimes`: the number of poses, 16 clips, and at 72 the times. */
const TIMES_BYTES = 200;

/** `kCapsules`, and as many rays as a tile of 64 joints has room for. */
const CAPSULES = 16;
const RAYS = 256;

/** The implementation over a module that is compiled when it is first asked for. */
export function webassemblyRig(name: string, module: () => Module): RigImplementation {
    return {
        name,
        load: (tables) => loadPoses(module, tables),
        skinning: { load: (tables) => loadSkinning(module, tables) },
    };
}

/** A rig's tables in a memory for poses, with what calls work in. */
interface Region extends LoadedRig {
    readonly kernelsOf: (slots: SlotTables) => PoseKernels;
    /** `BlockTimes` */
    readonly times: number;
    /** Of a blend: a weight for each pose of a block, and a mask. */
    readonly weights: number;
    readonly mask: number;
    /** What a call makes for the caller: matrices of a block, of so many joints at a time; and the places of these joints. */
    readonly tileJoints: number;
    readonly tile: number;
    readonly places: number;
    /** Blocks of poses that lie elsewhere: shared ones, and those of another memory. */
    readonly stages: readonly number[];
}

function beginRegion(heap: Heap, tables: RigTables): Region {
    const rig = loadRig(heap, tables, []);
    const tileJoints = tables.skins.reduce((max, { joints }) => Math.max(max, joints.length), 64);
    const region: Region = {
        ...rig,
        kernelsOf: once((slots) => poseKernels(region, tables, slots)),
        times: allocate(heap, TIMES_BYTES),
        weights: allocate(heap, LANES * 4),
        mask: allocate(heap, tables.slots * 4),
        tileJoints,
        tile: allocate(heap, tileJoints * 16 * LANES * 4),
        places: allocate(heap, tileJoints * 4),
        stages: [0, 1, 2].map(() => allocate(heap, blockFloats(tables.slots, tables.restWeights.length) * 4)),
    };
    return region;
}

/** Poses lie beside the rig's tables. Where that memory is full, the tables are loaded into another one, too. */
function loadPoses(module: () => Module, tables: RigTables): RigKernels {
    let last: Region | undefined;
    const within = <Made>(make: (region: Region) => Made): Made => {
        try {
            if (last !== undefined) return make(last);
        } catch (error) {
            if (error !== FULL) throw error;
        }
        return place(module(), (heap) => {
            const region = beginRegion(heap, tables);
            // Poses to come have room beside large tables, which would be loaded once more for them.
            if (!heap.fixed) reserve(heap, 2 * heap.end);
            const made = make(region);
            last = region;
            return made;
        });
    };
    return {
        select: (slots) => within(({ kernelsOf }) => kernelsOf(slots)),
        allocate: (slots, floats) =>
            within(({ heap, kernelsOf }) => {
                const kernels = kernelsOf(slots);
                return { kernels, data: floatsIn(heap, floats) };
            }),
    };
}

/** Tables for each selection of slots, freed with its poses, and room for the vertices of a block of poses. */
function loadSkinning(module: () => Module, tables: SkinningTables) {
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

function poseKernels(region: Region, tables: RigTables, slots: SlotTables): PoseKernels {
    const { heap, stages } = region;
    const run = heap.functions;
    const { view, workspace, skinPlaces } = loadSlots(region, tables, slots);
    const weights = tables.restWeights.length;
    const durations = Float64Array.from(tables.clips, ({ duration }) => duration);
    const floats = blockFloats(slots.slots.length, weights);
    const locals = LOCAL_FLOATS * LANES * slots.slots.length;
    const globals = GLOBAL_FLOATS * LANES * slots.slots.length;

    // The calls below are made of these. A block is at an address of the heap, where its poses lie there, or staged.
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
    const inBlock = (count: number, index: number) => Math.min(LANES, count - index * LANES);
    const give = giver(heap);

    const evaluateBlock = (
        at: number,
        poses: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: boolean,
        first: number,
    ) => {
        const { ints, doubles } = heap;
        ints[region.times >>> 2] = poses;
        // Reads an internal slot: the caller may have changed the list's prototype.
        const wrapped = isFloat32Array(times) ? wrapTime32 : wrapTime;
        for (let i = 0; i < poses; i++) {
            const clip = typeof clips === 'number' ? clips : clips[first + i]!;
            if (clip >= durations.length)
                throw stateError('ERR_BUFFER_CHANGED', 'evaluate: the clips changed while the call ran');
            ints[(region.times >>> 2) + 1 + i] = clip;
            doubles[(region.times >>> 3) + 9 + i] = times[first + i]!;
            if (wrap) wrapped(doubles, (region.times >>> 3) + 9 + i, durations, clip);
        }
        run.evaluate!(region.view, view, at, region.times, workspace);
    };
    const paletteBlock = (at: number, poses: number, skin: number, out: Float32Array, mat4: boolean, first: number) => {
        const { length: joints } = tables.skins[skin]!.joints;
        const length = joints * (mat4 ? 16 : 12);
        run.palettes!(
            at + locals * 4,
            poses,
            skinPlaces[skin]!,
            region.inverseBinds[skin]!,
            joints,
            region.tile,
            mat4 ? 1 : 0,
        );
        give(out, first * length, region.tile, poses * length);
    };

    return {
        evaluate(data, count, clips, times, wrap) {
            for (let b = 0; b * LANES < count; b++) {
                const at = blockAt(data, b);
                const poses = inBlock(count, b);
                // The other poses of the block stay as they are.
                if (poses < LANES) copyInLocals(at, data, b);
                evaluateBlock(at, poses, clips, times, wrap, b * LANES);
                copyOutLocals(at, data, b);
            }
        },
        blend(out, a, b, count, amounts, mask, additive) {
            for (let i = 0; mask !== null && i < tables.slots; i++) heap.floats[(region.mask >>> 2) + i] = mask[i]!;
            for (let i = 0; i * LANES < count; i++) {
                const poses = inBlock(count, i);
                for (let lane = 0; lane < poses; lane++) {
                    const amount = typeof amounts === 'number' ? amounts : amounts[i * LANES + lane]!;
                    heap.floats[(region.weights >>> 2) + lane] = amount;
                }
                const to = blockAt(out, i);
                const first = a === out ? to : blockAt(a, i, 1);
                const second = b === out ? to : blockAt(b, i, 2);
                copyInLocals(to, out, i);
                if (a !== out) copyInLocals(first, a, i);
                if (b !== out) copyInLocals(second, b, i);
                const masked = mask === null ? 0 : region.mask;
                run.blend!(region.view, view, to, first, second, poses, region.weights, masked, additive ? 1 : 0);
                copyOutLocals(to, out, i);
            }
        },
        toGlobal(data, count) {
            for (let b = 0; b * LANES < count; b++) {
                const at = blockAt(data, b);
                copyIn(at, data, b, 0, locals + globals);
                run.toGlobal!(region.view, view, at, inBlock(count, b));
                copyOut(at, data, b, locals, globals);
            }
        },
        palettes(data, count, skin, out, format) {
            for (let b = 0; b * LANES < count; b++) {
                const at = blockAt(data, b);
                copyIn(at, data, b, locals, globals);
                paletteBlock(at, inBlock(count, b), skin, out, format === 'mat4', b * LANES);
            }
        },
        joints(data, count, list, out) {
            const wanted = lengthOf(list);
            for (let from = 0; from < wanted; from += region.tileJoints) {
                const here = Math.min(region.tileJoints, wanted - from);
                for (let k = 0; k < here; k++) {
                    const place = slots.places[list[from + k]!];
                    // Another thread may have changed it.
                    if (!(place! >= 0)) throw changedMeanwhile('joints');
                    heap.ints[(region.places >>> 2) + k] = place!;
                }
                const length = here * GLOBAL_FLOATS;
                for (let b = 0; b * LANES < count; b++) {
                    const poses = inBlock(count, b);
                    const at = blockAt(data, b);
                    copyIn(at, data, b, locals, globals);
                    run.joints!(at + locals * 4, poses, region.places, here, region.tile, length);
                    for (let pose = 0; pose < poses; pose++) {
                        const to = ((b * LANES + pose) * wanted + from) * GLOBAL_FLOATS;
                        give(out, to, region.tile + pose * length * 4, length);
                    }
                }
            }
        },
        castRays(data, count, capsules, rays, numRays, placements, outDistances, outCapsules) {
            const { floats: heapFloats, ints } = heap;
            // Pieces of the tile, in floats: results, ends, placements and rays. `RayCast` and `CapsuleTile` lie behind them.
            const at = region.tile >>> 2;
            const [distances, numbers] = [at, at + RAYS * LANES];
            const ends = numbers + RAYS * LANES;
            const places = ends + CAPSULES * 7;
            const list = places + LANES * 7;
            const cast = list + RAYS * 7;
            const tile = cast + 5;
            ints[cast] = list * 4;
            ints[cast + 2] = distances * 4;
            ints[cast + 3] = numbers * 4;
            ints[cast + 4] = LANES;
            ints[tile + 2] = region.places;
            ints[tile + 3] = ends * 4;
            for (let b = 0; b * LANES < count; b++) {
                const [poses, block] = [inBlock(count, b), blockAt(data, b)];
                copyIn(block, data, b, locals, globals);
                for (let i = 0; placements !== null && i < poses * 7; i++) {
                    heapFloats[places + i] = placements[b * LANES * 7 + i]!;
                }
                for (let r = 0; r < numRays; r += RAYS) {
                    const here = Math.min(RAYS, numRays - r);
                    for (let i = 0; i < here * 7; i++) heapFloats[list + i] = rays[r * 7 + i]!;
                    ints[cast + 1] = here;
                    for (let c = 0; c < capsules.count; c += CAPSULES) {
                        const some = Math.min(CAPSULES, capsules.count - c);
                        for (let i = 0; i < some * 7; i++) heapFloats[ends + i] = capsules.ends[c * 7 + i]!;
                        for (let i = 0; i < some * 2; i++) {
                            ints[(region.places >>> 2) + i] = slots.places[capsules.slots[c * 2 + i]!]!;
                        }
                        ints[tile] = c;
                        ints[tile + 1] = some;
                        run.castRays!(
                            block + locals * 4,
                            poses,
                            tile * 4,
                            placements === null ? 0 : places * 4,
                            cast * 4,
                        );
                    }
                    for (let i = 0; i < here; i++) {
                        const to = (r + i) * count + b * LANES;
                        for (let pose = 0; pose < poses; pose++) {
                            outDistances[to + pose] = heapFloats[distances + i * LANES + pose]!;
                            outCapsules[to + pose] = ints[numbers + i * LANES + pose]!;
                        }
                    }
                }
            }
        },
        bakePalettes(data, capacity, clips, times, wrap, count, skin, out, format) {
            for (let first = 0; first < count; first += capacity) {
                const here = Math.min(capacity, count - first);
                for (let b = 0; b * LANES < here; b++) {
                    const [poses, at] = [inBlock(here, b), blockAt(data, b)];
                    if (poses < LANES) copyIn(at, data, b, 0, floats);
                    evaluateBlock(at, poses, clips, times, wrap, first + b * LANES);
                    run.toGlobal!(region.view, view, at, poses);
                    paletteBlock(at, poses, skin, out, format === 'mat4', first + b * LANES);
                    copyOut(at, data, b, 0, floats);
                }
            }
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

/** Copies floats at an address out to a list. It keeps its views of the memory, so that calls do not allocate. */
function giver(heap: Heap) {
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

/** Not the list's own, which user code can change. */
const setFloats = Float32Array.prototype.set;
