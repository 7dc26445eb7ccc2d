// SPDX-License-Identifier: MIT
'use strict';

/** Changes that do not read JSON, drawn by fast-check: of bytes, of the numbers of a binary chunk, of the container. */

const fc = require('fast-check');
const { BIN_CHUNK, JSON_CHUNK, joinChunks } = require('./glb.cjs');
const { draw } = require('./mutate-json.cjs');

const { oneof, constantFrom, tuple } = fc;
const below = (n) => fc.noBias(fc.nat(n - 1));

const FLOATS = [0, -0, 1, -1, 1e-45, 1e-38, 3.4e38, -3.4e38, 1e20, 1e-20, Infinity, -Infinity, NaN, 0.5, 65504];
const WORDS = [0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x10000, 0xffff, 256, 12, 0x46546c67];

const floatBytes = (list) => Buffer.from(Float32Array.from(list).buffer);
const wordBytes = (word) => Buffer.from(Uint32Array.of(word).buffer);
const ramp = constantFrom(0, 1, 1e-3, 1e6, 1e30, -1).map((step) =>
    floatBytes(Array.from({ length: 16 }, (_, i) => i * step)),
);
const anyBytes = fc.uint8Array({ maxLength: 8 }).map(Buffer.from);
const filled = tuple(constantFrom(0, 255, 0x20, 0x7f, 0x80), below(64)).map(([byte, length]) =>
    Buffer.alloc(length + 1, byte),
);
const words = constantFrom(...WORDS).map(wordBytes);
const floats = fc.array(constantFrom(...FLOATS), { minLength: 1, maxLength: 4 }).map(floatBytes);

/** Near the start, where headers are, or anywhere. A function of the length. */
const place = oneof(
    below(64).map((n) => (length) => Math.min(n, length)),
    below(1e6).map((n) => (length) => n % (length + 1)),
);
/** Puts bytes in the place of others. */
const splice = (inserted) =>
    tuple(
        place,
        inserted,
        oneof({ arbitrary: fc.constant('as many'), weight: 6 }, fc.constant(0), fc.constant(Infinity), below(32)),
    ).map(([placeIn, more, removed]) => (bytes) => {
        let at = placeIn(bytes.length);
        if (more.length % 4 === 0) at &= ~3;
        const rest = bytes.subarray(Math.min(bytes.length, at + (removed === 'as many' ? more.length : removed)));
        return Buffer.concat([bytes.subarray(0, at), more, rest]);
    });
const flip = tuple(place, below(8)).map(([placeIn, bit]) => (bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[placeIn(copy.length - 1)] ^= 1 << bit;
    return copy;
});
const byteChange = oneof(flip, splice(oneof(anyBytes, filled, words)));
/** Changes of binary data, which is floats and small integers. */
const dataChange = oneof(byteChange, splice(oneof(floats, ramp)));

/** Changes of the chunks of a GLB, `[type, data]` each. */
const chunksChange = tuple(below(4), constantFrom(JSON_CHUNK, BIN_CHUNK, 0, 0xffffffff), below(300)).chain(
    ([mask, type, count]) => {
        const isChosen = (i) => (mask >> i) & 1;
        const each = (change) => (chunks) => chunks.map((chunk, i) => (isChosen(i) ? change(chunk) : chunk));
        return constantFrom(
            (chunks) => [...chunks, chunks[mask % chunks.length]],
            (chunks) => [...chunks].reverse(),
            (chunks) => chunks.filter((_, i) => !isChosen(i)),
            each(([own, data]) => [own, data.subarray(0, 0)]),
            each(([, data]) => [type, data]),
            each(([own, data]) => [own, data.subarray(0, Math.max(0, data.length - 1 - (count % 3)))]),
            (chunks) => [...chunks, ...Array(1 + count).fill([type, Buffer.alloc(4)])],
        );
    },
);
/** Changes of a word of the headers. */
const headerChange = tuple(
    constantFrom(0, 4, 8, 12, 16),
    oneof(
        constantFrom(...WORDS).map((word) => () => word),
        constantFrom(1, -1, 4, -4).map((more) => (old) => old + more),
    ),
).map(([at, change]) => (bytes) => {
    if (bytes.length >= 20) bytes.writeUInt32LE(change(bytes.readUInt32LE(at)) >>> 0, at);
    return bytes;
});
const same = fc.constant((value) => value);
const containerChange = tuple(oneof({ arbitrary: chunksChange, weight: 3 }, same), oneof(headerChange, same));

/** A GLB of changed chunks, whose header may be wrong. */
function mutateContainer(json, bin, random) {
    const chunks = [[JSON_CHUNK, json], ...(bin === null ? [] : [[BIN_CHUNK, bin]])];
    const [ofChunks, ofHeader] = draw(containerChange, random);
    return ofHeader(joinChunks(ofChunks(chunks)));
}

module.exports = {
    mutateBytes: (bytes, random) => draw(byteChange, random)(bytes),
    mutateData: (bytes, random) => draw(dataChange, random)(bytes),
    mutateContainer,
};
