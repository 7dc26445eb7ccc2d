// SPDX-License-Identifier: MIT

/**
 * Chooses keys among samples: takes the longest interval that fits from each key.
 *
 * @param last Index of the last sample, which is a key like the first one.
 * @param fits Whether an interval fits. Asked for intervals of several samples.
 */
export function greedyKnots(last: number, fits: (from: number, to: number) => boolean): number[] {
    const knots = [0];
    for (let a = 0; a < last; knots.push(a)) a = farthest(a, last, (next) => fits(a, next));
    return knots;
}

/**
 * Finds about the end of the longest interval from `a` that fits, by doubling steps. Returns at least the next index.
 */
function farthest(a: number, last: number, fits: (next: number) => boolean): number {
    let good = Math.min(a + 1, last);
    for (let step = 1; good < last && step > 0; ) {
        const next = Math.min(last, good + step);
        if (fits(next)) {
            good = next;
            step *= 2;
        } else {
            step = next - good <= 1 ? 0 : Math.min(step, next - good) >> 1;
        }
    }
    return good;
}
