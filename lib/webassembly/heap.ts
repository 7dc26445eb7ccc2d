// SPDX-License-Identifier: MIT

/** Instances of the kernels' module, native/isa/strict_wasm.cpp, and the memory that they work on. */

import { bufferOf, byteOffsetOf } from '../base/arguments';
import { stateError } from '../base/errors';
import { type Memory, type Module, webassembly } from './api';

// biome-ignore lint/suspicious/noExplicitAny: each kernel has arguments of its own
type WasmFunction = (...args: any[]) => unknown;

/** An instance with memory of its own, which is freed with it. */
export interface Heap {
    readonly memory: Memory;
    /**
     * The kernels by their names in native/kernels.h and native/rig/kernels.h; pointers are bytes from the start of the
     * memory.
     */
    readonly functions: Readonly<Record<string, WasmFunction>>;
    /** The same in the order of the module. */
    readonly numbered: readonly WasmFunction[];
    /** Address of the first unused byte. */
    end: number;
    /** Address of temporary data of calls: `SCRATCH_BYTES` in shared memory, otherwise at `end`. */
    readonly scratch: number;
    /** Whether the caller has views of the memory. It must then not grow, because growing detaches them. */
    fixed: boolean;
    /** Views of the whole memory, replaced when it grows. */
    buffer: ArrayBuffer;
    bytes: Uint8Array;
    floats: Float32Array;
    doubles: Float64Array;
    ints: Int32Array;
    halves: Uint16Array;
}

const PAGE = 65536;
const MAX_ADVANCE = 1024 * 1024;
/** Bytes of a memory that many lists share. Unused bytes take address space but no memory. */
const SHARED_BYTES = 16 * 1024 * 1024;
/** Scratch bytes of such a memory, for copies of lists that are stored elsewhere. */
export const SCRATCH_BYTES = 256 * 1024;

function memoryOf(initial: number): Memory {
    try {
        return new (webassembly().Memory)({ initial });
    } catch (cause) {
        throw noMemory(initial * PAGE, cause);
    }
}

function noMemory(bytes: number, cause: unknown): Error {
    return stateError('ERR_COUNT_RANGE', `no memory for WebAssembly (${bytes} bytes)`, cause);
}
const ALIGNMENT = 64;

export function createHeap(module: Module, pages = 3): Heap {
    const memory = memoryOf(pages);
    const { exports } = new (webassembly().Instance)(module, { env: { memory } });
    const {
        __heap_base: end,
        kernels,
        __indirect_function_table: table,
    } = exports as unknown as {
        __heap_base: { readonly value: number };
        kernels: { readonly value: number };
        __indirect_function_table: { get(index: number): unknown };
    };
    const functions: Record<string, WasmFunction> = {};
    const start = alignedUp(end.value);
    const numbered: WasmFunction[] = [];
    const heap = { memory, functions, numbered, end: start, scratch: start, fixed: false, ...viewsOf(memory) };
    for (let at = kernels.value >>> 2; heap.ints[at] !== 0; at += 2) {
        const name = textAt(heap.bytes, heap.ints[at]!);
        functions[name] = table.get(heap.ints[at + 1]!) as WasmFunction;
        numbered.push(functions[name]);
    }
    return heap;
}

/** Thrown if a heap that must not grow is full. */
export const FULL = new Error('no room in this memory');

/**
 * @returns Address of `bytes` zero bytes, aligned for all kernels.
 * @throws `FULL`; Error `ERR_COUNT_RANGE` where there is no such memory.
 */
export function allocate(heap: Heap, bytes: number): number {
    const at = heap.end;
    reserve(heap, at + bytes);
    heap.end = alignedUp(at + bytes);
    return at;
}

/** Grows the memory to at least this size. This replaces its views. */
export function reserve(heap: Heap, bytes: number): void {
    const missing = bytes - heap.bytes.length;
    if (missing <= 0) return;
    if (heap.fixed) throw FULL;
    // Grows by more than needed, because each growth creates all views again.
    const more = Math.max(missing, Math.min(heap.bytes.length, MAX_ADVANCE));
    try {
        heap.memory.grow(Math.ceil(more / PAGE));
    } catch (cause) {
        throw noMemory(bytes, cause);
    }
    Object.assign(heap, viewsOf(heap.memory));
}

function viewsOf({ buffer }: Memory) {
    return {
        buffer,
        bytes: new Uint8Array(buffer),
        floats: new Float32Array(buffer),
        doubles: new Float64Array(buffer),
        ints: new Int32Array(buffer),
        halves: new Uint16Array(buffer),
    };
}

export function alignedUp(bytes: number): number {
    return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function textAt(bytes: Uint8Array, at: number): string {
    let text = '';
    for (let i = at; bytes[i] !== 0; i++) text += String.fromCharCode(bytes[i]!);
    return text;
}

/** The memory of `SHARED_BYTES` that the next small allocations share. */
let current: Heap | undefined;

const placed = new WeakMap<ArrayBufferLike, Heap>();

/** The heap that holds a list, if `place` allocated the list. */
export function heapOf(list: Float32Array): Heap | undefined {
    // Offset 0 holds the module's own data. Checked first, because reading `buffer` takes as long as a few joints.
    if (byteOffsetOf(list) === 0) return undefined;
    const buffer = bufferOf(list);
    return buffer === current?.buffer ? current : placed.get(buffer);
}

/**
 * Allocates in a memory that never grows, because growing would detach the caller's views. Many allocations share one
 * memory, because each memory reserves some 10 GB of addresses: a process can have 13,000 of them, a page some 120. A
 * memory is freed with its last view or table. Its parts are never reused, because a view can live on in a `subarray`.
 *
 * @param make Allocates, and then makes its views.
 * @throws Error `ERR_COUNT_RANGE` where there is no memory.
 */
export function place<Made>(module: Module, make: (heap: Heap) => Made): Made {
    const heap = current;
    if (heap !== undefined) {
        const { end } = heap;
        try {
            return make(heap);
        } catch (error) {
            heap.bytes.fill(0, end, heap.end);
            heap.end = end;
            if (error !== FULL) throw error;
        }
    }
    const begun = createHeap(module, SHARED_BYTES / PAGE);
    begun.end = begun.scratch + SCRATCH_BYTES;
    const made = make(begun);
    begun.fixed = true;
    placed.set(begun.buffer, begun);
    if (begun.bytes.length === SHARED_BYTES && begun.end <= (heap?.end ?? SHARED_BYTES)) current = begun;
    return made;
}

/** A list of zeros in such a memory. */
export function createFloats(module: Module, floats: number): Float32Array {
    return place(module, (heap) => floatsIn(heap, floats));
}

export function floatsIn(heap: Heap, floats: number): Float32Array {
    const at = allocate(heap, floats * 4);
    return new Float32Array(heap.buffer, at, floats);
}

/** A part of the caller's list. Calls nothing that user code can change. */
export function viewOf(list: Float32Array, first: number, length: number): Float32Array {
    return new Float32Array(bufferOf(list) as ArrayBuffer, byteOffsetOf(list) + first * 4, length);
}
