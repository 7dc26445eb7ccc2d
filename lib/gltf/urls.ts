// SPDX-License-Identifier: MIT

/** Files on a web server: an input, and the files it refers to. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../base/errors';
import type { ConvertOptions } from '../convert';
import { limitedSignal, readAtMost, whyFailed } from '../files/limited-fetch';
import { asGltf } from './converted';
import { openInput } from './files';
import type { InputFiles } from './input';
import { createReport, fail } from './reading';
import { acceptedFile, RefusedFile } from './references';

/** Timeout for a server's answer, milliseconds. */
const TIMEOUT = 30_000;
/** Minimum rate in each window of that length, bytes per millisecond. */
const SLOWEST = 1;
/** The same limit as for a file on disk. */
const MAX_BYTES = 2 ** 31 - 1;
const MAX_REDIRECTS = 10;

/**
 * The URL of an input: a URL object, or text that begins with a scheme and a slash. Null for a path or another value.
 *
 * @throws UsageError, without the text: it may contain a password.
 */
export function urlOf(input: unknown): URL | null {
    if (input instanceof URL) return input;
    // One letter and a colon is a drive on Windows.
    const [, scheme] = (typeof input === 'string' && /^\s*([a-z][a-z0-9+.-]+):[/\\]/i.exec(input)) || [];
    if (scheme === undefined) return null;
    try {
        // The parser would accept other slashes, and white space before them.
        if (/^[a-z][^:]*:\/\//i.test(input as string)) return new URL(input as string);
    } catch {
        // The cause's message repeats the text, so it is dropped.
    }
    const rule = `'${scheme}://' and a host or path must follow`;
    throw new UsageError(`a text that begins with '${scheme}:' is not a URL: ${rule}`);
}

/**
 * Opens a file by its URL (`file:`, `https:` or `http:`). It is read at each request. References are relative to the
 * URL, after redirects.
 *
 * @param signal Cancels reading.
 * @throws UsageError for another scheme, and for a user name in the URL.
 */
export function openUrl(
    url: URL,
    signal?: AbortSignal,
    options?: ConvertOptions,
): { files: InputFiles; isPath: boolean } {
    if (url.protocol === 'file:') return { files: openInput(pathOf(url), signal, options), isPath: true };
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new UsageError(`'${url.protocol}' URLs are not read: of file:, https: and http: they can be`);
    }
    if (url.username !== '' || url.password !== '') {
        throw new UsageError(`the URL of ${url.host} has a user's name in it: download the file, and give its bytes`);
    }
    // Without the query, which may be a secret.
    const file = `${url.origin}${readable(url.pathname)}`;
    return {
        files: asGltf(
            {
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
                        throw error instanceof RefusedFile
                            ? error
                            : new RefusedFile(whyFailed(error), { cause: error });
                    }
                },
            },
            { ...options, signal },
        ),
        isPath: false,
    };
}

function pathOf(url: URL): string {
    try {
        return fileURLToPath(url);
    } catch {
        const rule = 'must name a file of this machine, without a host, as file:///folder/hero.glb';
        throw new UsageError(`a file: URL ${rule}`);
    }
}

/** The last segment is the file's name, so an encoded slash in it stays encoded. */
function readable(pathname: string): string {
    try {
        const last = decodeURIComponent(path.posix.basename(pathname));
        if (!/[/\\\0]/.test(last)) return path.posix.join(path.posix.dirname(pathname), last);
    } catch {
        // Invalid encoding: keep it.
    }
    return pathname;
}

/** @throws RefusedFile, or the error of `fetch`. */
async function download(url: URL, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const within = limitedSignal(signal);
    within.allow(TIMEOUT);
    try {
        const response = await follow(url, within.signal);
        if (!response.ok) {
            await response.body?.cancel();
            // Not the server's status text, which could repeat a secret of the URL.
            const { STATUS_CODES } = require('node:http') as typeof import('node:http');
            const { status } = response;
            throw new RefusedFile(`the server answers ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd());
        }
        within.allow(Infinity);
        const bytes = await readAtMost(response, MAX_BYTES, within.pace(SLOWEST, TIMEOUT));
        if (bytes === null) throw new RefusedFile(`it has more than ${MAX_BYTES} bytes`);
        return bytes;
    } finally {
        within.done();
    }
}

/** Follows redirects itself: a request by https must not be answered over http. */
async function follow(url: URL, signal: AbortSignal): Promise<Response> {
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const response = await fetch(at, { signal, redirect: 'manual' });
        const location = response.headers.get('location');
        if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
        await response.body?.cancel();
        const next = URL.canParse(location, at.href) ? new URL(location, at) : null;
        if (next === null) throw new RefusedFile('the server redirects to what is not a URL');
        const allowed = at.protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
        if (next.username !== '' || next.password !== '') {
            throw new RefusedFile("the server redirects to a URL with a user's name in it, which is not followed");
        }
        if (!allowed.includes(next.protocol)) {
            const way = `from ${at.protocol} to ${next.protocol}`;
            throw new RefusedFile(`the server redirects ${way}, which is not followed`);
        }
        at = next;
    }
    throw new RefusedFile(`the server redirects more than ${MAX_REDIRECTS} times`);
}
