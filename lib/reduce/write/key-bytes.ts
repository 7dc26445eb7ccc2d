// SPDX-License-Identifier: MIT

import { gzipSync } from 'node:zlib';
import type { SceneChannel } from '../../gltf/scene';
import type { ReducedChannel } from '../types';
import { joined, packKeys } from './pack-keys';

/** Whether a clip's new channels take no more bytes than its old ones by gzip, at the level of `AnimationBytes`. */
export function isSmaller(channels: readonly ReducedChannel[], source: readonly SceneChannel[]): boolean {
    const old = new Map<ReducedChannel, ReducedChannel>(
        source.map((channel) => [channel, { ...channel, values: asStored(channel) }]),
    );
    return sizeOf(channels.map((channel) => old.get(channel) ?? channel)) <= sizeOf([...old.values()]);
}

function sizeOf(channels: readonly ReducedChannel[]): number {
    return gzipSync(joined(packKeys(channels).views.map(({ bytes }) => bytes)), { level: 9 }).length;
}

/** Rotations and weights as the normalised integers that they have most probably been, where all are such (glTF 2.0, 3.11). */
function asStored({ path, values }: SceneChannel): ReducedChannel['values'] {
    if (path !== 'rotation' && path !== 'weights') return values;
    for (const [one, Integers] of [
        [127, Int8Array],
        [255, Uint8Array],
        [32767, Int16Array],
        [65535, Uint16Array],
    ] as const) {
        const stored = new Integers(values.length);
        let fits = true;
        for (let i = 0; fits && i < values.length; i++) {
            stored[i] = Math.round(values[i]! * one);
            fits = Math.fround(stored[i]! / one) === values[i];
        }
        if (fits) return stored;
    }
    return values;
}
