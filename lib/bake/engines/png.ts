// SPDX-License-Identifier: MIT

import { zlibSync } from 'fflate';

/** ISO 15948: bits for each channel, and the type of color. */
const RGBA8 = [8, 6] as const;
export const RGB16 = [16, 2] as const;

/**
 * Encodes a picture as PNG. The compressor is in JavaScript, so the bytes are the same on every machine.
 *
 * @param pixels From the top left: red, green, blue and, with `RGBA8`, alpha. 16 bits are big-endian.
 */
export function pngOf(
    pixels: Uint8Array,
    width: number,
    height: number,
    format: typeof RGBA8 | typeof RGB16 = RGBA8,
): Uint8Array {
    const bytes = pixels.length / height;
    const lines = Buffer.alloc(height * (bytes + 1)); // each begins with its filter: none
    for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * bytes, (y + 1) * bytes), y * (bytes + 1) + 1);
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set(format, 8);
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk('IHDR', header),
        chunk('IDAT', zlibSync(lines)),
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
