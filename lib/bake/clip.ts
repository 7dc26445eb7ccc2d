// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, ToleranceError } from '../base/errors';
import { significant } from '../base/messages';
import type { Clock } from '../base/progress';
import type { ManifestClip, ManifestError } from '../format/manifest';
import type { GltfScene } from '../gltf/scene';
import { squaredDistance } from '../rig/measure/displacement';
import { emptyBox, roundedSide } from '../rig/measure/geometry';
import { isLoop } from '../rig/measure/loops';
import type { Batch } from './arrays/array';
import type { Bin } from './arrays/bin';
import { columnName } from './plan/character';
import { hasWeights } from './plan/options';
import { type BakePlan, clipName, type PlannedClip } from './plan/plan';
import { allowedRounding, hintOf } from './plan/tolerance';
import type { MorphJudge } from './playback/morph-judge';
import { type ClipFrames, framesOf, type PlaybackJudge } from './playback/playback';
import { allFinite } from './rows/floats';
import type { RowSource } from './rows/row-source';
import type { SharingJudge } from './rows/sharing';
import type { SkinModel } from './rows/skin-model';
import { clipWarnings, type Warner } from './warnings';

export interface Target {
    readonly plan: BakePlan;
    readonly model: SkinModel;
    readonly clock: Clock;
    readonly source: RowSource;
    readonly judge: PlaybackJudge;
    readonly morphs: MorphJudge;
    readonly sharing: SharingJudge;
    readonly bin: Bin;
    /** Rows of all clips, if the palette array holds float32 4x4 matrices; otherwise null. */
    readonly palette: Float32Array | null;
    /** If `palette` is null: space for a batch of rows, with the row before them. */
    readonly scratch: Float32Array;
    readonly warn: Warner;
    /** Maximum playback error of the clips so far, and the first frame of its batch. */
    worst: { readonly squared: number; readonly frames: ClipFrames; readonly first: number } | null;
}

/** @throws InputError `NOT_FINITE`; ToleranceError for half floats; the reason of the clock's signal. */
export async function bakeClip(
    target: Target,
    { animation, firstRow, rate: own, timeline, events }: PlannedClip,
): Promise<ManifestClip> {
    const { plan, model, clock, source, judge, morphs, sharing, warn } = target;
    const { scene } = plan;
    const { frameCount, rate } = timeline;
    const { rowFloats, poses } = model;
    const channels = model.channels.get(animation)!;
    const frames = framesOf(animation, timeline, channels);
    for (const warning of clipWarnings(plan, animation, model.character, channels, frames.times)) warn(warning);

    const box = emptyBox();
    const max = new Float64Array(2);
    let halfError = 0;
    let maxMorph = hasWeights(plan.recipe.emit) && morphs.moves(animation) ? 0 : null;
    const firstPose = new Float32Array(rowFloats);
    const lastPose = new Float32Array(rowFloats);
    for (let first = 0; first < frameCount; first += poses.capacity) {
        const count = Math.min(frameCount - first, poses.capacity);
        const before = first === 0 ? 0 : 1;
        const rows = rowsOf(target, firstRow + first, before, count);
        const palette = rows.subarray(before * rowFloats);
        clock.start();
        const squared = source.evaluate(frames, first, palette, before);
        clock.stop();
        halfError = Math.max(halfError, squared);
        model.addRows(box, palette, 0, count);
        sharing.add(palette, model.jointBoxes);
        const mixed = source.asMixed(rows);
        const own = mixed.subarray(before * source.mixedFloats);
        const batch = { animation, times: frames.times, frame: first, row: firstRow + first, count, poses, palette };
        write(target, { ...batch, mixed: own });
        const worst = judge.judge(max, frames, first - before, mixed);
        if (worst >= 0 && max[0]! > (target.worst?.squared ?? 0))
            target.worst = { squared: max[0]!, frames, first: worst };
        if (maxMorph !== null) {
            const begin = first - before;
            const rowOf = (frame: number) =>
                rows.subarray((frame - begin) * rowFloats, (frame - begin + 1) * rowFloats);
            maxMorph = morphs.judge(frames, begin, first + count - 1, rowOf, maxMorph)?.squared ?? maxMorph;
        }
        if (first === 0) firstPose.set(palette.subarray(0, rowFloats));
        lastPose.set(palette.subarray(-rowFloats));
        if (clock.advance(count)) await clock.turnOver();
    }
    refuseHalves(target, animation, halfError);
    if (!Number.isFinite(max[0]! + max[1]! + (maxMorph ?? 0))) throw notFiniteBetween(plan, animation);
    const bounds = Array.from(box, roundedSide);
    if (!bounds.every(Number.isFinite)) throw notFiniteIn(plan, animation, 'bounds');
    const error = errorOf(
        max.map((squared) => Math.max(squared, halfError)),
        maxMorph,
        frames.late,
        model.extent,
    );
    if (Object.values(error).some((figure) => figure !== undefined && !Number.isFinite(figure)))
        throw notFiniteIn(plan, animation, 'error');
    const ends = [firstPose, lastPose];
    const apart = Math.max(
        squaredDistance(model.wholeBoxes, firstPose, lastPose),
        morphs.apart(animation, frames.times[0]!, frames.times[frameCount - 1]!, (row) => ends[row]!),
    );
    return {
        name: scene.animations[animation]!.name,
        animation,
        firstRow,
        frameCount,
        duration: Math.fround(timeline.duration),
        start: timeline.start > 0 ? timeline.start : undefined,
        fps: rate === null ? null : rate[0] / rate[1],
        rate: rate === null || own[0] / own[1] === plan.rate[0] / plan.rate[1] ? undefined : own,
        lastFrameTime: timeline.lastShortened ? Math.fround(timeline.duration) : undefined,
        loop: isLoop(apart, model.extent),
        animated: channels.length > 0,
        discontinuities: frames.discontinuities,
        bounds,
        error,
        events: events.length > 0 ? events : undefined,
        extras: scene.animations[animation]!.extras,
    };
}

/** Where the error of interpolated rows is maximal. */
export interface WorstPlace {
    /** Animation index in the source. */
    readonly animation: number;
    /** Column of the palette: a joint or an attachment. */
    readonly column: number;
    /** The column's name in messages. */
    readonly what: string;
    /** Seconds in the animation, at the frame before. */
    readonly time: number;
}

/** Finds the column with the maximum error after all clips are baked. Null if there is no error. */
export function worstPlaceOf({ worst, plan, model, source, judge }: Target): WorstPlace | null {
    if (worst === null) return null;
    const { frames, first } = worst;
    const rows = new Float32Array(Math.min(judge.intervals + 1, frames.times.length - first) * model.rowFloats);
    source.evaluate(frames, first, rows, 0);
    const place = judge.locate(Float64Array.of(0, Infinity), frames, first, source.asMixed(rows));
    if (place === null) return null;
    const { joint: column, frame } = place;
    const what = columnName(plan.scene, model.character, column);
    return { animation: frames.animation, column, what, time: frames.times[frame]! };
}

/** Space for the rows of a batch. The row before them, if there is one, comes first. */
function rowsOf({ palette, scratch, model }: Target, row: number, before: number, count: number): Float32Array {
    const { rowFloats } = model;
    if (palette !== null) return palette.subarray((row - before) * rowFloats, (row + count) * rowFloats);
    // The batch before was full, so its last row is at the end of the scratch.
    if (before > 0) scratch.copyWithin(0, scratch.length - rowFloats);
    return scratch.subarray((1 - before) * rowFloats, (1 + count) * rowFloats);
}

function write({ bin, plan }: Target, batch: Batch): void {
    for (const { array, write } of bin.writers) {
        try {
            write(batch);
        } catch (error) {
            if ((error as { code?: unknown }).code !== 'ERR_NOT_FINITE') throw error;
            throw notFiniteIn(plan, batch.animation, array.name);
        }
        if (array.dtype === 'f16' || array.name === 'palette' || array.rows !== undefined) continue;
        const view = bin.view(array) as Float32Array;
        const width = view.length / plan.rows;
        if (!allFinite(view.subarray(batch.row * width, (batch.row + batch.count) * width))) {
            throw notFiniteIn(plan, batch.animation, array.name);
        }
    }
}

function refuseHalves({ plan, model, source }: Target, animation: number, squared: number): void {
    if (plan.recipe.dtype === 'f32') return;
    const error = Math.fround(Math.sqrt(squared));
    const allowed = allowedRounding(plan, model);
    if (error <= allowed) return;
    const clip = `${inputName(plan.file)}: ${clipName(plan.scene, animation)}`;
    throw namingOptions((name) => {
        const limit = `more than the ${significant(allowed)} of ${name('maxError')}`;
        const hint = hintOf(plan, model);
        return new ToleranceError(
            `${clip}: half floats are off by ${significant(error)}, ${limit}: ${source.instead}${hint}`,
        );
    });
}

function errorOf([lerp, nearest]: Float64Array, morph: number | null, late: number, extent: number): ManifestError {
    const maxLerp = Math.sqrt(lerp!);
    const maxMorph = morph === null ? null : Math.sqrt(morph);
    const maxNearest = Math.sqrt(nearest!);
    const share = (error: number) => Math.fround(extent > 0 ? error / extent : 0);
    return {
        maxLate: Math.fround(late),
        maxLerp: Math.fround(maxLerp),
        maxLerpShare: share(maxLerp),
        maxMorph: maxMorph === null ? undefined : Math.fround(maxMorph),
        maxMorphShare: maxMorph === null ? undefined : share(maxMorph),
        maxNearest: Math.fround(maxNearest),
        maxNearestShare: share(maxNearest),
    };
}

function notFiniteIn({ scene, file }: BakePlan, animation: number, array: string): InputError {
    const what = array === 'error' ? "the clip's error" : `a number of the array ${array}`;
    const rule = `${clipName(scene, animation)}: ${what} is not finite`;
    return new InputError('NOT_FINITE', file, `/animations/${animation}`, rule);
}

export function notFiniteBetween(
    { scene, file }: { readonly scene: GltfScene; readonly file: string },
    animation: number,
): InputError {
    const rule = `${clipName(scene, animation)}: a pose between two frames is not finite`;
    return new InputError('NOT_FINITE', file, `/animations/${animation}`, rule);
}
