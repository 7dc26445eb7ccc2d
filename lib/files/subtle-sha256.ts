// SPDX-License-Identifier: MIT

/** The SHA-256 in hex. Null in a page over plain HTTP, where browsers do not calculate it. */
export async function subtleSha256(bytes: Uint8Array): Promise<string | null> {
    const subtle = globalThis.crypto?.subtle;
    if (subtle === undefined) return null;
    const own = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice(); // not shared memory
    const digest = await subtle.digest('SHA-256', own);
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
