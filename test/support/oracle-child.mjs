// SPDX-License-Identifier: MIT

// The child's side of an oracle (see oracle-process.ts): another engine, in its own process, since three.js's loader and
// Babylon come as ES modules only and jest runs CommonJS.
import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Loaders take a browser for granted.
globalThis.self = globalThis;
// stdout carries the answer; an engine's log lines must not get between.
console.log = console.info = console.warn = console.error;

/** The request, JSON on stdin. */
export const request = JSON.parse(readFileSync(0, 'utf8'));

/** Names the current input to the parent, for its error message. */
export function begin(file) {
    writeAll(2, Buffer.from(`\nat work on ${file}\n`));
}

/** Sends doubles to the parent. */
export function answer(doubles) {
    writeAll(1, new Uint8Array(doubles.buffer, doubles.byteOffset, doubles.byteLength));
}

function writeAll(to, bytes) {
    for (let at = 0; at < bytes.length; ) {
        try {
            at += writeSync(to, bytes, at);
        } catch (error) {
            // A pipe that the parent has not drained yet.
            if (error.code !== 'EAGAIN') throw error;
        }
    }
}

/** The bytes that a buffer's URI refers to. */
export function readUri(uri, file) {
    if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    return readFileSync(join(dirname(file), decodeURIComponent(uri)));
}

export function arrayBuffer(bytes) {
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
