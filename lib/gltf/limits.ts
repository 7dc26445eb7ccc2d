// SPDX-License-Identifier: MIT

/*
 * How much memory a file can ask for. Everything else that reading allocates is in proportion to the bytes
 * of the file; numbers and expanded bytes are not, because a few bytes of JSON can claim any amount of data.
 * MAX_DECODED_VALUES and MAX_EXPANDED_BYTES are for files that are small beside them: what brings more bytes of its own
 * may have as much more.
 */

/**
 * Maximum of numbers in accessors that store nothing themselves (no `bufferView`: zeros, or sparse over zeros, or
 * Draco's): 64 MiB of float32, or 5.6 million vertices. A file that needs more would have to be all zeros.
 */
export const MAX_UNSTORED_VALUES = 16_777_216;

/**
 * Maximum of numbers in all the accessors that are decoded, of a small file: 128 MiB of float32. A rig is packed while they are still
 * there, and the addon copies what is packed; with its times a number is then there five times, which is 640 MiB.
 * Accessors may overlap, so a file of 1 MB can name a terabyte. KayKit's Knight, with 76 clips, has 1.2 million.
 */
export const MAX_DECODED_VALUES = 33_554_432;

/** And of any: 4 GiB of float32. The kernels count numbers in 32 bits. */
export const MAX_ADDRESSED_VALUES = 1_073_741_824;

/** Maximum of bytes in all the buffer views that meshopt compression expands, of a small file. */
export const MAX_EXPANDED_BYTES = 268_435_456;

/**
 * How many bytes a byte of a large file can expand to, all its views together. Smooth rotations in 16 bits make 1.5 to 2.6 of
 * one, even key times 5.5, of which there are fewer.
 */
export const USUAL_EXPANSION = 4;

/** The bytes that a file brings of its own. Its limits are in proportion to them. */
export interface OwnBytes {
    /** Bytes of all its buffers: those that are there, whatever the JSON says. */
    readonly stored: number;
    /** Bytes that its compressed views expand to. */
    readonly expanded: number;
}

/** Maximum of numbers that a file may have decoded, or a rig of it hold of a kind: a byte stores one at most. */
export function decodedLimit({ stored, expanded }: OwnBytes): number {
    // Views may expand out of proportion, to MAX_EXPANDED_BYTES. These bytes do not count in full: they would raise this limit for nothing.
    const own = stored + Math.min(expanded, stored * USUAL_EXPANSION);
    return Math.min(Math.max(MAX_DECODED_VALUES, own), MAX_ADDRESSED_VALUES);
}

/** Maximum of bytes that buffers of a small file may have between them, where they are the same ones again and again: they are hashed each. */
export const MAX_STATED_BYTES = 1_073_741_824;

/** Maximum of bytes that the buffers of a file may have between them. */
export function statedLimit({ stored }: Pick<OwnBytes, 'stored'>): number {
    return Math.max(MAX_STATED_BYTES, stored * 4);
}

/** Maximum of bytes that all its compressed views may expand to. */
export function expandedLimit({ stored }: Pick<OwnBytes, 'stored'>): number {
    return Math.max(MAX_EXPANDED_BYTES, stored * USUAL_EXPANSION);
}

/**
 * How many bytes one byte of meshopt's stream can stand for: in version 1 a byte says of four bytes of each of 256 elements
 * that they are as in the element before. What claims more is no such stream, and is not given to the decoder, which would
 * first make room for it.
 */
export const MAX_EXPANSION = 1024;

/** Maximum of warnings of one code that are listed: a million nodes can have one each, which nobody reads, and 400 MB. */
export const MAX_WARNINGS = 1000;
