// SPDX-License-Identifier: MIT

import type { Blob as BlobIndex } from '../data';

/** Newer browsers have this built in. */
type FromBase64 = Uint8ArrayConstructor & { fromBase64?(text: string): Uint8Array<ArrayBuffer> };

function decode(text: string): Uint8Array<ArrayBuffer> {
    const { fromBase64 } = Uint8Array as FromBase64;
    if (fromBase64) return fromBase64.call(Uint8Array, text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

const reading = new Map<BlobIndex, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * The bytes of a blob.
 *
 * @param what Name for messages.
 * @throws Error with a sentence for the page.
 */
export function readBlob(index: BlobIndex, what: string): Promise<Uint8Array<ArrayBuffer>> {
    // Several files can have the same bytes.
    const bytes = reading.get(index) ?? unpack(index, what);
    reading.set(index, bytes);
    return bytes;
}

async function unpack(index: BlobIndex, what: string): Promise<Uint8Array<ArrayBuffer>> {
    const element = document.getElementById(`blob-${index}`) as HTMLScriptElement | null;
    if (element === null) throw new Error(`This file is not complete: ${what} is missing.`);
    try {
        const bytes = decode(element.textContent!);
        // Its text takes more memory than the bytes.
        element.remove();
        if (element.type !== 'application/gzip') return bytes;
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch {
        throw new Error(`This file is damaged: ${what} cannot be unpacked.`);
    }
}
