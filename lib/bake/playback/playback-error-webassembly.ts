// SPDX-License-Identifier: MIT

import type { Module } from '../../webassembly/api';
import { createHeap, type Heap, reserve } from '../../webassembly/heap';

/** `PlaybackError` of lib/bake/playback/playback-error.ts, in WebAssembly. */
export function webassemblyPlaybackError(module: () => Module) {
    let heap: Heap | undefined;
    return (
        max: Float64Array,
        rows: Float32Array,
        samples: Float32Array,
        nearest: Uint8Array,
        joints: number,
        boxes: Float64Array,
    ): void => {
        heap ??= createHeap(module());
        const lists = [max, boxes, rows, samples, nearest];
        const at: number[] = [];
        let { end } = heap;
        for (const { byteLength } of lists) {
            at.push(end);
            end += Math.ceil(byteLength / 8) * 8;
        }
        reserve(heap, end);
        const { bytes, doubles } = heap;
        for (const [i, { buffer, byteOffset, byteLength }] of lists.entries()) {
            bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at[i]!);
        }
        const [maxAt, boxesAt, rowsAt, samplesAt, nearestAt] = at as [number, number, number, number, number];
        heap.functions.playbackError!(maxAt, rowsAt, samplesAt, nearestAt, nearest.length, joints, boxesAt);
        for (let i = 0; i < max.length; i++) max[i] = doubles[(maxAt >>> 3) + i]!;
    };
}
