// SPDX-License-Identifier: MIT

import { PIVOT_FLOATS, QTS_FLOATS, TEXEL } from '../../format/qts';
import type { SceneChannel } from '../../gltf/scene';
import { BOX_NUMBERS } from '../../rig/measure/displacement';
import { frameTimesOf, jumpsOf, type Timeline } from '../plan/frames';
import { SAMPLES } from '../rows/batch-size';
import type { Mixing } from '../rows/qts';
import type { SkinModel } from '../rows/skin-model';
import { playbackError } from './choose-playback-error';
import { HELD, type PlaybackError } from './playback-error';
import { qtsPlaybackError } from './qts-playback-error';

/** The frames of one clip, and how a player goes from one to the next. */
export interface ClipFrames {
    /** Animation index. */
    readonly animation: number;
    readonly times: Float32Array;
    readonly discontinuities: readonly number[];
    /** Longest delay of a jump, seconds: see `Jumps`. */
    readonly late: number;
    /** For each interval: see `PlaybackError`. */
    readonly nearest: Uint8Array;
}

export function framesOf(animation: number, timeline: Timeline, channels: readonly SceneChannel[]): ClipFrames {
    const times = frameTimesOf(timeline);
    const { frames, late } = jumpsOf(channels, times);
    const nearest = new Uint8Array(times.length - 1).fill(nearerToFirst(1));
    if (timeline.lastShortened) nearest[nearest.length - 1] = nearerToFirst(lastInterval(timeline));
    for (const frame of frames) nearest[frame - 1] = HELD;
    return { animation, times, discontinuities: frames, late, nearest };
}

function lastInterval({ duration, rate, frameCount }: Timeline): number {
    const [numerator, denominator] = rate!;
    return (duration * numerator) / denominator - (frameCount - 2);
}

/** Number of an interval's samples whose nearest row is the first one: time x fps, rounded half up. */
function nearerToFirst(interval: number): number {
    let count = 0;
    while (count < SAMPLES && ((count + 1) / (SAMPLES + 1)) * interval < 0.5) count++;
    return count;
}

/** Writes the times of the samples between a frame and the next one, seconds. */
export function addSampleTimes(out: Float64Array, at: number, times: Float32Array, frame: number): void {
    const step = times[frame + 1]! - times[frame]!;
    for (let k = 1; k <= SAMPLES; k++) out[at + k - 1] = times[frame]! + step * (k / (SAMPLES + 1));
}

/** Compares playback of a skin's rows with its poses between the frames. */
export class PlaybackJudge {
    private readonly palette: Float32Array;
    private readonly times: Float64Array;
    /** Intervals in a batch. */
    readonly intervals: number;

    /** @param mixing How the judged rows are interpolated. */
    constructor(
        private readonly model: SkinModel,
        private readonly mixing: Mixing,
    ) {
        this.intervals = Math.floor(model.poses.capacity / SAMPLES);
        this.palette = new Float32Array(this.intervals * SAMPLES * model.rowFloats);
        this.times = new Float64Array(this.intervals * SAMPLES);
    }

    /**
     * Raises the maximum errors by those of some intervals. Overwrites the model's poses.
     *
     * @param max Squared errors of linear interpolation and of the nearest row. Infinite if a pose is not finite.
     * @param first Frame of the first row. The last interval ends at the last row.
     * @param rows In the form that players interpolate: `RowSource.asMixed`.
     * @param samples The poses between the rows of one interval, if they are known: see `addSampleTimes`.
     * @returns First frame of the batch that has the maximum error of linear interpolation; -1 if `max[0]` did not
     * change.
     */
    judge(max: Float64Array, frames: ClipFrames, first: number, rows: Float32Array, samples?: Float32Array): number {
        let farthest = -1;
        const error = this.errorOf();
        this.eachBatch(
            frames,
            first,
            rows,
            (begin, ...compared) => {
                const before = max[0]!;
                error(max, ...compared);
                if (max[0]! > before) farthest = begin;
            },
            samples,
        );
        return farthest;
    }

    /**
     * As `judge`, but finds the column and interval of the maximum error.
     *
     * @returns Null if no error exceeds `max[0]`.
     */
    locate(max: Float64Array, frames: ClipFrames, first: number, rows: Float32Array): Place | null {
        let place: Place | null = null;
        this.eachBatch(frames, first, rows, (begin, batchRows, samples, nearest, joints, boxes) => {
            const boxOf = (j: number) => boxes.subarray(j * BOX_NUMBERS, (j + 1) * BOX_NUMBERS);
            const reached = max.slice();
            let joint = -1;
            const rowsOf = (j: number) => columnOf(batchRows, this.placesOf(j), this.mixing.mixedFloats);
            const samplesOf = (j: number) => columnOf(samples, placesFrom(j * 16, 16), joints * 16);
            for (let j = 0; j < joints; j++) {
                const before = max.slice();
                this.errorOf(j)(max, rowsOf(j), samplesOf(j), nearest, 1, boxOf(j));
                if (max[0]! === before[0]!) continue;
                joint = j;
                reached.set(before);
            }
            if (joint < 0) return;
            const [from, between] = [rowsOf(joint), samplesOf(joint)];
            const floats = this.placesOf(joint).length;
            for (let i = 0; reached[0]! < max[0]!; i++) {
                const ends = from.subarray(i * floats, (i + 2) * floats);
                const own = between.subarray(i * SAMPLES * 16, (i + 1) * SAMPLES * 16);
                this.errorOf(joint)(reached, ends, own, nearest.subarray(i, i + 1), 1, boxOf(joint));
                place = { joint, frame: begin + i };
            }
        });
        return place;
    }

    /**
     * As `judge`, for each interval separately.
     *
     * @param rows Rows of all frames, in the form that players interpolate.
     * @param each Gets the interval's first frame and its squared errors: linear interpolation and nearest row.
     */
    judgeEach(frames: ClipFrames, rows: Float32Array, each: (frame: number, squared: Float64Array) => void): void {
        const { mixedFloats } = this.mixing;
        const poses = SAMPLES * this.model.rowFloats;
        const error = this.errorOf();
        this.eachBatch(frames, 0, rows, (begin, batchRows, samples, nearest, joints, boxes) => {
            for (let i = 0; i < nearest.length; i++) {
                const squared = new Float64Array(2);
                const ends = batchRows.subarray(i * mixedFloats, (i + 2) * mixedFloats);
                const between = samples.subarray(i * poses, (i + 1) * poses);
                error(squared, ends, between, nearest.subarray(i, i + 1), joints, boxes);
                each(begin + i, squared);
            }
        });
    }

    /** @param column Judges only this column. Default: all. */
    private errorOf(column?: number): PlaybackError {
        const { pivots } = this.mixing;
        if (pivots === null) return playbackError;
        if (column === undefined) return qtsPlaybackError(pivots);
        const [x, y, z, third] = pivots.subarray(column * PIVOT_FLOATS) as unknown as [number, number, number, number];
        return qtsPlaybackError(Float32Array.of(x, y, z, third > 0 ? 2 : 0));
    }

    /** Places in a row of a column's numbers. */
    private placesOf(column: number): number[] {
        const { pivots } = this.mixing;
        if (pivots === null) return placesFrom(column * 16, 16);
        const third = pivots[column * PIVOT_FLOATS + 3]! * TEXEL;
        return [...placesFrom(column * QTS_FLOATS, QTS_FLOATS), ...placesFrom(third, third > 0 ? TEXEL : 0)];
    }

    /** Evaluates the poses between rows, in batches of as many intervals as fit. */
    private eachBatch(
        { animation, times, nearest }: ClipFrames,
        first: number,
        rows: Float32Array,
        compare: (begin: number, ...compared: DropFirst<Parameters<PlaybackError>>) => void,
        known?: Float32Array,
    ): void {
        const { model } = this;
        const { mixedFloats } = this.mixing;
        const joints = model.rowFloats / 16;
        const end = first + rows.length / mixedFloats - 1;
        for (let begin = first; begin < end; begin += this.intervals) {
            const count = Math.min(this.intervals, end - begin);
            const samples = known ?? this.palette.subarray(0, count * SAMPLES * model.rowFloats);
            if (known === undefined) {
                for (let i = 0; i < count; i++) addSampleTimes(this.times, i * SAMPLES, times, begin + i);
                model.evaluate(animation, this.times.subarray(0, count * SAMPLES), samples);
            }
            const at = (begin - first) * mixedFloats;
            compare(
                begin,
                rows.subarray(at, at + (count + 1) * mixedFloats),
                samples,
                nearest.subarray(begin, begin + count),
                joints,
                model.jointBoxes,
            );
        }
    }
}

function placesFrom(first: number, length: number): number[] {
    return Array.from({ length }, (_, i) => first + i);
}

/** The numbers at some places of each row. */
function columnOf(rows: Float32Array, places: readonly number[], width: number): Float32Array {
    const column = new Float32Array((rows.length / width) * places.length);
    for (let row = 0, at = 0; row < rows.length; row += width) {
        for (let i = 0; i < places.length; i++) column[at++] = rows[row + places[i]!]!;
    }
    return column;
}

export interface Place {
    readonly joint: number;
    /** First frame of the interval. */
    readonly frame: number;
}

type DropFirst<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;
