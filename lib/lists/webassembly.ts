// SPDX-License-Identifier: MIT

/**
 * The routines on lists in WebAssembly. Lists made by `createFloats` are used in place. Other lists are copied into the
 * memory of the module, and results are copied back.
 */

import { bufferOf, byteOffsetOf, isSharedBuffer, lengthOf } from '../base/arguments';
import type { Module } from '../webassembly/api';
import { alignedUp, createHeap, type Heap, heapOf, reserve, SCRATCH_BYTES, viewOf } from '../webassembly/heap';
import type { Kernel, Kernels, MaxIndex, RoutineDescription } from './description';
import { changedMeanwhile, maxIndex } from './targets';

/** Kernels with the signatures of lib/strict. Their arguments are already checked. */
export function webassemblyKernels(module: Module, routines: readonly RoutineDescription[]): ModuleKernels {
    const heap = createHeap(module);
    const maxInModule: MaxIndex = (index, count) => {
        if (count > TILE) return maxIndex(index, count);
        reserve(heap, heap.scratch + count * 4 + PADDING);
        copyInts(heap.ints, heap.scratch >>> 2, index, count);
        return usedBy(heap, heap.scratch, count) - 1;
    };
    const kernels = routines.map((routine) => [routine.name, kernelOf(heap, routine)] as const);
    return { ...Object.fromEntries(kernels), maxIndex: maxInModule };
}

export type ModuleKernels = Kernels & { readonly maxIndex: MaxIndex };

/** The maximum of some indices + 1; above 2^31 if one of them is negative. Zeros the padding after them. */
function usedBy(heap: Heap, address: number, count: number): number {
    const end = (address >>> 2) + count;
    for (let i = 0; i < PADDING / 4; i++) heap.ints[end + i] = 0;
    return count === 0 ? 0 : ((heap.functions.maxIndex!(address, count) as number) >>> 0) + 1;
}

/**
 * Max number of elements, or of integers, in a call that copies, so that the memory does not grow with the lists. The
 * TypeScript twin handles longer lists of integers.
 */
const TILE = 16384;
/** Bytes after an index that `maxIndex` of the module reads. */
const PADDING = 12;
/** The TypeScript twin handles calls whose index names less than one in this many joints, up to the last one named. */
const SPARSE = 8;

/**
 * Wraps the kernel of one routine. `kernel` is its TypeScript twin.
 *
 * @param general The memory for lists that must be copied. A call on lists made by `createFloats` works in their
 * memory, with its scratch area for short copies.
 */
function kernelOf(general: Heap, { name, lists, parameter, selection, kernel }: RoutineDescription): Kernel {
    const first = lists.length + (parameter === undefined ? 0 : 1);
    /** A pointer per list, then the numeric arguments. */
    const given: number[] = [0, 0, 0, 0, 0, 0, 0];
    const number = Object.keys(general.functions).indexOf(name);
    const blends = parameter === 'lerp' && lists.length === 2;
    let end = 0;
    /** Selects the memory for a call with `count` elements per list. */
    const homeOf = (args: readonly unknown[], count: number): Heap => {
        const heap = heapOf(args[0] as Float32Array);
        if (heap === undefined) return general;
        let floats = 0;
        for (let i = 1; i < lists.length; i++) {
            if (bufferOf(args[i]) !== heap.buffer) floats += (lists[i]!.single ? 1 : count) * lists[i]!.floats;
        }
        return floats * 4 <= SCRATCH_BYTES ? heap : general;
    };
    const put = (heap: Heap, copy: boolean, list: Float32Array, floats: number) => {
        const at = end;
        if (copy) copyFloats(heap.floats, at >>> 2, list, 0, floats);
        end += floats * 4;
        return at;
    };
    /**
     * Copies integers, because another thread may change them. For an index, the caller compares the result with the
     * lengths of the lists.
     *
     * @returns Number of elements of each list that the call touches.
     */
    const putIntegers = (heap: Heap, integers: Int32Array, count: number, firstJoint: number) => {
        const { ints } = heap;
        const at = end >>> 2;
        copyInts(ints, at, integers, count);
        end += count * 4;
        if (selection === 'index') return usedBy(heap, at * 4, count);
        for (let i = firstJoint; i < count; i++) {
            const parent = ints[at + i]!;
            if (!(parent >= -1 && parent < i)) throw changedMeanwhile(name);
        }
        return count;
    };
    /** Takes only the joints that the index names, where another thread may write to the others. */
    const takeNamed = (list: Float32Array, result: number, index: number, count: number) => {
        const { floats, ints } = general;
        const width = lists[0]!.floats;
        for (let i = 0; i < count; i++) {
            const from = ints[(index >>> 2) + i]! * width;
            copyFloats(list, from, floats, (result >>> 2) + from, width);
        }
    };
    const take = (heap: Heap, list: Float32Array, from: number, floats: number) => {
        const at = (given[0]! >>> 2) + from;
        copyFloats(list, from, heap.floats, at, floats);
    };

    const runOn = (heap: Heap, args: readonly unknown[], used: number, integers: Int32Array | null) => {
        const result = args[0] as Float32Array;
        const width = lists[0]!.floats;
        let floats = 0;
        for (let i = 0; i < lists.length; i++) {
            const needed = (lists[i]!.single ? 1 : used) * lists[i]!.floats;
            if (lengthOf(args[i]) < needed) throw changedMeanwhile(name);
            floats += needed;
        }
        if (heap === general) reserve(general, end + floats * 4);
        for (let i = 0; i < lists.length; i++) {
            const { single, floats, inPlace } = lists[i]!;
            const list = args[i] as Float32Array;
            if (bufferOf(list) === heap.buffer) given[i] = byteOffsetOf(list);
            // Same memory as the result: a joint that the index names twice reads its first result.
            else if (i > 0 && lists[0]!.inPlace && isSame(list, result)) given[i] = given[0]!;
            else given[i] = put(heap, i > 0 || inPlace, list, (single ? 1 : used) * floats);
        }
        // Kernels ignore extra arguments.
        heap.numbered[number]!(given[0], given[1], given[2], given[3], given[4], given[5]);
        if (heap !== general) return;
        if (selection === 'parents') {
            const firstJoint = args[first + 1] as number;
            if (!isSharedBuffer(bufferOf(result))) {
                return take(heap, result, firstJoint * width, (used - firstJoint) * width);
            }
            // Roots are not written: another thread may do that.
            const parents = given[first]! >>> 2;
            for (let i = firstJoint; i < used; i++) {
                if (heap.ints[parents + i]! >= 0) take(heap, result, i * width, width);
            }
        } else if (integers === null || !isSharedBuffer(bufferOf(result))) {
            take(heap, result, 0, used * width);
        } else {
            takeNamed(result, given[0]!, given[first]!, args[first + 1] as number);
        }
    };

    const call: Kernel = (...args) => {
        for (let i = lists.length; i < args.length; i++) given[i] = args[i];
        if (selection === 'parents' || (selection === 'index' && args[first] !== null)) {
            const count: number = selection === 'index' ? args[first + 1] : args[first + 2] + 1;
            if (count > TILE) return kernel!(...args);
            // The integers use the scratch area, so the lists must not.
            const heap = homeOf(args, Infinity);
            end = heap.scratch;
            if (heap === general) reserve(heap, end + count * 4 + PADDING);
            given[first] = end;
            const used = putIntegers(heap, args[first], count, args[first + 1]);
            // The call would copy all joints up to the last one.
            if (heap === general && selection === 'index' && used > SPARSE * count) return kernel!(...args);
            return runOn(heap, args, used, args[first]);
        }
        if (selection === 'options') given[first + 1] = args[first + 1] === 'gltf' ? 1 : 0;
        const countAt = selection === 'index' ? first + 1 : first;
        if (selection === 'index') given[first] = 0;
        const count: number = args[countAt];
        const heap = homeOf(args, count);
        end = heap.scratch;
        if (heap !== general || count <= TILE) return runOn(heap, args, count, null);
        const tile = [...args];
        for (let i = 0; i < lists.length; i++) {
            const { single, floats } = lists[i]!;
            if (!single) continue;
            // Copied, because the result of the first tile may overwrite it.
            tile[i] = new Float32Array(floats);
            copyFloats(tile[i] as Float32Array, 0, args[i], 0, floats);
        }
        for (let from = 0; from < count; from += TILE) {
            const here = Math.min(TILE, count - from);
            for (let i = 0; i < lists.length; i++) {
                const { single, floats } = lists[i]!;
                if (!single) tile[i] = viewOf(args[i], from * floats, here * floats);
            }
            given[countAt] = here;
            end = heap.scratch;
            runOn(heap, tile, here, null);
        }
    };

    /** View of the result in `general`, kept for later calls with the same length. */
    let out: Float32Array = new Float32Array(0);
    /**
     * As `call`, for two lists. The first is the result. Without an index it does not read `buffer` of a list,
     * which takes as long as a few joints; if both lists are the same, their copies are equal too.
     */
    const runCopies = (a: Float32Array, b: Float32Array, t: number, index: Int32Array | null, count: number) => {
        const width = lists[0]!.floats;
        let used = count;
        end = general.scratch;
        if (index !== null) {
            reserve(general, end + count * 4 + PADDING);
            used = putIntegers(general, index, count, 0);
            if (used > SPARSE * count) return kernel!(a, b, t, index, count);
            end = alignedUp(end);
        }
        const floats = used * width;
        if (lengthOf(a) < floats || lengthOf(b) < floats) throw changedMeanwhile(name);
        const at = end;
        reserve(general, at + floats * 8);
        copyFloats(general.floats, at >>> 2, a, 0, floats);
        copyFloats(general.floats, (at >>> 2) + floats, b, 0, floats);
        const other = index !== null && isSame(a, b) ? at : at + floats * 4;
        general.numbered[number]!(at, other, t, index === null ? 0 : general.scratch, count);
        if (index !== null && isSharedBuffer(bufferOf(a))) return takeNamed(a, at, general.scratch, count);
        if (floats <= SHORT) return copyFloats(a, 0, general.floats, at >>> 2, floats);
        if (out.length !== floats || out.byteOffset !== at || out.buffer !== general.buffer) {
            out = new Float32Array(general.buffer, at, floats);
        }
        setFloats.call(a, out, 0);
    };

    // Fast path for the most frequent calls: all lists in one WebAssembly memory, or none.
    return (a, b, c, d, e, f) => {
        const heap = heapOf(a);
        if (heap === undefined && blends && e <= TILE) return runCopies(a, b, c, d, e);
        if (heap === undefined || selection === 'parents') return call(a, b, c, d, e, f);
        const { buffer } = heap;
        const run = heap.numbered[number]!;
        if (lists.length === 1 && b === null) return run(byteOffsetOf(a), 0, c);
        if (lists.length === 2 && bufferOf(b) === buffer) {
            if (selection === 'options') return run(byteOffsetOf(a), byteOffsetOf(b), c, d === 'gltf' ? 1 : 0);
            if (d === null) return run(byteOffsetOf(a), byteOffsetOf(b), c, 0, e);
        }
        if (lists.length > 2 && bufferOf(b) === buffer && bufferOf(c) === buffer) {
            const [x, y, z] = [byteOffsetOf(a), byteOffsetOf(b), byteOffsetOf(c)];
            if (lists.length === 4 && bufferOf(d) === buffer) return run(x, y, z, byteOffsetOf(d), e);
            if (lists.length === 3 && (selection !== 'index' || d === null)) return run(x, y, z, d, e);
        }
        return call(a, b, c, d, e, f);
    };
}

/** Max number of floats for which a loop is faster than creating a view. */
const SHORT = 24;

function copyFloats(to: Float32Array, at: number, from: Float32Array, first: number, length: number): void {
    if (length <= SHORT) {
        for (let i = 0; i < length; i++) to[at + i] = from[first + i]!;
        return;
    }
    // A shared list gets a view, because it can grow before it is copied.
    const whole = lengthOf(from) === length && !isSharedBuffer(bufferOf(from));
    setFloats.call(to, whole ? from : viewOf(from, first, length), at);
}

function copyInts(to: Int32Array, at: number, from: Int32Array, length: number): void {
    if (length <= SHORT) for (let i = 0; i < length; i++) to[at + i] = from[i]!;
    // A view of its own, as in `copyFloats`.
    else setInts.call(to, new Int32Array(bufferOf(from) as ArrayBuffer, byteOffsetOf(from), length), at);
}

/** Not the lists' own methods, which user code can change. */
const setFloats = Float32Array.prototype.set;
const setInts = Int32Array.prototype.set;

/**
 * Binds a kernel to lists in one memory of WebAssembly; undefined if a list is elsewhere. This memory is never detached
 * or shrunk, so a run needs no checks.
 *
 * @param rest Arguments of the kernel after the lists and the parameter. The caller does not change its integers later.
 */
export function bindAddresses(
    { name, parameter, selection }: RoutineDescription,
    lists: readonly Float32Array[],
    rest: readonly unknown[],
): ((parameter: number) => void) | undefined {
    const heap = heapOf(lists[0]!);
    if (heap === undefined || lists.some((list) => bufferOf(list) !== heap.buffer)) return undefined;
    const integers = (selection === 'index' || selection === 'parents') && (rest[0] as Int32Array | null);
    if (integers && integers.length * 4 > SCRATCH_BYTES) return undefined;
    const [x, y, z] = rest.map((value) =>
        typeof value === 'number'
            ? value
            : value === integers
              ? integers
                  ? heap.scratch
                  : 0
              : Number(value === 'gltf'),
    );
    const run: (...args: unknown[]) => void = heap.functions[name]!.bind(null, ...lists.map(byteOffsetOf));
    const call = parameter === undefined ? () => run(x, y, z) : (t: number) => run(t, x, y, z);
    if (!integers) return call;
    return (t) => {
        heap.ints.set(integers, heap.scratch >>> 2);
        call(t);
    };
}

function isSame(a: Float32Array, b: Float32Array): boolean {
    return a === b || (byteOffsetOf(a) === byteOffsetOf(b) && bufferOf(a) === bufferOf(b));
}
