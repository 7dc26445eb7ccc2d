// SPDX-License-Identifier: MIT

import type { SceneAnimation } from '../gltf/scene';

/** The spacing of the keys of a clip. */
export interface Cadence {
    /** Maximum number of keys of a channel. */
    readonly keys: number;
    /** Minimum distance between adjacent keys of a channel, in seconds. 0 if no channel has two times. */
    readonly shortest: number;
    /** Maximum distance between adjacent keys of a channel, in seconds. 0 if no channel has two times. */
    readonly longest: number;
    /**
     * Keys per second, if all keys are multiples of 1 / `rate` seconds; otherwise null. Computed as 1 over the shortest
     * distance, rounded. The distance from 0 to a first key is included.
     */
    readonly rate: number | null;
}

/**
 * Max distance of a key from the grid, in grid steps. Exporters that write `i * fround(1 / rate)` reach it after some
 * minutes.
 */
const GRID_TOLERANCE = 1e-2;

export function cadenceOf({ channels }: SceneAnimation): Cadence {
    const lists = new Set(channels.map(({ times }) => times));
    let keys = 0;
    let shortest = Infinity;
    let longest = 0;
    let late = Infinity;
    for (const times of lists) {
        keys = Math.max(keys, times.length);
        if (times[0]! > 0 && times[0]! < late) late = times[0]!;
        for (let i = 1; i < times.length; i++) {
            const step = times[i]! - times[i - 1]!;
            if (step === 0) continue;
            if (step < shortest) shortest = step;
            if (step > longest) longest = step;
        }
    }
    if (longest === 0) return { keys, shortest: 0, longest: 0, rate: null };
    const rate = Math.round(1 / Math.min(shortest, late));
    const onGrid = rate > 0 && [...lists].every((times) => times.every((time) => isNear(time * rate)));
    return { keys, shortest, longest, rate: onGrid ? rate : null };
}

function isNear(steps: number): boolean {
    const miss = steps - Math.round(steps);
    return miss <= GRID_TOLERANCE && miss >= -GRID_TOLERANCE;
}
