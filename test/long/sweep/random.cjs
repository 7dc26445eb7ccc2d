// SPDX-License-Identifier: MIT
'use strict';

/**
 * Seeded numbers for the sweep. Only integer arithmetic, + - * / and square roots, whose last bit is the same everywhere, so
 * every machine gets the same inputs.
 */

const { imul } = Math;

/** A source of numbers that is fixed by a text. */
function createRandom(text) {
    // FNV-1a makes the text a seed.
    let state = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) state = imul(state ^ text.charCodeAt(i), 0x01000193);

    /** An integer in 0 … 2^32 - 1. */
    function word() {
        // SplitMix32: a Weyl step, then MurmurHash3's finaliser.
        state = (state + 0x9e3779b9) | 0;
        let x = state;
        x = imul(x ^ (x >>> 16), 0x85ebca6b);
        x = imul(x ^ (x >>> 13), 0xc2b2ae35);
        return (x ^ (x >>> 16)) >>> 0;
    }

    return {
        word,
        /** A number in [0, 1). */
        unit: () => word() / 4294967296,
        /** A number in [-1, 1). */
        signed: () => word() / 2147483648 - 1,
        /** An integer in 0 … n - 1. */
        below: (n) => word() % n,
        /** An element of a list. */
        of: (list) => list[word() % list.length],
    };
}

module.exports = { createRandom };
