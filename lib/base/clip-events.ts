// SPDX-License-Identifier: MIT

import { rangeError } from './errors';

/** Something that happens at a time of a clip, such as a footstep. */
export interface ClipEvent {
    /** Name, for the program that handles it. Events can share a name. */
    readonly name: string;
    /** Seconds from the start of the clip, at most its duration. */
    readonly time: number;
}

/** Maximum number of events that a call returns. */
const MAX_CROSSED = 65536;

/** The result of most calls, which then allocate nothing. */
const NONE: readonly ClipEvent[] = Object.freeze([]);

/**
 * The events from `t0`, included, to `t1`, not included, in the order in which they are crossed. So consecutive calls
 * have each event once, whatever their times and directions are.
 *
 * @param events By time.
 * @param wrap Whether the clip repeats: an event also happens a whole number of durations before and after.
 * @throws RangeError `ERR_COUNT_RANGE` for more than {@link MAX_CROSSED} events.
 */
export function crossedEvents(
    routine: string,
    events: readonly ClipEvent[],
    duration: number,
    t0: number,
    t1: number,
    wrap: boolean,
): readonly ClipEvent[] {
    const count = events.length;
    if (count === 0 || t0 === t1) return NONE;
    const repeats = wrap && duration > 0;
    // A time is a cycle and the seconds in it, which are exact for times from 0 on.
    const p0 = repeats ? secondsIn(t0, duration) : t0;
    const p1 = repeats ? secondsIn(t1, duration) : t1;
    const c0 = repeats ? Math.round((t0 - p0) / duration) : 0;
    const c1 = repeats ? Math.round((t1 - p1) / duration) : 0;
    const step = t0 < t1 ? 1 : -1;
    const cycles = (c1 - c0) * step;
    if (!(cycles * count <= MAX_CROSSED)) {
        const what = `${cycles} rounds of ${count} events from ${t0} to ${t1} s`;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${what}, must be at most ${MAX_CROSSED} events`);
    }
    // The end of a cycle is the start of the next one.
    let atEnd = 0;
    while (repeats && atEnd < count && events[count - 1 - atEnd]!.time === duration) atEnd++;
    let crossed: ClipEvent[] | null = null;
    for (let cycle = c0, round = 0; round <= cycles; cycle += step, round++) {
        for (let i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step) {
            const event = events[(i + count - atEnd) % count]!;
            const time = i < atEnd ? 0 : event.time;
            const isAfterStart = cycle !== c0 || (time - p0) * step >= 0;
            const isBeforeEnd = cycle !== c1 || (p1 - time) * step > 0;
            if (!isAfterStart || !isBeforeEnd) continue;
            crossed ??= [];
            crossed.push(event);
        }
    }
    return crossed ?? NONE;
}

/** From 0 to `duration`; only a rounded sum reaches `duration`. */
function secondsIn(time: number, duration: number): number {
    const rest = time % duration;
    return rest < 0 ? rest + duration : rest;
}
