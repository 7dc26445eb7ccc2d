// SPDX-License-Identifier: MIT

import { asStored } from '../../gltf/as-stored';
import type { SceneChannel } from '../../gltf/scene';
import { TRS } from '../model/affine';
import { type Model, normOf } from '../model/model';
import type { ReducedChannel } from '../types';
import { someKeys } from './stored';

/** Share of the bound that morph weights may use. */
const SHARE = 0.1;

/** Morph weights with fewer keys. */
export interface ReducedWeights {
    readonly channels: readonly ReducedChannel[];
    readonly removed: readonly string[];
    /** By node of the model, the maximum displacement in the scene of the vertices that it carries. */
    readonly displacements: Float64Array;
}

/**
 * Removes keys of a clip's morph weights (glTF 2.0, 3.7.2.2). Linear ones lose keys near a line between others,
 * constant ones all but one. Channels in `fixed` stay unless they are constant. The displacement of a vertex is at most
 * the sum of each weight's change times the longest displacement by its target.
 */
export function reduceWeights(
    model: Model,
    channels: readonly SceneChannel[],
    fixed: ReadonlySet<string>,
): ReducedWeights {
    const stretches = channels.some(({ path }) => path === 'weights')
        ? stretchesOf(model, channels)
        : new Float64Array();
    const displacements = new Float64Array(model.nodes.length);
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
            if (model.dropRest && first.every((x, n) => x === rest[n])) removed.push(pointer);
            else {
                const one = { times: times.slice(0, 1), values: first.slice() };
                reduced.push({ pointer, path, interpolation: 'LINEAR', ...one });
            }
            continue;
        }
        if (interpolation !== 'LINEAR' || fixed.has(pointer)) continue;
        // Half of a standing foot's limit is left to keys.
        const stretch = Math.max(0, ...carriers.map((carrier) => stretches[carrier]!));
        const allowed = Math.min(SHARE * model.maxError, model.maxSlide / 4) / (stretch || 1);
        const { keys, error } = thinned(times, values, reaches, allowed);
        // A vertex belongs to one mesh, so the shares of other meshes on the same joints are not added.
        for (const carrier of carriers) {
            displacements[carrier] = Math.max(displacements[carrier]!, error * stretches[carrier]!);
        }
        reduced.push(someKeys(channel, keys, width));
    }
    return { channels: reduced.map(asStored), removed, displacements };
}

/**
 * Subtracts the displacement by morph weights from the limits of the nodes that carry the vertices.
 *
 * @returns The maximum of it.
 */
export function leaveToMorphs({ displacements }: ReducedWeights, limits: readonly Float64Array[]): number {
    for (const [node, displacement] of displacements.entries()) {
        const own = limits[node]!;
        for (let i = 0; i < own.length; i++) own[i] = own[i]! - displacement;
    }
    return largestOf(displacements);
}

/**
 * By node, an upper bound of how much its ancestors enlarge a displacement at any time: the product over all of them.
 */
function stretchesOf(
    { matrices, nodes, parents, rest, indexOf }: Model,
    channels: readonly SceneChannel[],
): Float64Array {
    const rotations = new Float64Array(nodes.length);
    const scales = new Float64Array(nodes.length);
    for (let node = 0; node < nodes.length; node++) {
        const numbers = rest.subarray(node * TRS, (node + 1) * TRS);
        rotations[node] = stretchOfRotations(numbers.subarray(3, 7));
        scales[node] = Math.max(...numbers.subarray(7).map(Math.abs));
    }
    for (const { node, path, values, times, interpolation } of channels) {
        const own = indexOf[node]!;
        if (own < 0) continue;
        const cubic = interpolation === 'CUBICSPLINE';
        // Splines are normalized. The rest rotation is one of the values, and its bound is at least 1.
        if (path === 'rotation' && !cubic) rotations[own] = Math.max(rotations[own]!, stretchOfRotations(values));
        if (path === 'scale')
            scales[own] = Math.max(scales[own]!, cubic ? highestOf(values, times) : largestOf(values));
    }
    const stretches = new Float64Array(nodes.length);
    for (let node = 0; node < nodes.length; node++) {
        const matrix = matrices[node]!;
        const above = parents[node]! < 0 ? 1 : stretches[parents[node]!]!;
        stretches[node] = above * (matrix === null ? rotations[node]! * scales[node]! : normOf(matrix));
    }
    return stretches;
}

/**
 * Bound for the matrices of quaternions and of slerp between them: q v q* + (1 - |q|²) v. Between two keys, |q|² is 1 +
 * u² (|a|² - 1) + w² (|b|² - 1) with u² + w² at most 1. So it exceeds 1 by at most as much as at the keys.
 */
function stretchOfRotations(q: ArrayLike<number>): number {
    let most = 1;
    for (let v = 0; v < q.length; v += 4) {
        const squared = q[v]! * q[v]! + q[v + 1]! * q[v + 1]! + q[v + 2]! * q[v + 2]! + q[v + 3]! * q[v + 3]!;
        if (squared > most) most = squared;
    }
    return 2 * most - 1;
}

function largestOf(values: ArrayLike<number>): number {
    let max = 0;
    for (let i = 0; i < values.length; i++) max = Math.max(max, Math.abs(values[i]!));
    return max;
}

/**
 * Bound of a spline with three components. It overshoots its keys by at most 4/27 of each tangent times the interval.
 */
function highestOf(values: ArrayLike<number>, times: ArrayLike<number>): number {
    let [key, tangent, span] = [0, 0, 0];
    for (let i = 0; i < values.length; i++) {
        const size = Math.abs(values[i]!);
        if (Math.floor(i / 3) % 3 === 1) key = Math.max(key, size);
        else tangent = Math.max(tangent, size);
    }
    for (let k = 1; k < times.length; k++) span = Math.max(span, times[k]! - times[k - 1]!);
    return key + 0.3 * span * tangent;
}

/** Whether all values are the same and all tangents are 0. */
function isConstant({ values, interpolation }: SceneChannel, width: number, first: Float32Array): boolean {
    const cubic = interpolation === 'CUBICSPLINE';
    return values.every((x, i) => {
        const tangent = cubic && Math.floor(i / width) % 3 !== 1;
        return x === (tangent ? 0 : first[i % width]);
    });
}

/** Maximum error of a weight whose target displaces no vertex. */
const UNSEEN = 0.005;

/** Takes the longest interval from each key whose line displaces by at most `allowed`. */
function thinned(times: Float32Array, values: Float32Array, reaches: Float64Array, allowed: number) {
    const width = reaches.length;
    // Targets of normals, colors or texture coordinates displace nothing but are visible.
    const seen = reaches.map((reach) => Math.max(reach, allowed / UNSEEN));
    const off = (a: number, b: number, i: number, by = seen): number => {
        const t = (times[i]! - times[a]!) / (times[b]! - times[a]!);
        let sum = 0;
        for (let n = 0; n < width; n++) {
            const line = (1 - t) * values[a * width + n]! + t * values[b * width + n]!;
            sum += Math.abs(line - values[i * width + n]!) * by[n]!;
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
