// SPDX-License-Identifier: MIT

/** `BakedTable.sample`: positions of times between the rows, and interpolation of each array. */

import { join } from 'node:path';
import { BakedTable, type SampleOptions } from '../../lib/table';
import { runNode } from '../support/processes';
import { random, randomRotation } from '../support/random';
import { ruler, type SmallClip, smallBake } from './small-bake';

const ROOT = join(__dirname, '../..');

/** The positions of times between rows, by the clips' row numbers. */
function placesOf(clips: SmallClip[], times: number[], options?: SampleOptions, clip = 0): number[] {
    const { manifest, bin } = ruler(clips);
    const out = new Float32Array(times.length);
    return [...BakedTable.open(manifest, bin).sample('morph', clip, Float64Array.from(times), out, options)];
}

const near = (values: number[]) => values.map((value) => expect.closeTo(value, 5));

describe('positions of times between the rows', () => {
    const clip: SmallClip = { frameCount: 5, duration: Math.fround(0.4) };

    test('clamped: linear inside, the ends outside', () => {
        const times = [-1, 0, 0.05, 0.1, 0.375, 0.4, 0.5, 1e9];
        expect(placesOf([clip], times)).toEqual(near([0, 0, 0.5, 1, 3.75, 4, 4, 4]));
    });

    test('wrapped: the clip repeats', () => {
        const times = [-0.35, 0, 0.05, 0.375, 0.45, 0.8 + 0.375];
        expect(placesOf([clip], times, { loop: 'wrap' })).toEqual(near([0.5, 0, 0.5, 3.75, 0.5, 3.75]));
    });

    test('wrapped, in a clip whose last row equals its first: that row is left out', () => {
        const loop = { ...clip, loop: true };
        const times = [0.25, 0.325, 0.35, 0.375, 0.45];
        expect(placesOf([loop], times, { loop: 'wrap' })).toEqual(near([2.5, 2.25, 1.5, 0.75, 0.5]));
        const nearest = { loop: 'wrap', between: 'nearest' } as const;
        expect(placesOf([loop], [0.34, 0.36, 0.39], nearest)).toEqual([3, 0, 0]);
        expect(placesOf([loop], times, { loop: 'clamp' })).toEqual(near([2.5, 3.25, 3.5, 3.75, 4]));
    });

    test('by default a loop repeats, and other clips stop at the end', () => {
        const clips = [{ ...clip, loop: true }, clip];
        const times = [-0.1, 0.375, 0.45, 9];
        for (const [i, loop] of (['wrap', 'clamp'] as const).entries()) {
            expect(placesOf(clips, times, undefined, i)).toEqual(placesOf(clips, times, { loop }, i));
        }
    });

    test('a list of loops: each pose as with its own loop for all', () => {
        for (const loop of [true, false]) {
            const times = [-0.1, -0.1, 0.375, 0.375, 9.13, 9.13];
            const [wrapped, clamped] = (['wrap', 'clamp'] as const).map((one) =>
                placesOf([{ ...clip, loop }], times, { loop: one }),
            );
            const list = Uint8Array.of(1, 0, 1, 0, 1, 0);
            expect(placesOf([{ ...clip, loop }], times, { loop: list })).toEqual(
                times.map((_, i) => (i % 2 === 0 ? wrapped : clamped)![i]),
            );
        }
    });

    test.each<[code: string, loop: (memory: Uint8Array) => Uint8Array]>([
        ['ERR_BUFFER_LENGTH', () => new Uint8Array(1)],
        ['ERR_INDEX_RANGE', () => Uint8Array.of(0, 2)],
        ['ERR_BUFFER_OVERLAP', (memory) => memory.subarray(2, 4)],
    ])('an invalid list of loops, %s: nothing is written', (code, loop) => {
        const { manifest, bin } = ruler([clip]);
        const out = new Float32Array(6);
        const table = BakedTable.open(manifest, bin);
        const options = { loop: loop(new Uint8Array(out.buffer)) };
        const error = expect.objectContaining({ code });
        expect(() => table.sample('morph', 0, new Float64Array(2), out, options)).toThrow(error);
        expect(() => table.rowsAt(0, new Float64Array(2), out, options)).toThrow(error);
        expect(out).toEqual(new Float32Array(6));
    });

    test('nearest: the later row from the middle on', () => {
        expect(placesOf([clip], [0.049, 0.051, 0.1, 0.349, 0.351], { between: 'nearest' })).toEqual([0, 1, 1, 3, 4]);
        // 1/8 s is exact.
        const eighths = { frameCount: 3, duration: 0.25, fps: 8 };
        expect(placesOf([eighths], [0.0625, 0.1875], { between: 'nearest' })).toEqual([1, 2]);
    });

    test('a last interval shorter than the others', () => {
        const short = { frameCount: 5, duration: Math.fround(0.34), lastFrameTime: Math.fround(0.34) };
        expect(placesOf([short], [0.29, 0.3, 0.32, 0.33, 0.34])).toEqual(near([2.9, 3, 3.5, 3.75, 4]));
        expect(placesOf([short], [0.35, 0.66], { loop: 'wrap' })).toEqual(near([0.1, 3.5]));
    });

    test('a fitted clip: its intervals are equal', () => {
        const fitted = { frameCount: 4, duration: Math.fround(0.33), fps: 3 / Math.fround(0.33) };
        expect(placesOf([fitted], [0.055, 0.11, 0.275])).toEqual(near([0.5, 1, 2.5]));
    });

    test('no interpolation into a discontinuity: the earlier row is held', () => {
        const jumps = { ...clip, loop: true, discontinuities: [2, 4] };
        // 0.2 as a double is slightly less than the frame's time in float32.
        const times = [0.09, 0.15, 0.199, 0.2, 0.25, 0.39, 0.4];
        expect(placesOf([jumps], times, { loop: 'clamp' })).toEqual(near([0.9, 1, 1, 2, 2.5, 3, 4]));
        expect(placesOf([jumps], [0.15, 0.199, 0.2], { between: 'nearest' })).toEqual(near([1, 1, 2]));
        // Also into the last frame, whose pose equals the first.
        expect(placesOf([jumps], [0.39], { loop: 'wrap' })).toEqual([3]);
        expect(placesOf([jumps], [0.39], { loop: 'wrap', between: 'nearest' })).toEqual([3]);
    });

    test('a clip without duration has one row at every time', () => {
        const clips = [clip, { frameCount: 1, duration: 0, fps: null }, clip];
        for (const loop of ['clamp', 'wrap'] as const) {
            expect(placesOf(clips, [-1, 0, 0.1, 7], { loop }, 1)).toEqual([5, 5, 5, 5]);
        }
        expect(placesOf(clips, [0, 0.15], {}, 2)).toEqual(near([6, 7.5]));
    });

    test('a clip for each time; rowsAt returns the same', () => {
        const clips = [clip, { ...clip, loop: true, discontinuities: [1] }];
        const { manifest, bin } = ruler(clips);
        const table = BakedTable.open(manifest, bin);
        const times = Float32Array.of(0.05, 0.05, 0.375, 0.375);
        const which = Uint16Array.of(0, 1, 0, 1);
        for (const options of [{}, { loop: 'wrap' }, { between: 'nearest' }] as SampleOptions[]) {
            const places = table.sample('morph', which, times, new Float32Array(4), options);
            const rows = table.rowsAt(which, times, new Float32Array(12), options);
            for (let i = 0; i < 4; i++) {
                const [row, next, fraction] = rows.subarray(i * 3);
                expect(row! + (next! - row!) * fraction!).toBeCloseTo(places[i]!, 5);
            }
        }
        expect([...table.rowsAt(which, times, new Float32Array(12)).subarray(3, 6)]).toEqual([5, 5, 0]);
    });

    test.each([24, 25, 30, 60, 120, [24000, 1001]])('a frame at its own time is its row, at %p fps', (rate) => {
        const [numerator, denominator] = Array.isArray(rate) ? (rate as [number, number]) : [rate as number, 1];
        const frameCount = 4000;
        const fps = numerator / denominator;
        const duration = Math.fround((frameCount - 1) / fps);
        const { manifest, bin } = ruler([{ frameCount, duration, fps }]);
        manifest.recipe.fps = [numerator, denominator];
        const table = BakedTable.open(manifest, bin);
        // Times of the baker: float32.
        const times = Float32Array.from({ length: frameCount }, (_, i) => (i * denominator) / numerator);
        const sampled = table.sample('morph', 0, times, new Float32Array(frameCount));
        expect(sampled).toEqual(Float32Array.from({ length: frameCount }, (_, i) => i));
        for (let i = 0; i < frameCount; i++) expect(table.frameTime(0, i)).toBe(times[i]);
        // A frame without interpolation is not shown an ulp earlier.
        manifest.clips[0].discontinuities = Array.from({ length: frameCount - 1 }, (_, i) => i + 1);
        const jumps = BakedTable.open(manifest, bin);
        new Int32Array(times.buffer, 4).forEach((bits, i, all) => {
            all[i] = bits - 1;
        });
        const before = jumps.sample('morph', 0, times.subarray(1), new Float32Array(frameCount - 1));
        expect(before).toEqual(Float32Array.from({ length: frameCount - 1 }, (_, i) => i));
    });
});

describe('interpolation of rows', () => {
    const clip: SmallClip = { frameCount: 2, duration: 0.125, fps: 8 };
    const next = random(71);

    /** Two rows and the value between them; `s` is a multiple of 1/8, so the time is exact. */
    function between(name: string, layout: string, shape: number[], data: Float32Array, s: number): Float32Array {
        const { manifest, bin } = smallBake([clip], { [name]: { layout, shape, data } });
        manifest.recipe.fps = [8, 1];
        const table = BakedTable.open(manifest, bin);
        const out = new Float32Array(data.length / 2);
        return table.sample(name as 'hit', 0, Float64Array.of(s / 8), out);
    }

    test.each([
        ['palette', 'mat4', [1, 16]],
        ['palette', 'mat3x4', [1, 12]],
        ['hit', 'mat3x4', [3, 12]],
        ['morph', 'weights', [5]],
    ])('%s, %s: linear for each element, rounded once', (name, layout, shape) => {
        const floats = shape.reduce((a, b) => a * b);
        const data = Float32Array.from({ length: 2 * floats }, () => next() * 20 - 10);
        for (const s of [0, 0.125, 0.5, 0.875]) {
            const out = between(name, layout, shape, data, s);
            for (let i = 0; i < floats; i++) {
                // Exact in a double: 24-bit numbers of similar size, times a multiple of 1/8.
                const exact = data[i]! * (1 - s) + data[floats + i]! * s;
                expect(Math.abs(out[i]! - exact)).toBeLessThanOrEqual(2 ** -21);
            }
            if (s === 0) expect(out).toEqual(data.subarray(0, floats));
        }
    });

    test('bounds: the box of both rows, as soon as the time is after the first', () => {
        const data = Float32Array.of(-1, 0, 2, 3, 4, 5, -2, 1, 1.5, 2.5, 6, 4.5);
        expect([...between('bounds', 'minmax', [6], data, 0)]).toEqual([-1, 0, 2, 3, 4, 5]);
        expect([...between('bounds', 'minmax', [6], data, 0.125)]).toEqual([-2, 0, 1.5, 3, 6, 5]);
    });

    /** The turn from a to b, and the completed share `of` it, in doubles. */
    function angle(a: ArrayLike<number>, b: ArrayLike<number>): number {
        let dot = 0;
        for (let i = 0; i < 4; i++) dot += a[i]! * b[i]!;
        return 2 * Math.acos(Math.min(1, Math.abs(dot)));
    }

    test.each([1, -1])('local and root: rotations on the shorter arc, at unit length (sign %p)', (sign) => {
        for (let i = 0; i < 200; i++) {
            const a = randomRotation(next);
            const b = randomRotation(next).map((x, k) => sign * (0.3 * x + a[k]!));
            const length = Math.hypot(...b);
            for (let k = 0; k < 4; k++) b[k]! /= length;
            const trs = (q: number[], t: number) => [t, -t, 2 * t, ...q, 1, t, 3];
            const local = Float32Array.of(...trs(a, 1), ...trs(b, 4));
            for (const [name, layout, shape, data] of [
                ['local', 'trs', [1, 10], local],
                ['root', 'tr', [7], Float32Array.of(...local.subarray(0, 7), ...local.subarray(10, 17))],
            ] as const) {
                const out = between(name, layout, [...shape], data, 0.5);
                const q = out.subarray(3, 7);
                expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(2e-7);
                // Halfway, the chord's middle has the direction of the arc's.
                expect(angle(a, q)).toBeCloseTo(angle(a, b) / 2, 3);
                expect(angle(b, q)).toBeCloseTo(angle(a, b) / 2, 3);
                expect([...out.subarray(0, 3)]).toEqual([2.5, -2.5, 5]);
                if (name === 'local') expect([...out.subarray(7)]).toEqual([1, 2.5, 3]);
            }
        }
    });

    test('rotations that cancel out keep the first', () => {
        // Half a turn apart: their dot product is 0, and both arcs are equally long; opposite signs cancel exactly.
        const data = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        expect([...between('root', 'tr', [7], data, 0.5)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    });
});

// Runs in another process, because earlier code affects whether the engine keeps numbers in registers.
const ALLOCATION = `
    const { BakedTable, bakeFile } = require(process.argv[1]);
    (async () => {
        const { outputs } = await bakeFile(process.argv[2], { emit: ['palette', 'local', 'bounds'], dtype: 'f16' });
        const table = BakedTable.open(outputs[0].json, outputs[0].bin);
        const times = Float64Array.from({ length: 40 }, (_, i) => i * 0.17);
        const out = new Float32Array(40 * 60 * 16);
        const options = { loop: 'wrap' };
        const run = (count) => {
            for (let i = 0; i < count; i++) {
                table.sample('palette', 0, times, out, options);
                table.sample('local', 0, times, out, options);
                table.sample('bounds', 0, times, out, options);
            }
        };
        const garbageOf = (body) => {
            let least = Infinity;
            for (let i = 0; i < 8; i++) {
                gc();
                const before = process.memoryUsage().heapUsed;
                body();
                least = Math.min(least, process.memoryUsage().heapUsed - before);
            }
            return least;
        };
        run(400);
        const kept = [{}];
        const sampling = garbageOf(() => run(100));
        const planted = garbageOf(() => {
            for (let i = 0; i < 12_000; i++) kept[0] = { i };
        });
        console.log(JSON.stringify({ sampling, planted }));
    })();
`;

test('sampling allocates nothing for each pose', () => {
    const script = [join(ROOT, 'dist/index.js'), join(ROOT, 'examples/character.glb')];
    // V8 may or may not inline a function, which avoids number objects. That depends on the code that
    // ran before; here there is none.
    const flags = ['--expose-gc', '--no-turbo-inlining'];
    const { stdout, stderr } = runNode([...flags, '-e', ALLOCATION, ...script]);
    expect(stderr).toBe('');
    const { sampling, planted } = JSON.parse(stdout);
    // The smallest object for each of 12,000 poses would take 190 kB; reading the arguments takes about 32 bytes per call.
    expect(sampling).toBeLessThan(100_000);
    expect(planted).toBeGreaterThan(100_000);
});
