// SPDX-License-Identifier: MIT

/** Compresses with the platform's gzip. The size differs by some bytes between platforms. */
export async function gzipped(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}
