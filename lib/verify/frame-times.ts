// SPDX-License-Identifier: MIT

/** The parts of a bake's recipe that determine its frames. */
export interface FrameRule {
    /** Frames per second as a fraction. */
    readonly fps: readonly [number, number];
    readonly end: 'clamp' | 'fit';
    /** The baked part of each clip, seconds. */
    readonly from?: number;
    readonly to?: number;
}

export interface FrameTimes {
    /** Seconds from `from` to the end. A float32 unless there is a `from`. */
    readonly duration: number;
    readonly count: number;
    /** Frames per second; null for a duration of 0. */
    readonly fps: number | null;
    /** Whether the last interval is shorter than the others. */
    readonly shortened: boolean;
    /** Time of frame `i`: a float32. */
    timeOf(i: number): number;
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
 * The frame times of a clip, derived from docs/format.md and not from the baker's code.
 *
 * @param clipDuration D, a float32.
 */
export function framesOf(clipDuration: number, { fps: [num, den], end, from = 0, to }: FrameRule): FrameTimes {
    const last = to === undefined ? clipDuration : Math.min(to, clipDuration);
    const duration = last - from;
    if (!(duration > 0)) {
        return { duration: 0, count: 1, fps: null, shortened: false, timeOf: () => Math.fround(from) };
    }
    const frames = (duration * num) / den;
    const nearest = Math.round(frames);
    const whole = Math.abs(frames - nearest) <= Math.max(1e-3, (num / den) * ulp32(Math.fround(duration)));
    const fitted = end === 'fit' && !whole;
    const intervals = whole ? nearest : fitted ? Math.max(1, nearest) : Math.floor(frames) + 1;
    return {
        duration,
        count: intervals + 1,
        fps: fitted ? intervals / duration : num / den,
        shortened: !whole && !fitted,
        timeOf(i) {
            // fround(n / fps) can fall one ulp short of the last key.
            if (i === intervals) return Math.fround(last);
            return Math.fround(from + Math.min(fitted ? (i * duration) / intervals : (i * den) / num, duration));
        },
    };
}
