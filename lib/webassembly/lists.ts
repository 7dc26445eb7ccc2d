// SPDX-License-Identifier: MIT

/** The routines on lists in WebAssembly. Lists are copied into its memory, and results out of it. */

import { bufferOf, byteOffsetOf, lengthOf } from '../arguments';
import { changedMeanwhile } from '../lists/calls';
import type { Kernel, Kernels, RoutineDescription } from '../lists/description';
import type { Module } from './api';
import { createHeap, type Heap, reserve, viewOf } from './heap';

/** Kernels as those of lib/strict: their arguments are checked and resolved. */
export function webassemblyKernels(module: Module, routines: readonly RoutineDescription[]): Kernels {
    const heap = createHeap(module);
    return Object.fromEntries(routines.map((routine) => [routine.name, kernelOf(heap, routine)]));
}

/** Elements at a time, so that the memory does not grow with lists; longer lists of integers are the twin's. */
const TILE = 16384;
/** The twin runs calls that name so few joints of those up to the last one. */
const SPARSE = 8;

/** `kernel` is the twin in TypeScript. */
function kernelOf(heap: Heap, { name, lists, parameter, selection, kernel }: RoutineDescription): Kernel {
    const run = heap.functions[name]!;
    const first = lists.length + (parameter === undefined ? 0 : 1);
    /** A pointer for each list, then the numbers as they are. */
    const given: number[] = [];
    let end = 0;
    const put = (copy: boolean, list: Float32Array, floats: number) => {
        const at = end;
        if (copy) heap.floats.set(viewOf(list, 0, floats), at >>> 2);
        end += floats * 4;
        return at;
    };
    /**
     * Reads each integer once, because another thread may change them.
     *
     * @returns How many elements of each list the call touches.
     */
    const putIntegers = (integers: Int32Array, count: number, firstJoint: number) => {
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
    const take = (list: Float32Array, from: number, floats: number) => {
        const at = (given[0]! >>> 2) + from;
        viewOf(list, from, floats).set(heap.floats.subarray(at, at + floats));
    };

    const runOn = (args: readonly unknown[], used: number, integers: Int32Array | null) => {
        const result = args[0] as Float32Array;
        const width = lists[0]!.floats;
        let floats = 0;
        for (let i = 0; i < lists.length; i++) {
            const needed = (lists[i]!.single ? 1 : used) * lists[i]!.floats;
            if (lengthOf(args[i]) < needed) throw changedMeanwhile(name);
            floats += needed;
        }
        reserve(heap, end + floats * 4);
        for (let i = 0; i < lists.length; i++) {
            const { single, floats, inPlace } = lists[i]!;
            const list = args[i] as Float32Array;
            // A joint that an index names twice reads there what it has become.
            if (i > 0 && lists[0]!.inPlace && isSame(list, result)) given[i] = given[0]!;
            else given[i] = put(i > 0 || inPlace, list, (single ? 1 : used) * floats);
        }
        run(...given);
        if (selection === 'parents') {
            const from = (args[first + 1] as number) * width;
            take(result, from, used * width - from);
        } else if (integers === null) {
            take(result, 0, used * width);
        } else {
            const at = given[first]! >>> 2;
            const count = args[first + 1] as number;
            for (let i = 0; i < count; i++) take(result, heap.ints[at + i]! * width, width);
        }
    };

    return (...args) => {
        for (let i = lists.length; i < args.length; i++) given[i] = args[i];
        end = heap.end;
        if (selection === 'parents' || (selection === 'index' && args[first] !== null)) {
            const count: number = selection === 'index' ? args[first + 1] : args[first + 2] + 1;
            if (count > TILE) return kernel!(...args);
            reserve(heap, end + count * 4);
            given[first] = end;
            const used = putIntegers(args[first], count, args[first + 1]);
            // All up to the last joint would be copied.
            if (selection === 'index' && used > SPARSE * count) return kernel!(...args);
            return runOn(args, used, args[first]);
        }
        if (selection === 'options') given[first + 1] = args[first + 1] === 'gltf' ? 1 : 0;
        const countAt = selection === 'index' ? first + 1 : first;
        if (selection === 'index') given[first] = 0;
        const count: number = args[countAt];
        if (count <= TILE) return runOn(args, count, null);
        const tile = [...args];
        for (let from = 0; from < count; from += TILE) {
            const here = Math.min(TILE, count - from);
            for (let i = 0; i < lists.length; i++) {
                const { single, floats } = lists[i]!;
                if (!single) tile[i] = viewOf(args[i], from * floats, here * floats);
            }
            given[countAt] = here;
            end = heap.end;
            runOn(tile, here, null);
        }
    };
}

function isSame(a: Float32Array, b: Float32Array): boolean {
    return a === b || (byteOffsetOf(a) === byteOffsetOf(b) && bufferOf(a) === bufferOf(b));
}
