// SPDX-License-Identifier: MIT

/** The routines on lists in WebAssembly. Lists are copied into its memory, and results out of it. */

import { bufferOf, byteOffsetOf } from '../arguments';
import type { Kernel, Kernels, RoutineDescription } from '../lists/description';
import type { Module } from './api';
import { createHeap, type Heap, reserve } from './heap';

/** Kernels as those of lib/strict: their arguments are checked and resolved. */
export function webassemblyKernels(module: Module, routines: readonly RoutineDescription[]): Kernels {
    const heap = createHeap(module);
    return Object.fromEntries(routines.map((routine) => [routine.name, kernelOf(heap, routine)]));
}

function kernelOf(heap: Heap, { name, lists, parameter, selection }: RoutineDescription): Kernel {
    const run = heap.functions[name]!;
    const first = lists.length + (parameter === undefined ? 0 : 1);
    /** A pointer for each list, then the numbers as they are. */
    const given: number[] = [];
    let end = 0;
    const put = (copy: boolean, list: Float32Array, floats: number) => {
        const at = end;
        if (copy) heap.floats.set(viewOf(list, 0, floats), at >> 2);
        end += floats * 4;
        return at;
    };
    const putIntegers = (list: Int32Array, length: number) => {
        const at = end;
        for (let i = 0; i < length; i++) heap.ints[(at >> 2) + i] = list[i]!;
        end += length * 4;
        return at;
    };
    const take = (list: Float32Array, from: number, floats: number) => {
        const at = (heap.end >> 2) + from;
        viewOf(list, from, floats).set(heap.floats.subarray(at, at + floats));
    };

    return (...args) => {
        const result = args[0] as Float32Array;
        const width = lists[0]!.floats;
        /** Of `index` and `parents`. */
        const integers = selection === 'index' || selection === 'parents' ? (args[first] as Int32Array | null) : null;
        const count: number =
            selection === 'index' ? args[first + 1] : selection === 'parents' ? args[first + 2] + 1 : args[first];
        const used = selection === 'index' && integers !== null ? usedBy(integers, count) : count;
        end = heap.end;
        const floats = lists.reduce((sum, list) => sum + (list.single ? 1 : used) * list.floats, 0);
        reserve(heap, end + (floats + (integers === null ? 0 : count)) * 4);
        for (let i = 0; i < lists.length; i++) {
            const { single, floats, inPlace } = lists[i]!;
            // A joint that an index names twice reads there what it has become.
            if (i > 0 && lists[0]!.inPlace && isSame(args[i], result)) given[i] = given[0]!;
            else given[i] = put(i > 0 || inPlace, args[i], (single ? 1 : used) * floats);
        }
        for (let i = lists.length; i < args.length; i++) given[i] = args[i];
        if (selection === 'options') given[first + 1] = args[first + 1] === 'gltf' ? 1 : 0;
        if (selection === 'index' || selection === 'parents') {
            given[first] = integers === null ? 0 : putIntegers(integers, count);
        }
        run(...given);
        if (selection === 'parents') {
            const from = args[first + 1] * width;
            take(result, from, used * width - from);
        } else if (integers === null) {
            take(result, 0, used * width);
        } else {
            for (let i = 0; i < count; i++) take(result, integers[i]! * width, width);
        }
    };
}

function isSame(a: Float32Array, b: Float32Array): boolean {
    return a === b || (byteOffsetOf(a) === byteOffsetOf(b) && bufferOf(a) === bufferOf(b));
}

/** The maximum index and one. */
function usedBy(index: Int32Array, count: number): number {
    let used = 0;
    for (let i = 0; i < count; i++) used = Math.max(used, index[i]! + 1);
    return used;
}

/** Asks nothing that user code can change. */
function viewOf(list: Float32Array, first: number, length: number): Float32Array {
    return new Float32Array(bufferOf(list) as ArrayBuffer, byteOffsetOf(list) + first * 4, length);
}
