// SPDX-License-Identifier: MIT

/** A seeded source of numbers in [0, 1): the same on every machine, so that a failure can be repeated. */
export function random(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        // SplitMix32: a Weyl step, then MurmurHash3's finaliser.
        state = (state + 0x9e3779b9) >>> 0;
        let x = state;
        x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
        x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
        return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
    };
}

/** A unit quaternion (to float32), any direction. */
export function randomRotation(next: () => number): number[] {
    for (;;) {
        const q = [next(), next(), next(), next()].map((x) => 2 * x - 1);
        const length = Math.hypot(...q);
        if (length > 0.1 && length <= 1) return q.map((x) => Math.fround(x / length));
    }
}

/** Three numbers within `size` of 0. */
export function randomVector(next: () => number, size: number): number[] {
    return [next(), next(), next()].map((x) => Math.fround((2 * x - 1) * size));
}
