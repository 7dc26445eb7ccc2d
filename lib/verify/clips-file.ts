// SPDX-License-Identifier: MIT

import { appendAnimations } from '../gltf/append-animations';
import { openContainer, withSpaces } from '../gltf/container';
import { withoutFaultyClips } from '../gltf/faulty-clips';
import { openInput } from '../gltf/files';
import { createReport } from '../gltf/reading';
import type { ChannelPath, Interpolation } from '../gltf/scene';
import type { DoubleEvaluator } from './evaluator';

/** Returns the file with the clips of other files, and the buffer with their keys. */
export async function readWhole(evaluator: DoubleEvaluator): Promise<{ bytes: Uint8Array; keys: Uint8Array }> {
    const { path, faults, taken = 0 } = evaluator.file;
    const bytes = withSpaces(await openInput(path).load());
    if (taken === 0 && faults.size === 0) return { bytes, keys: new Uint8Array(0) };
    const count = evaluator.animationCount;
    const animations = Array.from({ length: taken }, (_, i) => ({
        name: `${i}`,
        channels: evaluator.channelsOf(count - taken + i).map(({ node, path, sampler }) => ({
            node,
            path: path as ChannelPath,
            interpolation: sampler.interpolation as Interpolation,
            times: Float32Array.from(sampler.times),
            values: Float32Array.from(sampler.values),
        })),
    }));
    const container = await openContainer(() => bytes, createReport(path));
    const own = withoutFaultyClips(container.json, new Set(faults.keys()));
    const { glb, keys } = appendAnimations({ ...container, json: own }, animations, 'keys');
    return { bytes: glb, keys };
}
