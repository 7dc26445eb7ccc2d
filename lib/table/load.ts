// SPDX-License-Identifier: MIT

import { describe, wrongType } from '../base/arguments';
import { InputError, rangeError } from '../base/errors';
import { subtleSha256 } from '../files/subtle-sha256';
import { binaryOf, refuse } from '../format/check-manifest';
import { ANOTHER_BIN, readPair } from '../format/read-pair';
import { bytesOf, parseManifest, splitGlb } from './open-array';

/** Reads all bytes of a file: `fetch`, or `readFile` of `node:fs/promises`. */
export type ReadFile = (url: URL) => Promise<ArrayBuffer | Uint8Array>;

/** Reads a manifest and its bin, from two files or one, and checks length and hash. */
export async function loadPair(url: unknown, read: unknown): Promise<{ json: string; bytes: Uint8Array }> {
    const place = absolute(url);
    if (typeof read !== 'function') throw wrongType('BakedTable.load', 'read', 'a function', read);
    const bytesAt = async (file: URL) => bytesOf(await (read as ReadFile)(file));
    const { manifest, bin, agree } = await readPair(
        async () => {
            const file = await bytesAt(place);
            const { json, bin } = splitGlb(file) ?? { json: new TextDecoder().decode(file), bin: null };
            return { json, bin, binary: binaryOf(parseManifest(json)) };
        },
        async ({ binary, bin }) => {
            const bytes = bin ?? (await bytesAt(beside(place, binary.uri)));
            return { bytes, sha256: await subtleSha256(bytes) };
        },
    );
    if (agree) return { json: manifest.json, bytes: bin.bytes };
    const what = `the binary is not the one that the manifest describes: ${ANOTHER_BIN}`;
    throw rangeError('ERR_BINARY_DIFFERS', `BakedTable.load: ${place.href}: ${what}`);
}

function absolute(url: unknown): URL {
    const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
    try {
        return new URL(url as string, document?.baseURI ?? location?.href);
    } catch {
        const needs = 'a URL, absolute outside of a page (pathToFileURL of node:url converts a path)';
        throw wrongType('BakedTable.load', 'url', needs, url);
    }
}

/** The bin must be in the folder of its manifest. */
function beside(manifest: URL, uri: string): URL {
    const folder = manifest.href.replace(/[^/]*([?#].*)?$/, '');
    const bin = new URL(uri, folder);
    if (!/^[^/]+$/.test(bin.href.slice(folder.length)) || !bin.href.startsWith(folder)) {
        refuse('/binary/uri', `must name a file beside the manifest, is ${describe(uri)}`);
    }
    return bin;
}

/** Fetches a file. Asks the server whether it has changed since it was cached, so that manifest and bin match. */
export async function fetchBytes(url: URL): Promise<ArrayBuffer> {
    const refused = (why: string, cause?: unknown): never => {
        throw new InputError('FILE_UNREADABLE', url.href, '', `cannot be read: ${why}`, { cause });
    };
    try {
        const response = await fetch(url, { cache: 'no-cache' } as RequestInit);
        if (response.ok) return await response.arrayBuffer();
        return refused(`${response.status} ${response.statusText}`);
    } catch (cause) {
        if (cause instanceof InputError) throw cause;
        // Bun and Deno can fetch files.
        const files = "this system's fetch reads no files; give readFile of node:fs/promises as `read`";
        return refused(url.protocol === 'file:' ? files : String(cause), cause);
    }
}
