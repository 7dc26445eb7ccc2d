// SPDX-License-Identifier: MIT

/** Textures by decoders of others: OpenEXR by three.js, the bytes of PNG by zlib. */

import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { outputOfNode } from './processes';

export interface Texture {
    readonly width: number;
    readonly height: number;
    /** Channel 0 to 3 of a texel; line 0 is at the top. */
    at(x: number, y: number, channel: number): number;
}

const READ_EXR = `
import { EXRLoader } from 'three/examples/jsm/loaders/EXRLoader.js';
import { FloatType } from 'three';
import { readFileSync } from 'node:fs';
const loader = new EXRLoader();
loader.type = FloatType;
const { width, height, data } = loader.parse(new Uint8Array(readFileSync(0)).buffer);
process.stdout.write(width + ' ' + height + ' ' + Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'));
`;

export function readExr(bytes: Uint8Array): Texture {
    const args = ['--input-type=module', '-e', READ_EXR];
    const said = outputOfNode(args, { input: bytes, cwd: join(__dirname, '../..') });
    const [width, height, data] = said.split(' ') as [string, string, string];
    const decoded = Buffer.from(data, 'base64');
    const size = { width: Number(width), height: Number(height) };
    // EXRLoader gives the lines from the bottom.
    const line = (y: number) => size.height - 1 - y;
    return { ...size, at: (x, y, c) => decoded.readFloatLE(((line(y) * size.width + x) * 4 + c) * 4) };
}

/** 16 bits, red, green and blue. */
export function readPng16(png: Uint8Array): Texture {
    const bytes = Buffer.from(png);
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    expect([...bytes.subarray(24, 29)]).toEqual([16, 2, 0, 0, 0]);
    const at = bytes.indexOf('IDAT', 0, 'latin1');
    const lines = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    const line = 1 + width * 6;
    expect(lines.length).toBe(height * line);
    return { width, height, at: (x, y, c) => lines.readUInt16BE(y * line + 1 + x * 6 + c * 2) / 65535 };
}
