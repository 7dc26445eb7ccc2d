// SPDX-License-Identifier: MIT

/**
 * Uses what is left of the bound after the fit, for fewer keys and coarser values. Each change is judged at the skin.
 */

import { TRS } from '../model/affine';
import { subtreeOf } from '../model/model';
import { normalise } from '../model/sampler';
import { BLOCK, type Clip, MATRIX, type Track } from './clip';
import { nextStep, setKeys } from './fit';
import { fittedValues } from './fitted-values';
import { type ClipFit, PASSES, REMOVALS_PER_YIELD } from './fitter';
import { displacement } from './levers';
import { playTrack } from './play-track';
import { BYTE_STEP, isInteger, mayHave, rounded, SHORT_STEP } from './rounding';
import { commit, judge } from './subtree-errors';

/**
 * Removes keys while the skin stays within the bound, those with the smallest displacement first. Refits the values of
 * the adjacent keys.
 */
export function* removeKeys(fit: ClipFit): Generator<void, void> {
    const { moving, bound } = fit;
    for (const limit of PASSES) {
        const candidates: { track: Track; knot: number; cost: number }[] = [];
        for (const track of moving) {
            for (let k = 1; k + 1 < track.knots.length; k++) {
                const cost = removalCost(fit, track, k);
                if (cost <= limit * bound) candidates.push({ track, knot: track.knots[k]!, cost });
            }
        }
        candidates.sort((a, b) => a.cost - b.cost);
        let removed = 0;
        for (const [i, { track, knot }] of candidates.entries()) {
            if (removes(fit, track, track.knots.indexOf(knot))) removed++;
            if (i % REMOVALS_PER_YIELD === 0) yield;
        }
        for (const track of moving) if (track.knots.length === 2 && becomesSingle(fit, track)) removed++;
        if (removed === 0) break;
    }
}

/**
 * Doubles each track's step while the skin stays within the bound, so that compressors find repeated values. Tracks
 * with most keys come first.
 */
export function* coarsenTracks(fit: ClipFit): Generator<void, void> {
    const { moving, quantize } = fit;
    for (const track of [...moving].sort((a, b) => b.knots.length - a.knots.length)) {
        while (track.step > 0 && !isCoarsest(track)) {
            yield;
            if (!takesStep(fit, track, nextStep(track, quantize))) break;
        }
        if (quantize && isInteger(track.step)) takesStep(fit, track, BYTE_STEP);
    }
}

/**
 * Whether a coarser step would make no more values equal, or all are 0 already. Rotations of unit length are never all
 * 0.
 */
function isCoarsest({ step, values, width }: Track): boolean {
    if (isInteger(step)) return step > 200 * SHORT_STEP;
    return (width === 4 && step > 1 / 4) || values.every((x) => x === 0);
}

function takesStep(fit: ClipFit, track: Track, step: number): boolean {
    const before = track.step;
    track.step = step;
    const values = rounded(track, track.values.slice());
    if (keepsLength(fit, track, values) && changes(fit.clip, track, track.knots, values)) return true;
    track.step = before;
    return false;
}

/** Share of the bound that lengths other than 1 may use, because not all players normalize rotations. */
const LENGTHS = 0.1;

function keepsLength({ levers, bound }: ClipFit, track: Track, values: Float64Array): boolean {
    if (track.width !== 4) return true;
    const { radius, scale } = levers.get(track)!;
    for (let q = 0; q < values.length; q += 4) {
        let squared = 0;
        for (let c = q; c < q + 4; c++) squared += values[c]! * values[c]!;
        if (!(Math.abs(squared - 1) * radius * scale <= LENGTHS * bound)) return false;
    }
    return true;
}

function removalCost({ clip, levers }: ClipFit, track: Track, k: number): number {
    const { width, knots, values } = track;
    const { times } = clip;
    const [before, at, after] = [knots[k - 1]!, knots[k]!, knots[k + 1]!].map((i) => times[i]!) as [
        number,
        number,
        number,
    ];
    const t = (at - before) / (after - before);
    const key = k * width;
    for (let c = 0; c < width; c++) chord[c] = (1 - t) * values[key - width + c]! + t * values[key + width + c]!;
    if (width === 4) normalise(chord);
    return displacement(track, levers.get(track)!, values, key, chord, 0);
}

function removes({ clip, levers, tolerancesOf }: ClipFit, track: Track, k: number): boolean {
    const { knots, values, width } = track;
    const from = Math.max(0, k - 2);
    const to = Math.min(knots.length - 1, k + 2);
    near.length = 0;
    for (let i = from; i <= to; i++) {
        if (i === k) continue;
        for (let c = 0; c < width; c++) old[near.length * width + c] = values[i * width + c]!;
        near.push(knots[i]!);
    }
    const goal = { track, lever: levers.get(track)!, times: clip.times, tolerance: tolerancesOf.get(track)! };
    fittedValues(goal, near, old, 2, fitted);
    const rest = knots.slice();
    rest.splice(k, 1);
    if (tried.length < values.length) tried = new Float64Array(values.length);
    const changed = tried.subarray(0, values.length - width);
    changed.set(values.subarray(0, k * width));
    changed.set(values.subarray((k + 1) * width), k * width);
    // The outer two keys stay: the skin beyond them is not judged again.
    for (let i = width; i < (near.length - 1) * width; i++) changed[from * width + i] = fitted[i]!;
    const removed = changes(clip, track, rest, changed, near[0]! * 2, near[near.length - 1]! * 2 + 1);
    if (removed) track.values = changed.slice();
    return removed;
}

/** The two keys on either side of the one to remove: grid indices, values, and refitted values. */
const near: number[] = [];
const [old, fitted] = [new Float64Array(16), new Float64Array(16)];
/** The values of a track on trial. */
let tried = new Float64Array(0);

/** Tries a single key: with the rest value, so that the channel can be removed, or with the mean of both keys. */
function becomesSingle({ clip }: ClipFit, track: Track): boolean {
    const { values, width, node, place, joined } = track;
    if (joined) return false;
    const rest = clip.model.rest.slice(node * TRS + place, node * TRS + place + width);
    if (changes(clip, track, [0], rest)) return true;
    const middle = new Float64Array(width);
    for (let c = 0; c < width; c++) middle[c] = (values[c]! + values[width + c]!) / 2;
    if (width === 4) normalise(middle);
    return changes(clip, track, [0], rounded(track, middle));
}

const chord = new Float64Array(4);

let savedLocals = new Float64Array(0);
let savedMatrices = new Float64Array(0);

/** Tries other keys at samples `from` to `to - 1`. Keeps them if the skin stays within the bound. */
function changes(
    clip: Clip,
    track: Track,
    knots: number[],
    values: Float64Array,
    from = 0,
    to = clip.at.length,
): boolean {
    if (!mayHave(track, values)) return false;
    const { blocks, localMatrices, model } = clip;
    const { node } = track;
    const first = from >> 3;
    const end = Math.ceil(to / BLOCK);
    const locals = clip.locals[node]!.subarray(from * TRS, to * TRS);
    const matrices = localMatrices.subarray(
        (node * blocks + first) * MATRIX * BLOCK,
        (node * blocks + end) * MATRIX * BLOCK,
    );
    if (savedLocals.length < locals.length) savedLocals = new Float64Array(locals.length * 2);
    if (savedMatrices.length < matrices.length) savedMatrices = new Float64Array(matrices.length * 2);
    savedLocals.set(locals);
    savedMatrices.set(matrices);
    const before = { knots: track.knots, values: track.values };
    setKeys(track, knots, values);
    playTrack(clip, track, from, to);
    const nodes = subtreeOf(model, node);
    if (judge(clip, nodes, first, end, 1) <= 1) {
        commit(clip, nodes, first, end);
        return true;
    }
    setKeys(track, before.knots, before.values);
    locals.set(savedLocals.subarray(0, locals.length));
    matrices.set(savedMatrices.subarray(0, matrices.length));
    return false;
}
