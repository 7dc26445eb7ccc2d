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
 * Replaces the keys of the planned clips by dense float keys. Channels keep their order, names and extras. Accessors
 * that nothing else uses are removed.
 *
 * @param source The same nodes and animations, by index. The pointers of its channels identify the Document's channels.
 */
export function replaceClips(document: ChangeableDocument, source: RigSource, clips: readonly PlannedClip[]): void {
    const rig = new Rig({ ...source, skinnedMeshes: [], withoutLoops: true });
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
    // A clip whose channels are all constant must keep its duration, so one channel gets a key at both ends.
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
