// SPDX-License-Identifier: MIT

import { inputName, namingOptions, ToleranceError } from '../../base/errors';
import { significant } from '../../base/messages';
import type { Clock } from '../../base/progress';
import type { FrameRate } from '../../format/manifest';
import type { Warning } from '../../gltf/scene';
import { allowedError, notFiniteBetween } from '../clip';
import { columnName } from '../plan/character';
import { frameTimesOf, jumpTimesOf, type Timeline, timelineOf } from '../plan/frames';
import { hasWeights } from '../plan/options';
import { clipName, type FoundRates, planBake, refuseTooLarge, refuseTooManyRows, type Selection } from '../plan/plan';
import { squaredDistance } from '../rows/displacement';
import { RowSource } from '../rows/row-source';
import type { SkinModel } from '../rows/skin-model';
import { MorphJudge } from './morph-judge';
import { type ClipFrames, PlaybackJudge } from './playback';
import { HELD, SAMPLES } from './playback-error';

const MAX_FPS = 240;
/** No array has smaller rows: what is too large by this need not be tried. */
const MIN_ROW_BYTES = 4;
/** Intervals that are judged together, of which one that fails is then looked for. */
const TOGETHER = 8;
/** The next bound, 1% of the extent, for a clip that cannot keep to the default one. */
const COARSE = 10;
/** Where 240 frames a second are off by more than that, a rate may be off by this much more than they are. */
const NEAR = 1.25;
/** Seconds: jumps that are closer than a thousandth of a frame, or than key times that are rounded twice, are one. */
const ONE_JUMP = 1e-3 / MAX_FPS;
const ROUNDED_TWICE = 2 ** -22;
/** Key times are rounded: what is longer by less is as long. */
const ROUNDED = 1.001;
/** Seconds: closer keys are looked at as often as the highest rate does. */
const MIN_KEY_GAP = 1 / MAX_FPS / 4;
/** An interval with this many gaps between keys has two samples in each. */
const KEYS_SEEN = (SAMPLES + 1) / 2;

/**
 * For each clip the lowest whole rate, up to 240 a second, at which no skin is off by more between its rows than is allowed,
 * when these are interpolated linearly, and which shows each pose that lasts from one jump to the next. How late jumps are does
 * not count: they are late at any rate that does not meet them; an interval with jumps is judged in its parts between them.
 * A clip that has poses too short for 240 rows a second gets that rate and a warning. Where no rate is enough and the error is the
 * default one, the clip gets the lowest rate that keeps to ten times as much or is about as near as 240, and a warning.
 *
 * @param onTrial Called now and then with the rate that is tried.
 * @throws ToleranceError where there is none for an error that was asked for; InputError as `bakeSkin`.
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
        // Where a clip was off by too much at one rate it mostly is at the next, so that is looked at first: a low rate then
        // costs next to nothing.
        const places: Place[] = [];
        const search = async (isLast: boolean): Promise<number | null> => {
            for (let rate = 1; rate <= MAX_FPS; rate++) {
                const at = timelineAt(rate);
                const size = { file, recipe, rows: others + at.frameCount };
                // Where a coarser rate may do, rows count once one is found.
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
                for (const [i, trial] of trials.entries())
                    trial.limit = Math.max(COARSE * trial.allowed, NEAR * errors[i]!);
                const isCoarse = trials.every(({ allowed, limit }) => limit <= COARSE * allowed);
                near = isCoarse
                    ? `, the lowest that keeps within ${COARSE} times that,`
                    : `, about as near as ${MAX_FPS},`;
                for (const trial of trials) if (trial.limit > COARSE * trial.allowed) trial.addHolds(highest);
                rate = (await search(true)) ?? MAX_FPS;
            } else rate = MAX_FPS;
            if (rate === MAX_FPS) near = '';
            refuseTooManyRows({ file, recipe, rows: others + timelineAt(rate).frameCount });
            const reasons: string[] = [];
            if (exceeds) {
                const { allowed, text } = worstOf(selection, trials, timelineAt(rate));
                const rule = `no rate up to ${MAX_FPS} keeps within ${significant(allowed, 3)}, a thousandth of the extent`;
                reasons.push(`${rule}: at ${rate} frames per second${near} ${text}`);
            }
            if (lost > 0) {
                const poses = `${lost} of ${trials.reduce((most, { poses: own }) => Math.max(most, own), 0)} poses`;
                reasons.push(
                    `${poses} between jumps are in no row at ${rate} frames per second, the most that 'auto' tries`,
                );
            }
            const message = `${clipName(scene, animation)}: ${reasons.join('; ')}`;
            if (reasons.length > 0)
                warnings.push({ code: 'AUTO_FPS_INEXACT', pointer: `/animations/${animation}`, message });
        }
        rows = others + timelineAt(rate).frameCount;
        rates.push([rate, 1]);
    }
    return { rates, warnings };
}

/** @param places Where it did not hold before, the last first; gets one more where it does not hold elsewhere. */
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
    return true;
}

function beyond(selection: Selection, animation: number, trials: readonly Trial[], timeline: Timeline): ToleranceError {
    const name = `${inputName(selection.file)}: ${clipName(selection.scene, animation)}`;
    const { allowed, halves, text } = worstOf(selection, trials, timeline);
    return namingOptions((option) => {
        const rule = `more than the ${significant(allowed)} of ${option('maxError')}`;
        if (halves) return new ToleranceError(`${name}: ${text}, ${rule}: ${trials[0]!.instead}`);
        const most = `at ${MAX_FPS} frames per second, the most that 'auto' tries, ${text}`;
        return new ToleranceError(`${name}: ${most}, ${rule}: allow more, or choose a rate`);
    });
}

/** Where the clip is off by most, in words; `halves` where half floats alone are to blame. */
function worstOf({ scene }: Selection, trials: readonly Trial[], timeline: Timeline) {
    const found = trials.map((trial) => ({ trial, ...trial.worstOf(timeline) }));
    const { trial, error, joint, node, time } = found.reduce((worst, one) => (one.error > worst.error ? one : worst));
    const { allowed } = trial;
    const off = `off by ${significant(error)}`;
    if (joint < 0 && node === undefined) return { allowed, halves: true, text: `half floats are ${off}` };
    const which =
        node === undefined
            ? `${columnName(scene, trial.model.character, joint)} is`
            : `the morph weights of node ${node} '${scene.nodes[node]!.name}' are`;
    return { allowed, halves: false, text: `${which} ${off} at ${significant(time)} s` };
}

/** Where a clip is off by the maximum. */
interface Worst {
    /** Model units. */
    readonly error: number;
    /** Column; -1 where half floats or morph weights are to blame. */
    readonly joint: number;
    /** Whose morph weights are to blame. */
    readonly node?: number;
    /** Seconds in the animation: of the frame before. */
    readonly time: number;
}

/** Where a clip was off by too much. */
interface Place {
    readonly trial: Trial;
    /** Seconds in the animation. */
    readonly time: number;
}

/**
 * Frames that have each jump between two of them, at its time and at the float before. A player holds the row before a jump
 * for a whole interval, which counts as lateness: without these a rate would do that is so low that every interval has a jump.
 */
function withJumps(frames: Float32Array, jumps: ReadonlySet<number>): Float32Array {
    if (jumps.size === 0) return frames;
    const within = Float32Array.from(jumps).filter((time) => time > frames[0]! && time <= frames[frames.length - 1]!);
    const before = within.slice();
    const bits = new Int32Array(before.buffer);
    for (let i = 0; i < bits.length; i++) bits[i]!--; // a float above 0 becomes the one below
    return Float32Array.from(new Set([...frames, ...within, ...before])).sort();
}

function sorted(times: readonly number[]): number[] {
    return [...Float64Array.from(times).sort()];
}

/** Ascending times, each at least so far behind the last one that is kept. */
function apartBy(times: readonly number[], gapAt: (time: number) => number): number[] {
    let last = -Infinity;
    return times.filter((time) => {
        if (time - last < gapAt(time)) return false;
        last = time;
        return true;
    });
}

/** How many of ascending times are up to a time. */
function countUpTo(times: readonly number[], time: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (times[middle]! <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** As the manifest will say it, in float32. */
function distanceOf(squared: number): number {
    return Math.fround(Math.sqrt(squared));
}

/** Bakes clips of one character for nothing but their error. */
class Trial {
    readonly allowed: number;
    /** What is tried: `allowed`, or more where that cannot be kept. */
    limit = 0;
    private readonly source: RowSource;
    private readonly judge: PlaybackJudge;
    private readonly rows: Float32Array;
    /** Null where no output has weights. */
    private readonly morphs: MorphJudge | null;
    private animation = 0;
    /** When the skin jumps. */
    private jumps: ReadonlySet<number> = new Set();
    /** When a pose begins that has to be in a row, ascending: all but the first one. */
    private holds: readonly number[] = [];
    /** When keys are, ascending; and the shortest time between two. */
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
    }

    /** What to do where half floats do not hold it. */
    get instead(): string {
        return this.source.instead;
    }

    /** The clip that is meant from here on. */
    begin(animation: number): void {
        const channels = this.model.channels.get(animation)!;
        this.animation = animation;
        this.limit = this.allowed;
        this.jumps = new Set(jumpTimesOf(channels));
        this.holds = this.holdsOf();
        // Many channels of a clip share their times.
        const times = [...new Set(channels.map((channel) => channel.times))];
        this.keys = apartBy(sorted(times.flatMap((own) => [...own])), () => MIN_KEY_GAP);
        this.keyGap = this.keys.reduce(
            (gap, key, i) => (i > 0 ? Math.min(gap, key - this.keys[i - 1]!) : gap),
            Infinity,
        );
    }

    /** Poses that last from one jump to the next, or to the end. */
    get poses(): number {
        return this.holds.length + 1;
    }

    /**
     * When jumps are, those that together are no more than is allowed left out: what is after them is as good as what is before.
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
     * Adds poses that begin after what is too fast for a rate. Keys may be held and then followed by others within a fraction of a frame:
     * that is off by as much at any rate, and the poses need a row as those between jumps do.
     */
    addHolds(timeline: Timeline): void {
        const limit = COARSE * this.allowed;
        const fast: (readonly [from: number, to: number])[] = [];
        const { mixedFloats } = this.source;
        this.eachBatch(timeline, (frames, first, rows) => {
            for (let at = 0; at + 2 * mixedFloats <= rows.length; at += mixedFloats) {
                const frame = first + at / mixedFloats;
                const max = Float64Array.of(0, Infinity);
                this.judge.judge(max, frames, frame, rows.subarray(at, at + 2 * mixedFloats));
                if (distanceOf(max[0]!) > limit) fast.push([frames.times[frame]!, frames.times[frame + 1]!]);
            }
            return true;
        });
        const grid = frameTimesOf(timeline);
        for (let frame = 0; this.morphs !== null && frame < grid.length - 1; frame++) {
            if (this.worstMorph(grid, limit * limit, true, frame, frame + 1) !== null)
                fast.push([grid[frame]!, grid[frame + 1]!]);
        }
        fast.sort(([a], [b]) => a - b);
        const ends: number[] = [];
        for (const [from, to] of fast) {
            // What goes on is not over.
            const last = ends.length > 0 && from <= ends.at(-1)! ? ends.pop()! : to;
            ends.push(Math.max(last, to));
        }
        this.holds = apartBy(sorted([...this.holds, ...ends]), () => ROUNDED / MAX_FPS);
    }

    /**
     * Whether each pose between two jumps has a row, and a frame lasts no longer than the shortest of them: otherwise some are shown
     * twice as long as others. Poses too short for 240 frames a second need only a row.
     */
    showsPoses(timeline: Timeline): boolean {
        if (this.holds.length === 0 || timeline.rate === null) return true;
        let shortest = Infinity;
        for (let i = 1; i < this.holds.length; i++) shortest = Math.min(shortest, this.holds[i]! - this.holds[i - 1]!);
        const [frames, seconds] = timeline.rate;
        return seconds / frames <= Math.max(shortest, 1 / MAX_FPS) * ROUNDED && this.posesLost(timeline) === 0;
    }

    /** How many poses between two jumps are in no row. */
    posesLost(timeline: Timeline): number {
        if (this.holds.length === 0) return 0;
        const times = frameTimesOf(timeline);
        let frame = 0;
        let before = 0;
        let lost = 0;
        for (const hold of this.holds) {
            while (frame < times.length && times[frame]! < hold) frame++;
            if (frame === times.length) break; // behind the last frame
            if (frame === before) lost++;
            before = frame;
        }
        return lost;
    }

    /** Whether the interval at a time is off by no more than the limit. */
    holdsNear(timeline: Timeline, time: number): boolean {
        const frames = this.framesOf(timeline);
        const after = frames.times.findIndex((frame) => frame > time);
        const first = Math.max((after < 0 ? frames.times.length : after) - 1, 0);
        const count = Math.min(2, frames.times.length - first);
        const rows = this.rows.subarray(0, count * this.model.rowFloats);
        const max = Float64Array.of(this.source.evaluate(frames, first, rows, 0), Infinity);
        this.judge.judge(max, frames, first, this.source.asMixed(rows));
        if (!this.isAllowed(max[0]!)) return false;
        if (count === 2 && !this.holdsAtKeys(frames, first, this.source.asMixed(rows))) return false;
        if (this.morphs?.moves(this.animation) !== true) return true;
        const grid = frameTimesOf(timeline);
        const next = grid.findIndex((frame) => frame > time);
        return next <= 0 || this.morphFailure(grid, next - 1, next) === null;
    }

    /** The middle of an interval that is off by too much, or beside one; null where none is. */
    firstFailure(timeline: Timeline): number | null {
        const { mixedFloats } = this.source;
        let time: number | null = null;
        this.eachBatch(timeline, (frames, first, rows, half) => {
            const last = first + rows.length / mixedFloats - 1;
            const isAllowed = (begin: number, end: number) => {
                const max = Float64Array.of(half, Infinity); // of the nearest row nobody asks here
                const part = rows.subarray((begin - first) * mixedFloats, (end - first + 1) * mixedFloats);
                this.judge.judge(max, frames, begin, part);
                return this.isAllowed(max[0]!);
            };
            for (let begin = first; time === null && begin <= last; begin += TOGETHER) {
                if (isAllowed(begin, Math.min(begin + TOGETHER, last))) continue;
                let frame = begin;
                while (frame < last && isAllowed(frame, frame + 1)) frame++;
                time = (frames.times[frame]! + (frames.times[frame + 1] ?? frames.times[frame]!)) / 2;
            }
            for (let frame = first; time === null && frame < last; frame++) {
                const pair = rows.subarray((frame - first) * mixedFloats, (frame - first + 2) * mixedFloats);
                if (!this.holdsAtKeys(frames, frame, pair))
                    time = (frames.times[frame]! + frames.times[frame + 1]!) / 2;
            }
            return time === null;
        });
        return time ?? this.morphFailure(frameTimesOf(timeline));
    }

    /**
     * Whether an interval is within the limit when each stretch between two keys is looked at twice or more. Eighths of a long interval
     * may miss what happens between them.
     *
     * @param pair The rows at both ends, as they are mixed.
     */
    private holdsAtKeys({ animation, times, nearest }: ClipFrames, frame: number, pair: Float32Array): boolean {
        if (nearest[frame] === HELD) return true;
        const [from, to] = [times[frame]!, times[frame + 1]!];
        if (to - from <= this.keyGap * KEYS_SEEN) return true;
        let gap = Infinity;
        for (let key = Math.max(countUpTo(this.keys, from), 1); key < this.keys.length; key++) {
            if (this.keys[key - 1]! >= to) break;
            gap = Math.min(gap, this.keys[key]! - this.keys[key - 1]!);
        }
        const parts = Math.ceil((to - from) / (gap * KEYS_SEEN));
        if (parts <= 1) return true;
        // Between rows that are mixed of two, players show what they show between the two: those of `qts16` are on one side.
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
        return this.isAllowed(max[0]!);
    }

    /** The middle of an interval where morph weights are off by too much. */
    private morphFailure(grid: Float32Array, from = 0, end = grid.length - 1): number | null {
        const place = this.worstMorph(grid, this.limit * this.limit, true, from, end);
        if (place === null) return null;
        this.isAllowed(place.squared); // or it is not finite
        return (grid[place.frame]! + grid[place.frame + 1]!) / 2;
    }

    /** Poses are evaluated only where weights are off: their matrices scale what the weights displace. */
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

    /** Of the whole clip, without where it is, which takes longer. */
    errorOf(timeline: Timeline): number {
        const max = Float64Array.of(0, Infinity);
        this.eachBatch(timeline, (frames, first, rows, half) => {
            max[0] = Math.max(max[0]!, half);
            this.judge.judge(max, frames, first, rows);
            return true;
        });
        return distanceOf(this.worstMorph(frameTimesOf(timeline), max[0]!, false)?.squared ?? max[0]!);
    }

    /** Of the whole clip. */
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
            return true;
        });
        const grid = frameTimesOf(timeline);
        const morph = this.worstMorph(grid, max[0]!, false);
        if (morph !== null)
            return { error: distanceOf(morph.squared), joint: -1, node: morph.node, time: grid[morph.frame]! };
        return { error: distanceOf(max[0]!), ...worst };
    }

    /**
     * Evaluates the rows of the clip, a batch at a time, each with the row before it.
     *
     * @param look Gets the frame that the rows begin with, the rows as they are mixed, and how far half floats are off; false ends it.
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
                for (const i of nearest.keys()) if (this.jumps.has(times[i + 1]!)) nearest[i] = HELD;
            this.frames = {
                timeline,
                frames: { animation: this.animation, times, discontinuities: [], late: 0, nearest },
            };
        }
        return this.frames.frames;
    }

    private isAllowed(squared: number): boolean {
        if (!Number.isFinite(squared)) throw notFiniteBetween(this.selection, this.animation);
        return distanceOf(squared) <= this.limit;
    }
}
