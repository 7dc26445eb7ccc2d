// SPDX-License-Identifier: MIT

import { deflateSync } from 'node:zlib';
import { readImage } from '../../lib/report/image';

/**
 * 32 x 16 pixels by libjpeg: red 60 + 4 x, green 80 + 5 y, blue 140 in the left half and 100 in the right half. The
 * progressive one has one chroma value for 16 x 16 pixels.
 */
const JPEG = {
    baseline:
        '/9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAg' +
        'UDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAQACADAREAAhEBAxEB/8QAFwAB' +
        'AQEBAAAAAAAAAAAAAAAABgUCCP/EAB8QAAAFBQEBAAAAAAAAAAAAAAABBQYTAiExYaEjMv/EABcBAQEBAQAAAAAAAAAAAAAAAAcFBgn/xAAbEQ' +
        'ACAgMBAAAAAAAAAAAAAAAABQMhAQRhMf/aAAwDAQACEQMRAD8A58SWTcvHOgyzb/TBLWeKsTJLKtScONCTNv8ARBWs8VZUSWVak4caA1Nv9Exa' +
        'y8sTpLJwUPBJm3+iAtZeWYSWVYvHGguTb/TnetZeWJ0lk3IoeCTNv9EBay8sqJLJwUXANTb/AETVrTNWJkllfJw8Embf6IC1pmrP/9k=',
    progressive:
        '/9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAg' +
        'UDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAQACADASIAAhEBAxEB/8QAFgAB' +
        'AQEAAAAAAAAAAAAAAAAABQYH/8QAFgEBAQEAAAAAAAAAAAAAAAAABQYH/9oADAMBAAIQAxAAAAHPU3FHwJlRxOC0b//EABYQAAMAAAAAAAAAAA' +
        'AAAAAAAAADBP/aAAgBAQABBQJUQqIVEKiFRCohUQqI/8QAFhEBAQEAAAAAAAAAAAAAAAAABQAx/9oACAEDAQE/ATU8jU8v/8QAFhEAAwAAAAAA' +
        'AAAAAAAAAAAAAAME/9oACAECAQE/AXXjrz//xAAVEAEBAAAAAAAAAAAAAAAAAAAAMf/aAAgBAQAGPwKIiIiI/8QAFhABAQEAAAAAAAAAAAAAAA' +
        'AAADEg/9oACAEBAAE/IXkyz9+k/wD/2gAMAwEAAgADAAAAEOo//8QAFxEBAAMAAAAAAAAAAAAAAAAAAAFBUf/aAAgBAwEBPxDYis//xAAVEQEB' +
        'AAAAAAAAAAAAAAAAAAAAYf/aAAgBAgEBPxCij//EABsQAAICAwEAAAAAAAAAAAAAAAABIWExQbFR/9oACAEBAAE/EJF6ohbSiFtKMC4IV4okS4' +
        'MC5Mrg/9k=',
    gray:
        '/9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAg' +
        'UDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAQACADASIAAhEBAxEB/8QAFgAB' +
        'AQEAAAAAAAAAAAAAAAAABwUG/8QAIxAAAQIFAwUAAAAAAAAAAAAAAQACBQYHEaEDBCMTFCEkgf/EABQBAQAAAAAAAAAAAAAAAAAAAAD/xAAUEQ' +
        'EAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwAF2lPSCB0MKxD5DcLcOEwbenBBB7fCpbOnTvHr4QEEKkYtIto4Wog0luaRfSwkWH09c0jg' +
        't8V+FyCQRw4Qf//Z',
};

const readJpeg = (name: keyof typeof JPEG) => readImage(Buffer.from(JPEG[name], 'base64'))!;

/** Mean color of each block of 8 x 8 of `JPEG`. */
const MEANS = Array.from({ length: 8 }, (_, i) => {
    const [x, y] = [8 * (i % 4) + 3.5, 8 * Math.floor(i / 4) + 3.5];
    return [60 + 4 * x, 80 + 5 * y, x < 16 ? 140 : 100] as const;
});
const luma = ([r, g, b]: readonly number[]) => 0.299 * r! + 0.587 * g! + 0.114 * b!;
const colorsOf = ({ pixels }: { pixels: Uint8Array }) =>
    Array.from({ length: pixels.length / 4 }, (_, i) => [...pixels.subarray(4 * i, 4 * i + 3)]);
const off = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((one, i) => Math.abs(one - b[i]!)));

test('a JPEG gives the mean color of each block of 8 x 8', () => {
    const [baseline, progressive, gray] = [readJpeg('baseline'), readJpeg('progressive'), readJpeg('gray')];
    for (const { width, height } of [baseline, progressive, gray]) expect([width, height]).toEqual([4, 2]);
    expect(off(colorsOf(baseline).flat(), MEANS.flat())).toBeLessThan(3);
    // Values by libvips.
    const grays = [97, 104, 108, 118, 127, 132, 135, 143];
    expect(
        off(
            colorsOf(gray).flat(),
            grays.flatMap((one) => [one, one, one]),
        ),
    ).toBeLessThan(3);
    const colors = colorsOf(progressive);
    expect(off(colors.map(luma), MEANS.map(luma))).toBeLessThan(4);
    // Within 16 x 16 pixels, red minus luma is constant.
    for (const [i, [r]] of colors.entries()) {
        const first = i % 4 < 2 ? 0 : 2;
        expect(r! - luma(colors[i]!)).toBeCloseTo(colors[first]![0]! - luma(colors[first]!), -1);
    }
});

/** A PNG in which line `y` has filter `y % 5`. */
function pngOf(width: number, type: number, depth: number, lines: readonly number[][], ...more: [string, number[]][]) {
    const bytes = Math.max(1, ([1, 0, 3, 1, 2, 0, 4][type]! * depth) >> 3);
    const filtered = lines.flatMap((line, y) => {
        const at = (row: number, i: number) => (row < 0 || i < 0 ? 0 : lines[row]![i]!);
        const guess = (i: number): number => {
            const [left, up, corner] = [at(y, i - bytes), at(y - 1, i), at(y - 1, i - bytes)];
            const by = (one: number) => Math.abs(left + up - corner - one);
            const paeth = by(left) <= by(up) && by(left) <= by(corner) ? left : by(up) <= by(corner) ? up : corner;
            return [0, left, up, Math.floor((left + up) / 2), paeth][y % 5]!;
        };
        return [y % 5, ...line.map((value, i) => (value - guess(i)) & 255)];
    });
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(lines.length, 4);
    header.set([depth, type], 8);
    const chunks: [string, ArrayLike<number>][] = [
        ['IHDR', header],
        ...more,
        ['IDAT', deflateSync(Buffer.from(filtered))],
    ];
    const parts = chunks.map(([name, data]) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(data.length);
        return Buffer.concat([length, Buffer.from(name, 'latin1'), Uint8Array.from(data), Buffer.alloc(4)]);
    });
    return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

const noise = (seed: number) => (seed * 167 + ((seed * seed) >> 3) * 41) & 255;

test.each([
    ['gray', 0, 8, 1, ([g]: number[]) => [g, g, g, 255]],
    ['colors', 2, 8, 3, ([r, g, b]: number[]) => [r, g, b, 255]],
    ['gray with alpha', 4, 8, 2, ([g, a]: number[]) => [g, g, g, a]],
    ['colors with alpha', 6, 8, 4, (rgba: number[]) => rgba],
    ['16 bits', 2, 16, 6, ([r, , g, , b]: number[]) => [r, g, b, 255]],
] as const)('a PNG with every filter: %s', (_, type, depth, bytes, colorOf) => {
    const lines = Array.from({ length: 10 }, (_, y) => Array.from({ length: 7 * bytes }, (_, i) => noise(97 * y + i)));
    const image = readImage(pngOf(7, type, depth, lines))!;
    expect([image.width, image.height]).toEqual([7, 10]);
    const expected = lines.flatMap((line) =>
        Array.from({ length: 7 }, (_, x) => colorOf(line.slice(x * bytes, (x + 1) * bytes))).flat(),
    );
    expect([...image.pixels]).toEqual(expected);
});

test('a PNG with a palette of 2 bits, and one of 1 bit', () => {
    const palette: [string, number[]] = ['PLTE', [10, 11, 12, 20, 21, 22, 30, 31, 32]];
    const image = readImage(pngOf(5, 3, 2, [[0b00011001, 0b01000000]], palette, ['tRNS', [255, 7]]))!;
    const [a, b, c] = [
        [10, 11, 12, 255],
        [20, 21, 22, 7],
        [30, 31, 32, 255],
    ];
    expect([...image.pixels]).toEqual([a, b, c, b, b].flat());
    expect([...readImage(pngOf(3, 0, 1, [[0b10100000]]))!.pixels]).toEqual([
        255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255,
    ]);
});

test('another format, a damaged file and a too large image give null', () => {
    const png = pngOf(2, 0, 8, [[1, 2]]);
    const jpeg = Buffer.from(JPEG.baseline, 'base64');
    const interlaced = Buffer.from(png).fill(1, 28, 29);
    const large = Buffer.from(png).fill(255, 16, 20);
    for (const bytes of [Buffer.alloc(0), Buffer.from('RIFF....WEBP'), png.subarray(0, 50), interlaced, large])
        expect(readImage(bytes)).toBeNull();
    for (let length = 0; length < jpeg.length - 2; length += 20) expect(readImage(jpeg.subarray(0, length))).toBeNull();
});
