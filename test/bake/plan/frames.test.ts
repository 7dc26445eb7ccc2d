// SPDX-License-Identifier: MIT

import { parseFps } from '../../../lib/bake/plan/fps';
import { countKeysOffGrid, frameTimesOf, jumpsOf, timelineOf } from '../../../lib/bake/plan/frames';
import { UsageError } from '../../../lib/base/errors';
import type { FrameRate } from '../../../lib/format/manifest';
import { channel } from '../../rig/scenes';

const lasting = (...durations: number[]) => ({
    name: '',
    channels: durations.map((time) => channel(0, 'translation', 'LINEAR', [time], [0, 0, 0])),
});

/** The last key at or before each frame. */
const keysAt = (keyTimes: Float32Array, frames: Float32Array) =>
    Array.from(frames, (frame) => keyTimes.findLastIndex((time) => time <= frame));

const timeline = (duration: number, rate: FrameRate) => timelineOf(lasting(duration), rate);
const times = (duration: number, rate: FrameRate) => frameTimesOf(timeline(duration, rate));

describe('parseFps', () => {
    test.each<[number | string, FrameRate]>([
        [30, [30, 1]],
        ['30', [30, 1]],
        ['30.0', [30, 1]],
        [29.97, [2997, 100]],
        ['29.97', [2997, 100]],
        ['23.976', [2997, 125]],
        ['24000/1001', [24000, 1001]],
        ['60/2', [30, 1]],
        ['0.5', [1, 2]],
    ])('%p is %p', (text, rate) => {
        expect(parseFps(text)).toEqual(rate);
    });

    test.each([
        '',
        '0',
        '0/1',
        '1/0',
        '0/0',
        '-30',
        '+30',
        '1e3',
        '30fps',
        '30/',
        '.5',
        '1/2.5',
        '9'.repeat(400),
        NaN,
        Infinity,
    ])('%p is a usage error that shows the value', (text) => {
        expect(() => parseFps(text)).toThrow(UsageError);
        expect(() => parseFps(text)).toThrow(`'${text}'`);
    });
});

describe('timelineOf', () => {
    test('D is the max last key time of all channels, on any target', () => {
        const animation = lasting(1, 2, 0.5);
        animation.channels.push(channel(7, 'weights', 'LINEAR', [0, 2.5], [0, 1]));
        expect(timelineOf(animation, [30, 1]).duration).toBe(2.5);
    });

    test.each<[string, number, FrameRate, number, boolean]>([
        ['whole', 1, [30, 1], 31, false],
        ['whole, the last key an ulp short', Math.fround(1) - 2 ** -24, [30, 1], 31, false],
        ['whole, the last key an ulp over', 1 + 2 ** -23, [30, 1], 31, false],
        ['whole to a thousandth of a frame', Math.fround(1 + 0.0009 / 30), [30, 1], 31, false],
        ['not whole beyond a thousandth', Math.fround(1 + 0.0011 / 30), [30, 1], 32, true],
        ['not whole, slightly less', Math.fround(1 - 0.0011 / 30), [30, 1], 31, true],
        ['not whole', Math.fround(1.05), [30, 1], 33, true],
        ['shorter than a frame', Math.fround(0.01), [30, 1], 2, true],
        // At 20,000 s one ulp is 1/512 s, 0.23 frames at 120 Hz, which is the precision of the key time.
        ['whole to the precision of a long clip', 20000 + 1 / 512, [120, 1], 2400001, false],
        ['a fraction', 1001 / 125, [24000, 1001], 193, false],
    ])('%s: D = %p at %p has %p frames', (_, duration, rate, frameCount, lastShortened) => {
        const last = Math.fround(duration);
        const expected = { start: 0, duration: last, last, rate, frameCount, lastShortened };
        expect(timeline(duration, rate)).toEqual(expected);
    });

    test('D = 0: one frame and no rate', () => {
        const still = { start: 0, duration: 0, last: 0, rate: null, frameCount: 1, lastShortened: false };
        expect(timeline(0, [30, 1])).toEqual(still);
        expect(timelineOf(lasting(), [30, 1]).frameCount).toBe(1);
        expect([...times(0, [30, 1])]).toEqual([0]);
    });
});

describe('end: fit', () => {
    const fitted = (duration: number, rate: FrameRate) =>
        timelineOf(lasting(duration), rate, { from: 0, to: Infinity, end: 'fit' });

    test.each<[number, FrameRate, number]>([
        [0.25, [10, 1], 3], // 2.5 intervals: 3
        [0.24, [10, 1], 2],
        [0.01, [10, 1], 1],
        [1.06, [30, 1], 32],
    ])('D = %p at %p: %p equal intervals', (seconds, rate, intervals) => {
        const timeline = fitted(seconds, rate);
        const duration = Math.fround(seconds);
        expect(timeline).toMatchObject({
            frameCount: intervals + 1,
            lastShortened: false,
            rate: [intervals, duration],
        });
        const frames = frameTimesOf(timeline);
        for (const [i, time] of frames.entries()) {
            expect(time).toBe(Math.fround((i * duration) / intervals));
        }
        expect(frames[intervals]).toBe(duration);
    });

    test('a whole number of frames is unchanged', () => {
        for (const rate of RATES) {
            const duration = Math.fround((17 * rate[1]) / rate[0]);
            expect(fitted(duration, rate)).toEqual(timeline(duration, rate));
        }
    });
});

const RATES: FrameRate[] = [
    [24, 1],
    [25, 1],
    [30, 1],
    [60, 1],
    [120, 1],
    [2997, 100],
    [24000, 1001],
];

describe('frameTimesOf', () => {
    test.each(RATES)('%i/%i: frame i is at fround(i * den / num), ascending, the last one exactly at D', (...rate) => {
        for (let n = 1; n <= 600; n++) {
            // As exporters write the last key: rounded, an ulp off, or between frames.
            for (const exact of [(n * rate[1]) / rate[0], ((n + 0.37) * rate[1]) / rate[0]]) {
                const duration = Math.fround(exact);
                const frames = times(duration, rate);
                const before = frames.subarray(0, -1);
                expect(before).toEqual(before.map((_, i) => (i * rate[1]) / rate[0]));
                expect(frames[frames.length - 1]).toBe(duration);
                expect(frames.every((time, i) => i === 0 || time > frames[i - 1]!)).toBe(true);
            }
        }
    });

    test('a last interval shorter than a frame is shortened', () => {
        expect([...times(Math.fround(0.25), [10, 1])]).toEqual([0, Math.fround(0.1), Math.fround(0.2), 0.25]);
    });
});

describe('STEP keys on the frame grid', () => {
    const stepsAt = (times: Float32Array) => ({ ...channel(0, 'translation', 'STEP', [], Array(903).fill(0)), times });

    test.each([24, 25, 30, 60, 120])('at %i fps no key stored as fround(i / fps) is late', (fps) => {
        const keyTimes = Float32Array.from({ length: 301 }, (_, i) => i / fps);
        const frames = times(keyTimes[300]!, [fps, 1]);
        expect(frames.length).toBe(301);
        expect(keysAt(keyTimes, frames)).toEqual(Array.from({ length: 301 }, (_, i) => i));
        expect(countKeysOffGrid([stepsAt(keyTimes)], frames)).toBe(0);
    });

    test('keys stored as i * fround(1 / 30) count if they are shown one frame late: 186 of 300', () => {
        const keyTimes = Float32Array.from({ length: 301 }, (_, i) => i * Math.fround(1 / 30));
        const frames = times(11, [30, 1]);
        const steps = stepsAt(keyTimes);
        expect(keysAt(keyTimes, frames.subarray(0, 301)).filter((key, i) => key === i - 1).length).toBe(186);
        expect(countKeysOffGrid([steps], frames)).toBe(186);
        // A key time that two channels share counts once.
        expect(countKeysOffGrid([steps, steps], frames)).toBe(186);
        expect(countKeysOffGrid([{ ...steps, interpolation: 'LINEAR' }], frames)).toBe(0);
    });

    test('1 and 2 ulp above a frame count, 3 ulp and values below do not', () => {
        const frames = Float32Array.of(0, 1, 2, 3, 4);
        const ulp = 2 ** -23;
        const at = (...keyTimes: number[]) =>
            countKeysOffGrid([channel(0, 'scale', 'STEP', keyTimes, Array(keyTimes.length * 3).fill(0))], frames);
        expect(at(1 + ulp)).toBe(1);
        expect(at(1 + 2 * ulp)).toBe(1);
        expect(at(1 + 3 * ulp)).toBe(0);
        expect(at(1 - ulp / 2)).toBe(0);
        expect(at(1, 2, 3)).toBe(0);
        expect(at(1 + ulp, 2 + 2 * ulp, 3 + 6 * ulp)).toBe(2); // above 2 an ulp is twice as large
    });
});

describe('jumpsOf', () => {
    const frames = Float32Array.of(0, 1, 2, 3, 4);

    test('the first frame that shows another value of a STEP channel', () => {
        const steps = channel(0, 'translation', 'STEP', [0, 0.5, 2, 3], [0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0]);
        expect(jumpsOf([steps], frames).frames).toEqual([1, 2]);
    });

    test('keys at one time with different values, for any interpolation', () => {
        const linear = channel(0, 'translation', 'LINEAR', [0, 1, 1, 4], [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0]);
        expect(jumpsOf([linear], frames).frames).toEqual([1]);
        const same = channel(0, 'translation', 'LINEAR', [0, 1, 1, 4], [0, 0, 0, 1, 0, 0, 1, 0, 0, 3, 0, 0]);
        expect(jumpsOf([same], frames).frames).toEqual([]);
        const spline = (value: number) => [7, 7, 7, value, 0, 0, 7, 7, 7];
        const cubic = channel(0, 'scale', 'CUBICSPLINE', [0, 3, 3], [...spline(0), ...spline(1), ...spline(2)]);
        expect(jumpsOf([cubic], frames).frames).toEqual([3]);
        const smooth = channel(0, 'scale', 'CUBICSPLINE', [0, 3, 3], [...spline(0), ...spline(1), ...spline(1)]);
        expect(jumpsOf([smooth], frames).frames).toEqual([]);
    });

    test('keys after the last frame, and up to the first one, are not jumps', () => {
        const steps = channel(0, 'translation', 'STEP', [0, 1, 2, 3], [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0]);
        expect(jumpsOf([steps], Float32Array.of(1, 1.5, 2, 2.5)).frames).toEqual([2]);
        expect(jumpsOf([steps], Float32Array.of(1.25, 1.5)).frames).toEqual([]);
    });

    test('any number of morph weights', () => {
        const weights = channel(0, 'weights', 'STEP', [0, 1, 2], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        expect(jumpsOf([weights], frames).frames).toEqual([1]);
    });

    test('frames of several channels come once each, ascending; nothing jumps into the first frame', () => {
        const late = channel(0, 'translation', 'STEP', [0, 4], [0, 0, 0, 1, 0, 0]);
        const early = channel(1, 'translation', 'STEP', [0, 0, 1, 4], [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0]);
        expect(jumpsOf([late, early], frames).frames).toEqual([1, 4]);
    });

    test('lateness is the max distance of a key to the next frame, and 0 on frames', () => {
        const at = (...times: number[]) => {
            const values = Array.from({ length: 3 + times.length * 3 }, (_, i) => i);
            return channel(0, 'scale', 'STEP', [0, ...times], values);
        };
        expect(jumpsOf([at(1, 2)], frames)).toEqual({ frames: [1, 2], late: 0 });
        expect(jumpsOf([at(0.5, 0.75, 2.25, 3)], frames)).toEqual({ frames: [1, 3], late: 0.75 });
        expect(jumpsOf([at(0.75), at(3.5)], frames)).toEqual({ frames: [1, 4], late: 0.5 });
        // Before the first frame and after the last one, nothing is late.
        expect(jumpsOf([at(0.5, 4.5)], Float32Array.of(1, 2, 4))).toEqual({ frames: [], late: 0 });
    });
});
