// SPDX-License-Identifier: MIT

import type { GltfScene, SceneChannel } from '../../../lib/gltf/scene';
import type { ReducedAnimation, ReducedChannel } from '../../../lib/reduce/types';

/** Every other key and the last one, for any effect on poses. Optionally rotations and weights become integers. */
export function fewerKeys({ animations }: Pick<GltfScene, 'animations'>, integers = false): ReducedAnimation[] {
    return animations.flatMap(({ channels }, animation): ReducedAnimation[] =>
        channels.length === 0
            ? []
            : [{ animation, channels: channels.map((channel) => fewer(channel, integers)), removed: [] }],
    );
}

export function fewer({ pointer, path, interpolation, times, values }: SceneChannel, integers = false): ReducedChannel {
    const count = times.length;
    const width = values.length / count;
    const kept = Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === 0 || i === count - 1);
    const floats = Float32Array.from(kept.flatMap((key) => [...values.subarray(key * width, (key + 1) * width)]));
    const stored = integers && interpolation !== 'CUBICSPLINE' ? integersOf(path, floats) : floats;
    return { pointer, path, interpolation, times: Float32Array.from(kept, (key) => times[key]!), values: stored };
}

function integersOf(path: SceneChannel['path'], floats: Float32Array): ReducedChannel['values'] {
    if (path === 'rotation') return Int16Array.from(floats, (x) => Math.round(x * 32767));
    if (path !== 'weights' || floats.some((x) => x < 0 || x > 1)) return floats;
    return Uint8Array.from(floats, (x) => Math.round(x * 255));
}

/** glTF 2.0, 3.11. */
export function decoded({ values }: ReducedChannel): number[] {
    const one =
        { Int16Array: 32767, Int8Array: 127, Uint16Array: 65535, Uint8Array: 255 }[values.constructor.name] ?? 0;
    return Array.from(values, (x) => (one === 0 ? x : Math.max(x / one, -1)));
}
