// SPDX-License-Identifier: MIT

import { inputName, namingOptions, ToleranceError } from '../../base/errors';
import { significant } from '../../base/messages';
import type { Clock } from '../../base/progress';
import type { FrameRate } from '../../format/manifest';
import { matricesOfQts, mixQts } from '../../format/qts';
import type { SceneAnimation, Warning } from '../../gltf/scene';
import { cadenceOf } from '../../rig/cadence';
import { BOX_NUMBERS, squaredDistance } from '../../rig/measure/displacement';
import { keysUpTo } from '../../rig/measure/morph-reach';
import { notFiniteBetween } from '../clip';
import { columnName } from '../plan/character';
import { apartBy, frameTimesOf, jumpTimesOf, keyTimesOf, type Timeline, timelineOf } from '../plan/frames';
import { hasWeights, MAX_AUTO_FPS as MAX_FPS } from '../plan/options';
import { clipName, type FoundRates, planBake, refuseTooLarge, refuseTooManyRows, type Selection } from '../plan/plan';
import { allowedError, hintOf } from '../plan/tolerance';
import { SAMPLES } from '../rows/batch-size';
import { RowSource } from '../rows/row-source';
import type { SkinModel } from '../rows/skin-model';
import { MorphJudge } from './morph-judge';
import { addSampleTimes, type ClipFrames, PlaybackJudge } from './playback';
import { HELD } from './playback-error';

/** No array has smaller rows. An output that is too large even with these is rejected before its rate is tried. */
const MIN_ROW_BYTES = 4;
/** Intervals that are judged together. If they fail, the first failing one is searched for. */
const TOGETHER = 8;
/** Multiple of the error at 240 frames per second that is allowed where that error exceeds the default tolerance. */
const NEAR = 1.25;
/** Seconds. Jumps closer than a thousandth of a frame, or than the rounding of two key times, are one jump. */
const ONE_JUMP = 1e-3 / MAX_FPS;
const ROUNDED_TWICE = 2 ** -22;
/** Tolerance for rounded key times when durations are compared. */
const ROUNDED = 1.001;
/** An interval with this many gaps between keys has two samples in each gap. */
const KEYS_SEEN = (SAMPLES + 1) / 2;

/**
 * Finds for each clip the lowest whole rate, from `minFps` to 240 frames per second, that keeps two rules. The error of
 * linear interpolation between rows is at most the allowed one, for every skin. Each pose that lasts from one jump to
 * the next is in a row.
 * How late a jump is shown is not limited, because no rate that misses its time shows it on time. An interval with
 * jumps is judged in the parts between them.
 * A clip with poses too short for 240 rows per second gets 240 and a warning. If no rate keeps the default tolerance,
 * the clip gets a warning and the lowest rate that is about as near as 240 where 240 exceeds the tolerance, and keeps
 * the tolerance elsewhere.
 *
 * @param onTrial Called about ten times a second with the rate that is tried.
 * @throws ToleranceError if no rate keeps a tolerance that the caller gave; InputError as `bakeSkin`.
 */
export async function findRates(
    selection: Selection,
    models: readonly SkinModel[],
    clock: Clock,
    onTrial: (rate: number) => void = () => {},
): Promise<FoundRates> {
    const { scene, file, recipe } = selection;
    const trials = models.map((model) => new Trial(selection, model));
    const lowest = planBake(selection, [1, 1]);
    let { rows } = lowest;
    const rates: FrameRate[] = [];
    const warnings: Warning[] = [];
    for (const { animation, timeline } of lowest.clips) {
        const timelineAt = (rate: number) => timelineOf(scene.animations[animation]!, [rate, 1], recipe.window);
        const others = rows - timeline.frameCount;
        for (const trial of trials) trial.begin(animation);
        // Times that failed at a lower rate. They mostly fail at the next one too, so they are checked first: low rates
        // then cost almost nothing.
        const places: Place[] = [];
        const search = async (isLast: boolean): Promise<number | null> => {
            for (let rate = lowestRate(scene.animations[animation]!, recipe.minFps); rate <= MAX_FPS; rate++) {
                const at = timelineAt(rate);
                const size = { file, recipe, rows: others + at.frameCount };
                // Before a coarser tolerance is tried, the number of rows is checked only once a rate is found.
                if (isLast) refuseTooManyRows(size);
                for (const { character } of models) refuseTooLarge(size, character.nodes.length, MIN_ROW_BYTES);
                const holds = holdsAt(trials, at, places);
                if (clock.advance(0)) {
                    onTrial(rate);
                    await clock.turnOver();
                }
                if (holds) {
                    refuseTooManyRows(size);
                    return rate;
                }
            }
            return null;
        };
        let rate = await search(recipe.maxError !== null);
        if (rate === null) {
            const highest = timelineAt(MAX_FPS);
            const lost = Math.max(...trials.map((trial) => trial.posesLost(highest)));
            const errors = trials.map((trial) => trial.errorOf(highest));
            const exceeds = trials.some(({ allowed }, i) => errors[i]! > allowed);
            if (exceeds && recipe.maxError !== null) throw beyond(selection, animation, trials, highest);
            let near = '';
            if (lost === 0) {
                near = `, about as near as ${MAX_FPS},`;
                for (const [i, trial] of trials.entries())
                    if (errors[i]! > trial.allowed) trial.addFast(highest, NEAR * errors[i]!);
                rate = (await search(true)) ?? MAX_FPS;
            } else rate = MAX_FPS;
            if (rate === MAX_FPS) near = '';
            refuseTooManyRows({ file, recipe, rows: others + timelineAt(rate).frameCount });
            const reasons: string[] = [];
            if (exceeds) {
                const { allowed, text } = worstOf(selection, trials, timelineAt(rate));
                const rule = `no rate up to ${MAX_FPS} keeps within ${significant(allowed, 3)}, 1% of the extent`;
                reasons.push(`${rule}: at ${rate} frames per second${near} ${text}`);
            }
            if (lost > 0) {
                const poses = `${lost} of ${trials.reduce((most, { poseCount }) => Math.max(most, poseCount), 0)} poses`;
                reasons.push(
                    `${poses} between jumps are in no row at ${rate} frames per second, the most that 'auto' tries`,
                );
            }
            const remedy = 'slow the clip down, or leave it out (clips)';
            const message = `${clipName(scene, animation)}: ${reasons.join('; ')}; ${remedy}`;
            if (reasons.length > 0)
                warnings.push({ code: 'AUTO_FPS_INEXACT', pointer: `/animations/${animation}`, message });
        }
        rows = others + timelineAt(rate).frameCount;
        rates.push([rate, 1]);
    }
    return { rates, warnings };
}

/**
 * `minFps`, or the rate of the keys if that is lower. Uneven keys, as reducers leave them, have a rate only if nothing
 * moves between them.
 */
function lowestRate(animation: SceneAnimation, minFps: number): number {
    const { shortest, rate } = cadenceOf(animation);
    const holds = animation.channels.every(({ interpolation }) => interpolation === 'STEP');
    const keys = rate ?? (holds ? Math.ceil(1 / shortest) : minFps);
    return shortest === 0 ? 1 : Math.max(1, Math.min(minFps, keys));
}

/** @param places Times that failed before, the latest first. A new failure is added in front. */
function holdsAt(trials: readonly Trial[], timeline: Timeline, places: Place[]): boolean {
    if (trials.some((trial) => !trial.showsPoses(timeline))) return false;
    const failed = places.findIndex(({ trial, time }) => !trial.holdsNear(timeline, time));
    if (failed >= 0) {
        places.unshift(...places.splice(failed, 1));
        return false;
    }
    for (const trial of trials) {
        const time = trial.firstFailure(timeline);
        if (time === null) continue;
        places.unshift({ trial, time });
        return false;
    }
    return trials.every((trial) => trial.holdsSum(timeline));
}

function beyond(selection: Selection, animation: number, trials: readonly Trial[], timeline: Timeline): ToleranceError {
    const name = `${inputName(selection.file)}: ${clipName(selection.scene, animation)}`;
    const { allowed, extent, halves, text } = worstOf(selection, trials, timeline);
    const hint = hintOf(selection, { extent });
    return namingOptions((option) => {
        const rule = `more than the ${significant(allowed)} of ${option('maxError')}`;
        if (halves) return new ToleranceError(`${name}: ${text}, ${rule}: ${trials[0]!.instead}${hint}`);
        const most = `at ${MAX_FPS} frames per second, the most that 'auto' tries, ${text}`;
        return new ToleranceError(`${name}: ${most}, ${rule}: allow more, or choose a rate${hint}`);
    });
}

/** Describes the maximum error of the clip. `halves` means that only half floats cause it. */
function worstOf({ scene }: Selection, trials: readonly Trial[], timeline: Timeline) {
    const found = trials.map((trial) => ({ trial, ...trial.worstOf(timeline) }));
    const { trial, error, joint, node, time } = found.reduce((worst, one) => (one.error > worst.error ? one : worst));
    const { allowed, model } = trial;
    const { extent } = model;
    const off = `off by ${significant(error)}`;
    if (joint < 0 && node === undefined) return { allowed, extent, halves: true, text: `half floats are ${off}` };
    const which =
        node === undefined
            ? `${columnName(scene, trial.model.character, joint)} is`
            : `the morph weights of node ${node} '${scene.nodes[node]!.name}' are`;
    return { allowed, extent, halves: false, text: `${which} ${off} at ${significant(time)} s` };
}

/** The maximum error of a clip. */
interface Worst {
    /** Model units. */
    readonly error: number;
    /** Column of the palette; -1 if half floats or morph weights cause the error. */
    readonly joint: number;
    /** Node of the morph weights that cause the error. */
    readonly node?: number;
    /** Seconds in the animation, at the frame before. */
    readonly time: number;
}

type Span = readonly [from: number, to: number];

/** A time at which the error of a clip was too large. */
interface Place {
    readonly trial: Trial;
    /** Seconds in the animation. */
    readonly time: number;
}

/**
 * Adds two frames for each jump: at its time, and at the float32 before it. A player holds the row before a jump for
 * the whole interval, and that delay is not an error. Without these frames, a rate so low that every interval has a
 * jump would pass.
 */
function withJumps(frames: Float32Array, jumps: ReadonlySet<number>): Float32Array {
    if (jumps.size === 0) return frames;
    const within = Float32Array.from(jumps).filter((time) => time > frames[0]! && time <= frames[frames.length - 1]!);
    const before = within.slice();
    const bits = new Int32Array(before.buffer);
    for (let i = 0; i < bits.length; i++) bits[i]!--; // the next smaller positive float
    const all = new Float32Array(frames.length + 2 * within.length);
    all.set(frames);
    all.set(within, frames.length);
    all.set(before, frames.length + within.length);
    return all.sort().filter((time, i) => i === 0 || time !== all[i - 1]);
}

function sorted(times: readonly number[]): number[] {
    return [...Float64Array.from(times).sort()];
}

/** Rounded to float32, as in the manifest. */
function distanceOf(squared: number): number {
    return Math.fround(Math.sqrt(squared));
}

/** Measures the error of one character's clips at trial rates. Stores no rows. */
class Trial {
    readonly allowed: number;
    /** Maximum error in fast motion: `allowed`, or more if no rate keeps that. */
    private limit = 0;
    /** Motion too fast for any rate, seconds, ascending. */
    private fast: readonly Span[] = [];
    private readonly source: RowSource;
    private readonly judge: PlaybackJudge;
    private readonly rows: Float32Array;
    /** Room for poses at keys. */
    private readonly poses: Float32Array;
    /** Room for the times of an interval's rows and samples. */
    private readonly times = new Float64Array(2 + SAMPLES);
    /** Null if the outputs have no weights. */
    private readonly morphs: MorphJudge | null;
    private animation = 0;
    /** Times at which the skin jumps. */
    private jumps: ReadonlySet<number> = new Set();
    /** Start times of the poses that need a row, ascending. The first pose is left out. */
    private holds: readonly number[] = [];
    /** Key times, ascending, and the shortest gap between two. */
    private keys: readonly number[] = [];
    private keyGap = Infinity;
    private frames: { readonly timeline: Timeline; readonly frames: ClipFrames } | null = null;

    constructor(
        private readonly selection: Selection,
        readonly model: SkinModel,
    ) {
        this.allowed = allowedError(selection, model);
        this.source = new RowSource(selection, model);
        this.judge = new PlaybackJudge(model, this.source);
        const { scene, recipe } = selection;
        this.morphs = hasWeights(recipe.emit) ? new MorphJudge(scene, model.character) : null;
        this.rows = new Float32Array((1 + model.poses.capacity) * model.rowFloats);
        this.poses = new Float32Array(model.poses.capacity * model.rowFloats);
    }

    get instead(): string {
        return this.source.instead;
    }

    begin(animation: number): void {
        const channels = this.model.channels.get(animation)!;
        this.animation = animation;
        this.limit = this.allowed;
        this.fast = [];
        this.jumps = new Set(jumpTimesOf(channels));
        this.holds = this.holdsOf();
        this.keys = keyTimesOf(channels);
        this.keyGap = this.keys.reduce(
            (gap, key, i) => (i > 0 ? Math.min(gap, key - this.keys[i - 1]!) : gap),
            Infinity,
        );
    }

    /** Number of poses that last from one jump to the next, or to the end. */
    get poseCount(): number {
        return this.holds.length + 1;
    }

    /**
     * Times of jumps that need a row after them. Consecutive jumps count as one until their total displacement exceeds
     * the tolerance.
     */
    private holdsOf(): number[] {
        const { animation, model, morphs, selection } = this;
        const { from, to } = selection.recipe.window;
        const jumps = sorted([...this.jumps, ...(morphs?.jumpsOf(animation) ?? [])]).filter((t) => t > from && t <= to);
        const [pair, { rowFloats }] = [new Float32Array(2), model];
        const rows = new Float32Array(2 * rowFloats);
        let moved = 0;
        const seen = jumps.filter((time) => {
            pair.fill(time);
            new Int32Array(pair.buffer)[0]!--;
            model.evaluate(animation, pair, rows);
            const [before, after] = [rows.subarray(0, rowFloats), rows.subarray(rowFloats)];
            const squared = squaredDistance(model.jointBoxes, before, after);
            moved += Math.sqrt(Math.max(squared, morphs?.jumpAt(animation, time, after) ?? 0));
            if (moved <= this.allowed) return false;
            moved = 0;
            return true;
        });
        return apartBy(seen, (time) => Math.max(ONE_JUMP, time * ROUNDED_TWICE));
    }

    /**
     * Allows a larger error in motion too fast for any rate. Exporters can hold a key and then move within a fraction of
     * a frame. No rate shows that motion, but the pose after it needs a row.
     *
     * @param timeline The highest rate.
     */
    addFast(timeline: Timeline, limit: number): void {
        const { allowed } = this;
        this.limit = limit;
        const fast: Span[] = [];
        const { mixedFloats } = this.source;
        this.eachBatch(timeline, (frames, first, rows) => {
            for (let at = 0; at + 2 * mixedFloats <= rows.length; at += mixedFloats) {
                const frame = first + at / mixedFloats;
                const max = Float64Array.of(0, Infinity);
                const pair = rows.subarray(at, at + 2 * mixedFloats);
                this.judge.judge(max, frames, frame, pair);
                const isFast = distanceOf(max[0]!) > allowed || this.failureAtKeys(frames, frame, pair) !== null;
                if (isFast) fast.push([frames.times[frame]!, frames.times[frame + 1]!]);
            }
            return true;
        });
        const grid = frameTimesOf(timeline);
        for (let frame = 0; this.morphs !== null && frame < grid.length - 1; frame++) {
            if (this.worstMorph(grid, allowed * allowed, true, frame, frame + 1) !== null)
                fast.push([grid[frame]!, grid[frame + 1]!]);
        }
        fast.sort(([a], [b]) => a - b);
        const merged: Span[] = [];
        for (const [from, to] of fast) {
            // Motion in adjacent intervals is one motion.
            const [start, end] = merged.length > 0 && from <= merged.at(-1)![1] ? merged.pop()! : [from, to];
            merged.push([start, Math.max(end, to)]);
        }
        this.fast = merged;
        this.holds = apartBy(sorted([...this.holds, ...merged.map(([, to]) => to)]), () => ROUNDED / MAX_FPS);
    }

    /**
     * Whether each pose between two jumps has a row and no frame lasts longer than the shortest pose. With longer
     * frames, some poses would be shown twice as long as others. Poses shorter than 1/240 s only need a row.
     */
    showsPoses(timeline: Timeline): boolean {
        if (this.holds.length === 0 || timeline.rate === null) return true;
        let shortest = Infinity;
        for (let i = 1; i < this.holds.length; i++) shortest = Math.min(shortest, this.holds[i]! - this.holds[i - 1]!);
        const [frames, seconds] = timeline.rate;
        return seconds / frames <= Math.max(shortest, 1 / MAX_FPS) * ROUNDED && this.posesLost(timeline) === 0;
    }

    /** Number of poses between two jumps that no row has. */
    posesLost(timeline: Timeline): number {
        if (this.holds.length === 0) return 0;
        const times = frameTimesOf(timeline);
        let frame = 0;
        let before = 0;
        let lost = 0;
        for (const hold of this.holds) {
            while (frame < times.length && times[frame]! < hold) frame++;
            if (frame === times.length) break; // after the last frame
            if (frame === before) lost++;
            before = frame;
        }
        return lost;
    }

    /** Whether the error of the interval at a time is at most the limit. */
    holdsNear(timeline: Timeline, time: number): boolean {
        const { animation, model, source } = this;
        const frames = this.framesOf(timeline);
        const first = Math.max(keysUpTo(frames.times, time) - 1, 0);
        const count = Math.min(2, frames.times.length - first);
        // One call evaluates the rows and the samples between them, in lanes that the rows leave free.
        const times = this.times.subarray(0, count === 2 ? 2 + SAMPLES : 1);
        times.set(frames.times.subarray(first, first + count));
        if (count === 2) addSampleTimes(times, 2, frames.times, first);
        const poses = this.rows.subarray(0, times.length * model.rowFloats);
        model.evaluate(animation, times, poses);
        const palette = poses.subarray(0, count * model.rowFloats);
        const max = Float64Array.of(source.finish(animation, first, palette, 0), Infinity);
        const rows = source.asMixed(palette);
        this.judge.judge(max, frames, first, rows, poses.subarray(palette.length));
        if (!this.isAllowed(max[0]!, frames.times[first]!, frames.times[first + count - 1]!)) return false;
        if (count === 2 && !this.holdsInGaps(frames, first, rows)) return false;
        if (this.failureAtKeys(frames, first, rows) !== null) return false;
        if (this.morphs?.moves(this.animation) !== true) return true;
        const grid = frameTimesOf(timeline);
        const next = keysUpTo(grid, time);
        return next === 0 || next === grid.length || this.morphFailure(grid, next - 1, next) === null;
    }

    /** A time in or next to an interval whose error exceeds the limit; null if there is none. */
    firstFailure(timeline: Timeline): number | null {
        const { mixedFloats } = this.source;
        let time: number | null = null;
        this.eachBatch(timeline, (frames, first, rows, half) => {
            const last = first + rows.length / mixedFloats - 1;
            const isAllowed = (begin: number, end: number) => {
                const max = Float64Array.of(half, Infinity); // skips the error of the nearest row
                const part = rows.subarray((begin - first) * mixedFloats, (end - first + 1) * mixedFloats);
                this.judge.judge(max, frames, begin, part);
                return this.isAllowed(max[0]!, frames.times[begin]!, frames.times[end]!, end - begin > 1);
            };
            for (let begin = first; time === null && begin <= last; begin += TOGETHER) {
                const end = Math.min(begin + TOGETHER, last);
                if (isAllowed(begin, end)) continue;
                let frame = begin;
                while (frame < end && isAllowed(frame, frame + 1)) frame++;
                if (frame === end && begin < end) continue; // only fast motion exceeds the tolerance
                time = (frames.times[frame]! + (frames.times[frame + 1] ?? frames.times[frame]!)) / 2;
            }
            for (let frame = first; time === null && frame < last; frame++) {
                const pair = rows.subarray((frame - first) * mixedFloats, (frame - first + 2) * mixedFloats);
                if (!this.holdsInGaps(frames, frame, pair))
                    time = (frames.times[frame]! + frames.times[frame + 1]!) / 2;
            }
            time ??= this.failureAtKeys(frames, first, rows);
            return time === null;
        });
        return time ?? this.morphFailure(frameTimesOf(timeline));
    }

    /**
     * Whether an interval keeps the limit when each gap between keys gets two samples or more. The eighths of a long
     * interval can miss what happens between two keys.
     *
     * @param pair The rows at both ends, in the form that players interpolate.
     */
    private holdsInGaps({ animation, times, nearest }: ClipFrames, frame: number, pair: Float32Array): boolean {
        if (nearest[frame] === HELD) return true;
        const [from, to] = [times[frame]!, times[frame + 1]!];
        if (to - from <= this.keyGap * KEYS_SEEN) return true;
        let gap = Infinity;
        for (let key = Math.max(keysUpTo(this.keys, from), 1); key < this.keys.length; key++) {
            if (this.keys[key - 1]! >= to) break;
            gap = Math.min(gap, this.keys[key]! - this.keys[key - 1]!);
        }
        const parts = Math.ceil((to - from) / (gap * KEYS_SEEN));
        if (parts <= 1) return true;
        // Rows interpolated from the pair do not change what players show. Those of `qts16` stay in one hemisphere.
        const width = this.source.mixedFloats;
        const within = Float32Array.from({ length: parts + 1 }, (_, part) => from + (to - from) * (part / parts));
        const rows = new Float32Array((parts + 1) * width);
        for (const [part, time] of within.entries()) {
            const share = (time - from) / (to - from);
            for (let i = 0; i < width; i++) rows[part * width + i] = pair[i]! + (pair[width + i]! - pair[i]!) * share;
        }
        const max = Float64Array.of(0, Infinity);
        const frames = { animation, times: within, discontinuities: [], late: 0, nearest: new Uint8Array(parts) };
        this.judge.judge(max, frames, 0, rows);
        return this.isAllowed(max[0]!, from, to);
    }

    /** The first key between rows at which the error exceeds the limit; null if there is none. */
    private failureAtKeys(frames: ClipFrames, first: number, rows: Float32Array): number | null {
        const limit = this.allowed * this.allowed;
        let found: number | null = null;
        this.eachKey(frames, first, rows, (shown, meant, frame, key) => {
            const squared = squaredDistance(this.model.jointBoxes, shown, meant, limit);
            const ok = squared <= limit || this.isAllowed(squared, frames.times[frame]!, frames.times[frame + 1]!);
            if (!ok) found = key;
            return ok;
        });
        return found;
    }

    /**
     * Evaluates the keys between rows. Motion bends there, so the error is mostly largest there, and the eighths of an
     * interval miss it by some percent.
     *
     * @param look Gets the matrices that a player shows at a key, those of the clip, the frame before the key, and its
     * time. Returns false to stop.
     */
    private eachKey(
        { animation, times, nearest }: ClipFrames,
        first: number,
        rows: Float32Array,
        look: (shown: Float64Array, meant: Float32Array, frame: number, key: number) => boolean,
    ): void {
        const { model, source, keys } = this;
        const { rowFloats, poses } = model;
        const width = source.mixedFloats;
        const last = first + rows.length / width - 1;
        const between: (readonly [key: number, frame: number])[] = [];
        for (let frame = first, k = keysUpTo(keys, times[first]!); k < keys.length && keys[k]! < times[last]!; k++) {
            while (times[frame + 1]! <= keys[k]!) frame++;
            if (keys[k]! > times[frame]! && nearest[frame] !== HELD) between.push([keys[k]!, frame]);
        }
        if (between.length === 0) return;
        const shown = new Float64Array(rowFloats);
        for (let at = 0; at < between.length; at += poses.capacity) {
            const part = between.slice(at, at + poses.capacity);
            const meant = this.poses.subarray(0, part.length * rowFloats);
            model.evaluate(
                animation,
                Float64Array.from(part, ([key]) => key),
                meant,
            );
            for (let i = 0; i < part.length; i++) {
                const [key, frame] = part[i]!;
                const from = times[frame]!;
                this.show(shown, rows, (frame - first) * width, (key - from) / (times[frame + 1]! - from));
                if (!look(shown, meant.subarray(i * rowFloats, (i + 1) * rowFloats), frame, key)) return;
            }
        }
    }

    /** The matrices that a player shows between the rows at `at` and after it. */
    private show(shown: Float64Array, rows: Float32Array, at: number, part: number): void {
        const { pivots, mixedFloats: width } = this.source;
        if (pivots === null) {
            for (let i = 0; i < width; i++) shown[i] = rows[at + i]! + (rows[at + width + i]! - rows[at + i]!) * part;
            return;
        }
        const mixed = new Float32Array(width);
        mixQts(mixed, 0, rows, at, rows, at + width, width, Float64Array.of(part), pivots);
        matricesOfQts(shown, mixed, pivots);
    }

    /** Middle of an interval whose error of morph weights exceeds the limit; null if there is none. */
    private morphFailure(grid: Float32Array, from = 0, end = grid.length - 1): number | null {
        const place = this.worstMorph(grid, this.limit * this.limit, true, from, end);
        if (place === null) return null;
        this.isAllowed(place.squared, 0, 0); // throws if not finite
        return (grid[place.frame]! + grid[place.frame + 1]!) / 2;
    }

    /**
     * Finds the maximum error of morph weights. Evaluates poses only where weights have an error: the matrices scale
     * the displacement.
     */
    private worstMorph(grid: Float32Array, min: number, stop: boolean, from = 0, end = grid.length - 1) {
        const { morphs, animation, model } = this;
        if (morphs === null || !morphs.moves(animation)) return null;
        const known = new Map<number, Float32Array>();
        const rowOf = (frame: number): Float32Array => {
            let row = known.get(frame);
            if (row === undefined) {
                row = new Float32Array(model.rowFloats);
                model.evaluate(animation, grid.subarray(frame, frame + 1), row);
                known.delete(frame - 2);
                known.set(frame, row);
            }
            return row;
        };
        const frames = { animation, times: grid, nearest: new Uint8Array(grid.length) };
        return morphs.judge(frames, from, end, rowOf, min, stop);
    }

    /** Maximum error of the whole clip. Faster than `worstOf`, which also finds its place. */
    errorOf(timeline: Timeline): number {
        const max = Float64Array.of(0, Infinity);
        this.eachBatch(timeline, (frames, first, rows, half) => {
            max[0] = Math.max(max[0]!, half);
            this.judge.judge(max, frames, first, rows);
            this.eachKey(frames, first, rows, (shown, meant) => {
                max[0] = squaredDistance(this.model.jointBoxes, shown, meant, max[0]);
                return true;
            });
            return true;
        });
        const morph = this.worstMorph(frameTimesOf(timeline), this.adds ? 0 : max[0]!, false);
        return this.wholeOf(max[0]!, morph?.squared ?? 0);
    }

    /** Vertices of OpenVAT are off by the errors of matrices and of morph weights together. */
    private get adds(): boolean {
        return this.selection.recipe.emit.has('openvat') && this.morphs?.moves(this.animation) === true;
    }

    private wholeOf(lerp: number, morph: number): number {
        return this.adds ? distanceOf(lerp) + distanceOf(morph) : distanceOf(Math.max(lerp, morph));
    }

    /** Whether both errors together keep the limit, where they add up. */
    holdsSum(timeline: Timeline): boolean {
        return !this.adds || this.errorOf(timeline) <= this.limit;
    }

    /** Maximum error of the whole clip, with its column and time. */
    worstOf(timeline: Timeline): Worst {
        const max = Float64Array.of(0, Infinity);
        let worst = { joint: -1, time: 0 };
        this.eachBatch(timeline, (frames, first, rows, half) => {
            if (half > max[0]!) {
                max[0] = half;
                worst = { joint: -1, time: 0 };
            }
            const place = this.judge.locate(max, frames, first, rows);
            if (place !== null) worst = { joint: place.joint, time: frames.times[place.frame]! };
            this.eachKey(frames, first, rows, (shown, meant, frame) => {
                const { jointBoxes: boxes } = this.model;
                for (let joint = 0; joint < shown.length / 16; joint++) {
                    const own = (list: Float32Array | Float64Array) => list.subarray(joint * 16, joint * 16 + 16);
                    const box = boxes.subarray(joint * BOX_NUMBERS, (joint + 1) * BOX_NUMBERS);
                    const squared = squaredDistance(box, own(shown), own(meant) as Float32Array, max[0]);
                    if (squared > max[0]!) worst = { joint, time: frames.times[frame]! };
                    max[0] = squared;
                }
                return true;
            });
            return true;
        });
        const grid = frameTimesOf(timeline);
        const morph = this.worstMorph(grid, this.adds ? 0 : max[0]!, false);
        const error = this.wholeOf(max[0]!, morph?.squared ?? 0);
        if (morph !== null && morph.squared > max[0]!)
            return { error, joint: -1, node: morph.node, time: grid[morph.frame]! };
        return { error, ...worst };
    }

    /**
     * Evaluates the rows of the clip in batches, each with the row before it.
     *
     * @param look Gets the first row's frame, the rows in the form that players interpolate, and the squared error of
     * half floats. Returns false to stop.
     */
    private eachBatch(
        timeline: Timeline,
        look: (frames: ClipFrames, first: number, rows: Float32Array, half: number) => boolean,
    ): void {
        const { model, rows } = this;
        const { rowFloats, poses } = model;
        const frames = this.framesOf(timeline);
        for (let first = 0; first < frames.times.length; first += poses.capacity) {
            const count = Math.min(frames.times.length - first, poses.capacity);
            const before = first === 0 ? 0 : 1;
            if (before > 0) rows.copyWithin(0, rows.length - rowFloats);
            const own = rows.subarray(rowFloats, (1 + count) * rowFloats);
            const half = this.source.evaluate(frames, first, own, before);
            const all = rows.subarray((1 - before) * rowFloats, (1 + count) * rowFloats);
            if (!look(frames, first - before, this.source.asMixed(all), half)) return;
        }
    }

    private framesOf(timeline: Timeline): ClipFrames {
        if (this.frames?.timeline !== timeline) {
            const times = withJumps(frameTimesOf(timeline), this.jumps);
            const nearest = new Uint8Array(times.length - 1);
            if (this.jumps.size > 0)
                for (let i = 0; i < nearest.length; i++) if (this.jumps.has(times[i + 1]!)) nearest[i] = HELD;
            this.frames = {
                timeline,
                frames: { animation: this.animation, times, discontinuities: [], late: 0, nearest },
            };
        }
        return this.frames.frames;
    }

    /** @param several Whether the part has intervals without fast motion. */
    private isAllowed(squared: number, from: number, to: number, several = false): boolean {
        if (!Number.isFinite(squared)) throw notFiniteBetween(this.selection, this.animation);
        const isFast = !several && this.fast.some(([start, end]) => from < end && to > start);
        return distanceOf(squared) <= (isFast ? this.limit : this.allowed);
    }
}
