// SPDX-License-Identifier: MIT

/** Reads textures for small pictures: PNG, and JPEG at an eighth of its size. */

import { inflateSync } from 'node:zlib';

export interface Image {
    readonly width: number;
    readonly height: number;
    /** Red, green, blue, alpha, 0 to 255, from the top left. */
    readonly pixels: Uint8Array;
}

/** Larger images are not read. */
const MAX_PIXELS = 2 ** 26;

/** @returns Null for another format, a damaged file, and rare kinds of PNG and JPEG. */
export function readImage(bytes: Uint8Array): Image | null {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
        if (view.getUint32(0) === 0x89504e47) return readPng(bytes, view);
        return view.getUint16(0) === 0xffd8 ? readJpeg(bytes, view) : null;
    } catch {
        return null; // cut off or damaged: no picture is worth an error
    }
}

const UNREADABLE = new Error('not readable');

/** Channels by PNG color type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** PNG (ISO 15948) without interlacing. Of 16 bits the upper 8 are read. */
function readPng(bytes: Uint8Array, view: DataView): Image {
    const chunks = new Map<string, Uint8Array[]>();
    for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
        const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
        chunks.set(type, [...(chunks.get(type) ?? []), bytes.subarray(at + 8, at + 8 + view.getUint32(at))]);
    }
    const [width, height] = [view.getUint32(16), view.getUint32(20)];
    const [depth, type, , , interlace] = bytes.subarray(24, 29) as unknown as [number, number, number, number, number];
    const channels = CHANNELS[type]!;
    const bits = channels * depth;
    const [lineBytes, before] = [Math.ceil((width * bits) / 8), Math.max(1, bits >> 3)];
    if (interlace !== 0 || !(width * height <= MAX_PIXELS)) throw UNREADABLE;
    const lines = inflateSync(Buffer.concat(chunks.get('IDAT')!), { maxOutputLength: height * (lineBytes + 1) });
    unfilter(lines, lineBytes, before);

    const [palette] = chunks.get('PLTE') ?? [];
    const [alphas] = chunks.get('tRNS') ?? [];
    const pixels = new Uint8Array(width * height * 4);
    const sample = (line: number, index: number): number => {
        if (depth >= 8) return lines[line + index * (depth >> 3)]!;
        const byte = lines[line + ((index * depth) >> 3)]!;
        return (byte >> (8 - depth - ((index * depth) & 7))) & ((1 << depth) - 1);
    };
    const full = type === 3 || depth >= 8 ? 1 : 255 / ((1 << depth) - 1);
    for (let y = 0; y < height; y++) {
        const line = y * (lineBytes + 1) + 1;
        for (let x = 0; x < width; x++) {
            const of = (channel: number) => sample(line, x * channels + channel) * full;
            const gray = of(0);
            const color =
                type === 3
                    ? [palette![gray * 3]!, palette![gray * 3 + 1]!, palette![gray * 3 + 2]!, alphas?.[gray] ?? 255]
                    : channels < 3
                      ? [gray, gray, gray, channels === 2 ? of(1) : 255]
                      : [gray, of(1), of(2), channels === 4 ? of(3) : 255];
            pixels.set(color, (y * width + x) * 4);
        }
    }
    return { width, height, pixels };
}

/** @param before Distance of the same channel in the pixel to the left. */
function unfilter(lines: Uint8Array, lineBytes: number, before: number): void {
    for (let line = 1; line < lines.length; line += lineBytes + 1) {
        const filter = lines[line - 1]!;
        for (let i = 0; i < lineBytes; i++) {
            const at = line + i;
            const left = i < before ? 0 : lines[at - before]!;
            const up = line === 1 ? 0 : lines[at - lineBytes - 1]!;
            const corner = i < before || line === 1 ? 0 : lines[at - lineBytes - 1 - before]!;
            lines[at]! += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
        }
    }
}

function paeth(left: number, up: number, corner: number): number {
    const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

interface Component {
    readonly id: number;
    /** Blocks of 8 x 8 in a unit of the scan, across and down. */
    readonly h: number;
    readonly v: number;
    /** Step of the mean value. */
    readonly step: number;
    readonly across: number;
    /** The mean of each block, 0 to 255. */
    readonly means: Uint8ClampedArray;
}

/** Codes of a length begin at `first`, and their values at `at`. */
type Codes = readonly { readonly first: number; readonly count: number; readonly at: number }[];

/** The means of the blocks of a JPEG (ITU T.81), baseline or progressive: the image at an eighth of its size. */
function readJpeg(bytes: Uint8Array, view: DataView): Image {
    const steps: number[] = [];
    const tables = new Map<number, { codes: Codes; values: Uint8Array }>();
    let [width, height, restart, isProgressive, isRgb] = [0, 0, 0, false, false];
    let [mostH, mostV] = [1, 1];
    let components: Component[] = [];
    for (let at = 2; ; ) {
        const marker = view.getUint16(at);
        const end = at + 2 + view.getUint16(at + 2);
        const body = bytes.subarray(at + 4, end);
        if (marker === 0xffdb) {
            for (let i = 0; i < body.length; i += body[i]! >> 4 ? 129 : 65)
                steps[body[i]! & 15] = body[i]! >> 4 ? body[i + 1]! * 256 + body[i + 2]! : body[i + 1]!;
        } else if (marker === 0xffc4) {
            for (let i = 0; i < body.length; ) {
                const counts = body.subarray(i + 1, i + 17);
                let [first, used] = [0, 0];
                const codes = Array.from(counts, (count) => {
                    const length = { first, count, at: used };
                    [first, used] = [(first + count) * 2, used + count];
                    return length;
                });
                tables.set(body[i]!, { codes, values: body.subarray(i + 17, i + 17 + used) });
                i += 17 + used;
            }
        } else if (marker === 0xffdd) restart = body[0]! * 256 + body[1]!;
        else if (marker === 0xffee) isRgb = body[11] === 0;
        else if (marker >= 0xffc0 && marker <= 0xffc2) {
            isProgressive = marker === 0xffc2;
            [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
            const parts = Array.from({ length: body[5]! }, (_, i) => body.subarray(6 + 3 * i, 9 + 3 * i));
            [mostH, mostV] = [Math.max(...parts.map((p) => p[1]! >> 4)), Math.max(...parts.map((p) => p[1]! & 15))];
            if (width * height > MAX_PIXELS || (parts.length !== 1 && parts.length !== 3)) throw UNREADABLE;
            components = parts.map(([id, hv, table]) => {
                const [h, v] = [hv! >> 4, hv! & 15];
                const across = Math.ceil(width / 8 / mostH) * h;
                const means = new Uint8ClampedArray(across * Math.ceil(height / 8 / mostV) * v).fill(128);
                return { id: id!, h, v, step: steps[table!]!, across, means };
            });
        } else if (marker === 0xffda) {
            const [first, , shifts] = body.subarray(1 + 2 * body[0]!) as unknown as [number, number, number];
            const scan = Array.from({ length: body[0]! }, (_, i) => {
                const [id, table] = body.subarray(1 + 2 * i) as unknown as [number, number];
                return { component: components.find((one) => one.id === id)!, dc: table >> 4, ac: (table & 15) | 16 };
            });
            // Progressive: the first scan of each component has all bits of the means but the lowest.
            if (first === 0 && shifts >> 4 === 0) readScan(scan, shifts & 15);
        } else if (marker === 0xffd9) break;
        else if (marker >= 0xffc3 && marker <= 0xffcf && marker !== 0xffcc) throw UNREADABLE;
        at = end;
        // To the next marker: coded data has only restarts and stuffed zeros after 0xff.
        while (bytes[at] !== 0xff || bytes[at + 1] === 0 || (bytes[at + 1]! & 0xf8) === 0xd0) {
            if (at++ > bytes.length) throw UNREADABLE;
        }
        if (view.getUint16(at) === 0xffd9) break;

        function readScan(scan: readonly { component: Component; dc: number; ac: number }[], shift: number): void {
            let [place, bits, held] = [end, 0, 0];
            const bit = (): number => {
                if (held === 0) {
                    bits = bytes[place++]!;
                    held = 8;
                    if (bits === undefined) throw UNREADABLE;
                    if (bits === 0xff && bytes[place++] !== 0) throw UNREADABLE;
                }
                return (bits >> --held) & 1;
            };
            const decode = (table: number): number => {
                const { codes, values } = tables.get(table)!;
                let code = 0;
                for (const { first, count, at: offset } of codes) {
                    code = code * 2 + bit();
                    if (code - first < count) return values[offset + code - first]!;
                }
                throw UNREADABLE;
            };
            const receive = (length: number): number => {
                let value = 0;
                for (let i = 0; i < length; i++) value = value * 2 + bit();
                return length > 0 && value < 2 ** (length - 1) ? value - 2 ** length + 1 : value;
            };
            const means = scan.map(() => 0);
            const isOne = scan.length === 1;
            const [{ component: only }] = scan as [(typeof scan)[0]];
            const across = isOne ? Math.ceil((width * only.h) / mostH / 8) : Math.ceil(width / 8 / mostH);
            const down = isOne ? Math.ceil((height * only.v) / mostV / 8) : Math.ceil(height / 8 / mostV);
            for (let unit = 0; unit < across * down; unit++) {
                if (restart > 0 && unit > 0 && unit % restart === 0) {
                    [held, place] = [0, place + 2];
                    means.fill(0);
                }
                const [column, row] = [unit % across, Math.floor(unit / across)];
                for (const [i, { component, dc, ac }] of scan.entries()) {
                    const [h, v] = isOne ? [1, 1] : [component.h, component.v];
                    for (let block = 0; block < h * v; block++) {
                        means[i]! += receive(decode(dc));
                        const [x, y] = [column * h + (block % h), row * v + Math.floor(block / h)];
                        component.means[y * component.across + x] = (means[i]! * 2 ** shift * component.step) / 8 + 128;
                        for (let k = 1; k < 64 && !isProgressive; k++) {
                            const coded = decode(ac);
                            if (coded === 0) break;
                            k += coded >> 4;
                            receive(coded & 15);
                        }
                    }
                }
            }
        }
    }
    const [w, h] = [Math.ceil(width / 8), Math.ceil(height / 8)];
    const pixels = new Uint8ClampedArray(w * h * 4);
    for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
            const [a, b = 128, c = 128] = components.map(
                (one) => one.means[Math.floor((y * one.v) / mostV) * one.across + Math.floor((x * one.h) / mostH)]!,
            );
            const [cb, cr] = [b - 128, c - 128];
            const color = isRgb ? [a!, b, c] : [a! + 1.402 * cr, a! - 0.344136 * cb - 0.714136 * cr, a! + 1.772 * cb];
            pixels.set([...color, 255], (y * w + x) * 4);
        }
    }
    return { width: w, height: h, pixels: new Uint8Array(pixels.buffer) };
}
