// SPDX-License-Identifier: MIT

/** The nodes of a model, and where clips place them. */

import type { SceneChannel } from '../../gltf/scene';
import { globalsOf, TRS } from './affine';
import { keyUpTo, sampleFrom } from './sampler';

/** Where in the ten numbers of a node each property is. */
export const PLACES = { translation: 0, rotation: 3, scale: 7 } as const;

/** Nodes whose points must stay in place, and all above them. Plain data, in double precision. */
export interface Skeleton {
    /** The file's nodes, each behind its parent; all else here goes by places in this list. */
    readonly nodes: Int32Array;
    /** By node of the file; -1 for those that are not judged. */
    readonly indexOf: Int32Array;
    readonly parents: Int32Array;
    /** `[node][10]`: translation, rotation, scale at rest. */
    readonly rest: Float64Array;
    /** The matrix of each node that has one; null for nodes with the numbers above. */
    readonly matrices: readonly (Float64Array | null)[];
}

/** Whether a channel places its node, and is not a morph's. */
export function places(channel: SceneChannel): channel is SceneChannel & { path: keyof typeof PLACES } {
    return channel.path !== 'weights';
}

/**
 * Places all nodes at ascending times.
 *
 * @param use Given the number of the time, and global matrices, which are written to again.
 */
export function eachPose(
    skeleton: Skeleton,
    channels: readonly SceneChannel[],
    times: ArrayLike<number>,
    use: (i: number, globals: Float64Array) => void,
): void {
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
}
