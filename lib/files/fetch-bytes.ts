// SPDX-License-Identifier: MIT

import { wrongType } from '../base/arguments';
import { InputError } from '../base/errors';

/** Reads all bytes of a file: `fetch`, or `readFile` of `node:fs/promises`. */
export type ReadFile = (url: URL) => Promise<ArrayBuffer | Uint8Array>;

/** A URL, in a page relative to it. Throws TypeError `ERR_ARGUMENT_TYPE`. */
export function absoluteUrl(routine: string, argument: string, url: unknown): URL {
    const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
    try {
        return new URL(url as string, document?.baseURI ?? location?.href);
    } catch {
        const needs = 'a URL, absolute outside of a page (pathToFileURL of node:url converts a path)';
        throw wrongType(routine, argument, needs, url);
    }
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
