// SPDX-License-Identifier: MIT
'use strict';

/** Floats as bits. All NaN are equal; all other bits are compared, also -0 and denormals. */

const QUIET_NAN = 0x7fc00000;
const INFINITY = 0x7f800000;

/** The bits of a view of floats, without a copy. */
const bitsOf = (floats) => new Int32Array(floats.buffer, floats.byteOffset, floats.length);

const isNaNBits = (bits) => (bits & 0x7fffffff) > INFINITY;

/** The first place where two lists of bits differ, or -1. */
function firstDifference(actual, expected) {
    for (let i = 0; i < expected.length; i++) {
        const a = actual[i];
        const b = expected[i];
        if (a !== b && !(isNaNBits(a) && isNaNBits(b))) return i;
    }
    return -1;
}

/** Makes every NaN in a list of bits the same one. */
function canonicalise(bits) {
    for (let i = 0; i < bits.length; i++) if (isNaNBits(bits[i])) bits[i] = QUIET_NAN;
    return bits;
}

const word = new Int32Array(1);
const float = new Float32Array(word.buffer);

/** E.g. `-0 (0x80000000)`. */
function showBits(bits) {
    word[0] = bits;
    const value = Object.is(float[0], -0) ? '-0' : float[0];
    return `${value} (0x${(bits >>> 0).toString(16).padStart(8, '0')})`;
}

module.exports = { bitsOf, canonicalise, firstDifference, showBits };
