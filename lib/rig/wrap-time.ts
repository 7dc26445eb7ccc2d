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

/**
 * The same in place, of the times of `lanes`; float32 throughout where `single`. In lists, because numbers that functions
 * take and give one by one are put on the heap, unless V8 makes one function of the two.
 */
export function wrapTimes(
    times: Float64Array,
    lanes: Uint8Array,
    count: number,
    { duration }: { readonly duration: number },
    single: boolean,
): void {
    for (let i = 0; i < count; i++) {
        const lane = lanes[i]!;
        const time = times[lane]!;
        const wrapped = single
            ? fround(time - fround(duration * floor(fround(time / duration))))
            : time - duration * floor(time / duration);
        times[lane] = wrapped >= 0 && wrapped < duration ? wrapped : 0;
    }
}
