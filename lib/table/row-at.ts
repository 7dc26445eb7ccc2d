// SPDX-License-Identifier: MIT

import type { Wrap } from '../base/call-arguments';
import type { CheckedManifest } from '../format/check-manifest';
import { cycleOf, wrapTime } from '../rig/kernels/wrap-time';

const { floor, fround } = Math;

/** Finds row, next row and fraction for times. Numbers are in arrays, because V8 boxes those in objects. */
export class TimeLine {
    /** Row of the pose, or the one before it. */
    row = 0;
    /** The row to interpolate to. `row` itself if there is nothing to interpolate. */
    next = 0;
    /** One element: the fraction from `row` to `next`, at least 0 and less than 1. */
    readonly fraction = new Float64Array(1);
    /** Time of each row's frame, seconds from its clip's first frame: the baker's float32. */
    readonly times: Float32Array;

    /** For each clip. */
    readonly #firstRows: Int32Array;
    readonly #lastRows: Int32Array;
    readonly #durations: Float64Array;
    readonly #time = new Float64Array(1);
    readonly #rates: Float64Array;
    readonly #loops: Uint8Array;
    /** 1 for rows that must not be interpolated to from the row before. */
    readonly #held: Uint8Array;

    constructor({ clips, rows, rate: common }: CheckedManifest) {
        this.times = new Float32Array(rows);
        this.#held = new Uint8Array(rows);
        this.#firstRows = Int32Array.from(clips, ({ firstRow }) => firstRow);
        this.#lastRows = Int32Array.from(clips, ({ firstRow, frameCount }) => firstRow + frameCount - 1);
        this.#durations = Float64Array.from(clips, ({ duration }) => duration);
        this.#rates = Float64Array.from(clips, ({ fps }) => fps ?? 1);
        this.#loops = Uint8Array.from(clips, ({ loop }) => (loop ? 1 : 0));
        for (const { firstRow, frameCount, fps, rate = common, duration, lastFrameTime, discontinuities } of clips) {
            // A clip with another fps was fitted: its intervals are equal parts of its duration.
            const fitted = fps !== rate[0] / rate[1];
            const [numerator, denominator] = fitted ? [frameCount - 1, duration] : rate;
            for (let i = 1; i < frameCount; i++) this.times[firstRow + i] = (i * denominator) / numerator;
            if (frameCount > 1) this.times[firstRow + frameCount - 1] = lastFrameTime ?? duration;
            for (const frame of discontinuities) this.#held[firstRow + frame] = 1;
        }
    }

    /**
     * Sets `row`, `next` and `fraction` for a time of a clip. Times are rounded to float32, as frame times are. So
     * frame / fps, calculated in double precision, finds the frame itself instead of the end of the interval before.
     *
     * @param times A list. The time is element `index`.
     * @param wrap Whether to repeat the clip, also as a list by `index`. Otherwise times outside the clip are clamped.
     * Null: as the manifest's `loop` says.
     * @param nearest Whether to find the nearest row: time x fps, rounded half up. `fraction` is then 0.
     * @param closed Whether the last row of a loop equals its first.
     */
    find(
        clip: number,
        times: Float32Array | Float64Array,
        index: number,
        wrap: Wrap | null,
        nearest: boolean,
        closed = true,
    ): void {
        const rowTimes = this.times;
        const first = this.#firstRows[clip]!;
        const last = this.#lastRows[clip]!;
        const loops = this.#loops[clip] === 1;
        const wraps = wrap === null ? loops : typeof wrap === 'boolean' ? wrap : wrap[index] === 1;
        this.#time[0] = times[index]!;
        if (wraps) wrapTime(this.#time, 0, this.#durations, clip);
        const t = fround(this.#time[0]!);
        this.fraction[0] = 0;
        if (first === last || t <= 0 || t >= rowTimes[last]!) {
            // The end of a round is the start of the next one.
            this.row = t > 0 && !wraps ? last : first;
            this.next = this.row;
            return;
        }
        // The estimate differs by at most one, if rounding has moved a frame's time beyond t.
        const frames = t * this.#rates[clip]!;
        let row = frames < last - first ? first + floor(frames) : last - 1;
        while (row > first && rowTimes[row]! > t) row--;
        while (row < last - 1 && rowTimes[row + 1]! <= t) row++;
        this.row = row;
        this.next = row;
        const start = rowTimes[row]!;
        // A jump is not interpolated to: the row before it is held.
        if (t === start || this.#held[row + 1] === 1) return;
        const next = wraps && loops && closed && row + 1 === last ? first : row + 1;
        if (!nearest) {
            this.next = next;
            this.fraction[0] = (t - start) / (rowTimes[row + 1]! - start);
        } else if (frames - (row - first) >= 0.5) {
            this.row = next;
            this.next = next;
        }
    }

    /** Number of completed rounds of a clip at a time, matching the restarts of `find`; 0 beyond 2^53. */
    rounds(clip: number, times: Float32Array | Float64Array, index: number): number {
        const last = this.#lastRows[clip]!;
        if (last === this.#firstRows[clip]) return 0;
        this.#time[0] = times[index]!;
        wrapTime(this.#time, 0, this.#durations, clip);
        const counted = cycleOf(times[index]!, this.#durations[clip]!);
        // Beyond this, a double cannot represent every round.
        const rounds = Math.abs(counted) <= Number.MAX_SAFE_INTEGER ? counted : 0;
        return fround(this.#time[0]!) >= this.times[last]! ? rounds + 1 : rounds;
    }
}
