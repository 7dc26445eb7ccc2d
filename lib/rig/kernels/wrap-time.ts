// SPDX-License-Identifier: MIT
// Twin: native/rig/wrap_time.h

const { floor, fround } = Math;

/**
 * Maps `times[at]` to [0, durations[clip]), in double precision, in place. The time of a clip without length is 0, and so is one
 * that rounding takes out of the interval. In lists, because numbers that functions take and give one by one are put on the
 * heap, unless V8 makes one function of the two.
 */
export function wrapTime(times: Float64Array, at: number, durations: Float64Array, clip: number): void {
    const time = times[at]!;
    const duration = durations[clip]!;
    const wrapped = time - duration * floor(time / duration);
    times[at] = wrapped >= 0 && wrapped < duration ? wrapped : 0;
}

/** The same for a float32 time: float32 throughout. */
export function wrapTime32(times: Float64Array, at: number, durations: Float64Array, clip: number): void {
    const time = times[at]!;
    const duration = durations[clip]!;
    const wrapped = fround(time - fround(duration * floor(fround(time / duration))));
    times[at] = wrapped >= 0 && wrapped < duration ? wrapped : 0;
}

/** How many whole durations have passed; the same rounding as `wrapTime`. */
export function cycleOf(time: number, duration: number): number {
    const cycles = Math.floor(time / duration);
    return time - duration * cycles >= duration ? cycles + 1 : cycles;
}
