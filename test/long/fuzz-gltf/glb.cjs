// SPDX-License-Identifier: MIT
'use strict';

/** Splits and joins GLB files. Their parts need not be valid. */

const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

function padded(bytes, filler) {
    const whole = Buffer.alloc(Math.ceil(bytes.length / 4) * 4, filler);
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).copy(whole);
    return whole;
}

/** @param chunks `[type, data]` each. */
function joinChunks(chunks) {
    const length = chunks.reduce((sum, [, data]) => sum + 8 + data.length, 12);
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32LE(0x46546c67, 0);
    bytes.writeUInt32LE(2, 4);
    bytes.writeUInt32LE(length, 8);
    let at = 12;
    for (const [type, data] of chunks) {
        bytes.writeUInt32LE(data.length, at);
        bytes.writeUInt32LE(type, at + 4);
        Buffer.from(data.buffer, data.byteOffset, data.byteLength).copy(bytes, at + 8);
        at += 8 + data.length;
    }
    return bytes;
}

/** @param bin null for no BIN chunk. */
function joinGlb(json, bin) {
    const chunks = [[JSON_CHUNK, padded(json, 0x20)]];
    if (bin !== null) chunks.push([BIN_CHUNK, padded(bin, 0)]);
    return joinChunks(chunks);
}

/** The text of the JSON and the BIN chunk of a good file; null for a file that is not a GLB. */
function splitGlb(bytes) {
    if (bytes.length < 20 || bytes.readUInt32LE(0) !== 0x46546c67) return null;
    const end = 20 + bytes.readUInt32LE(12);
    const text = bytes.toString('utf8', 20, end).trimEnd();
    return { text, bin: end + 8 <= bytes.length ? bytes.subarray(end + 8) : null };
}

module.exports = { BIN_CHUNK, JSON_CHUNK, joinChunks, joinGlb, splitGlb };
