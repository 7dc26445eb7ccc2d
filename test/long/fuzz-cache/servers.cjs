// SPDX-License-Identifier: MIT
'use strict';

/** A server of Bazel's protocol that misbehaves in random ways. */

const { createServer } = require('node:http');
const { brotliCompressSync, constants, gzipSync } = require('node:zlib');

const BOMB_BYTES = 256 * 2 ** 20;
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
let bombs;

/** Small answers that expand to a quarter of a GiB each. */
function bombsOf() {
    const zeros = Buffer.alloc(BOMB_BYTES);
    bombs ??= { gzip: gzipSync(zeros, { level: 1 }), br: brotliCompressSync(zeros, FAST) };
    return bombs;
}

/** Writes until the client closes. */
function endless(response, piece, milliseconds) {
    const timer = setInterval(() => response.write(piece), milliseconds);
    response.on('close', () => clearInterval(timer));
}

/** Each answers a request. `blob` is the right answer, or undefined. */
const WAYS = {
    never: () => {},
    close: ({ socket }) => socket.destroy(),
    'close late': ({ socket }) => setTimeout(() => socket.destroy(), 30),
    status: (_, response, blob, random) =>
        response.writeHead(random.of([204, 206, 304, 400, 401, 403, 404, 413, 429, 500, 502, 503, 599, 999])).end(blob),
    redirect: ({ url }, response) => response.writeHead(302, { Location: url }).end(),
    'redirect elsewhere': (_, response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/x' }).end(),
    'wrong bytes': (_, response, blob) => response.end(Buffer.alloc(blob?.length ?? 9, 7)),
    'some bytes': (_, response, blob) => response.end(blob?.subarray(0, blob.length >> 1)),
    'more bytes': (_, response, blob) => response.end(Buffer.concat([blob ?? Buffer.alloc(0), Buffer.alloc(100_000)])),
    'no bytes': (_, response) => response.end(),
    'breaks off': ({ socket }, response, blob) => {
        response.writeHead(200, { 'Content-Length': (blob?.length ?? 0) + 100 });
        response.write(blob ?? 'x');
        setTimeout(() => socket.destroy(), 20);
    },
    'claims much': (_, response, blob, random) => {
        response.writeHead(200, { 'Content-Length': random.of([2 ** 31 - 1, 2 ** 40, 2 ** 53 - 1]) });
        response.write(blob ?? 'x');
    },
    trickle: (_, response) => endless(response.writeHead(200), 'x', 20),
    flood: (_, response) => endless(response.writeHead(200), Buffer.alloc(2 ** 20), 1),
    bomb: (_, response, _blob, random) => {
        const encoding = random.of(['gzip', 'br']);
        response.writeHead(200, { 'Content-Encoding': encoding }).end(bombsOf()[encoding]);
    },
    hints: (_, response) => {
        const timer = setInterval(() => response.socket?.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'), 5);
        response.on('close', () => clearInterval(timer));
    },
    garbage: ({ socket }, _, _blob, random) => {
        const texts = [
            'garbage\r\n\r\n',
            'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n',
            'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
            'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n',
            'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
            `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
            'HTTP/1.1 200 O\u0000K\r\n\r\n',
            `HTTP/1.1 99999999999 ${'y'.repeat(9000)}\r\n\r\n`,
            'HTTP/9.9 200 OK\r\n\r\n',
            '\r\n'.repeat(5000),
        ];
        socket.end(random.of(texts));
    },
    'reads slowly': (request, response) => {
        request.pause();
        const timer = setInterval(() => request.read(1), 50);
        response.on('close', () => clearInterval(timer));
    },
    'reads nothing': (request) => request.pause(),
    'answers early': (_, response) => response.writeHead(201).end(),
};

/**
 * @param blobs Its contents by URL. It stores what clients put.
 * @returns `{ url, change }`; `change(random, names, part)` answers requests below a part in these ways; null answers rightly.
 */
async function startServer(blobs) {
    let wayOf = () => null;
    const server = createServer((request, response) => {
        const { method, url } = request;
        request.on('error', () => {});
        response.on('error', () => {});
        const chosen = wayOf(url);
        if (chosen !== null) {
            if (!chosen.name.startsWith('reads')) request.resume();
            WAYS[chosen.name](request, response, blobs.get(url), chosen.random);
            return;
        }
        const parts = [];
        request.on('data', (part) => parts.push(part));
        request.on('end', () => {
            if (method === 'PUT') blobs.set(url, Buffer.concat(parts));
            if (method === 'PUT') response.writeHead(201).end();
            else if (blobs.has(url)) response.end(blobs.get(url));
            else response.writeHead(404).end();
        });
    });
    server.on('connection', (socket) => socket.on('error', () => {}));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        change(random, names, part) {
            wayOf = (url) => {
                const name = random === null || !url.startsWith(part) ? null : random.of(names);
                return name === null ? null : { name, random };
            };
        },
    };
}

module.exports = { WAYS, startServer };
