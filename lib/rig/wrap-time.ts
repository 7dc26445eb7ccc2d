// SPDX-License-Identifier: MIT

const { floor, fround } = Math;

/**
 * Maps a time to [0, duration), in double precision. The time of a clip without length is 0, and so is one that rounding
 * takes out of the interval.
 */
export function wrapTime(time: number, duration: number): number {
    const wrapped = time - duration * floor(time / duration);
    return wrapped >= 0 && wrapped < duration ? wrapped : 0;
}

/** The same for a float32 time: float32 throughout. */
export function wrapTime32(time: number, duration: number): number {
    const wrapped = fround(time - fround(duration * floor(fround(time / duration))));
    return wrapped >= 0 && wrapped < duration ? wrapped : 0;
}
