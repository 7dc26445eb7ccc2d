// SPDX-License-Identifier: MIT

import type { BufferData } from '../../gltf/buffers';

/** A range of bytes to keep. */
export interface Span {
    readonly buffer: number;
    readonly start: number;
    readonly end: number;
}

/** The largest alignment that glTF data needs: 4 in the core, 8 for EXT_structural_metadata. */
const ALIGNMENT = 8;

/**
 * Copies ranges of buffers one after another, in their order. Ranges that overlap or touch stay together. Each start
 * keeps its remainder modulo 8.
 *
 * @returns The bytes, and the new start of each range.
 */
export function compact(
    buffers: readonly BufferData[],
    spans: readonly Span[],
): { bytes: Uint8Array; starts: Map<Span, number> } {
    const sorted = [...spans].sort((a, b) => a.buffer - b.buffer || a.start - b.start);
    const pieces: { buffer: number; start: number; end: number; to: number }[] = [];
    const starts = new Map<Span, number>();
    let length = 0;
    for (const span of sorted) {
        let piece = pieces[pieces.length - 1];
        if (piece === undefined || piece.buffer !== span.buffer || span.start > piece.end) {
            const to = length + ((((span.start - length) % ALIGNMENT) + ALIGNMENT) % ALIGNMENT);
            piece = { ...span, to };
            pieces.push(piece);
        }
        piece.end = Math.max(piece.end, span.end);
        starts.set(span, piece.to + span.start - piece.start);
        length = piece.to + piece.end - piece.start;
    }
    const bytes = new Uint8Array(length);
    for (const { buffer, start, end, to } of pieces) bytes.set(buffers[buffer]!.subarray(start, end), to);
    return { bytes, starts };
}
