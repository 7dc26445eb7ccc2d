// SPDX-License-Identifier: MIT

/** Size and position of a clip in the scene. */

import type { SceneChannel } from '../../gltf/scene';
import { lengthOfAxis, place } from './affine';
import type { Model } from './model';
import type { EachPose } from './skeleton';

/** The extremes of a clip. */
export interface Survey {
    /**
     * Maximum distance from the origin of nodes that carry vertices and of the corners of their boxes. Without
     * vertices, of all nodes.
     */
    readonly farthest: number;
    /** Minimum y of such a corner. Y is up (glTF 2.0, 3.4). */
    readonly ground: number;
    /** By node, the maximum length of each axis; null if no channel scales. */
    readonly scales: Float64Array | null;
}

/** Writes the corners of a node's box in the scene, x y z each. Returns how many numbers these are. */
export function placeCorners({ corners }: Model, node: number, globals: Float64Array, into: Float64Array): number {
    const own = corners[node]!;
    for (let c = 0; c < own.length; c += 3) place(into, c, globals, node * 12, own[c]!, own[c + 1]!, own[c + 2]!);
    return own.length;
}

export function surveyOf(
    model: Model,
    channels: readonly SceneChannel[],
    times: ArrayLike<number>,
    eachPose: EachPose,
): Survey {
    const scales = channels.some(({ path }) => path === 'scale') ? new Float64Array(model.nodes.length * 3) : null;
    const bare = !model.carries.includes(1);
    const at = new Float64Array(24);
    // A list, because V8 allocates each number that a closure assigns.
    const extremes = Float64Array.of(0, Infinity);
    eachPose(times, (_, globals) => {
        for (let node = 0; node < model.nodes.length; node++) {
            const x = globals[node * 12 + 3]!;
            const y = globals[node * 12 + 7]!;
            const z = globals[node * 12 + 11]!;
            if (bare || model.carries[node] === 1) extremes[0] = Math.max(extremes[0]!, x * x + y * y + z * z);
            const count = model.carries[node] === 1 ? placeCorners(model, node, globals, at) : 0;
            for (let c = 0; c < count; c += 3) {
                const squared = at[c]! * at[c]! + at[c + 1]! * at[c + 1]! + at[c + 2]! * at[c + 2]!;
                extremes[0] = Math.max(extremes[0]!, squared);
                extremes[1] = Math.min(extremes[1]!, at[c + 1]!);
            }
            for (let axis = 0; scales !== null && axis < 3; axis++) {
                const length = lengthOfAxis(globals, node * 12, axis);
                if (length > scales[node * 3 + axis]!) scales[node * 3 + axis] = length;
            }
        }
    });
    return { farthest: Math.sqrt(extremes[0]!), ground: extremes[1]!, scales };
}
