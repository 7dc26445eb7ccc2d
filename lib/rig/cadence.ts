// SPDX-License-Identifier: MIT

import type { SceneAnimation } from '../gltf/scene';

/** The spacing of a clip's keys. */
export interface Cadence {
    /** Maximum number of keys of a channel. */
    readonly keys: number;
    /** Minimum distance between neighboring keys of a channel, in seconds. Both distances are 0 when no channel has two times. */
    readonly shortest: number;
    /** Maximum distance, in seconds. */
    readonly longest: number;
    /**
     * Keys a second: the whole number that the shortest distance gives, from 0 to a first key among them, if all keys lie on its grid;
     * otherwise null.
     */
    readonly rate: number | null;
}

/** Tolerance of a key's distance from the grid, in steps of the grid: `i * fround(1 / rate)` is off by as much after some minutes. */
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
