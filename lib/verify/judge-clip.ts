// SPDX-License-Identifier: MIT

import { significant } from '../base/messages';
import { boxOf, sideRounding } from './arrays/bounds';
import { type ArrayCheck, type Found, isWorse, type Judged, ofHalves, type RowPose } from './arrays/check';
import { emptyBox } from './box';
import { type AddProblem, type JudgedClip, STATED } from './check-manifest';
import { scaleOf } from './metric';
import { Playback } from './playback';
import { poseAt } from './pose';
import type { Progress } from './progress';
import { bytesOf } from './read-bake';
import type { Rounding } from './rounding';
import type { Sharing } from './sharing';
import { type ThreeJudge, threeDifferences } from './three';
import type { ArrayVerdict, ClipVerdict } from './verdict';

/** The maximum error so far. */
interface Worst extends Found {
    readonly frame: number;
}

/** The objects that judge all clips of a bake. */
export interface ClipJudge {
    readonly judged: Judged;
    readonly checks: readonly ArrayCheck[];
    readonly sharing: Sharing;
    /** Null if only the evaluator judges. */
    readonly three: ThreeJudge | null;
    readonly progress: Progress;
    readonly addProblem: AddProblem;
}

/** Judges every row of a clip, by the evaluator and, if it is given, by three.js. */
export async function judgeClip(
    { judged, checks, sharing, three, progress, addProblem }: ClipJudge,
    clip: JudgedClip,
): Promise<ClipVerdict> {
    const { subject, files } = judged;
    const { animation, firstRow, times } = clip;
    const { manifest, bin } = files;
    const fits = ({ array }: ArrayCheck) => {
        const { byteOffset, byteLength, dtype, shape } = manifest.arrays[array]!;
        const rowBytes = shape.slice(1).reduce((product, n) => product * n, bytesOf(dtype)!);
        const bytes = (firstRow + times.length) * rowBytes;
        // The stated length can differ from the file's.
        return bytes <= byteLength && byteOffset + bytes <= bin.length;
    };
    const usable = bin.length === 0 ? [] : checks.filter(fits);
    const byDouble: Worst[] = [];
    const byThree: Worst[] = [];
    const described = manifest.clips[clip.index]!;
    const stated = described.bounds;
    const box = emptyBox();
    // Playback needs a palette of this skin's shape.
    const hasRows = manifest.arrays.palette === undefined || usable.some(({ array }) => array === 'palette');
    const playback = hasRows ? new Playback(judged, clip) : null;
    three?.start(animation, times);
    let first: RowPose | null = null;
    let worstRounding = 0;
    for (const [frame, time] of times.entries()) {
        const evaluated = poseAt(subject, animation, time);
        const pose: RowPose = { ...evaluated, rounding: judged.roundingOf(evaluated) };
        first ??= pose;
        const row = firstRow + frame;
        let shown: RowPose | null = null;
        if (three !== null) {
            shown = { ...pose, globals: pose.globals.slice() };
            await three.pose(frame, shown.globals, pose.base);
        }
        for (const [i, check] of usable.entries()) {
            keepWorst(byDouble, i, check, check.worst(row, pose, first), frame);
            if (shown !== null && check.byThree) keepWorst(byThree, i, check, check.worst(row, shown, first), frame);
        }
        worstRounding = Math.max(worstRounding, pose.rounding.worst);
        if (stated !== undefined) growBox(box, boxOf(judged, pose));
        playback?.add(frame, pose);
        sharing.add(pose);
        await progress.rowDone();
    }
    if (stated !== undefined && first !== null) {
        checkStatedBounds(judged, clip, stated, box, { worst: worstRounding, once: first.rounding.once }, addProblem);
    }
    const arrays = usable.map((check, i) => {
        const toleranceAt = ({ rounding }: Worst) => check.tolerance + rounding / check.scale;
        const limit = (found: Worst) => found.error / check.scale <= toleranceAt(found);
        const verdict = (found: Worst, oracle: 'double' | 'three', note?: string): ArrayVerdict => ({
            array: check.array,
            ok: limit(found),
            ...check.nameOf(found.item),
            frame: found.frame,
            time: times[found.frame]!,
            error: found.error,
            share: found.error / check.scale,
            tolerance: toleranceAt(found),
            oracle,
            ...(note === undefined ? {} : { note }),
        });
        if (three === null || !check.byThree) return verdict(byDouble[i]!, 'double');
        const reasons = limit(byThree[i]!) ? [] : threeDifferences(subject.evaluator, subject.chain, animation);
        if (reasons.length === 0) return verdict(byThree[i]!, 'three');
        const share = (byThree[i]!.error / check.scale).toExponential(1);
        const note = `three.js differs by design: ${reasons.join('; ')} (it is off by ${share} x extent)`;
        return verdict(byDouble[i]!, 'double', note);
    });
    // Playback of wrong rows means nothing.
    const judgedPlayback = arrays.some(({ array, ok }) => array === 'palette' && !ok) ? null : playback;
    judgedPlayback?.check(described, addProblem);
    const ok = arrays.every((verdict) => verdict.ok);
    return { name: described.name, animation, ok, arrays, playback: judgedPlayback?.verdict() ?? null };
}

function keepWorst(worst: Worst[], i: number, { tolerance, scale }: ArrayCheck, found: Found, frame: number): void {
    if (worst[i] === undefined || isWorse(found, worst[i], tolerance * scale)) worst[i] = { ...found, frame };
}

function growBox(box: Float64Array, other: Float64Array): void {
    for (let c = 0; c < 3; c++) {
        if (other[c]! < box[c]!) box[c] = other[c]!;
        if (other[c + 3]! > box[c + 3]!) box[c + 3] = other[c + 3]!;
    }
}

/** Judges the clip's box in the manifest, over all of its rows. */
function checkStatedBounds(
    judged: Judged,
    { index }: JudgedClip,
    stated: readonly number[],
    box: Float64Array,
    rounding: Pick<Rounding, 'worst' | 'once'>,
    addProblem: AddProblem,
): void {
    const share = (ofHalves(judged) || STATED) * scaleOf(judged.metric);
    for (let side = 0; side < 6; side++) {
        if (Math.abs(stated[side]! - box[side]!) <= share + sideRounding(rounding, box[side]!)) continue;
        addProblem(
            'CLIP_DIFFERS',
            `/clips/${index}/bounds/${side}`,
            `${significant(stated[side]!)}, must be ${significant(box[side]!)}`,
        );
    }
}
