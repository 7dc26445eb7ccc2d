// SPDX-License-Identifier: MIT

/** Compresses as every platform can; how much is left differs by some bytes. */
export async function gzipped(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}
