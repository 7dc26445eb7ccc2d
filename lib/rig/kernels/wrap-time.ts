// SPDX-License-Identifier: MIT
// Twin: native/rig/wrap_time.h

const { floor, fround } = Math;

/**
 * Maps `times[at]` to [0, durations[clip]), in double precision, in place. The result is 0 for a clip of duration 0,
 * and if rounding leaves the interval. It works on lists, because V8 boxes double arguments and results on the heap
 * unless it inlines the call.
 */
export function wrapTime(times: Float64Array, at: number, durations: Float64Array, clip: number): void {
    const time = times[at]!;
    const duration = durations[clip]!;
    const wrapped = time - duration * floor(time / duration);
    times[at] = wrapped >= 0 && wrapped < duration ? wrapped : 0;
}

/** The same for a float32 time, in float32. */
export function wrapTime32(times: Float64Array, at: number, durations: Float64Array, clip: number): void {
    const time = times[at]!;
    const duration = durations[clip]!;
    const wrapped = fround(time - fround(duration * floor(fround(time / duration))));
    times[at] = wrapped >= 0 && wrapped < duration ? wrapped : 0;
}

/** Number of completed durations, with the same rounding as `wrapTime`. */
export function cycleOf(time: number, duration: number): number {
    const cycles = Math.floor(time / duration);
    return time - duration * cycles >= duration ? cycles + 1 : cycles;
}
