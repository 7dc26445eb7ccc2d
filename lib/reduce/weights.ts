// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../gltf/scene';
import type { Clip } from './clip';
import { normOf } from './model';
import { BLOCK, MATRIX } from './subtree-errors';
import type { ReducedChannel } from './types';

/** The share of the bound that morph weights may use. */
const SHARE = 0.1;

/** Morph weights with fewer keys. */
export interface ReducedWeights {
    readonly channels: readonly ReducedChannel[];
    readonly removed: readonly string[];
    /** By node of the file the displacement that they may cause in the space of what carries its vertices. */
    readonly errors: ReadonlyMap<number, number>;
}

/**
 * Thins the morph weights of a clip (glTF 2.0, 3.7.2.2): straight ones lose keys that lie on a line between others, constant ones all but
 * one. A vertex goes no further than each weight's change times the farthest that its target moves any.
 */
export function reduceWeights(clip: Clip, channels: readonly SceneChannel[]): ReducedWeights {
    const { model } = clip;
    const errors = new Map<number, number>();
    const reduced: ReducedChannel[] = [];
    const removed: string[] = [];
    for (const channel of channels) {
        if (channel.path !== 'weights') continue;
        const { pointer, node, path, interpolation, times, values } = channel;
        const { weights: rest, reaches, carriers } = model.morphs.get(node)!;
        const width = rest.length;
        const cubic = interpolation === 'CUBICSPLINE';
        const first = values.subarray(cubic ? width : 0, cubic ? 2 * width : width);
        if (isConstant(channel, width, first)) {
            if (first.every((x, n) => x === rest[n])) removed.push(pointer);
            else
                reduced.push({
                    pointer,
                    path,
                    interpolation: 'LINEAR',
                    times: times.slice(0, 1),
                    values: first.slice(),
                });
            continue;
        }
        if (interpolation !== 'LINEAR') continue;
        // Half of what a foot that stands may use is left to keys.
        const allowed = Math.min(SHARE * model.maxError, model.maxSlide / 4) / (scaleOf(clip, carriers) || 1);
        const { keys, error } = thinned(times, values, reaches, allowed);
        errors.set(node, error);
        const kept = new Float32Array(keys.length * width);
        for (const [i, key] of keys.entries()) kept.set(values.subarray(key * width, (key + 1) * width), i * width);
        reduced.push({
            pointer,
            path,
            interpolation,
            times: Float32Array.from(keys, (key) => times[key]!),
            values: kept,
        });
    }
    return { channels: reduced, removed, errors };
}

/**
 * Takes what morphs use up from the limits of the nodes that carry them.
 *
 * @returns The maximum of it.
 */
export function leaveToMorphs(clip: Clip, { errors }: ReducedWeights, limits: readonly Float64Array[]): number {
    let max = 0;
    for (const [node, error] of errors) {
        for (const carrier of clip.model.morphs.get(node)!.carriers) {
            const displacement = error * scaleOf(clip, [carrier]);
            max = Math.max(max, displacement);
            for (let i = 0; i < limits[carrier]!.length; i++) limits[carrier]![i] = limits[carrier]![i]! - displacement;
        }
    }
    return max;
}

/** The greatest factor by which carriers enlarge a displacement. */
function scaleOf({ blocks, source }: Clip, carriers: readonly number[]): number {
    const matrix = new Float64Array(MATRIX);
    let max = 0;
    for (const node of carriers) {
        for (let s = 0; s < blocks * BLOCK; s++) {
            const o = (node * blocks + (s >> 3)) * MATRIX * BLOCK + (s & 7);
            for (let e = 0; e < MATRIX; e++) matrix[e] = source[o + e * BLOCK]!;
            max = Math.max(max, normOf(matrix));
        }
    }
    return max;
}

/** Of a spline: all values the same, and all tangents 0. */
function isConstant({ values, interpolation }: SceneChannel, width: number, first: Float32Array): boolean {
    const cubic = interpolation === 'CUBICSPLINE';
    return values.every((x, i) => {
        const tangent = cubic && Math.floor(i / width) % 3 !== 1;
        return x === (tangent ? 0 : first[i % width]);
    });
}

/** From each key on the longest interval whose line displaces by at most `allowed`. */
function thinned(times: Float32Array, values: Float32Array, reaches: Float64Array, allowed: number) {
    const width = reaches.length;
    const off = (a: number, b: number, i: number): number => {
        const t = (times[i]! - times[a]!) / (times[b]! - times[a]!);
        let sum = 0;
        for (let n = 0; n < width; n++) {
            const line = (1 - t) * values[a * width + n]! + t * values[b * width + n]!;
            sum += Math.abs(line - values[i * width + n]!) * reaches[n]!;
        }
        return sum;
    };
    const worstOf = (a: number, b: number): number => {
        let worst = 0;
        for (let i = a + 1; i < b; i++) worst = Math.max(worst, off(a, b, i));
        return worst;
    };
    const keys = [0];
    let error = 0;
    for (let a = 0; a < times.length - 1; ) {
        let b = a + 1;
        let own = 0;
        for (let next = b + 1; next < times.length; next++) {
            const worst = worstOf(a, next);
            if (!(worst <= allowed)) break;
            [b, own] = [next, worst];
        }
        error = Math.max(error, own);
        keys.push(b);
        a = b;
    }
    return { keys, error };
}
