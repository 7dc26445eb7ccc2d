// SPDX-License-Identifier: MIT

/** The nodes of a model, and their poses in clips. */

import type { SceneChannel } from '../../gltf/scene';
import { globalsOf, TRS } from './affine';
import { keyUpTo, sampleFrom } from './sampler';

/** Index of each property among a node's ten numbers. */
export const PLACES = { translation: 0, rotation: 3, scale: 7 } as const;

/** Nodes whose points must stay in place, and their ancestors. Plain data, in double precision. */
export interface Skeleton {
    /** The file's node numbers, each after its parent. All other lists are in this order. */
    readonly nodes: Int32Array;
    /** Index of each node of the file in `nodes`; -1 for nodes that are not judged. */
    readonly indexOf: Int32Array;
    readonly parents: Int32Array;
    /** `[node][10]`: translation, rotation, scale at rest. */
    readonly rest: Float64Array;
    /** The matrix of each node that has one; null for nodes with the ten numbers. */
    readonly matrices: readonly (Float64Array | null)[];
}

/** `[node][12]`, NaN for nodes without a matrix. */
export function matricesOf({ matrices }: Pick<Skeleton, 'matrices'>): Float64Array {
    const all = new Float64Array(matrices.length * 12).fill(NaN);
    for (const [node, matrix] of matrices.entries()) if (matrix !== null) all.set(matrix, node * 12);
    return all;
}

/** Whether a channel moves its node rather than morph weights. */
export function places(channel: SceneChannel): channel is SceneChannel & { path: keyof typeof PLACES } {
    return channel.path !== 'weights';
}

/**
 * Places all nodes of a clip at ascending times.
 *
 * @param use Gets the index of the time, and global matrices that the next call overwrites.
 */
export type EachPose = (times: ArrayLike<number>, use: (i: number, globals: Float64Array) => void) => void;

/** Prepares the poses of a clip. Twin: native/rig/clip_poses.h. */
export function posesTwin(skeleton: Skeleton, channels: readonly SceneChannel[]): EachPose {
    return (times, use) => {
        const locals = skeleton.rest.slice();
        const globals = new Float64Array(skeleton.nodes.length * 12);
        const tracks = channels.filter(places).map((channel) => ({ channel, key: -1 }));
        for (let i = 0; i < times.length; i++) {
            for (const track of tracks) {
                const { path, node } = track.channel;
                const at = skeleton.indexOf[node]! * TRS + PLACES[path];
                track.key = keyUpTo(track.channel.times, times[i]!, track.key);
                sampleFrom(track.channel, path === 'rotation' ? 4 : 3, track.key, times[i]!, locals, at);
            }
            use(i, globalsOf(skeleton, locals, globals));
        }
    };
}
