// SPDX-License-Identifier: MIT

/** A cache on a server with Bazel's HTTP protocol: GET and PUT of `/ac/<key>` and `/cas/<sha256>`. */

import type { ClientRequest, IncomingMessage } from 'node:http';
import { namingOptions, UsageError } from '../base/errors';
import { type LimitedSignal, limitedSignal, whyFailed } from '../files/limited-fetch';
import { faulty, type Store, StoreFault } from './store';

/** Options for a server. */
export interface ServerOptions {
    /**
     * For a server: sent as `Authorization: Bearer <token>`. Default: the environment variable `POSELANE_CACHE_TOKEN`.
     */
    token?: string | undefined;
    /**
     * For a server: whether to allow `http:` to other machines. Anyone on the network path can read and change it.
     * Default false.
     */
    insecure?: boolean | undefined;
    /** For a server: maximum time until its answer begins, milliseconds. Default 5000. */
    timeout?: number | undefined;
}

const TIMEOUT = 5000;
/** Minimum rate of a whole transfer, bytes per millisecond, after the time for an answer. */
export const SLOWEST = 256;
/** Minimum rate in each window as long as the time for an answer. Connections may pause briefly. */
const SLOWEST_PART = SLOWEST / 4;

/** Bytes of a body passed to the system at once. Progress is measured in these. */
const PIECE_BYTES = 2 ** 16;
/** Maximum bytes of an unused answer. For a longer one, the connection is closed. */
const UNUSED_BYTES = 2 ** 16;

/** Errors of a connection that is closed before it has taken a whole body. Many servers reject a body this way. */
const CLOSED = /^(ECONNRESET|ECONNABORTED|EPIPE)$/;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

interface Sent {
    readonly method: 'GET' | 'PUT';
    readonly headers: Readonly<Record<string, string | number>>;
    readonly body: Uint8Array;
    /** Maximum number of bytes of an answer with status 200. */
    readonly limit: number;
    /** Number of bytes that the time limit for the whole answer is proportional to. */
    readonly received: number;
}

interface Answer {
    readonly status: number;
    readonly bytes: Uint8Array;
}

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
    const request = async (path: string, signal: AbortSignal | undefined, given: Partial<Sent>): Promise<Answer> => {
        const { method = 'GET', body = new Uint8Array(0), limit = UNUSED_BYTES, received = 0 } = given;
        const headers = {
            // A compressed answer could expand to any size.
            'Accept-Encoding': 'identity',
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
            ...given.headers,
        };
        const within = limitedSignal(signal);
        const state = { answered: false, reused: false };
        try {
            const sent: Sent = { method, headers, body, limit, received };
            const once = () => exchange(new URL(`${root}/${path}`), sent, timeout, within, state);
            return await once().catch((error) => {
                // The server may have closed an idle connection just before its reuse.
                if (!state.reused || state.answered || within.signal.aborted) throw error;
                return once();
            });
        } catch (error) {
            signal?.throwIfAborted();
            if (error instanceof StoreFault) throw error;
            const { code } = error as { code?: string };
            const isRefused = method === 'PUT' && !state.answered && CLOSED.test(code ?? '');
            // A broken answer can concern a single blob. A timeout ends the use of the cache, so that it occurs once.
            const every = isRefused ? 'put' : !state.answered || within.signal.aborted;
            throw new StoreFault(whyFailed(within.signal.aborted ? within.signal.reason : error), { every });
        } finally {
            within.done();
        }
    };
    return {
        place: root,
        timeout,
        async get(part, key, limit, signal) {
            const { status, bytes } = await request(`${part}/${key}`, signal, {
                // Otherwise bazel-remote sends its entries as protocol buffers.
                headers: part === 'ac' ? { Accept: 'application/json' } : {},
                limit,
                received: part === 'ac' ? 0 : limit,
            });
            if (status === 200) return bytes;
            if (status === 404) return null;
            throw new StoreFault(answerOf(status), { every: true });
        },
        use: async () => {}, // the server counts requests as use
        async put(part, key, bytes, signal) {
            const { status } = await request(`${part}/${key}`, signal, {
                method: 'PUT',
                body: bytes,
                headers: {
                    'Content-Type': part === 'ac' ? 'application/json' : 'application/octet-stream',
                    'Content-Length': bytes.byteLength,
                },
            });
            // Many servers allow everyone to read, but few to write.
            if (status < 200 || status > 299) throw new StoreFault(answerOf(status), { every: status >= 500 || 'put' });
        },
    };
}

/**
 * Sends one request and reads its answer, which may arrive before the whole body is sent. Redirects are not followed,
 * because one could send the token or the result elsewhere.
 *
 * @throws StoreFault for an answer that is too long or compressed; the error of the connection; that of `within`, as an
 * AbortError.
 */
function exchange(
    url: URL,
    { method, headers, body, limit, received }: Sent,
    timeout: number,
    within: LimitedSignal,
    state: { answered: boolean; reused: boolean },
): Promise<Answer> {
    within.allow(timeout + body.byteLength / SLOWEST);
    return new Promise((resolve, reject) => {
        // Loaded on demand: few bakes need it.
        const { request } = require(
            url.protocol === 'https:' ? 'node:https' : 'node:http',
        ) as typeof import('node:http');
        const sent = request(url, { method, headers, signal: within.signal });
        sent.on('error', (error) => {
            state.reused = sent.reusedSocket;
            reject(error);
        });
        sent.on('response', (response) => {
            state.answered = true;
            within.allow(timeout + received / SLOWEST);
            const most = response.statusCode === 200 && method === 'GET' ? limit : UNUSED_BYTES;
            readBody(response, most, within.pace(SLOWEST_PART, timeout)).then((bytes) => {
                if (!sent.writableFinished) sent.destroy();
                resolve({ status: response.statusCode!, bytes });
            }, reject);
        });
        if (body.byteLength > 0) sendBody(sent, body, within, timeout, () => state.answered);
        else sent.end();
    });
}

function sendBody(
    sent: ClientRequest,
    body: Uint8Array,
    within: LimitedSignal,
    timeout: number,
    isAnswered: () => boolean,
): void {
    const moved = within.pace(SLOWEST_PART, timeout);
    let at = 0;
    const next = (error?: Error | null) => {
        if (error || isAnswered()) return; // nobody reads the rest
        if (at >= body.byteLength) {
            // The server has received everything.
            within.pace(0, timeout);
            within.allow(timeout);
            sent.end();
            return;
        }
        const piece = body.subarray(at, at + PIECE_BYTES);
        at += piece.byteLength;
        sent.write(piece, (failed) => {
            moved(piece.byteLength);
            next(failed);
        });
    };
    next();
}

/** @throws StoreFault for a body that is compressed or longer than the limit. */
async function readBody(response: IncomingMessage, limit: number, moved: (bytes: number) => void): Promise<Uint8Array> {
    const isUsed = response.statusCode === 200;
    const { 'content-encoding': encoding = 'identity', 'content-length': stated = limit } = response.headers;
    const refuse = (what: string): Uint8Array => {
        response.destroy();
        if (isUsed) throw faulty(what);
        return new Uint8Array(0);
    };
    if (encoding !== 'identity') return refuse('it compresses its answer, which it was asked not to do');
    const tooLong = `it sends more than ${limit} bytes`;
    if (!(Number(stated) <= limit)) return refuse(tooLong);
    // The system only commits memory that is written to.
    const bytes = Buffer.allocUnsafeSlow(Number(stated));
    let length = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
        if (length + part.length > bytes.length) return refuse(tooLong);
        part.copy(bytes, length);
        length += part.length;
        moved(part.length);
    }
    return bytes.subarray(0, length);
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

/** Not the server's text, which could repeat the token. */
function answerOf(status: number): string {
    const { STATUS_CODES } = require('node:http') as typeof import('node:http');
    return `it answers ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}
