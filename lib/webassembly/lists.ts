// SPDX-License-Identifier: MIT

/** The routines on lists in WebAssembly. Lists are copied into its memory, and results out of it. */

import { bufferOf, byteOffsetOf, lengthOf } from '../arguments';
import { changedMeanwhile } from '../lists/calls';
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
    /**
     * Reads each integer once, because another thread may change them.
     *
     * @returns How many elements of each list the call touches.
     */
    const putIntegers = (integers: Int32Array, count: number, firstJoint: number) => {
        const at = end >> 2;
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
    const take = (list: Float32Array, from: number, floats: number) => {
        const at = (given[0]! >> 2) + from;
        viewOf(list, from, floats).set(heap.floats.subarray(at, at + floats));
    };

    return (...args) => {
        const result = args[0] as Float32Array;
        const width = lists[0]!.floats;
        for (let i = lists.length; i < args.length; i++) given[i] = args[i];
        end = heap.end;
        let used: number = args[first];
        let integers: Int32Array | null = null;
        if (selection === 'index' || selection === 'parents') {
            integers = args[first];
            const count: number = selection === 'index' ? args[first + 1] : args[first + 2] + 1;
            reserve(heap, end + count * 4);
            given[first] = integers === null ? 0 : end;
            used = integers === null ? count : putIntegers(integers, count, args[first + 1]);
        } else if (selection === 'options') {
            given[first + 1] = args[first + 1] === 'gltf' ? 1 : 0;
        }
        let floats = 0;
        for (let i = 0; i < lists.length; i++) {
            const needed = (lists[i]!.single ? 1 : used) * lists[i]!.floats;
            if (lengthOf(args[i]) < needed) throw changedMeanwhile(name);
            floats += needed;
        }
        reserve(heap, end + floats * 4);
        for (let i = 0; i < lists.length; i++) {
            const { single, floats, inPlace } = lists[i]!;
            // A joint that an index names twice reads there what it has become.
            if (i > 0 && lists[0]!.inPlace && isSame(args[i], result)) given[i] = given[0]!;
            else given[i] = put(i > 0 || inPlace, args[i], (single ? 1 : used) * floats);
        }
        run(...given);
        if (selection === 'parents') {
            const from = args[first + 1] * width;
            take(result, from, used * width - from);
        } else if (integers === null) {
            take(result, 0, used * width);
        } else {
            const at = given[first]! >> 2;
            for (let i = 0; i < args[first + 1]; i++) take(result, heap.ints[at + i]! * width, width);
        }
    };
}

function isSame(a: Float32Array, b: Float32Array): boolean {
    return a === b || (byteOffsetOf(a) === byteOffsetOf(b) && bufferOf(a) === bufferOf(b));
}

/** Asks nothing that user code can change. */
function viewOf(list: Float32Array, first: number, length: number): Float32Array {
    return new Float32Array(bufferOf(list) as ArrayBuffer, byteOffsetOf(list) + first * 4, length);
}
