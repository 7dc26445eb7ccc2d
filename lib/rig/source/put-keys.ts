// SPDX-License-Identifier: MIT

import { TYPES } from '../../gltf/append-animations';
import type { ChannelPath, Interpolation } from '../../gltf/scene';
import type { TypedArray } from '../../gltf/validate/accessors';
import type {
    ChangeableAccessor,
    ChangeableAnimation,
    ChangeableChannel,
    ChangeableDocument,
} from './sampled-document';

/** Methods of the Document that `putKeys` calls. */
export const CHANGED: readonly string[] = ['createBuffer', 'createAccessor', 'createAnimationSampler'];

/** New keys of a channel. Integer values are normalized. */
export interface ChannelKeys {
    readonly channel: ChangeableChannel;
    readonly path: ChannelPath;
    readonly interpolation: Interpolation;
    readonly times: Float32Array;
    readonly values: TypedArray;
}

/**
 * Replaces the keys of channels. Each channel gets a new sampler with the name and extras of the old one. Removes
 * samplers without a channel, and accessors that only these used.
 *
 * @param accessors Accessors from earlier calls, by list: the same list object becomes one accessor.
 */
export function putKeys(
    document: ChangeableDocument,
    animation: ChangeableAnimation,
    keys: readonly ChannelKeys[],
    accessors: Map<TypedArray, ChangeableAccessor> = new Map(),
): void {
    const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
    const accessorOf = (type: string, array: TypedArray): ChangeableAccessor => {
        const known = accessors.get(array);
        if (known !== undefined) return known;
        const accessor = document.createAccessor();
        accessor.setType(type as never);
        accessor.setArray(array as never);
        accessor.setNormalized(!(array instanceof Float32Array));
        accessor.setBuffer(buffer as never);
        accessors.set(array, accessor);
        return accessor;
    };
    const before = animation.listSamplers();
    for (const { channel, path, interpolation, times, values } of keys) {
        const sampler = channel.getSampler()?.clone() ?? document.createAnimationSampler();
        sampler.setInput(accessorOf('SCALAR', times) as never);
        sampler.setOutput(accessorOf(TYPES[path], values) as never);
        sampler.setInterpolation(interpolation as never);
        animation.addSampler(sampler as never);
        channel.setSampler(sampler as never);
    }
    const used = new Set(animation.listChannels().map((channel) => channel.getSampler()));
    for (const sampler of before) {
        if (used.has(sampler)) continue;
        const own = [sampler.getInput(), sampler.getOutput()];
        sampler.dispose();
        for (const accessor of own) {
            if (accessor?.listParents().every(({ propertyType }) => propertyType === 'Root')) accessor.dispose();
        }
    }
}
