// SPDX-License-Identifier: MIT

import { inputName, namingOptions, type OptionNames, ToleranceError } from '../errors';
import { significant } from '../messages';
import { columnName } from './character';
import { allowedError, notFiniteBetween } from './clip';
import { clipName, type PlannedClip, planBake, refuseTooLarge, type Selection } from './plan';
import { type ClipFrames, framesOf, PlaybackJudge } from './playback';
import type { Clock } from './progress';
import { RowSource } from './row-source';
import type { SkinModel } from './skin-model';

const MAX_FPS = 240;
/** No array has smaller rows: what is too large by this need not be tried. */
const MIN_ROW_BYTES = 4;

/**
 * The lowest whole rate, up to 240 a second, at which no clip of no skin is further off between its rows than is allowed,
 * when these are interpolated linearly. How late jumps are is not looked at: they are late at any rate that they do not keep to.
 *
 * @param onTrial Called now and then with the rate that is tried.
 * @throws ToleranceError where there is none; InputError as `bakeSkin`.
 */
export async function findRate(
    selection: Selection,
    models: readonly SkinModel[],
    clock: Clock,
    onTrial: (rate: number) => void = () => {},
): Promise<number> {
    const trials = models.map((model) => new Trial(selection, model));
    // What was too much at one rate is mostly too much at the next, so that is tried first: a low rate then costs next to nothing.
    const order: Candidate[] = trials.flatMap((trial) => selection.animations.map((_, clip) => ({ trial, clip })));
    for (let rate = 1; ; rate++) {
        const plan = planBake(selection, [rate, 1]);
        for (const { character } of models) refuseTooLarge(plan, character.nodes.length, MIN_ROW_BYTES);
        let failed = -1;
        for (let i = 0; i < order.length && failed < 0; i++) {
            const { trial, clip } = order[i]!;
            if (!trial.holds(plan.clips[clip]!)) failed = i;
            if (clock.advance(0)) {
                onTrial(rate);
                await clock.turnOver();
            }
        }
        if (failed < 0) return rate;
        const [worst] = order.splice(failed, 1);
        order.unshift(worst!);
        if (rate === MAX_FPS) {
            const where = worst!.trial.worstOf(plan.clips[worst!.clip]!);
            throw namingOptions((name) => beyond(selection, worst!, where, name));
        }
    }
}

function beyond(
    { scene, file, animations }: Selection,
    { trial, clip }: Candidate,
    worst: Worst,
    optionName: OptionNames,
): ToleranceError {
    const name = `${inputName(file)}: ${clipName(scene, animations[clip]!)}`;
    const allowed = `more than the ${significant(trial.allowed)} of ${optionName('maxError')}`;
    const { error, joint, time } = worst;
    if (joint < 0) {
        return new ToleranceError(`${name}: half floats are off by ${significant(error)}, ${allowed}: use f32`);
    }
    const off = `${columnName(scene, trial.model.character, joint)} is off by ${significant(error)} at ${significant(time)} s`;
    const rule = `at ${MAX_FPS} frames per second, the most that 'auto' tries, ${off}`;
    return new ToleranceError(`${name}: ${rule}, ${allowed}: allow more, or choose a rate`);
}

/** Where a clip is off by the maximum. */
interface Worst {
    /** Model units. */
    readonly error: number;
    /** Column; -1 where half floats are to blame. */
    readonly joint: number;
    /** Seconds in the animation: of the frame before. */
    readonly time: number;
}

interface Candidate {
    readonly trial: Trial;
    /** Index into the clips that are baked. */
    readonly clip: number;
}

/** Bakes clips of one character for nothing but their error. */
class Trial {
    readonly allowed: number;
    private readonly source: RowSource;
    private readonly judge: PlaybackJudge;
    private readonly rows: Float32Array;

    constructor(
        private readonly selection: Selection,
        readonly model: SkinModel,
    ) {
        this.allowed = allowedError(selection, model);
        this.source = new RowSource(selection, model);
        this.judge = new PlaybackJudge(model);
        this.rows = new Float32Array((1 + model.poses.capacity) * model.rowFloats);
    }

    /** Whether a clip is nowhere further off than is allowed. */
    holds(clip: PlannedClip): boolean {
        const max = Float64Array.of(0, Infinity); // of the nearest row nobody asks here
        return this.eachBatch(clip, (frames, first, rows, half) => {
            if (half > max[0]!) max[0] = half;
            if (!this.isAllowed(max[0]!)) return false;
            this.judge.judge(max, frames, first, rows);
            if (!Number.isFinite(max[0]!)) throw notFiniteBetween(this.selection, clip.animation);
            return this.isAllowed(max[0]!);
        });
    }

    /** Of a clip that does not hold. */
    worstOf(clip: PlannedClip): Worst {
        const max = Float64Array.of(0, Infinity);
        let worst = { joint: -1, time: 0 };
        this.eachBatch(clip, (frames, first, rows, half) => {
            if (half > max[0]!) {
                max[0] = half;
                worst = { joint: -1, time: 0 };
            }
            const place = this.judge.locate(max, frames, first, rows);
            if (place !== null) worst = { joint: place.joint, time: frames.times[place.frame]! };
            return true;
        });
        return { error: Math.fround(Math.sqrt(max[0]!)), ...worst };
    }

    /**
     * Evaluates the rows of a clip, a batch at a time, each with the row before it.
     *
     * @param look Gets the frame that the rows begin with, and how far half floats are off; false ends it.
     * @returns Whether it came to the end.
     */
    private eachBatch(
        { animation, timeline }: PlannedClip,
        look: (frames: ClipFrames, first: number, rows: Float32Array, half: number) => boolean,
    ): boolean {
        const { model, rows } = this;
        const { rowFloats, poses } = model;
        const frames = framesOf(animation, timeline, model.channels.get(animation)!);
        for (let first = 0; first < timeline.frameCount; first += poses.capacity) {
            const count = Math.min(timeline.frameCount - first, poses.capacity);
            const before = first === 0 ? 0 : 1;
            if (before > 0) rows.copyWithin(0, rows.length - rowFloats);
            const half = this.source.evaluate(frames, first, rows.subarray(rowFloats, (1 + count) * rowFloats));
            const all = rows.subarray((1 - before) * rowFloats, (1 + count) * rowFloats);
            if (!look(frames, first - before, all, half)) return false;
        }
        return true;
    }

    /** As the manifest will say it, in float32. */
    private isAllowed(squared: number): boolean {
        return Math.fround(Math.sqrt(squared)) <= this.allowed;
    }
}
