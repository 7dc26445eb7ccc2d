// SPDX-License-Identifier: MIT

/** Decoders of OpenEXR and PNG for textures of numbers. They share no code with the baker. */

import { inflateSync } from 'node:zlib';
import { InputError } from '../../base/errors';
import { halfToDouble } from '../read-bake';

/** A picture with three channels or four. */
export interface Image {
    readonly width: number;
    readonly height: number;
    /** A number of a pixel; line 0 is at the top, and channels are red, green, blue, alpha. Integers are divided by their maximum. */
    at(x: number, y: number, channel: number): number;
}

/** Maximum number of pixels. */
const MAX_PIXELS = 2 ** 27;

/**
 * @param channels How many are needed.
 * @throws InputError `BAKE_INVALID` for a file that is neither, is damaged, or has other features.
 */
export function readImage(path: string, bytes: Buffer, channels: 3 | 4 = 3): Image {
    try {
        if (bytes.subarray(0, 4).equals(Buffer.from([0x76, 0x2f, 0x31, 0x01]))) return readExr(bytes, channels);
        if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return readPng(bytes, channels);
        throw new Error('it is neither OpenEXR nor PNG');
    } catch (cause) {
        const rule = `cannot read the texture: ${cause instanceof Error ? cause.message : cause}`;
        throw new InputError('BAKE_INVALID', path, '', rule, { cause });
    }
}

function check(holds: boolean, rule: string): asserts holds {
    if (!holds) throw new Error(rule);
}

/** One part of scan lines, not compressed or with ZIP, with half floats or floats. */
function readExr(bytes: Buffer, wanted: number): Image {
    let at = 8;
    const text = () => {
        const end = bytes.indexOf(0, at);
        check(end >= 0, 'a name does not end');
        const found = bytes.toString('latin1', at, end);
        at = end + 1;
        return found;
    };
    check(bytes.readUInt32LE(4) === 2, 'it has tiles or several parts');
    const attributes = new Map<string, Buffer>();
    for (let name = text(); name !== ''; name = text()) {
        text();
        const length = bytes.readUInt32LE(at);
        attributes.set(name, bytes.subarray(at + 4, at + 4 + length));
        at += 4 + length;
    }
    const attribute = (name: string) => {
        const found = attributes.get(name);
        check(found !== undefined, `it has no ${name}`);
        return found;
    };
    const box = attribute('dataWindow');
    const [left, top, right, bottom] = [0, 4, 8, 12].map((i) => box.readInt32LE(i)) as [number, number, number, number];
    const [width, height] = [right - left + 1, bottom - top + 1];
    check(width > 0 && height > 0 && width * height <= MAX_PIXELS, `its size is ${width} x ${height}`);
    const compression = attribute('compression')[0]!;
    const linesOfBlock = { 0: 1, 2: 1, 3: 16 }[compression];
    check(linesOfBlock !== undefined, `its compression ${compression} is not read`);

    const channels: { readonly name: string; readonly size: number; readonly first: number }[] = [];
    const list = attribute('channels');
    let lineBytes = 0;
    for (let i = 0; list[i] !== 0; ) {
        const end = list.indexOf(0, i);
        check(end >= 0, 'a name does not end');
        const size = { 1: 2, 2: 4 }[list.readInt32LE(end + 1)];
        check(size !== undefined && list.readInt32LE(end + 9) === 1, 'a channel has integers or fewer pixels');
        channels.push({ name: list.toString('latin1', i, end), size, first: lineBytes });
        lineBytes += size * width;
        i = end + 17;
    }
    const lines: Buffer[] = [];
    for (let block = 0; block < Math.ceil(height / linesOfBlock); block++) {
        const from = Number(bytes.readBigUInt64LE(at + block * 8));
        const first = bytes.readInt32LE(from) - top;
        check(first === block * linesOfBlock, `block ${block} begins with line ${first}`);
        const count = Math.min(linesOfBlock, height - first);
        const stored = bytes.subarray(from + 8, from + 8 + bytes.readUInt32LE(from + 4));
        const raw =
            stored.length === count * lineBytes
                ? stored
                : unpredicted(inflateSync(stored, { maxOutputLength: count * lineBytes }));
        check(raw.length === count * lineBytes, `block ${block} has ${raw.length} bytes`);
        for (let y = 0; y < count; y++) lines[first + y] = raw.subarray(y * lineBytes, (y + 1) * lineBytes);
    }
    const own = ['R', 'G', 'B', 'A'].map((name) => channels.find((one) => one.name === name));
    check(
        own.slice(0, wanted).every((channel) => channel !== undefined),
        `it does not have ${wanted} channels`,
    );
    return {
        width,
        height,
        at(x, y, c) {
            const { first, size } = own[c]!;
            const place = first + x * size;
            return size === 2 ? halfToDouble(lines[y]!.readUInt16LE(place)) : lines[y]!.readFloatLE(place);
        },
    };
}

/** Undoes the order of ZIP: differences of bytes, the even bytes of a block before the odd ones. */
function unpredicted(packed: Buffer): Buffer {
    for (let i = 1; i < packed.length; i++) packed[i] = packed[i - 1]! + packed[i]! - 128;
    const half = (packed.length + 1) >> 1;
    return Buffer.from(packed.map((_, i) => packed[i % 2 === 0 ? i / 2 : half + (i - 1) / 2]!));
}

/** 16 bits, red, green and blue, not interlaced. */
function readPng(bytes: Buffer, wanted: number): Image {
    check(wanted === 3, `it does not have ${wanted} channels`);
    const data: Buffer[] = [];
    for (let at = 8; at < bytes.length; ) {
        const length = bytes.readUInt32BE(at);
        const type = bytes.toString('latin1', at + 4, at + 8);
        if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
        at += 12 + length;
    }
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    check(width > 0 && height > 0 && width * height <= MAX_PIXELS, `its size is ${width} x ${height}`);
    const [depth, color, , , interlaced] = bytes.subarray(24, 29);
    check(depth === 16 && color === 2 && interlaced === 0, 'it needs 16 bits of red, green and blue');
    const line = width * 6;
    const raw = inflateSync(Buffer.concat(data), { maxOutputLength: height * (line + 1) });
    check(raw.length === height * (line + 1), `it has ${raw.length} bytes`);
    for (let y = 0; y < height; y++) check(raw[y * (line + 1)] === 0, 'its lines have filters');
    return { width, height, at: (x, y, c) => raw.readUInt16BE(y * (line + 1) + 1 + x * 6 + c * 2) / 65535 };
}
