// SPDX-License-Identifier: MIT

import { numberAtEnd } from '../../gltf/json';
import type { SceneAnimation } from '../../gltf/scene';
import { Rig } from '../../rig/rig';
import { type ChannelKeys, putKeys } from '../../rig/source/put-keys';
import type { ChangeableAnimation, ChangeableDocument } from '../../rig/source/sampled-document';
import type { RigSource } from '../../rig/source/source';
import type { PlannedClip } from '../plan/plan';
import { type DenseChannel, keyTimesOf, sampleClip } from './sample-clip';

/**
 * Puts dense float keys in the place of those of the planned clips. Channels keep their order, names and extras; what they
 * used alone is removed.
 *
 * @param source The same nodes and animations, by index. Its channels' pointers tell which channel of the Document is which.
 */
export function replaceClips(document: ChangeableDocument, source: RigSource, clips: readonly PlannedClip[]): void {
    const rig = new Rig({ ...source, skinnedMeshes: [] });
    const animations = document.getRoot().listAnimations();
    for (const { animation, timeline } of clips) {
        const { channels } = source.animations[animation]!;
        const dense = sampleClip(rig, animation, channels, timeline);
        replaceKeys(document, animations[animation]!, source.animations[animation]!, dense, keyTimesOf(timeline));
    }
}

function replaceKeys(
    document: ChangeableDocument,
    animation: ChangeableAnimation,
    { channels }: SceneAnimation,
    dense: readonly DenseChannel[],
    times: Float32Array,
): void {
    const nodes = document.getRoot().listNodes();
    // A clip of constants alone still lasts as long as before: one of them is told at both ends.
    const duration = times[times.length - 1]!;
    const lasting = duration > 0 && dense.every(({ constant }) => constant) ? 0 : -1;
    const start = new Float32Array(1);
    const listed = animation.listChannels();
    const keys = dense.map(({ node, path, interpolation, values, constant }, index): ChannelKeys => {
        const channel = listed[numberAtEnd(channels[index]!.pointer)]!;
        channel.setTargetNode(nodes[node] as never);
        channel.setTargetPath(path as never);
        return index === lasting
            ? {
                  channel,
                  path,
                  interpolation,
                  times: Float32Array.of(0, duration),
                  values: Float32Array.of(...values, ...values),
              }
            : { channel, path, interpolation, times: constant ? start : times, values };
    });
    putKeys(document, animation, keys);
}
