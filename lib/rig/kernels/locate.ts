// SPDX-License-Identifier: MIT
// Twin: native/rig/locate.h

import { type ClipTables, GROUP_NUMBERS, KEYS_PADDING, LANES } from './contract';

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

/**
 * Finds the keys of one group for some lanes.
 *
 * @param times The time of each lane, seconds.
 * @param cells Their cells.
 */
export function locateGroup(
    located: Located,
    clip: ClipTables,
    group: number,
    times: Float64Array,
    cells: Uint16Array,
    lanes: Uint8Array,
    laneCount: number,
): void {
    const { times: keyTimes, starts, groups } = clip;
    const first = groups[group * GROUP_NUMBERS]!;
    const last = first + groups[group * GROUP_NUMBERS + 1]! - 1;
    const values = groups[group * GROUP_NUMBERS + 2]!;
    const stride = groups[group * GROUP_NUMBERS + 3]!;
    const start = groups[group * GROUP_NUMBERS + 4]!;
    const shift = groups[group * GROUP_NUMBERS + 5]!;
    const { rows, nextRows, fractions, intervals } = located;
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const time = times[lane]!;
        let key = first + starts[start + (cells[lane]! >> shift)]!;
        // Ends at the last key: Infinity follows it.
        let steps = 0;
        while (keyTimes[key + 1]! <= time) {
            key++;
            if (++steps === KEYS_PADDING) key = search(keyTimes, key, last + 1, times, lane);
        }
        const at = group * LANES + lane;
        const row = values + (key - first) * stride;
        rows[at] = row;
        const keyTime = keyTimes[key]!;
        if (key === last) {
            nextRows[at] = row;
            fractions[at] = 0;
            intervals[at] = 0;
            continue;
        }
        const interval = keyTimes[key + 1]! - keyTime;
        nextRows[at] = row + stride;
        fractions[at] = time <= keyTime ? 0 : (time - keyTime) / interval;
        intervals[at] = interval;
    }
}

/**
 * The last key in [low, high) with a time up to that of the lane; `low` where there is none. The time stays in its
 * list: passed as a number it might be put on the heap.
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
