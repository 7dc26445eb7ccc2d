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
 * Most numbers in all the accessors that are decoded: 1 GiB of float32. Accessors may overlap, so a file of
 * 1 MB can name a terabyte. KayKit's Knight, with 76 clips, has 1.2 million.
 */
export const MAX_DECODED_VALUES = 268_435_456;

/** Most bytes in all the buffer views that meshopt compression expands (it reaches a factor of 1000 on zeros). */
export const MAX_EXPANDED_BYTES = 1_073_741_824;

/** Most warnings of one code that are listed: a million nodes can have one each, which nobody reads, and 400 MB. */
export const MAX_WARNINGS = 1000;
