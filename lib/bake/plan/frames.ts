// SPDX-License-Identifier: MIT

import type { FrameRate } from '../../format/manifest';
import type { SceneAnimation, SceneChannel } from '../../gltf/scene';
import { durationOf } from '../../rig/measure/extent';

/** The part of each clip to bake, and how to treat a last interval shorter than one frame. */
export interface Window {
    /** Seconds; 0 <= `from` < `to`, which may be Infinity. */
    readonly from: number;
    readonly to: number;
    readonly end: 'clamp' | 'fit';
}

export const WHOLE_CLIP: Window = { from: 0, to: Infinity, end: 'clamp' };

export interface Timeline {
    /** Time of the first frame, seconds. */
    readonly start: number;
    /** Seconds from the first frame to the last. Without a window it is the duration D, a float32 like all key times. */
    readonly duration: number;
    /** Time of the last frame, a float32. */
    readonly last: number;
    /**
     * Frames per second, as a fraction. If the rate is fitted to the clip, its terms are intervals and seconds. Null for a duration of 0,
     * which has one frame.
     */
    readonly rate: readonly [numerator: number, denominator: number] | null;
    readonly frameCount: number;
    /** Whether the last interval is shorter, because the duration is not a whole number of frames. */
    readonly lastShortened: boolean;
}

/** Places the frames of an animation. It must not end before the window begins. */
export function timelineOf(animation: SceneAnimation, rate: FrameRate, window: Window = WHOLE_CLIP): Timeline {
    const whole = durationOf(animation);
    const start = window.from;
    const to = Math.min(window.to, whole);
    const duration = to - start;
    const last = Math.fround(to);
    if (duration === 0) return { start, duration, last, rate: null, frameCount: 1, lastShortened: false };
    const [numerator, denominator] = rate;
    const intervals = (duration * numerator) / denominator;
    const nearest = Math.round(intervals);
    const miss = intervals < nearest ? nearest - intervals : intervals - nearest;
    // Tolerance: a thousandth of a frame, or the rounding of the last key's float32.
    const precision = (numerator * ulp32(Math.fround(duration))) / denominator;
    if (miss <= 1e-3 || miss <= precision) {
        return { start, duration, last, rate, frameCount: nearest + 1, lastShortened: false };
    }
    if (window.end === 'fit') {
        const fitted = Math.max(nearest, 1);
        return { start, duration, last, rate: [fitted, duration], frameCount: fitted + 1, lastShortened: false };
    }
    return { start, duration, last, rate, frameCount: Math.floor(intervals) + 2, lastShortened: true };
}

/**
 * Times of the frames: frame i at `fround(start + min(i * den / num, duration))`, computed in this order. Key times are float32, so a key
 * stored as `fround(i / fps)` is met exactly. The last frame is at the end itself, because `fround(i / fps)` can be one ulp below the last
 * key.
 *
 * @returns `frameCount` seconds, ascending.
 */
export function frameTimesOf({ start, duration, last, rate, frameCount }: Timeline): Float32Array {
    const times = new Float32Array(frameCount);
    if (rate !== null) {
        const [numerator, denominator] = rate;
        for (let i = 0; i < frameCount; i++) {
            times[i] = start + Math.min((i * denominator) / numerator, duration);
        }
    }
    times[frameCount - 1] = last;
    return times;
}

/** Seconds, a quarter of a frame at the highest rate. Keys closer than this are treated as this far apart. */
const MIN_KEY_GAP = 1 / 960;

/** Key times of channels, ascending. */
export function keyTimesOf(channels: readonly SceneChannel[]): number[] {
    // Many channels share one list of times.
    const lists = [...new Set(channels.map(({ times }) => times))];
    return apartBy([...Float64Array.from(lists.flatMap((times) => [...times])).sort()], () => MIN_KEY_GAP);
}

/** Drops times that follow the last kept one by less than the gap. `times` are ascending. */
export function apartBy(times: readonly number[], gapAt: (time: number) => number): number[] {
    let last = -Infinity;
    return times.filter((time) => {
        if (time - last < gapAt(time)) return false;
        last = time;
        return true;
    });
}

/**
 * The number of STEP keys 1 or 2 ulp after a frame, which therefore shows the previous value. Exporters cause it by writing `i * fround(1 /
 * fps)` instead of `fround(i / fps)`. The bake is correct, but rarely what the author wanted.
 */
export function countKeysOffGrid(channels: readonly SceneChannel[], frameTimes: Float32Array): number {
    const keyTimes = new Set<number>();
    for (const { interpolation, times } of channels) {
        if (interpolation === 'STEP') for (const time of times) keyTimes.add(time);
    }
    const keyBits = bitsOf(Float32Array.from(keyTimes).sort());
    const frameBits = bitsOf(frameTimes);
    let count = 0;
    let frame = 0;
    for (const key of keyBits) {
        while (frame + 1 < frameBits.length && frameBits[frame + 1]! <= key) frame++;
        const above = key - frameBits[frame]!;
        if (above === 1 || above === 2) count++;
    }
    return count;
}

export interface Jumps {
    /** Frames within the clip that must not be interpolated from the frame before, ascending. */
    readonly frames: number[];
    /** Maximum time, seconds, from a jump to the first frame at or after it, which shows it. */
    readonly late: number;
}

export function jumpsOf(channels: readonly SceneChannel[], frameTimes: Float32Array): Jumps {
    const frames: number[] = [];
    let late = 0;
    let frame = 0;
    for (const time of jumpTimesOf(channels)) {
        while (frame < frameTimes.length && frameTimes[frame]! < time) frame++;
        if (frame === frameTimes.length) break; // after the last frame
        if (frame === 0) continue; // at or before the first frame
        if (frames[frames.length - 1] !== frame) frames.push(frame);
        late = Math.max(late, frameTimes[frame]! - time);
    }
    return { frames, late };
}

/** Times of jumps, ascending: a STEP value changes, or two keys at one time differ. */
export function jumpTimesOf(channels: readonly SceneChannel[]): Float32Array {
    const found = new Set<number>();
    for (const channel of channels) {
        const { interpolation, times } = channel;
        for (let key = 1; key < times.length; key++) {
            if (interpolation !== 'STEP' && times[key] !== times[key - 1]) continue;
            if (keysDiffer(channel, key - 1, key)) found.add(times[key]!);
        }
    }
    return Float32Array.from(found).sort();
}

function keysDiffer({ interpolation, times, values }: SceneChannel, a: number, b: number): boolean {
    const stride = values.length / times.length;
    const width = interpolation === 'CUBICSPLINE' ? stride / 3 : stride;
    const first = interpolation === 'CUBICSPLINE' ? width : 0; // in-tangent, value, out-tangent
    for (let k = first; k < first + width; k++) {
        if (values[a * stride + k] !== values[b * stride + k]) return true;
    }
    return false;
}

function ulp32(value: number): number {
    const float = Float32Array.of(value);
    new Int32Array(float.buffer)[0]! += 1;
    return float[0]! - value;
}

/** Float bits as integers: for non-negative floats, differences count ulps. */
function bitsOf(floats: Float32Array): Int32Array {
    return new Int32Array(floats.buffer, floats.byteOffset, floats.length);
}
