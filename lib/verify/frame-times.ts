// SPDX-License-Identifier: MIT

/** What a bake's recipe says of its frames. */
export interface FrameRule {
    /** Frames per second as a fraction. */
    readonly fps: readonly [number, number];
    readonly end: 'clamp' | 'fit';
    /** Seconds; the part of each clip that is baked. */
    readonly from?: number;
    readonly to?: number;
}

export interface FrameTimes {
    /** Seconds from `from` to the end; of a float32 unless there is a `from`. */
    readonly duration: number;
    /** When the frames are, float32. */
    readonly times: readonly number[];
}

const ulp = new Uint32Array(1);
const ulpFloat = new Float32Array(ulp.buffer);

/** The distance from a positive float32 to the next one up. */
function ulp32(x: number): number {
    ulpFloat[0] = x;
    ulp[0] = ulp[0]! + 1;
    return ulpFloat[0]! - x;
}

/**
 * The times at which the frames of a clip lie, derived from docs/format.md and not from the baker's code.
 *
 * @param clipDuration D, a float32.
 */
export function frameTimesOf(clipDuration: number, { fps: [num, den], end, from = 0, to }: FrameRule): FrameTimes {
    const last = to === undefined ? clipDuration : Math.min(to, clipDuration);
    const duration = last - from;
    if (!(duration > 0)) return { duration: 0, times: [Math.fround(from)] };
    const frames = (duration * num) / den;
    const nearest = Math.round(frames);
    const whole = Math.abs(frames - nearest) <= Math.max(1e-3, (num / den) * ulp32(Math.fround(duration)));
    const times: number[] = [];
    if (end === 'fit' && !whole) {
        const intervals = Math.max(1, nearest);
        for (let i = 0; i < intervals; i++)
            times.push(Math.fround(from + Math.min((i * duration) / intervals, duration)));
    } else {
        const count = whole ? nearest : Math.floor(frames) + 1;
        for (let i = 0; i < count; i++) times.push(Math.fround(from + Math.min((i * den) / num, duration)));
    }
    // fround(n / fps) can fall one ulp short of the last key.
    times.push(Math.fround(last));
    return { duration, times };
}
