// SPDX-License-Identifier: MIT

import { bufferOf, describe, isFloat32Array, isGone, isSharedBuffer, lengthOf, wrongType } from '../base/arguments';
import { rangeError, stateError, typeError } from '../base/errors';
import { blockFloats, GLOBAL_FLOATS, LANES, LOCAL_FLOATS, type SlotList, type SlotTables } from './kernels/contract';
import type { PoseKernels, RigKernels, SkinningKernels } from './kernels/table';

/** Options of `rig.createPoses`. */
export interface PosesOptions {
    /** Evaluates only these slots and their ancestors, for example `rig.skins[0].joints`. Default: all. */
    only?: SlotList | readonly number[];
    /**
     * `true`: stores the poses in a new SharedArrayBuffer, for workers. A Float32Array over a SharedArrayBuffer: uses
     * this memory. It must be the `data` of poses of the same rig, slots and capacity, or whole blocks of that list.
     */
    shared?: boolean | Float32Array;
}

/** The parts of poses that the Rig reads and no other code can reach. */
export interface PosesState {
    /** Identifies the rig. */
    readonly owner: object;
    readonly kernels: PoseKernels;
    skinning(): SkinningKernels;
    readonly slots: SlotTables;
    readonly weights: number;
    readonly data: Float32Array;
    readonly capacity: number;
    /** Whether other threads can write the poses. */
    readonly shared: boolean;
    count: number;
    /** First of some poses whose globals are older than their locals. */
    staleFrom: number;
    /** One after the last of these poses. */
    staleTo: number;
    /** Place of a slot: only this slot and slots below it have newer locals there. -1: any slot can have them. */
    stalePlace: number;
    /** From this pose on, any locals are newer than globals: those that `count` has not included since. */
    tailFrom: number;
}

/**
 * Poses of one rig. `rig.createPoses` makes them, the methods of the rig read and write them. docs/rig.md defines their
 * layout in memory.
 */
export class Poses {
    #live: PosesState | undefined;

    /** @internal */
    constructor(state: PosesState) {
        this.#live = state;
    }

    #state(): PosesState {
        if (this.#live === undefined) {
            throw stateError('ERR_DISPOSED', 'the poses were disposed, needs some that were not');
        }
        return this.#live;
    }

    /**
     * Releases the poses. Later uses throw Error `ERR_DISPOSED`. The memory is freed when no other view of its `buffer`
     * exists. In WebAssembly, other poses can share that buffer. The call is optional: unreachable poses are
     * garbage-collected. Throws nothing.
     */
    dispose(): void {
        this.#live = undefined;
    }

    /**
     * The private state of `value`; null if `value` is not a `Poses`.
     *
     * @internal
     */
    static stateOf(value: unknown): PosesState | null {
        return typeof value === 'object' && value !== null && #live in value ? (value as Poses).#state() : null;
    }

    /** Maximum number of poses. */
    get capacity(): number {
        return this.#state().capacity;
    }

    /**
     * Number of poses that the methods of the rig process, 0 to `capacity`. Initially `capacity`. The setter throws
     * TypeError `ERR_ARGUMENT_TYPE` or RangeError `ERR_COUNT_RANGE`.
     */
    get count(): number {
        return this.#state().count;
    }

    set count(count: number) {
        if (typeof count !== 'number') {
            throw typeError('ERR_ARGUMENT_TYPE', `poses.count must be a number, got ${describe(count)}`);
        }
        const { capacity } = this.#state();
        if (!Number.isInteger(count) || count < 0 || count > capacity) {
            const needs = `must be an integer from 0 to ${capacity} (the capacity)`;
            throw rangeError('ERR_COUNT_RANGE', `poses.count ${needs}, got ${describe(count)}`);
        }
        this.#state().count = count;
    }

    /** A copy of the slots that these poses have, ascending. */
    get slots(): Int32Array {
        return this.#state().slots.slots.slice();
    }

    /**
     * All poses, in blocks of 16. A block holds `[slot][10][16]` locals, then `[slot][12][16]` globals, then
     * `[weight][16]` morph weights; pose p is lane `p % 16`. A view: its `buffer` may hold other data too.
     *
     * The rig does not notice direct writes. Call `toGlobal` after you write locals, and before you write globals.
     */
    get data(): Float32Array {
        return this.#state().data;
    }

    /** Number of floats of a block of 16 poses. */
    get blockFloats(): number {
        return blockFloats(this.#state().slots.slots.length, this.#state().weights);
    }

    /** Offset of the globals within a block, in floats. The locals start at 0. */
    get globalsOffset(): number {
        return this.#state().slots.slots.length * LOCAL_FLOATS * LANES;
    }

    /** Offset of the morph weights within a block, in floats. */
    get weightsOffset(): number {
        return this.#state().slots.slots.length * (LOCAL_FLOATS + GLOBAL_FLOATS) * LANES;
    }

    /**
     * Text for `console.log` in Node, which would otherwise show no getters.
     *
     * @internal
     */
    [Symbol.for('nodejs.util.inspect.custom')](): string {
        if (this.#live === undefined) return 'Poses { disposed }';
        const { count, capacity, slots, weights, shared } = this.#state();
        return `Poses { count: ${count}, capacity: ${capacity}, slots: ${slots.slots.length}, weights: ${weights}, shared: ${shared} }`;
    }
}

const ROUTINE = 'createPoses';
/** Counts of floats are 32-bit on the native side. */
const MAX_FLOATS = 0x7fffffff;

export function checkCapacity(capacity: unknown): number {
    if (typeof capacity !== 'number') throw wrongType(ROUTINE, 'capacity', 'a number', capacity);
    if (!Number.isInteger(capacity) || capacity < 1) {
        throw rangeError('ERR_COUNT_RANGE', `${ROUTINE}: capacity must be an integer from 1 on, got ${capacity}`);
    }
    return capacity;
}

/**
 * Returns the memory of poses: new memory with poses at rest, or the list that `shared` passes, unchanged.
 *
 * @param rest One pose at rest: the locals of each place, then the weights.
 * @param all Kernels for these slots, if already selected.
 */
export function allocatePoses(
    capacity: number,
    slots: SlotTables,
    rest: { locals: Float32Array; weights: Float32Array },
    shared: unknown,
    kernels: RigKernels,
    all: PoseKernels | undefined,
): Pick<PosesState, 'data' | 'shared' | 'kernels'> {
    const blocks = Math.ceil(capacity / LANES);
    const block = blockFloats(slots.slots.length, rest.weights.length);
    const floats = blocks * block;
    if (floats > MAX_FLOATS) {
        const need = `${capacity} poses of ${slots.slots.length} slots need ${floats} floats`;
        throw rangeError('ERR_COUNT_RANGE', `${ROUTINE}: ${need}, more than ${MAX_FLOATS}`);
    }
    if (shared !== undefined && typeof shared !== 'boolean') checkShared(shared, floats);
    if (shared === true && typeof SharedArrayBuffer === 'undefined') {
        const why = 'pages have no SharedArrayBuffer unless they are cross-origin isolated';
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: options.shared cannot be true here: ${why}`);
    }
    try {
        const select = () => all ?? kernels.select(slots);
        if (isFloat32Array(shared)) return { data: shared, shared: true, kernels: select() };
        const own = shared === true ? undefined : kernels.allocate?.(slots, floats);
        const data =
            own?.data ??
            new Float32Array(shared === true ? new SharedArrayBuffer(floats * 4) : new ArrayBuffer(floats * 4));
        if (blocks > 0 && floats > 0) fillAtRest(data, blocks, block, slots.slots.length, rest);
        return { data, shared: shared === true, kernels: own?.kernels ?? select() };
    } catch (cause) {
        throw stateError('ERR_COUNT_RANGE', `${ROUTINE}: no memory for ${capacity} poses (${floats} floats)`, cause);
    }
}

function checkShared(shared: unknown, floats: number): void {
    if (!isFloat32Array(shared)) throw wrongType(ROUTINE, 'options.shared', 'true or a Float32Array', shared);
    if (!isSharedBuffer(bufferOf(shared))) {
        const needs = 'must lie over a SharedArrayBuffer';
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: options.shared ${needs}, its buffer is an ArrayBuffer`);
    }
    if (lengthOf(shared) !== floats) {
        const holds = `options.shared holds ${lengthOf(shared)} floats`;
        throw rangeError('ERR_BUFFER_LENGTH', `${ROUTINE}: ${holds}, these poses have ${floats}`);
    }
}

function fillAtRest(
    data: Float32Array,
    blocks: number,
    block: number,
    slots: number,
    { locals, weights }: { locals: Float32Array; weights: Float32Array },
): void {
    for (let i = 0; i < locals.length; i++) data.fill(locals[i]!, i * LANES, (i + 1) * LANES);
    const at = slots * (LOCAL_FLOATS + GLOBAL_FLOATS);
    for (let i = 0; i < weights.length; i++) data.fill(weights[i]!, (at + i) * LANES, (at + i + 1) * LANES);
    for (let b = 1; b < blocks; b++) data.copyWithin(b * block, 0, block);
}

/**
 * Returns the state of an argument that must be poses. Throws if the argument is not poses, belongs to another rig, or
 * has lost its memory.
 */
export function posesAt(routine: string, argument: string, value: unknown, owner: object): PosesState {
    const state = Poses.stateOf(value);
    if (state === null) throw wrongType(routine, argument, 'poses of this rig', value);
    if (state.owner !== owner) {
        const needs = 'needs those of the rig that it is given to';
        throw typeError('ERR_FOREIGN_POSES', `${routine}: ${argument} are poses of another rig, ${needs}`);
    }
    if (lengthOf(state.data) === 0 && isGone(state.data)) {
        throw typeError('ERR_DETACHED_BUFFER', `${routine}: the memory of ${argument} was transferred or detached`);
    }
    return state;
}

/** The first pose whose globals are older than its locals; `count` if there is none. */
function firstStale({ staleFrom, staleTo, tailFrom, count }: PosesState): number {
    return Math.min(staleFrom < staleTo ? staleFrom : count, tailFrom, count);
}

/** Throws unless the globals of `poses` were made from their present locals. */
export function checkGlobals(routine: string, state: PosesState): void {
    const pose = firstStale(state);
    if (pose < state.count) {
        const why = `the locals of pose ${pose} of poses are newer than its globals`;
        throw stateError('ERR_STALE_GLOBALS', `${routine}: ${why}, needs toGlobal(poses) first`);
    }
}

/** Throws unless all newer locals are those of the slot at `place` and of slots below it. */
export function checkOthers(routine: string, state: PosesState, place: number): void {
    const { stalePlace, tailFrom, count, slots } = state;
    const pose = firstStale(state);
    if (pose >= count || (tailFrom >= count && stalePlace === place)) return;
    if (tailFrom >= count && stalePlace >= 0 && commonPlace(slots.parents, stalePlace, place) === place) return;
    const why = `the locals of pose ${pose} of poses are newer than its globals, also outside of options.from`;
    throw stateError('ERR_STALE_GLOBALS', `${routine}: ${why}, needs toGlobal(poses) first`);
}

/** The lowest place that two places are at or below; -1 if no place is. Parents have lower places. */
function commonPlace(parents: Int32Array, a: number, b: number): number {
    let first = a;
    let second = b;
    while (first !== second) {
        if (first > second) first = parents[first]!;
        else second = parents[second]!;
    }
    return first;
}

/**
 * Notes that locals of the poses `from` to before `to` are written. Shared poses are left out: another thread may make
 * their globals. Before the tail only one range is kept, the first of two that do not touch: poses that are up to date
 * are never refused.
 *
 * @param place The place of the only slot that is written; -1: any slot.
 */
export function localsWritten(state: PosesState, from: number, to: number, place = -1): void {
    const { staleFrom, staleTo, stalePlace, tailFrom, slots } = state;
    const end = Math.min(to, tailFrom);
    if (state.shared || from >= end) return;
    if (place < 0 && to >= tailFrom) {
        state.tailFrom = from;
        return;
    }
    state.stalePlace = staleFrom < staleTo ? commonPlace(slots.parents, stalePlace, place) : place;
    if (from <= staleTo && end >= staleFrom) {
        state.staleFrom = Math.min(from, staleFrom);
        state.staleTo = Math.max(end, staleTo);
    } else if (from < staleFrom || staleFrom >= staleTo) {
        state.staleFrom = from;
        state.staleTo = end;
    }
}

/** Notes that the globals of the first `count` poses are made of their locals. */
export function globalsWritten(state: PosesState, count: number): void {
    state.staleFrom = Math.max(state.staleFrom, count);
    state.tailFrom = Math.max(state.tailFrom, count);
}
