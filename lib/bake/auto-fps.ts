// SPDX-License-Identifier: MIT

import { ToleranceError } from '../errors';
import { allowedError, notFiniteBetween } from './clip';
import type { Clock } from './clock';
import { clipName, type PlannedClip, planBake, refuseTooLarge, type Selection } from './plan';
import { framesOf, PlaybackJudge } from './playback';
import { RowSource } from './row-source';
import type { SkinModel } from './skin-model';

const MAX_FPS = 240;
/** No array has smaller rows: what is too large by this need not be tried. */
const LEAST_ROW_BYTES = 4;

/**
 * The lowest whole rate, up to 240 a second, at which no clip of no skin is further off between its rows than is allowed,
 * when these are interpolated linearly.
 *
 * @throws ToleranceError where there is none; InputError as `bakeSkin`.
 */
export async function findRate(selection: Selection, models: readonly SkinModel[], clock: Clock): Promise<number> {
    const trials = models.map((model) => new Trial(selection, model));
    // What was too much at one rate mostly is at the next, so that is tried first: a low rate then costs next to nothing.
    const order: Candidate[] = trials.flatMap((trial) => selection.animations.map((_, clip) => ({ trial, clip })));
    for (let rate = 1; ; rate++) {
        const plan = planBake(selection, [rate, 1]);
        for (const { skin } of models) refuseTooLarge(plan, skin, LEAST_ROW_BYTES);
        let failed = -1;
        for (let i = 0; i < order.length && failed < 0; i++) {
            const { trial, clip } = order[i]!;
            if (!trial.holds(plan.clips[clip]!)) failed = i;
            if (clock.advance(0)) await clock.turnOver();
        }
        if (failed < 0) return rate;
        const [worst] = order.splice(failed, 1);
        order.unshift(worst!);
        if (rate === MAX_FPS) throw beyond(selection, worst!, worst!.trial.jumpsIn(plan.clips[worst!.clip]!));
    }
}

function beyond({ scene, file, animations }: Selection, { trial, clip }: Candidate, jumps: number): Error {
    const name = clipName(scene, animations[clip]!);
    const allowed = `more than the ${trial.allowed} of maxError`;
    const why = jumps > 0 ? `; it jumps ${jumps} times, and jumps between frames are late at any rate` : '';
    return new ToleranceError(
        `${file}: ${name} is off by ${allowed} at ${MAX_FPS} frames per second, the most of 'auto'${why}`,
    );
}

interface Candidate {
    readonly trial: Trial;
    /** Index into the clips that are baked. */
    readonly clip: number;
}

/** Bakes clips of one skin for nothing but their error. */
class Trial {
    readonly allowed: number;
    private readonly source: RowSource;
    private readonly judge: PlaybackJudge;
    private readonly rows: Float32Array;

    constructor(
        private readonly selection: Selection,
        private readonly model: SkinModel,
    ) {
        this.allowed = allowedError(selection, model);
        this.source = new RowSource(selection, model);
        this.judge = new PlaybackJudge(model);
        this.rows = new Float32Array((1 + model.poses.capacity) * model.rowFloats);
    }

    /** Whether a clip is nowhere further off than is allowed. */
    holds({ animation, timeline }: PlannedClip): boolean {
        const { model, rows } = this;
        const { rowFloats, poses } = model;
        const frames = framesOf(animation, timeline, model.channels.get(animation)!);
        const greatest = Float64Array.of(0, Infinity); // of the nearest row nobody asks here
        for (let first = 0; first < timeline.frameCount; first += poses.capacity) {
            const count = Math.min(timeline.frameCount - first, poses.capacity);
            const before = first === 0 ? 0 : 1;
            if (before > 0) rows.copyWithin(0, rows.length - rowFloats);
            const half = this.source.evaluate(frames, first, rows.subarray(rowFloats, (1 + count) * rowFloats));
            if (half > greatest[0]!) greatest[0] = half;
            if (!this.isAllowed(greatest[0]!)) return false;
            this.judge.judge(
                greatest,
                frames,
                first - before,
                rows.subarray((1 - before) * rowFloats, (1 + count) * rowFloats),
            );
            if (!Number.isFinite(greatest[0]!)) throw notFiniteBetween(this.selection, animation);
            if (!this.isAllowed(greatest[0]!)) return false;
        }
        return true;
    }

    /** Discontinuities of a clip. */
    jumpsIn({ animation, timeline }: PlannedClip): number {
        return framesOf(animation, timeline, this.model.channels.get(animation)!).discontinuities.length;
    }

    /** As the manifest will say it, in float32. */
    private isAllowed(squared: number): boolean {
        return Math.fround(Math.sqrt(squared)) <= this.allowed;
    }
}
