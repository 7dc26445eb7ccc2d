// SPDX-License-Identifier: MIT
'use strict';

/** Mutations that know nothing of JSON: of bytes, of the numbers of a binary chunk, of the container. */

const { BIN_CHUNK, JSON_CHUNK, joinChunks } = require('./glb.cjs');

const FLOATS = [0, -0, 1, -1, 1e-45, -1e-45, 1e-38, 3.4e38, -3.4e38, 1e20, 1e-20, Infinity, -Infinity, NaN, 0.5, 65504];
const WORDS = [0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x10000, 0xffff, 256, 12, 0x46546c67];

/** A place, more often near the start, where headers are. */
const placeIn = (random, length) => random.below(1 + random.below(Math.max(1, length)));

const BYTE_STEPS = {
    flip(bytes, random) {
        const copy = Buffer.from(bytes);
        for (let i = 1 + random.below(8); i > 0 && copy.length > 0; i--) {
            copy[placeIn(random, copy.length)] ^= 1 << random.below(8);
        }
        return copy;
    },
    fill(bytes, random) {
        const copy = Buffer.from(bytes);
        const at = placeIn(random, copy.length);
        return copy.fill(random.of([0, 255, 0x20, 0x7f, 0x80]), at, Math.min(copy.length, at + 1 + random.below(64)));
    },
    word(bytes, random) {
        const copy = Buffer.from(bytes);
        if (copy.length < 4) return copy;
        const at = placeIn(random, copy.length >> 2) * 4;
        if (at + 4 <= copy.length) copy.writeUInt32LE(random.of(WORDS), at);
        return copy;
    },
    truncate: (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
    append: (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + random.below(40), random.below(256))]),
    remove(bytes, random) {
        const at = placeIn(random, bytes.length);
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(32))]);
    },
    insert(bytes, random) {
        const at = placeIn(random, bytes.length);
        const some = Buffer.alloc(1 + random.below(16), random.below(256));
        return Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)]);
    },
    splice(bytes, random) {
        const copy = Buffer.from(bytes);
        const from = random.below(bytes.length + 1);
        bytes.copy(copy, random.below(bytes.length + 1), from, from + random.below(200));
        return copy;
    },
};

/** Of the binary data, which is floats and small integers. */
const DATA_STEPS = {
    ...BYTE_STEPS,
    floats(bytes, random) {
        const copy = Buffer.from(bytes);
        for (let i = 1 + random.below(4); i > 0 && copy.length >= 4; i--) {
            copy.writeFloatLE(random.of(FLOATS), random.below(copy.length >> 2) * 4);
        }
        return copy;
    },
    ramp(bytes, random) {
        const copy = Buffer.from(bytes);
        const at = random.below((copy.length >> 2) + 1);
        const step = random.of([0, 1, 1e-3, 1e6, 1e30, -1]);
        for (let i = 0; i < 16 && (at + i) * 4 + 4 <= copy.length; i++) copy.writeFloatLE(i * step, (at + i) * 4);
        return copy;
    },
};

/** Of the chunks of a GLB: `[type, data]` each. */
const CHUNK_STEPS = {
    duplicate: (chunks, random) => [...chunks, random.of(chunks)],
    swap: (chunks) => [...chunks].reverse(),
    drop: (chunks, random) => chunks.filter((_, i) => i !== random.below(chunks.length)),
    empty: (chunks, random) => chunks.map(([type, data]) => [type, random.below(2) ? data : data.subarray(0, 0)]),
    type: (chunks, random) =>
        chunks.map(([type, data]) => [
            random.below(2) ? type : random.of([JSON_CHUNK, BIN_CHUNK, 0, 0xffffffff]),
            data,
        ]),
    many: (chunks, random) => [...chunks, ...Array(1 + random.below(300)).fill([random.word(), Buffer.alloc(4)])],
    unaligned: (chunks, random) =>
        chunks.map(([type, data]) => [type, data.subarray(0, data.length - random.below(4))]),
};

function anyStep(steps, subject, random) {
    const name = random.of(Object.keys(steps));
    return steps[name](subject, random);
}

/** A GLB of mutated chunks whose header may lie. */
function mutateContainer(json, bin, random) {
    const chunks = [[JSON_CHUNK, json]];
    if (bin !== null) chunks.push([BIN_CHUNK, bin]);
    const bytes = joinChunks(random.below(4) ? anyStep(CHUNK_STEPS, chunks, random) : chunks);
    if (bytes.length < 20) return bytes;
    if (random.below(2)) {
        const at = random.of([0, 4, 8, 12, 16]);
        const old = bytes.readUInt32LE(at);
        const value = random.of([...WORDS, old + 1, old - 1, old + 4, old - 4, old * 2]);
        bytes.writeUInt32LE(value >>> 0, at);
    }
    return bytes;
}

module.exports = {
    mutateBytes: (bytes, random) => anyStep(BYTE_STEPS, bytes, random),
    mutateData: (bytes, random) => anyStep(DATA_STEPS, bytes, random),
    mutateContainer,
};
