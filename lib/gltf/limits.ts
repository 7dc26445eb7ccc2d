// SPDX-License-Identifier: MIT

/**
 * Limits on the memory that a file can ask for. Most of what reading allocates is proportional to the bytes of the
 * file. Decoded numbers and expanded bytes are not, because a few bytes of JSON can claim any amount.
 * MAX_DECODED_VALUES and MAX_EXPANDED_BYTES apply to small files. The limits of larger files grow with their size.
 */

/** Maximum number of values in accessors without `bufferView`: 64 MiB, which nobody needs as zeros or sparse data. */
export const MAX_UNSTORED_VALUES = 16_777_216;

/**
 * Maximum number of values in all decoded accessors of a small file: 128 MiB of float32. With the rig's packed copy,
 * the addon's copy and the times, each number can exist five times, which is 640 MiB. Accessors can overlap, so a file
 * of 1 MB can claim a terabyte. KayKit's Knight, with 76 clips, has 1.2 million.
 */
export const MAX_DECODED_VALUES = 33_554_432;

/** Maximum for any file: 4 GiB of float32. The kernels count numbers in 32 bits. */
export const MAX_ADDRESSED_VALUES = 1_073_741_824;

/** Maximum number of bytes in all buffer views of a small file that meshopt compression expands. */
export const MAX_EXPANDED_BYTES = 268_435_456;

/** Typical maximum expansion of a large file: smooth rotations expand by 1.5 to 2.6, the fewer key times by 5.5. */
export const USUAL_EXPANSION = 4;

/** The bytes of a file. Its limits are proportional to them. */
export interface OwnBytes {
    /** Bytes of all its buffers that exist, whatever the JSON claims. */
    readonly stored: number;
    /** Bytes that its compressed views expand to. */
    readonly expanded: number;
}

/** Maximum number of values of one kind that a file, or its rig, may hold. A byte stores at most one. */
export function decodedLimit({ stored, expanded }: OwnBytes): number {
    // Views can expand up to MAX_EXPANDED_BYTES. Such disproportionate bytes do not fully raise this limit.
    const own = stored + Math.min(expanded, stored * USUAL_EXPANSION);
    return Math.min(Math.max(MAX_DECODED_VALUES, own), MAX_ADDRESSED_VALUES);
}

/** Maximum total length of a small file's buffers. They can share bytes, but each buffer is hashed. */
export const MAX_STATED_BYTES = 1_073_741_824;

export function statedLimit({ stored }: Pick<OwnBytes, 'stored'>): number {
    return Math.max(MAX_STATED_BYTES, stored * 4);
}

export function expandedLimit({ stored }: Pick<OwnBytes, 'stored'>): number {
    return Math.max(MAX_EXPANDED_BYTES, stored * USUAL_EXPANSION);
}

/**
 * Maximum expansion of a meshopt stream. In version 1, a byte can state that four bytes of each of 256 elements equal
 * those of the element before. A view that claims more is not a valid stream. It is rejected before the decoder
 * allocates memory for it.
 */
export const MAX_EXPANSION = 1024;

/** Maximum number of listed warnings of one code. A million nodes can each have one, which takes 400 MB. */
export const MAX_WARNINGS = 1000;
