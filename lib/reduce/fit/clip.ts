// SPDX-License-Identifier: MIT

import { asStored, componentTypeOf } from '../../gltf/as-stored';
import type { SceneChannel } from '../../gltf/scene';
import { unitTolerance } from '../../gltf/validate/transforms';
import { compose, FLOAT32, TRS } from '../model/affine';
import type { Model } from '../model/model';
import { between, prepareBetween, sampleChannel } from '../model/sampler';
import { PLACES, places } from '../model/skeleton';
import { subtreeErrors } from './choose-subtree-errors';
import { BLOCK, MATRIX } from './subtree-errors';

/** A channel that places a node, while it is reduced. */
export interface Track {
    readonly channel: SceneChannel;
    /** Place of the node in the model. */
    readonly node: number;
    /** Where in the node's ten numbers. */
    readonly place: number;
    readonly width: number;
    /** The source's values at the times of the grid; those of a rotation each on the side of the one before. */
    readonly target: Float64Array;
    readonly constant: boolean;
    /** Whether it is of rotations that have unit length, which its keys then keep. */
    readonly unit: boolean;
    /** Whether readers accept the length of all keys as 1. Then they accept the written ones, too. */
    readonly exact: boolean;
    /** Its keys stay: of STEP, of splines where these are kept, and those that other channels share. */
    readonly kept: boolean;
    /** Whether the clip is a part of a longer one: then the first and the last key have the targets' values, which the next part has, too. */
    readonly joined: boolean;
    /** Places in the grid of the source's straight keys, which with the targets' values are off nowhere; null where others play. */
    readonly own: readonly number[] | null;
    /** Keys: places in the grid, and values. */
    knots: number[];
    values: Float64Array;
    /** The distance of the values that keys may have: a power of two, of integers times 1 / 32767 or 1 / 127; 0 for any. */
    step: number;
    /** Where in its list of factors `fitTrack` found the keys the last time. */
    factor: number;
}

/**
 * A clip in play: candidate beside source, at the times of its grid (even samples) and halfway between them (odd ones). All matrices as
 * `SubtreeErrors` has them.
 */
export interface Clip {
    readonly model: Model;
    /** Seconds, ascending: on these keys may lie. */
    readonly times: Float64Array;
    /** Times of the samples. */
    readonly at: Float64Array;
    readonly blocks: number;
    readonly tracks: readonly Track[];
    /** By node, `[sample][10]`: what the candidate's tracks make of its numbers. */
    readonly locals: readonly Float64Array[];
    readonly localMatrices: Float64Array;
    readonly source: Float64Array;
    placed: Float64Array;
    trial: Float64Array;
    /** Squared shares of the bound, `[node][sample]`: of what is placed, and of what is tried. */
    errors: Float64Array;
    trialErrors: Float64Array;
    /** 1 / squared bound. */
    readonly weights: Float64Array;
    /** All nodes. */
    readonly all: Int32Array;
}

/** Times of nodes that are in play at once: tables of matrices are some 50 MB then. */
const MAX_NODE_TIMES = 1 << 18;

/** Parts of a grid, each beginning where the one before it ends, whose clips are not too large. */
export function partsOf(times: Float64Array, nodes: number): Float64Array[] {
    const most = Math.max(16, Math.floor(MAX_NODE_TIMES / Math.max(1, nodes)));
    const count = Math.ceil((times.length - 1) / (most - 1)) || 1;
    const cut = (part: number) => Math.floor(((times.length - 1) * part) / count);
    return Array.from({ length: count }, (_, part) => times.slice(cut(part), cut(part + 1) + 1));
}

/** Key times of all channels, and of splines times between them, on which straight keys may lie; as float32, as they are stored. */
export function gridOf(channels: readonly SceneChannel[]): Float64Array {
    const all = new Set<number>();
    for (const { times, interpolation } of channels) {
        for (const [k, time] of times.entries()) {
            all.add(time);
            if (interpolation !== 'CUBICSPLINE' || k + 1 === times.length) continue;
            const span = times[k + 1]! - time;
            for (let part = 1; part < SPLINE_PARTS; part++) all.add(Math.fround(time + (span * part) / SPLINE_PARTS));
        }
    }
    return Float64Array.from(all).sort();
}

/** Between two keys of a spline. */
const SPLINE_PARTS = 8;

/**
 * @param channels Those that place judged nodes.
 * @param joined Whether `times` are a part of the clip's.
 * @param keepSplines Whether channels that are splines stay as they are.
 * @param fixed Pointers of other channels that stay as they are.
 */
export function openClip(
    model: Model,
    channels: readonly SceneChannel[],
    times: Float64Array,
    joined: boolean,
    keepSplines: boolean,
    fixed: ReadonlySet<string>,
): Clip {
    const n = times.length;
    const count = 2 * n - 1;
    const blocks = Math.ceil(count / BLOCK);
    const at = new Float64Array(blocks * BLOCK);
    for (let s = 0; s < at.length; s++) {
        const i = Math.min(s, count - 1) >> 1;
        at[s] = s % 2 === 0 || s >= count ? times[i]! : (times[i]! + times[i + 1]!) / 2;
    }
    const size = model.nodes.length;
    const numbers = size * blocks * BLOCK;
    const locals = Array.from({ length: size }, (_, node) => {
        const list = new Float64Array(at.length * TRS);
        for (let s = 0; s < at.length; s++)
            for (let c = 0; c < TRS; c++) list[s * TRS + c] = model.rest[node * TRS + c]!;
        return list;
    });
    const tracks = channels.filter(places).map((channel): Track => {
        const place = PLACES[channel.path];
        const width = channel.path === 'rotation' ? 4 : 3;
        const node = model.indexOf[channel.node]!;
        sampleChannel(channel, width, at, locals[node]!, place, TRS);
        const target = new Float64Array(n * width);
        for (let i = 0; i < n; i++)
            for (let c = 0; c < width; c++) target[i * width + c] = locals[node]![i * 2 * TRS + place + c]!;
        const constant = isConstant(target, width, place === 0 ? model.maxError * CONSTANT : Infinity);
        const { interpolation } = channel;
        const stays =
            interpolation === 'STEP' || (keepSplines && interpolation === 'CUBICSPLINE') || fixed.has(channel.pointer);
        const kept = !constant && stays;
        if (width === 4 && !kept) alignSigns(target);
        return {
            channel,
            node,
            place,
            width,
            target,
            unit: width === 4 && areUnit(target, OFF_UNIT),
            exact: width === 4 && areUnit(target, OFF_UNIT) && isExact(channel),
            kept,
            constant,
            joined,
            own: ownKnots(channel, times, joined),
            knots: [0],
            values: target.slice(0, width),
            step: 0,
            factor: 0,
        };
    });
    const clip: Clip = {
        model,
        times,
        at,
        blocks,
        tracks,
        locals,
        localMatrices: new Float64Array(numbers * MATRIX),
        source: new Float64Array(numbers * MATRIX),
        placed: new Float64Array(numbers * MATRIX),
        trial: new Float64Array(numbers * MATRIX),
        errors: new Float64Array(numbers),
        trialErrors: new Float64Array(numbers),
        weights: new Float64Array(numbers),
        all: Int32Array.from({ length: size }, (_, i) => i),
    };
    for (const node of clip.all) writeMatrices(clip, node, 0, at.length);
    judge(clip, clip.all, 0, blocks);
    clip.source.set(clip.trial);
    commitAll(clip);
    return clip;
}

/** In a part of a longer clip with its ends. */
function ownKnots({ times: keys, interpolation }: SceneChannel, times: Float64Array, joined: boolean): number[] | null {
    if (interpolation !== 'LINEAR') return null;
    const last = times.length - 1;
    const knots: number[] = [];
    let i = 0;
    for (let k = 0; k < keys.length; k++) {
        if (k > 0 && keys[k] === keys[k - 1]) return null; // it jumps
        while (i < last && times[i]! < keys[k]!) i++;
        if (times[i] === keys[k]) knots.push(i);
    }
    return joined ? [...new Set([0, ...knots, last])] : knots;
}

/** How far a key's rotation may be off unit length: glTF-Validator refuses 0.00769, of floats and integers alike. */
export const OFF_UNIT = 0.0075;

/** Whether rotations, the first `length` numbers, have unit length within a tolerance. */
export function areUnit(values: ArrayLike<number>, tolerance: number, length = values.length): boolean {
    for (let v = 0; v < length; v += 4) {
        const x = values[v]!;
        const y = values[v + 1]!;
        const z = values[v + 2]!;
        const w = values[v + 3]!;
        if (!(Math.abs(Math.sqrt(x * x + y * y + z * z + w * w) - 1) <= tolerance)) return false;
    }
    return true;
}

/** Whether a reader of the source finds no rotation that is off unit length. */
function isExact(channel: SceneChannel): boolean {
    // Splines have unit length (3.11), whatever that of their keys is.
    if (channel.interpolation === 'CUBICSPLINE') return true;
    return areUnit(channel.values, unitTolerance(componentTypeOf(asStored(channel).values)));
}

/** Each on the side of the one before it. At right angles, half a turn apart, both stay as they are to each other: that is the way they go. */
function alignSigns(q: Float64Array): void {
    let turned = false;
    for (let i = 4; i < q.length; i += 4) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += q[i + c]! * q[i - 4 + c]!;
        // The one before is turned already.
        if (turned ? dot > 0 : dot < 0) turned = !turned;
        if (turned) for (let c = 0; c < 4; c++) q[i + c] = -q[i + c]!;
    }
}

/** The share of the bound that the translation of a constant track may change by. */
const CONSTANT = 0.01;

/** Within a few units of float32's last place, and within `most`. */
function isConstant(target: Float64Array, width: number, most: number): boolean {
    let [largest, spread] = [0, 0];
    for (let i = 0; i < target.length; i++) {
        largest = Math.max(largest, Math.abs(target[i]!));
        spread = Math.max(spread, Math.abs(target[i]! - target[i % width]!));
    }
    return spread <= Math.min(most, FLOAT32 * largest);
}

/** Writes a node's local matrices of samples from..to-1. */
export function writeMatrices(
    { model, blocks, locals, localMatrices }: Clip,
    node: number,
    from: number,
    to: number,
): void {
    const matrix = model.matrices[node]!;
    const list = locals[node]!;
    for (let s = from; s < to; s++) {
        const o = (node * blocks + (s >> 3)) * MATRIX * BLOCK + (s & 7);
        if (matrix === null) compose(localMatrices, o, BLOCK, list, s * TRS);
        else for (let e = 0; e < MATRIX; e++) localMatrices[o + e * BLOCK] = matrix[e]!;
    }
}

/** Places nodes at samples of blocks from..to-1, beside what is placed, and judges them: the maximum of the squared shares. */
export function judge(clip: Clip, nodes: Int32Array, from: number, to: number, limit = Infinity): number {
    const { model, blocks, trial, trialErrors, localMatrices, source, placed, weights } = clip;
    return subtreeErrors(
        trial,
        trialErrors,
        localMatrices,
        source,
        placed,
        weights,
        model.parents,
        model.points,
        model.starts,
        nodes,
        blocks,
        from,
        to,
        limit,
    );
}

/** What was tried is placed. */
export function commit(
    { blocks, placed, trial, errors, trialErrors }: Clip,
    nodes: Int32Array,
    from: number,
    to: number,
): void {
    for (const node of nodes) {
        const [a, b] = [(node * blocks + from) * BLOCK, (node * blocks + to) * BLOCK];
        placed.set(trial.subarray(a * MATRIX, b * MATRIX), a * MATRIX);
        errors.set(trialErrors.subarray(a, b), a);
    }
}

export function commitAll(clip: Clip): void {
    [clip.placed, clip.trial] = [clip.trial, clip.placed];
    [clip.errors, clip.trialErrors] = [clip.trialErrors, clip.errors];
}

/** Places and judges the whole clip. */
export function judgeAll(clip: Clip): number {
    const worst = judge(clip, clip.all, 0, clip.blocks);
    commitAll(clip);
    return worst;
}

/** Writes a track's keys as they play into the locals of samples from..to-1, and the node's matrices. */
export function playTrack(clip: Clip, track: Track, from: number, to: number): void {
    const { at, locals } = clip;
    const { knots, values, width, place, node } = track;
    const out = locals[node]!;
    const last = knots.length - 1;
    const end = (clip.times.length - 1) * 2;
    if (track.kept) {
        // The source's: what is in the locals.
        writeMatrices(clip, node, from, to);
        return;
    }
    let k = 0;
    let played = -1;
    for (let s = from; s < to; s++) {
        while (k < last && knots[k + 1]! * 2 <= s) k++;
        const o = s * TRS + place;
        const v = k * width;
        if (k === last || knots[k]! * 2 >= s || s > end) {
            for (let c = 0; c < width; c++) out[o + c] = values[v + c]!;
        } else {
            const start = at[knots[k]! * 2]!;
            if (played !== k) prepareBetween(width, values, v, v + width);
            played = k;
            between(out, o, (at[s]! - start) / (at[knots[k + 1]! * 2]! - start));
        }
    }
    writeMatrices(clip, node, from, to);
}
