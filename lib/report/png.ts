// SPDX-License-Identifier: MIT

import { deflateSync } from 'node:zlib';

/** ISO 15948: eight bits each for red, green, blue and alpha. */
const TRUECOLOR_WITH_ALPHA = [8, 6, 0, 0, 0];

/**
 * Encodes a picture as PNG.
 *
 * @param pixels `height * width * 4` bytes: red, green, blue, alpha, from the top left.
 */
export function pngOf(pixels: Uint8Array, width: number, height: number): Uint8Array {
    const lines = Buffer.alloc(height * (width * 4 + 1)); // each begins with its filter: none
    for (let y = 0; y < height; y++)
        lines.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
    const header = Buffer.alloc(8);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk('IHDR', Buffer.concat([header, Buffer.from(TRUECOLOR_WITH_ALPHA)])),
        chunk('IDAT', deflateSync(lines, { level: 9 })),
        chunk('IEND', Buffer.alloc(0)),
    ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The CRC of PNG. Not every Node 20 has it built in. */
function crc32(bytes: Uint8Array): number {
    let crc = 0xffffffff;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    return ~crc >>> 0;
}
