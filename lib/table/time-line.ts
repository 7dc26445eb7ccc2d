// SPDX-License-Identifier: MIT

import { wrapTime } from '../rig/wrap-time';
import type { CheckedManifest, TableClip } from './manifest';

const { floor, fround } = Math;

/** Where times fall between the rows of a table. */
export class TimeLine {
    /** Row of the pose, or the one before it. */
    row = 0;
    /** The row to interpolate to; `row` itself where there is nothing to interpolate. */
    next = 0;
    /** From `row`, 0, to `next`, 1; that excluded. */
    fraction = 0;

    readonly #clips: readonly TableClip[];
    /** Of each clip, the fraction that its frame times are calculated with. */
    readonly #rates: readonly (readonly [numerator: number, denominator: number])[];
    /** 1 for rows that are not interpolated to from the row before. */
    readonly #held: Uint8Array;

    constructor({ clips, rows, rate }: CheckedManifest) {
        this.#clips = clips;
        const [numerator, denominator] = rate;
        // A clip with a rate of its own was fitted: its intervals are equal parts of the whole.
        this.#rates = clips.map(({ fps, frameCount, duration }) =>
            fps === numerator / denominator ? rate : [frameCount - 1, duration],
        );
        this.#held = new Uint8Array(rows);
        for (const { firstRow, discontinuities } of clips) {
            for (const frame of discontinuities) this.#held[firstRow + frame] = 1;
        }
    }

    /** When a frame of a clip is: a float32, as the baker had it. */
    timeOf(clip: number, frame: number): number {
        const { frameCount, duration, lastFrameTime } = this.#clips[clip]!;
        if (frame === 0) return 0;
        if (frame === frameCount - 1) return lastFrameTime ?? duration;
        const [numerator, denominator] = this.#rates[clip]!;
        return fround((frame * denominator) / numerator);
    }

    /**
     * Sets `row`, `next` and `fraction` for a time of a clip.
     *
     * @param wrap Over and over; otherwise times outside the clip mean its nearest end.
     * @param nearest The row that is nearer, the later one of two that are equally near; `fraction` is then 0.
     */
    find(clip: number, time: number, wrap: boolean, nearest: boolean): void {
        const { firstRow, frameCount, duration, loop } = this.#clips[clip]!;
        const t = wrap ? wrapTime(time, duration) : time;
        this.fraction = 0;
        const last = frameCount - 1;
        if (frameCount === 1 || t <= 0 || t >= this.timeOf(clip, last)) {
            this.row = t > 0 ? firstRow + last : firstRow;
            this.next = this.row;
            return;
        }
        const [numerator, denominator] = this.#rates[clip]!;
        // The estimate is off by one at most, where rounding has moved a frame's time over t.
        let frame = floor((t * numerator) / denominator);
        if (frame > last - 1) frame = last - 1;
        while (frame > 0 && this.timeOf(clip, frame) > t) frame--;
        while (frame < last - 1 && this.timeOf(clip, frame + 1) <= t) frame++;
        const start = this.timeOf(clip, frame);
        const fraction = (t - start) / (this.timeOf(clip, frame + 1) - start);
        this.row = firstRow + frame;
        this.next = this.row;
        // Nothing leads into a jump: the row before is held until there.
        if (fraction === 0 || this.#held[this.row + 1] === 1) return;
        // The last row of a loop is its first again.
        const next = wrap && loop && frame + 1 === last ? firstRow : this.row + 1;
        if (!nearest) {
            this.next = next;
            this.fraction = fraction;
        } else if (fraction >= 0.5) {
            this.row = next;
            this.next = next;
        }
    }
}
