// SPDX-License-Identifier: MIT

import type { SceneAnimation } from '../../gltf/scene';
import { Rig } from '../../rig/rig';
import type { RigSource } from '../../rig/source/source';
import type { PlannedClip } from '../plan';
import type { ChangeableAccessor, ChangeableAnimation, ChangeableDocument } from './document';
import { type DenseChannel, keyTimesOf, sampleClip } from './sample-clip';

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;

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
    const root = document.getRoot();
    const nodes = root.listNodes();
    const buffer = root.listBuffers()[0] ?? document.createBuffer();
    const accessorOf = (type: string, array: Float32Array): ChangeableAccessor => {
        const accessor = document.createAccessor();
        accessor.setType(type as never);
        accessor.setArray(array as never);
        accessor.setBuffer(buffer as never);
        return accessor;
    };
    // A clip of constants alone still lasts as long as before: one of them is told at both ends.
    const duration = times[times.length - 1]!;
    const lasting = duration > 0 && dense.every(({ constant }) => constant) ? 0 : -1;
    const inputs = new Map<string, ChangeableAccessor>();
    const inputOf = (name: string, make: () => Float32Array): ChangeableAccessor => {
        const input = inputs.get(name) ?? accessorOf('SCALAR', make());
        inputs.set(name, input);
        return input;
    };
    const listed = animation.listChannels();
    const before = animation.listSamplers();
    for (const [index, { node, path, interpolation, values, constant }] of dense.entries()) {
        const both = index === lasting;
        const input = both
            ? inputOf('ends', () => Float32Array.of(0, duration))
            : constant
              ? inputOf('start', () => new Float32Array(1))
              : inputOf('frames', () => times);
        const sampler = document.createAnimationSampler();
        sampler.setInput(input as never);
        const output = accessorOf(TYPES[path], both ? Float32Array.of(...values, ...values) : values);
        sampler.setOutput(output as never);
        sampler.setInterpolation(interpolation as never);
        animation.addSampler(sampler as never);
        const channel = listed[channelNumber(channels[index]!.pointer)]!;
        channel.setSampler(sampler as never);
        channel.setTargetNode(nodes[node] as never);
        channel.setTargetPath(path as never);
    }
    const used = new Set(animation.listChannels().map((channel) => channel.getSampler()));
    for (const sampler of before) {
        if (used.has(sampler)) continue;
        const accessors = [sampler.getInput(), sampler.getOutput()];
        sampler.dispose();
        for (const accessor of accessors) {
            if (accessor?.listParents().every(({ propertyType }) => propertyType === 'Root')) accessor.dispose();
        }
    }
}

/** The last number of `/animations/0/channels/7`. */
export function channelNumber(pointer: string): number {
    return Number(pointer.slice(pointer.lastIndexOf('/') + 1));
}
