// SPDX-License-Identifier: MIT

/** Files of a web server: an input, and what it refers to. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../errors';
import { limitedSignal, readAtMost, whyFailed } from '../limited-fetch';
import { openInput } from './files';
import type { InputFiles } from './input';
import { acceptedFile, RefusedFile } from './references';
import { createReport, fail } from './report';

/** For how long a server may send nothing, milliseconds. */
const TIMEOUT = 30_000;
/** As many as can be read of a file on disk. */
const MAX_BYTES = 2 ** 31 - 1;
const MAX_REDIRECTS = 10;

/** The URL that an input is: an object of its class, or text that begins with one of these schemes. Null for a path, and all else. */
export function urlOf(input: unknown): URL | null {
    if (input instanceof URL) return input;
    if (typeof input !== 'string' || !/^(https?|file):\/\//i.test(input)) return null;
    try {
        return new URL(input);
    } catch {
        // Without the rest, which may have a secret in it.
        throw new UsageError(`a text that begins with '${input.slice(0, input.indexOf('//') + 2)}' is not a URL`);
    }
}

/**
 * Reads a file by its URL, `file:`, `https:` or `http:`, each time it is asked for. What it refers to is relative to the URL, also where
 * that is redirected.
 *
 * @param signal Ends what is read.
 * @throws UsageError for another scheme, and for a user's name in the URL.
 */
export function openUrl(url: URL, signal?: AbortSignal): { files: InputFiles; isPath: boolean } {
    if (url.protocol === 'file:') return { files: openInput(pathOf(url), signal), isPath: true };
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new UsageError(`'${url.protocol}' URLs are not read: of file:, https: and http: they can be`);
    }
    if (url.username !== '' || url.password !== '') {
        throw new UsageError(`the URL of ${url.host} has a user's name in it: download the file, and give its bytes`);
    }
    // Without the query, which may be a secret.
    const file = `${url.origin}${readable(url.pathname)}`;
    return {
        files: {
            file,
            load: () =>
                download(url, signal).catch((error: unknown) => {
                    signal?.throwIfAborted();
                    const why = error instanceof RefusedFile ? error.message : whyFailed(error);
                    return fail(createReport(file), 'FILE_UNREADABLE', '', `cannot read the file: ${why}`, error);
                }),
            async resolve(path) {
                try {
                    const segments = path.split('/').map(encodeURIComponent).join('/');
                    return acceptedFile(await download(new URL(`./${segments}`, url), signal));
                } catch (error) {
                    signal?.throwIfAborted();
                    throw error instanceof RefusedFile ? error : new RefusedFile(whyFailed(error), { cause: error });
                }
            },
        },
        isPath: false,
    };
}

function pathOf(url: URL): string {
    try {
        return fileURLToPath(url);
    } catch (cause) {
        throw new UsageError(`'${url.href}' names no file of this machine`, { cause });
    }
}

/** Its last segment is the file's name, which a slash in it would change. */
function readable(pathname: string): string {
    try {
        const last = decodeURIComponent(path.posix.basename(pathname));
        if (!/[/\\\0]/.test(last)) return path.posix.join(path.posix.dirname(pathname), last);
    } catch {
        // Not validly encoded.
    }
    return pathname;
}

/** @throws RefusedFile, or the error of `fetch`. */
async function download(url: URL, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const within = limitedSignal(signal);
    const allow = () => within.allow(TIMEOUT);
    allow();
    try {
        const response = await follow(url, within.signal);
        if (!response.ok) {
            await response.body?.cancel();
            throw new RefusedFile(`the server answers ${response.status} ${response.statusText}`.trimEnd());
        }
        allow();
        const bytes = await readAtMost(response, MAX_BYTES, allow);
        if (bytes === null) throw new RefusedFile(`it has more than ${MAX_BYTES} bytes`);
        return bytes;
    } finally {
        within.done();
    }
}

/** By hand: what was asked for in secret is not to be answered in the clear, by whomever. */
async function follow(url: URL, signal: AbortSignal): Promise<Response> {
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const response = await fetch(at, { signal, redirect: 'manual' });
        const location = response.headers.get('location');
        if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
        await response.body?.cancel();
        const next = new URL(location, at);
        const allowed = at.protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
        if (next.username !== '' || next.password !== '') {
            throw new RefusedFile("the server redirects to a URL with a user's name in it, which is not followed");
        }
        if (!allowed.includes(next.protocol)) {
            throw new RefusedFile(
                `the server redirects from ${at.protocol} to ${next.protocol}, which is not followed`,
            );
        }
        at = next;
    }
    throw new RefusedFile(`the server redirects more than ${MAX_REDIRECTS} times`);
}
