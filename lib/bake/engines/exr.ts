// SPDX-License-Identifier: MIT

import { zlibSync } from 'fflate';
import { toLittleEndian } from '../rows/floats';

/** A picture: `[line][column][channel]` from the top left, with red, green, blue and perhaps alpha. */
export interface FloatImage {
    readonly width: number;
    readonly height: number;
    readonly channels: 3 | 4;
    /** Half floats as bits, or floats. */
    readonly values: Uint16Array | Float32Array;
}

/** Lines that are compressed together with ZIP. */
const LINES = 16;
const ZIP = 3;

/**
 * Encodes a picture as OpenEXR: one part of scan lines, compressed with ZIP. The compressor is in JavaScript, so the
 * bytes are the same on every machine.
 *
 * Source: "OpenEXR File Layout", and ImfZip for the order of the bytes before compression.
 */
export function exrOf({ width, height, channels, values }: FloatImage): Uint8Array {
    const isHalf = values instanceof Uint16Array;
    // Channels are stored by name.
    const order = [3, 2, 1, 0].slice(4 - channels);
    const channel = (c: number) => [...bytesOf('RGBA'[c]!), 0, ...ints(isHalf ? 1 : 2), 0, 0, 0, 0, ...ints(1, 1)];
    const window = ints(0, 0, width - 1, height - 1);
    const one = [0, 0, 0x80, 0x3f]; // 1 as a float
    const header = Buffer.from([
        ...ints(20000630, 2),
        ...attribute('channels', 'chlist', [...order.flatMap(channel), 0]),
        ...attribute('compression', 'compression', [ZIP]),
        ...attribute('dataWindow', 'box2i', window),
        ...attribute('displayWindow', 'box2i', window),
        ...attribute('lineOrder', 'lineOrder', [0]),
        ...attribute('pixelAspectRatio', 'float', one),
        ...attribute('screenWindowCenter', 'v2f', ints(0, 0)),
        ...attribute('screenWindowWidth', 'float', one),
        0,
    ]);
    const places = Buffer.alloc(Math.ceil(height / LINES) * 8);
    const parts: Uint8Array[] = [header, places];
    let at = header.length + places.length;
    for (let first = 0; first < height; first += LINES) {
        const lines = Math.min(LINES, height - first);
        const planes = values.slice(0, lines * width * channels);
        let k = 0;
        for (let y = first; y < first + lines; y++) {
            for (const c of order) {
                for (let x = 0; x < width; x++) planes[k++] = values[(y * width + x) * channels + c]!;
            }
        }
        const raw = toLittleEndian(planes);
        const packed = zlibSync(predicted(raw));
        const data = packed.length < raw.length ? packed : raw;
        places.writeBigUInt64LE(BigInt(at), (first / LINES) * 8);
        parts.push(Buffer.from(ints(first, data.length)), data);
        at += 8 + data.length;
    }
    return Buffer.concat(parts);
}

/** Even bytes, then odd ones, each as the difference to the one before. */
function predicted(raw: Uint8Array): Uint8Array {
    const middle = Math.ceil(raw.length / 2);
    const out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[(i >> 1) + (i & 1) * middle] = raw[i]!;
    for (let i = raw.length - 1; i > 0; i--) out[i]! += 128 - out[i - 1]!;
    return out;
}

function attribute(name: string, type: string, data: readonly number[]): number[] {
    return [...bytesOf(name), 0, ...bytesOf(type), 0, ...ints(data.length), ...data];
}

function bytesOf(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}

function ints(...numbers: number[]): number[] {
    return [...toLittleEndian(Int32Array.from(numbers))];
}
