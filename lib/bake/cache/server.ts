// SPDX-License-Identifier: MIT

/** A cache on a server that speaks Bazel's HTTP protocol: GET and PUT of `/ac/<key>` and `/cas/<sha256>`. */

import { namingOptions, UsageError } from '../../errors';
import { limitedSignal, readAtMost, whyFailed } from '../../limited-fetch';
import { type Store, StoreFault } from './store';

/** What a server needs. */
export interface ServerOptions {
    /** For a server: sent as `Authorization: Bearer <token>`. Default: `POSELANE_CACHE_TOKEN` of the environment. */
    token?: string | undefined;
    /** For a server: whether `http:` is allowed, which anybody on the way can read and change, to other machines. Default false. */
    insecure?: boolean | undefined;
    /** For a server: how long to wait until it begins to answer, milliseconds. Default 5000. */
    timeout?: number | undefined;
}

const TIMEOUT = 5000;
/** What a server must manage at least, bytes a millisecond. */
const SLOWEST = 256;

/** What a connection is closed with before it has taken a whole body: many servers refuse one so. */
const CLOSED = /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function openServer(place: string, { token, insecure = false, timeout = TIMEOUT }: ServerOptions): Store {
    const url = parse(place);
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
        throw new UsageError('cache: the token has characters that a header cannot have, such as spaces or line ends');
    }
    if (!(timeout > 0 && timeout < 2 ** 31)) {
        throw new UsageError(`cache: timeout must be milliseconds above 0 and below 2^31, got ${timeout}`);
    }
    const encrypted = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
    if (!encrypted && !insecure) {
        throw namingOptions((name) => {
            const rule = `http: sends everything in the clear: name an https: URL, or allow it by ${name('insecure')}`;
            return new UsageError(`cache: '${place}': ${rule}`);
        });
    }
    const root = url.href.replace(/\/*$/, '');
    const authorization: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const request = async <T>(
        path: string,
        [sent, received]: readonly [number, number],
        signal: AbortSignal | undefined,
        init: RequestInit,
        read: (response: Response) => Promise<T>,
    ): Promise<T> => {
        const within = limitedSignal(signal);
        /** From now on so long for so many bytes. */
        const allow = (bytes: number) => within.allow(timeout + bytes / SLOWEST);
        allow(sent);
        let answered = false;
        try {
            const headers = { ...authorization, ...(init.headers as Record<string, string>) };
            // A redirect could lead the token, or what is baked, elsewhere.
            const own: RequestInit = { ...init, headers, signal: within.signal, redirect: 'error' };
            const response = await fetch(`${root}/${path}`, own);
            answered = true;
            allow(received);
            return await read(response);
        } catch (error) {
            signal?.throwIfAborted();
            if (error instanceof StoreFault) throw error;
            const { code } = (error as { cause?: { code?: string } }).cause ?? {};
            const isRefused = init.method === 'PUT' && !answered && CLOSED.test(code ?? '');
            // An answer that breaks off may be that of one blob; to wait once is enough.
            const every = isRefused ? 'put' : !answered || within.signal.aborted;
            throw new StoreFault(whyFailed(error), every, { cause: error });
        } finally {
            within.done();
        }
    };
    return {
        place: root,
        get: (part, key, limit, signal) =>
            request(
                `${part}/${key}`,
                [0, part === 'ac' ? 0 : limit],
                signal,
                // bazel-remote gives its entries as protocol buffers otherwise.
                { headers: part === 'ac' ? { Accept: 'application/json' } : {} },
                async (response) => {
                    if (response.status === 200) return readAtMost(response, limit);
                    await response.body?.cancel();
                    if (response.status === 404) return null;
                    throw new StoreFault(answerOf(response), true);
                },
            ),
        use: async () => {}, // it goes by what it is asked for
        put: (part, key, bytes, signal) =>
            request(
                `${part}/${key}`,
                [bytes.byteLength, 0],
                signal,
                {
                    method: 'PUT',
                    body: bytes as Uint8Array<ArrayBuffer>,
                    headers: { 'Content-Type': part === 'ac' ? 'application/json' : 'application/octet-stream' },
                },
                async (response) => {
                    await response.body?.cancel();
                    // Many servers let everybody read, and few write.
                    if (!response.ok) throw new StoreFault(answerOf(response), response.status >= 500 || 'put');
                },
            ),
    };
}

function parse(place: string): URL {
    let url: URL;
    try {
        url = new URL(place);
    } catch {
        throw new UsageError('cache: the URL of the server is not one');
    }
    if (url.username !== '' || url.password !== '') {
        throw new UsageError(`cache: the URL of ${url.host} has a user's name in it: use a token`);
    }
    if (url.search !== '' || url.hash !== '')
        throw new UsageError(`cache: the URL of ${url.host} has more than a path`);
    return url;
}

function answerOf({ status, statusText }: Response): string {
    return `it answers ${status} ${statusText}`.trimEnd();
}
