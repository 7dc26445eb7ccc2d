// SPDX-License-Identifier: MIT

/** A cache on a server that speaks Bazel's HTTP protocol: GET and PUT of `/ac/<key>` and `/cas/<sha256>`. */

import type { ClientRequest, IncomingMessage } from 'node:http';
import { namingOptions, UsageError } from '../base/errors';
import { type LimitedSignal, limitedSignal, whyFailed } from '../files/limited-fetch';
import { faulty, type Store, StoreFault } from './store';

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
/** Minimum of bytes a millisecond that a whole transfer must reach, beyond the time for an answer. */
export const SLOWEST = 256;
/** The same in each part of it that takes as long as the time for an answer: a connection may falter. */
const SLOWEST_PART = SLOWEST / 4;

/** Bytes of a body that are handed to the system at once: its progress is known by them. */
const PIECE_BYTES = 2 ** 16;
/** Maximum of bytes of an answer that is not used; a longer one costs the connection. */
const UNUSED_BYTES = 2 ** 16;

/** What a connection is closed with before it has taken a whole body: many servers refuse one so. */
const CLOSED = /^(ECONNRESET|ECONNABORTED|EPIPE)$/;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

interface Sent {
    readonly method: 'GET' | 'PUT';
    readonly headers: Readonly<Record<string, string | number>>;
    readonly body: Uint8Array;
    /** Maximum of bytes of an answer with status 200. */
    readonly limit: number;
    /** Bytes that the time for the whole answer is in proportion to. */
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
                // The server may have closed an idle connection just before it was used again.
                if (!state.reused || state.answered || within.signal.aborted) throw error;
                return once();
            });
        } catch (error) {
            signal?.throwIfAborted();
            if (error instanceof StoreFault) throw error;
            const { code } = error as { code?: string };
            const isRefused = method === 'PUT' && !state.answered && CLOSED.test(code ?? '');
            // An answer that breaks off may be that of one blob; to wait once is enough.
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
                // bazel-remote gives its entries as protocol buffers otherwise.
                headers: part === 'ac' ? { Accept: 'application/json' } : {},
                limit,
                received: part === 'ac' ? 0 : limit,
            });
            if (status === 200) return bytes;
            if (status === 404) return null;
            throw new StoreFault(answerOf(status), { every: true });
        },
        use: async () => {}, // it goes by what it is asked for
        async put(part, key, bytes, signal) {
            const { status } = await request(`${part}/${key}`, signal, {
                method: 'PUT',
                body: bytes,
                headers: {
                    'Content-Type': part === 'ac' ? 'application/json' : 'application/octet-stream',
                    'Content-Length': bytes.byteLength,
                },
            });
            // Many servers let everybody read, and few write.
            if (status < 200 || status > 299) throw new StoreFault(answerOf(status), { every: status >= 500 || 'put' });
        },
    };
}

/**
 * One request and its answer, which may come before all of the body is sent. Redirects are not followed: one could lead the token, or
 * what is baked, elsewhere.
 *
 * @throws StoreFault for an answer that is too long or compressed; the error of the connection; that of `within`, as an AbortError.
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
        // Loaded here: few bakes need it.
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
            // The server has it all.
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

/** @throws StoreFault for a body that is compressed, or longer than what is used of it. */
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
    // Memory is taken up only as it is written to.
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

/** In words of our own: a server could repeat the token in its text. */
function answerOf(status: number): string {
    const { STATUS_CODES } = require('node:http') as typeof import('node:http');
    return `it answers ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}
