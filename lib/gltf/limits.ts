// SPDX-License-Identifier: MIT

/*
 * How much memory a file can ask for. Everything else that reading allocates is in proportion to the bytes
 * of the file; the first three here are not, because a few bytes of JSON can claim any amount of data.
 */

/**
 * Most numbers in accessors that store nothing themselves (no `bufferView`: zeros, or sparse over zeros, or
 * Draco's): 64 MiB of float32, or 5.6 million vertices. A file that needs more would have to be all zeros.
 */
export const MAX_UNSTORED_VALUES = 16_777_216;

/**
 * Most numbers in all the accessors that are decoded: 256 MiB of float32, of which a rig holds a copy or two. Accessors may
 * overlap, so a file of 1 MB can name a terabyte. KayKit's Knight, with 76 clips, has 1.2 million.
 */
export const MAX_DECODED_VALUES = 67_108_864;

/** Most bytes in all the buffer views that meshopt compression expands. */
export const MAX_EXPANDED_BYTES = 268_435_456;

/**
 * How many bytes one byte of meshopt's stream can stand for: in version 1 a byte says of four bytes of each of 256 elements
 * that they are as in the element before. What claims more is no such stream, and is not given to the decoder, which would
 * first make room for it.
 */
export const MAX_EXPANSION = 1024;

/** Most warnings of one code that are listed: a million nodes can have one each, which nobody reads, and 400 MB. */
export const MAX_WARNINGS = 1000;
