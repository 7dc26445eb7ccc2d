// SPDX-License-Identifier: MIT
// Twin: native/rig/locate.h

import { type ClipTables, GROUP_NUMBERS, LANES } from './contract';

/** The places of a block's lanes between the keys of a clip's groups: `[group][lane]` each. */
export interface Located {
    /** First float of the row at or before the time. */
    readonly rows: Int32Array;
    /** First float of the row after it; the same row where there is none. */
    readonly nextRows: Int32Array;
    /** The time between the two rows as a fraction, 0 ... 1. */
    readonly fractions: Float32Array;
    /** Seconds between the two rows. */
    readonly intervals: Float32Array;
}

export function createLocated(groups: number): Located {
    return {
        rows: new Int32Array(groups * LANES),
        nextRows: new Int32Array(groups * LANES),
        fractions: new Float32Array(groups * LANES),
        intervals: new Float32Array(groups * LANES),
    };
}

/** Steps from the hint before searching: enough for forward playback at the usual rates. */
const STEPS = 4;

/**
 * Finds the keys of one group for some lanes.
 *
 * @param times The time of each lane, seconds.
 * @param hintsAt First of the 16 hints of this group and block.
 */
export function locateGroup(
    located: Located,
    clip: ClipTables,
    group: number,
    times: Float64Array,
    lanes: Uint8Array,
    laneCount: number,
    hints: Uint16Array,
    hintsAt: number,
): void {
    const keyTimes = clip.times;
    const first = clip.groups[group * GROUP_NUMBERS]!;
    const last = first + clip.groups[group * GROUP_NUMBERS + 1]! - 1;
    const values = clip.groups[group * GROUP_NUMBERS + 2]!;
    const stride = clip.groups[group * GROUP_NUMBERS + 3]!;
    const { rows, nextRows, fractions, intervals } = located;
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const time = times[lane]!;
        let key = first + hints[hintsAt + lane]!;
        if (key > last) key = last;
        if (keyTimes[key]! > time) {
            key = search(keyTimes, first, key, times, lane);
        } else {
            let steps = 0;
            while (key < last && keyTimes[key + 1]! <= time) {
                key++;
                if (++steps === STEPS) key = search(keyTimes, key, last + 1, times, lane);
            }
        }
        const at = group * LANES + lane;
        const row = values + (key - first) * stride;
        rows[at] = row;
        hints[hintsAt + lane] = Math.min(key - first, 0xffff);
        const start = keyTimes[key]!;
        if (key === last) {
            nextRows[at] = row;
            fractions[at] = 0;
            intervals[at] = 0;
            continue;
        }
        const interval = keyTimes[key + 1]! - start;
        nextRows[at] = row + stride;
        fractions[at] = time <= start ? 0 : (time - start) / interval;
        intervals[at] = interval;
    }
}

/**
 * The last key in [low, high) with a time up to that of the lane; `low` where there is none. The time stays in its list:
 * passed as a number it might be put on the heap.
 */
function search(keyTimes: Float32Array, low: number, high: number, times: Float64Array, lane: number): number {
    const time = times[lane]!;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (keyTimes[middle]! <= time) low = middle;
        else high = middle;
    }
    return low;
}
