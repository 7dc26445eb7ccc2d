// SPDX-License-Identifier: MIT

import { CELLS, type ClipTables, KEYS_PADDING } from '../kernels/contract';

type Keys = Pick<ClipTables, 'times' | 'starts' | 'firstTime' | 'cellsPerSecond'>;

/** Where a group has its part of `times` and of `starts`. */
interface KeysPlace {
    readonly firstKey: number;
    readonly firstStart: number;
    readonly cellShift: number;
}

/** Packs the key times of a clip's groups for searching: "Finding keys" in contract.ts. */
export function packKeys(lists: readonly Float32Array[]): { keys: Keys; places: KeysPlace[] } {
    const places: KeysPlace[] = [];
    let firstKey = 0;
    let firstStart = 0;
    let firstTime = lists[0]?.[0] ?? 0;
    let lastTime = firstTime;
    for (const list of lists) {
        const cellShift = Math.max(0, Math.clz32(list.length - 1) - 16);
        places.push({ firstKey, firstStart, cellShift });
        firstKey += list.length + KEYS_PADDING;
        firstStart += CELLS >> cellShift;
        firstTime = Math.min(firstTime, list[0]!);
        lastTime = Math.max(lastTime, list[list.length - 1]!);
    }
    const perSecond = Math.fround(CELLS / Math.fround(lastTime - firstTime));
    // Where all keys are at one time, or almost, there is one cell.
    const cellsPerSecond = Number.isFinite(perSecond) ? perSecond : 0;
    const times = new Float32Array(firstKey).fill(Number.POSITIVE_INFINITY);
    const starts = new Uint16Array(firstStart);
    for (let g = 0; g < lists.length; g++) {
        const list = lists[g]!;
        const { firstKey: at, firstStart: start, cellShift } = places[g]!;
        times.set(list, at);
        // `cellOf`, with stores that round: calls of functions are slow until V8 has compiled the loop.
        const cells = new Float32Array(list.length);
        for (let key = 0; key < list.length; key++) cells[key] = list[key]! - firstTime;
        const end = CELLS >> cellShift;
        let cell = 0;
        for (let key = 0; key < list.length; key++) {
            let next = end;
            if (key + 1 < list.length) {
                cells[key + 1] = cells[key + 1]! * cellsPerSecond;
                next = (Math.min(cells[key + 1]!, CELLS - 1) >> cellShift) + 1;
            }
            for (; cell < next; cell++) starts[start + cell] = Math.min(key, 0xffff);
        }
    }
    return { keys: { times, starts, firstTime, cellsPerSecond }, places };
}
