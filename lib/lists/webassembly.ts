// SPDX-License-Identifier: MIT

/**
 * The routines on lists in WebAssembly. They work on lists where they lie, if `createFloats` has made them; others are copied into memory
 * of WebAssembly, and results out of it.
 */

import { bufferOf, byteOffsetOf, lengthOf } from '../base/arguments';
import type { Module } from '../webassembly/api';
import { createHeap, type Heap, heapOf, reserve, SCRATCH_BYTES, viewOf } from '../webassembly/heap';
import type { Kernel, Kernels, RoutineDescription } from './description';
import { changedMeanwhile } from './targets';

/** Kernels as those of lib/strict: their arguments are checked and resolved. */
export function webassemblyKernels(module: Module, routines: readonly RoutineDescription[]): Kernels {
    const heap = createHeap(module);
    return Object.fromEntries(routines.map((routine) => [routine.name, kernelOf(heap, routine)]));
}

/** Elements at a time, so that the memory does not grow with lists; longer lists of integers are the twin's. */
const TILE = 16384;
/** The twin runs calls that name so few joints of those up to the last one. */
const SPARSE = 8;

/**
 * `kernel` is the twin in TypeScript.
 *
 * @param general The memory for lists that lie elsewhere. A call on lists in a memory of their own works there, with its scratch for what
 * little else there is.
 */
function kernelOf(general: Heap, { name, lists, parameter, selection, kernel }: RoutineDescription): Kernel {
    const first = lists.length + (parameter === undefined ? 0 : 1);
    /** A pointer for each list, then the numbers as they are. */
    const given: number[] = [0, 0, 0, 0, 0, 0, 0];
    const number = Object.keys(general.functions).indexOf(name);
    const blends = parameter === 'lerp' && lists.length === 2;
    let end = 0;
    /** The memory that the call works in, for so many elements of each list. */
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
     * Reads each integer once, because another thread may change them.
     *
     * @returns How many elements of each list the call touches.
     */
    const putIntegers = (heap: Heap, integers: Int32Array, count: number, firstJoint: number) => {
        const at = end >>> 2;
        let used = selection === 'index' ? 0 : count;
        for (let i = 0; i < count; i++) {
            const value = integers[i]!;
            heap.ints[at + i] = value;
            if (selection === 'index') used = Math.max(used, (value >>> 0) + 1);
            else if (i >= firstJoint && !(value >= -1 && value < i)) throw changedMeanwhile(name);
        }
        end += count * 4;
        return used;
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
            // A joint that an index names twice reads there what it has become.
            else if (i > 0 && lists[0]!.inPlace && isSame(list, result)) given[i] = given[0]!;
            else given[i] = put(heap, i > 0 || inPlace, list, (single ? 1 : used) * floats);
        }
        // Kernels leave aside what they do not take.
        heap.numbered[number]!(given[0], given[1], given[2], given[3], given[4], given[5]);
        if (heap !== general) return;
        if (selection === 'parents') {
            const from = (args[first + 1] as number) * width;
            take(heap, result, from, used * width - from);
        } else if (integers === null) {
            take(heap, result, 0, used * width);
        } else {
            const at = given[first]! >>> 2;
            const count = args[first + 1] as number;
            for (let i = 0; i < count; i++) take(heap, result, heap.ints[at + i]! * width, width);
        }
    };

    const call: Kernel = (...args) => {
        for (let i = lists.length; i < args.length; i++) given[i] = args[i];
        if (selection === 'parents' || (selection === 'index' && args[first] !== null)) {
            const count: number = selection === 'index' ? args[first + 1] : args[first + 2] + 1;
            if (count > TILE) return kernel!(...args);
            // The integers take scratch already: the lists must not.
            const heap = homeOf(args, Infinity);
            end = heap.scratch;
            if (heap === general) reserve(heap, end + count * 4);
            given[first] = end;
            const used = putIntegers(heap, args[first], count, args[first + 1]);
            // All up to the last joint would be copied.
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
            // The result may lie over it, and the first tile's then.
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

    /** The result as it lies in `general`, for copies of one length after the other. */
    let out: Float32Array = new Float32Array(0);
    let memory: ArrayBuffer | undefined;
    /**
     * The same for two lists without an index, of which the first is the result. It asks for no list's buffer, which takes as long as a few
     * joints: where both are the same, so are the copies.
     */
    const runCopies = (a: Float32Array, b: Float32Array, t: number, count: number) => {
        const floats = count * lists[0]!.floats;
        if (lengthOf(a) < floats || lengthOf(b) < floats) throw changedMeanwhile(name);
        const at = general.scratch;
        reserve(general, at + floats * 8);
        if (out.length !== floats || memory !== general.buffer) {
            memory = general.buffer;
            out = new Float32Array(memory, at, floats);
        }
        copyFloats(general.floats, at >>> 2, a, 0, floats);
        copyFloats(general.floats, (at >>> 2) + floats, b, 0, floats);
        general.numbered[number]!(at, at + floats * 4, t, 0, count);
        if (floats > SHORT) setFloats.call(a, out, 0);
        else copyFloats(a, 0, out, 0, floats);
    };

    // In front of `call`, and without lists of arguments: what is asked for most, in one memory or in none.
    return (a, b, c, d, e, f) => {
        const heap = heapOf(a);
        if (heap === undefined && blends && d === null && e <= TILE) return runCopies(a, b, c, e);
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

/** Up to so many floats a loop takes less time than a view does. */
const SHORT = 24;

function copyFloats(to: Float32Array, at: number, from: Float32Array, first: number, length: number): void {
    if (length > SHORT) setFloats.call(to, lengthOf(from) === length ? from : viewOf(from, first, length), at);
    else for (let i = 0; i < length; i++) to[at + i] = from[first + i]!;
}

/** Not the list's own, which user code can change. */
const setFloats = Float32Array.prototype.set;

/**
 * A kernel on lists that lie in one memory of WebAssembly, by their addresses; undefined where they lie elsewhere. The memory cannot be
 * detached or shrunk, so that a run has nothing to check.
 *
 * @param rest The arguments of the kernel behind the lists and the parameter. The integers among them stay as they are.
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
