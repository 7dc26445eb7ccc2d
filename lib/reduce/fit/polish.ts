// SPDX-License-Identifier: MIT

/** What the bound still leaves, once keys are fitted: fewer keys, and coarser values. Each change is judged at the skin. */

import { TRS } from '../model/affine';
import { subtreeOf } from '../model/model';
import { normalise } from '../model/sampler';
import type { Reduction } from './allocate';
import { type Clip, commit, judge, playTrack, type Track } from './clip';
import { BYTE_STEP, fittedValues, isInteger, mayHave, nextStep, rounded, SHORT_STEP, setKeys } from './fit';
import { displacement } from './levers';
import { BLOCK, MATRIX } from './subtree-errors';

/**
 * For each pass how far, as a multiple of the bound, a removal may seem to displace if it is to be tried: of those beyond, one in fifty
 * succeeded on Knight and RobotExpressive, and they were four in five.
 */
const PASSES = [2.5, 1.5];

/**
 * Removes keys while the skin allows: the one whose removal displaces least first; the values of its neighbours are fitted anew.
 */
export function* polish(reduction: Reduction): Generator<void, void> {
    const { moving, bound } = reduction;
    for (const limit of PASSES) {
        const candidates: { track: Track; knot: number; cost: number }[] = [];
        for (const track of moving) {
            for (let k = 1; k + 1 < track.knots.length; k++) {
                const cost = removalCost(reduction, track, k);
                if (cost <= limit * bound) candidates.push({ track, knot: track.knots[k]!, cost });
            }
        }
        candidates.sort((a, b) => a.cost - b.cost);
        let removed = 0;
        for (const { track, knot } of candidates) {
            if (removes(reduction, track, track.knots.indexOf(knot))) removed++;
            yield;
        }
        for (const track of moving) if (track.knots.length === 2 && becomesSingle(reduction, track)) removed++;
        if (removed === 0) break;
    }
}

/** Doubles each track's step while the skin allows, so that compressors find the same values; those with most keys first. */
export function* coarsen(reduction: Reduction): Generator<void, void> {
    const { moving, quantize } = reduction;
    for (const track of [...moving].sort((a, b) => b.knots.length - a.knots.length)) {
        while (track.step > 0 && !isCoarsest(track)) {
            yield;
            if (!takesStep(reduction, track, nextStep(track, quantize))) break;
        }
        if (quantize && isInteger(track.step)) takesStep(reduction, track, BYTE_STEP);
    }
}

/** Where a coarser step would no longer make values alike, or all are 0 already. Rotations of unit length are never all 0. */
function isCoarsest({ step, values, width }: Track): boolean {
    if (isInteger(step)) return step > 200 * SHORT_STEP;
    return (width === 4 && step > 1 / 4) || values.every((x) => x === 0);
}

function takesStep(reduction: Reduction, track: Track, step: number): boolean {
    const before = track.step;
    track.step = step;
    const values = rounded(track, track.values.slice());
    if (keepsLength(reduction, track, values) && changes(reduction.clip, track, track.knots, values)) return true;
    track.step = before;
    return false;
}

/** The share of the bound that lengths other than 1 may displace by: players differ in whether they bring rotations to unit length. */
const LENGTHS = 0.1;

function keepsLength({ levers, bound }: Reduction, track: Track, values: Float64Array): boolean {
    if (track.width !== 4) return true;
    const { radius, scale } = levers.get(track)!;
    for (let q = 0; q < values.length; q += 4) {
        let squared = 0;
        for (let c = q; c < q + 4; c++) squared += values[c]! * values[c]!;
        if (!(Math.abs(squared - 1) * radius * scale <= LENGTHS * bound)) return false;
    }
    return true;
}

function removalCost({ clip, levers }: Reduction, track: Track, k: number): number {
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

function removes({ clip, levers, tolerances }: Reduction, track: Track, k: number): boolean {
    const { knots, values, width } = track;
    const from = Math.max(0, k - 2);
    const to = Math.min(knots.length - 1, k + 2);
    near.length = 0;
    for (let i = from; i <= to; i++) {
        if (i === k) continue;
        for (let c = 0; c < width; c++) old[near.length * width + c] = values[i * width + c]!;
        near.push(knots[i]!);
    }
    fittedValues(track, levers.get(track)!, clip.times, tolerances.get(track)!, near, old, 2, fitted);
    const rest = knots.slice();
    rest.splice(k, 1);
    const changed = new Float64Array(values.length - width);
    changed.set(values.subarray(0, k * width));
    changed.set(values.subarray((k + 1) * width), k * width);
    // The outer two stay: beyond them nothing is looked at again.
    for (let i = width; i < (near.length - 1) * width; i++) changed[from * width + i] = fitted[i]!;
    return changes(clip, track, rest, changed, near[0]! * 2, near[near.length - 1]! * 2 + 1);
}

/** The keys beside one that is to go, two on either side: places, values, and values that are fitted anew. */
const near: number[] = [];
const [old, fitted] = [new Float64Array(16), new Float64Array(16)];

/** With the value at rest the channel can go; else with one between the two keys'. */
function becomesSingle({ clip }: Reduction, track: Track): boolean {
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

/** Plays other keys at samples from..to-1, and keeps them where the skin stays within the bound. */
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
