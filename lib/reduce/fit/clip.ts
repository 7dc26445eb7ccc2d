// SPDX-License-Identifier: MIT

import { asStored, componentTypeOf } from '../../gltf/as-stored';
import type { SceneChannel } from '../../gltf/scene';
import { unitTolerance } from '../../gltf/validate/transforms';
import { compose, FLOAT32, TRS } from '../model/affine';
import type { Model } from '../model/model';
import { sampleChannel } from '../model/sampler';
import { PLACES, places } from '../model/skeleton';

/** Samples in a block. They are adjacent in memory, so that vectors of any width process whole blocks. */
export const BLOCK = 8;

/** The numbers of an affine matrix, row-major 3 x 4. */
export const MATRIX = 12;

/** A channel that moves a node, during reduction. */
export interface Track {
    readonly channel: SceneChannel;
    /** Index of the node in the model. */
    readonly node: number;
    /** Index of its first number among the node's ten. */
    readonly place: number;
    readonly width: number;
    /** The source's values at the times of the grid. Each rotation is in the hemisphere of the one before. */
    readonly target: Float64Array;
    readonly constant: boolean;
    /** Whether it holds rotations of unit length. Its keys then keep that length. */
    readonly unit: boolean;
    /** Whether readers accept the length of all keys as 1. They must then accept the written keys too. */
    readonly exact: boolean;
    /** Whether its keys stay: STEP, splines that are kept, and keys that other channels share. */
    readonly kept: boolean;
    /**
     * Whether the clip is a part of a longer one. The first and last key then keep the target's values, so that parts
     * join.
     */
    readonly joined: boolean;
    /** Grid indices of the source's linear keys, which reproduce the targets exactly; null for other interpolations. */
    readonly own: readonly number[] | null;
    /** Keys: grid indices, and values. */
    knots: number[];
    values: Float64Array;
    /** Step of stored values: a power of two; for integers a multiple of 1 / 32767 or 1 / 127; 0 for any float. */
    step: number;
    /** Index in the list of factors that `fitTrack` used last. */
    factor: number;
}

/** Whether a track moves and can lose keys. */
export function isMoving({ constant, kept }: Track): boolean {
    return !constant && !kept;
}

/**
 * A clip during reduction: the candidate and the source at the times of its grid (even samples) and midway between them
 * (odd samples). Element e of node n's matrix at sample s is at `((n * blocks + floor(s / 8)) * 12 + e) * 8 + s % 8`.
 */
export interface Clip {
    readonly model: Model;
    /** The grid: possible key times, seconds, ascending. */
    readonly times: Float64Array;
    /** Times of the samples. */
    readonly at: Float64Array;
    readonly blocks: number;
    readonly tracks: readonly Track[];
    /** The targets of all tracks. */
    readonly targets: Float64Array;
    /** By node, `[sample][10]`: the node's numbers under the candidate's tracks. Parts of `allLocals`. */
    readonly locals: readonly Float64Array[];
    readonly allLocals: Float64Array;
    readonly localMatrices: Float64Array;
    /** Global matrices: of the source, of the accepted candidate, and of the one on trial. */
    readonly source: Float64Array;
    placed: Float64Array;
    trial: Float64Array;
    /** Squared shares of the bound, `[node][sample]`: of the accepted candidate and of the one on trial. */
    errors: Float64Array;
    trialErrors: Float64Array;
    /** 1 / squared bound. */
    readonly weights: Float64Array;
    /** All nodes. */
    readonly all: Int32Array;
}

/** Maximum nodes times grid times of a part. Its tables of matrices then take about 50 MB. */
const MAX_NODE_TIMES = 1 << 18;

/** Splits a grid into parts below that size. Each begins at the end of the one before. */
export function partsOf(times: Float64Array, nodes: number): Float64Array[] {
    const most = Math.max(16, Math.floor(MAX_NODE_TIMES / Math.max(1, nodes)));
    const count = Math.ceil((times.length - 1) / (most - 1)) || 1;
    const cut = (part: number) => Math.floor(((times.length - 1) * part) / count);
    return Array.from({ length: count }, (_, part) => times.slice(cut(part), cut(part + 1) + 1));
}

/**
 * Possible times of linear keys: the key times of all channels and, for splines, times between them. Rounded to
 * float32, as they are stored.
 */
export function gridOf(channels: readonly SceneChannel[]): Float64Array {
    const all = new Set<number>();
    const seen = new Set<Float32Array>();
    for (const { times, interpolation } of channels) {
        if (seen.has(times) && interpolation !== 'CUBICSPLINE') continue;
        seen.add(times);
        for (let k = 0; k < times.length; k++) {
            const time = times[k]!;
            all.add(time);
            if (interpolation !== 'CUBICSPLINE' || k + 1 === times.length) continue;
            const span = times[k + 1]! - time;
            for (let part = 1; part < SPLINE_PARTS; part++) all.add(Math.fround(time + (span * part) / SPLINE_PARTS));
        }
    }
    return Float64Array.from(all).sort();
}

/** Grid intervals between two keys of a spline. */
const SPLINE_PARTS = 8;

/**
 * @param channels Channels that move judged nodes.
 * @param joined Whether `times` are a part of the clip's grid.
 * @param keepSplines Whether spline channels keep their keys.
 * @param fixed Pointers of other channels that keep their keys.
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
    const allLocals = new Float64Array(size * at.length * TRS);
    const locals = Array.from({ length: size }, (_, node) => {
        const list = allLocals.subarray(node * at.length * TRS, (node + 1) * at.length * TRS);
        list.set(model.rest.subarray(node * TRS, (node + 1) * TRS));
        // Each copy doubles what is filled.
        for (let filled = TRS; filled < list.length; filled *= 2) list.copyWithin(filled, 0, filled);
        return list;
    });
    const placing = channels.filter(places);
    const targets = new Float64Array(placing.reduce((sum, { path }) => sum + n * (path === 'rotation' ? 4 : 3), 0));
    let targeted = 0;
    const tracks = placing.map((channel): Track => {
        const place = PLACES[channel.path];
        const width = channel.path === 'rotation' ? 4 : 3;
        const node = model.indexOf[channel.node]!;
        sampleChannel(channel, width, at, locals[node]!, place, TRS);
        const target = targets.subarray(targeted, targeted + n * width);
        targeted += target.length;
        for (let i = 0; i < n; i++)
            for (let c = 0; c < width; c++) target[i * width + c] = locals[node]![i * 2 * TRS + place + c]!;
        const constant = isConstant(target, width, place === 0 ? model.maxError * CONSTANT : Infinity);
        const { interpolation } = channel;
        const stays =
            interpolation === 'STEP' || (keepSplines && interpolation === 'CUBICSPLINE') || fixed.has(channel.pointer);
        const kept = !constant && stays;
        if (width === 4 && !kept) alignSigns(target);
        const unit = width === 4 && areUnit(target, OFF_UNIT);
        return {
            channel,
            node,
            place,
            width,
            target,
            unit,
            exact: unit && isExact(channel),
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
        targets,
        locals,
        allLocals,
        localMatrices: new Float64Array(numbers * MATRIX),
        source: new Float64Array(numbers * MATRIX),
        placed: new Float64Array(numbers * MATRIX),
        trial: new Float64Array(numbers * MATRIX),
        errors: new Float64Array(numbers),
        trialErrors: new Float64Array(numbers),
        weights: new Float64Array(numbers),
        all: Int32Array.from({ length: size }, (_, i) => i),
    };
    return clip;
}

/** Grid indices of a channel's own keys. In a part of a longer clip, both ends are keys. */
function ownKnots({ times: keys, interpolation }: SceneChannel, times: Float64Array, joined: boolean): number[] | null {
    if (interpolation !== 'LINEAR') return null;
    const last = times.length - 1;
    const knots: number[] = [];
    let i = 0;
    for (let k = 0; k < keys.length; k++) {
        if (k > 0 && keys[k] === keys[k - 1]) return null; // a jump
        while (i < last && times[i]! < keys[k]!) i++;
        if (times[i] === keys[k]) knots.push(i);
    }
    return joined ? [...new Set([0, ...knots, last])] : knots;
}

/** Maximum deviation of a key's rotation from unit length. glTF-Validator rejects 0.00769, for floats and integers. */
export const OFF_UNIT = 0.0075;

/** Whether rotations have unit length within a tolerance. Reads the first `length` numbers. */
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

/** Whether a reader accepts the length of all the source's rotations. */
function isExact(channel: SceneChannel): boolean {
    // Interpolated splines are normalized (3.11), so the length of their keys does not matter.
    if (channel.interpolation === 'CUBICSPLINE') return true;
    return areUnit(channel.values, unitTolerance(componentTypeOf(asStored(channel).values)));
}

/**
 * Puts each rotation into the hemisphere of the one before. At a right angle (a half turn), the stored signs decide the
 * direction and stay.
 */
function alignSigns(q: Float64Array): void {
    let turned = false;
    for (let i = 4; i < q.length; i += 4) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += q[i + c]! * q[i - 4 + c]!;
        // The rotation before may have been negated.
        if (turned ? dot > 0 : dot < 0) turned = !turned;
        if (turned) for (let c = 0; c < 4; c++) q[i + c] = -q[i + c]!;
    }
}

/** Maximum change of a constant track's translation, as a share of the bound. */
const CONSTANT = 0.01;

/** Whether a track changes by at most a few float32 ulp, and by at most `most`. */
function isConstant(target: Float64Array, width: number, most: number): boolean {
    let [largest, spread] = [0, 0];
    for (let i = 0; i < target.length; i++) {
        largest = Math.max(largest, Math.abs(target[i]!));
        spread = Math.max(spread, Math.abs(target[i]! - target[i % width]!));
    }
    return spread <= Math.min(most, FLOAT32 * largest);
}

/** Writes a node's local matrices of samples `from` to `to - 1`. */
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
