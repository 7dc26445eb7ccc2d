// SPDX-License-Identifier: MIT
'use strict';

/**
 * The classes of data that the sweep covers: pairs of quaternions from the ordinary to those that break careless code,
 * and matrices in the same way. Each class fills element after element of float32 lists.
 */

const { sqrt } = Math;

const ROOT_HALF = sqrt(0.5);
const DENORMAL = 2 ** -149;

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** Any float32: each pattern of bits is equally likely, so one in 128 is NaN or infinite. */
function anyBits(random) {
    word[0] = random.word();
    return float[0];
}

const SMALL = [0, -0, 1, -1, 0.5, -0.5, ROOT_HALF, -ROOT_HALF];
const HUGE = [1e30, -1e30, 3e38, -3e38, 1.5e19, -1.5e19, 1e19, 2e9, -1e15, 1];
const SPECIAL = [Number.NaN, Infinity, -Infinity, Number.NaN, -0, 0];

/** Sources of the floats of classes that do not arrange rotations. */
const FLOATS = {
    signedZeros: (random) => random.of(SMALL),
    denormals(random) {
        const kind = random.below(8);
        if (kind === 0) return random.signed();
        if (kind === 1) return random.of(SMALL);
        const size = kind < 4 ? 8 : 1 << 24;
        return (random.below(size) - random.below(size)) * DENORMAL;
    },
    huge: (random) => (random.below(4) === 0 ? random.signed() * 1e20 : random.of(HUGE) * (0.5 + random.unit())),
    special: (random) => (random.below(8) === 0 ? random.of(SPECIAL) : random.signed()),
    bits: anyBits,
};

const q = new Float64Array(4);
const p = new Float64Array(4);

/** A unit quaternion in double precision, in any direction. */
function unitQuaternion(random, out) {
    for (;;) {
        const x = random.signed();
        const y = random.signed();
        const z = random.signed();
        const w = random.signed();
        const square = x * x + y * y + z * z + w * w;
        if (square < 0.01) continue;
        const s = 1 / sqrt(square);
        out[0] = x * s;
        out[1] = y * s;
        out[2] = z * s;
        out[3] = w * s;
        return;
    }
}

function put(list, at, from, scale) {
    list[at] = from[0] * scale;
    list[at + 1] = from[1] * scale;
    list[at + 2] = from[2] * scale;
    list[at + 3] = from[3] * scale;
}

const SIZES = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3];

/** Turns `q` by an angle of 1e-8 to 1e-2, now and then by none; towards `p`, which it overwrites. */
function nearby(random) {
    unitQuaternion(random, p);
    const angle = random.below(16) === 0 ? 0 : random.of(SIZES) * (1 + 9 * random.unit());
    let square = 0;
    for (let k = 0; k < 4; k++) {
        p[k] = q[k] + angle * p[k];
        square += p[k] * p[k];
    }
    const s = 1 / sqrt(square);
    for (let k = 0; k < 4; k++) p[k] *= s;
}

/** Pairs whose dot product is 0 or next to it: exactly, to within rounding, or -0. */
function orthogonal(random, a, b, at) {
    const kind = random.below(4);
    if (kind === 0) {
        // A dot product of -0: each product is a zero, and all of them are negative.
        const axis = random.below(4);
        for (let k = 0; k < 4; k++) {
            a[at + k] = k === axis ? 1 : 0;
            b[at + k] = k === axis ? -0 : -random.unit();
        }
        return;
    }
    unitQuaternion(random, q);
    put(a, at, q, 1);
    // Products that cancel in pairs, (x z) first, as the strict order of the dot product adds them.
    b[at] = a[at + 2];
    b[at + 2] = -a[at];
    b[at + 1] = a[at + 3];
    b[at + 3] = -a[at + 1];
    if (kind > 1) {
        const k = random.below(4);
        const step = random.of(SIZES) * 1e-2;
        b[at + k] *= 1 + (kind === 2 ? step : -step);
    }
}

function fromFloats(floats) {
    return (random, a, b, at) => {
        for (let k = 0; k < 4; k++) {
            a[at + k] = floats(random);
            b[at + k] = floats(random);
        }
    };
}

/** Fills the quaternions at `at` of two lists. */
const PAIRS = {
    random(random, a, b, at) {
        unitQuaternion(random, q);
        unitQuaternion(random, p);
        put(a, at, q, 1);
        put(b, at, p, 1);
    },
    near(random, a, b, at) {
        unitQuaternion(random, q);
        nearby(random);
        put(a, at, q, 1);
        put(b, at, p, 1);
    },
    antipodal(random, a, b, at) {
        unitQuaternion(random, q);
        nearby(random);
        put(a, at, q, 1);
        put(b, at, p, -1);
    },
    orthogonal,
    lengths(random, a, b, at) {
        unitQuaternion(random, q);
        if (random.below(4) === 0) nearby(random);
        else unitQuaternion(random, p);
        put(a, at, q, 0.5 + 2.5 * random.unit());
        put(b, at, p, 0.5 + 2.5 * random.unit());
    },
    zero(random, a, b, at) {
        unitQuaternion(random, q);
        const which = random.below(3);
        put(a, at, q, 1);
        put(b, at, q, 1);
        for (let k = 0; k < 4; k++) {
            if (which !== 1) a[at + k] = random.below(2) ? 0 : -0;
            if (which !== 0) b[at + k] = random.below(2) ? 0 : -0;
        }
    },
    signedZeros: fromFloats(FLOATS.signedZeros),
    denormals: fromFloats(FLOATS.denormals),
    huge: fromFloats(FLOATS.huge),
    special(random, a, b, at) {
        PAIRS.random(random, a, b, at);
        if (random.below(2)) (random.below(2) ? a : b)[at + random.below(4)] = random.of(SPECIAL);
    },
    bits: fromFloats(FLOATS.bits),
};

const PAIR_NAMES = Object.keys(PAIRS);

PAIRS.mixed = (random, a, b, at) => PAIRS[random.of(PAIR_NAMES)](random, a, b, at);

/** A float of a translation that goes with a class. */
function translation(name, random) {
    const kind = random.below(16);
    if (kind === 0) return random.of(SMALL);
    if (name === 'mixed' && kind < 4) return FLOATS.bits(random);
    if (kind < 8 && FLOATS[name]) return FLOATS[name](random);
    return random.signed() * (kind & 1 ? 1000 : 1);
}

const DIAGONALS = [0, -0, 0.5, -0.5, 0.25, -0.75, 1, -1, 1 / 3, -1 / 3];

/** A matrix of the rotation of `q`, whatever the length of `q`. */
function rotation(m, at) {
    const [x, y, z, w] = q;
    m[at] = 1 - 2 * (y * y + z * z);
    m[at + 1] = 2 * (x * y + w * z);
    m[at + 2] = 2 * (x * z - w * y);
    m[at + 4] = 2 * (x * y - w * z);
    m[at + 5] = 1 - 2 * (x * x + z * z);
    m[at + 6] = 2 * (y * z + w * x);
    m[at + 8] = 2 * (x * z + w * y);
    m[at + 9] = 2 * (y * z - w * x);
    m[at + 10] = 1 - 2 * (x * x + y * y);
}

/** Rotations on the borders between the four cases of a conversion to quaternions. */
function borderQuaternion(random) {
    const kind = random.below(4);
    const half = () => (random.below(2) ? 0.5 : -0.5);
    if (kind === 0) {
        for (let k = 0; k < 4; k++) q[k] = half();
        return;
    }
    if (kind === 1) {
        // Half a turn about a diagonal between two axes, or an eighth of all turns.
        q.fill(0);
        const first = random.below(4);
        q[first] = 2 * half() * ROOT_HALF;
        q[(first + 1 + random.below(3)) & 3] = 2 * half() * ROOT_HALF;
        return;
    }
    if (kind === 2) {
        // No turn, or half a turn about an axis.
        q.fill(0);
        q[random.below(4)] = 1;
        return;
    }
    // Two equal components, and w so that the trace is 0 to within rounding: 4 w^2 = 1.
    const x = random.signed();
    const y = random.below(2) ? x : -x;
    const z = random.below(2) ? x : random.signed();
    const s = sqrt(0.75 / (x * x + y * y + z * z));
    q[0] = x * s;
    q[1] = y * s;
    q[2] = z * s;
    q[3] = half();
}

function matrixFromFloats(floats) {
    return (random, m, at) => {
        for (let k = 0; k < 11; k++) if ((k & 3) !== 3) m[at + k] = floats(random);
    };
}

/** Fills the 3x3 part of the matrix at `at` of a list. */
const MATRICES = {
    random(random, m, at) {
        unitQuaternion(random, q);
        rotation(m, at);
    },
    borders(random, m, at) {
        borderQuaternion(random);
        rotation(m, at);
    },
    ties(random, m, at) {
        // Diagonals that are equal or add up to 0, with anything beside them.
        for (let k = 0; k < 11; k++) if ((k & 3) !== 3) m[at + k] = random.signed();
        const d = random.of(DIAGONALS);
        const e = random.below(3) ? d : random.of(DIAGONALS);
        const f = random.below(3) ? -(d + e) : random.of(DIAGONALS);
        const first = random.below(3);
        m[at + first * 5] = d;
        m[at + ((first + 1) % 3) * 5] = e;
        m[at + ((first + 2) % 3) * 5] = f;
    },
    lengths(random, m, at) {
        unitQuaternion(random, q);
        const s = 0.5 + 1.5 * random.unit();
        for (let k = 0; k < 4; k++) q[k] *= s;
        rotation(m, at);
    },
    signedZeros: matrixFromFloats(FLOATS.signedZeros),
    denormals: matrixFromFloats(FLOATS.denormals),
    huge: matrixFromFloats(FLOATS.huge),
    special(random, m, at) {
        MATRICES.random(random, m, at);
        if (random.below(2)) m[at + random.below(3) * 4 + random.below(3)] = random.of(SPECIAL);
    },
    bits: matrixFromFloats(FLOATS.bits),
};

const MATRIX_NAMES = Object.keys(MATRICES);

MATRICES.mixed = (random, m, at) => MATRICES[random.of(MATRIX_NAMES)](random, m, at);

/** Two lists of quaternions of a class, `stride` floats each (4, or 8 with a translation). */
function quaternionPairs(name, random, count, stride) {
    const a = new Float32Array(count * stride);
    const b = new Float32Array(count * stride);
    const fill = PAIRS[name];
    for (let i = 0; i < a.length; i += stride) {
        fill(random, a, b, i);
        for (let k = 4; k < stride; k++) {
            a[i + k] = translation(name, random);
            b[i + k] = translation(name, random);
        }
    }
    return [a, b];
}

/** A list of matrices of a class. */
function matrices(name, random, count) {
    const m = new Float32Array(count * 12);
    const fill = MATRICES[name];
    for (let i = 0; i < m.length; i += 12) {
        fill(random, m, i);
        for (let k = 3; k < 12; k += 4) m[i + k] = translation(name, random);
    }
    return m;
}

/** Every t that one call may get, on and beside every border; not only float32 numbers, because each is rounded. */
const TIMES = [
    0,
    -0,
    1e-7,
    ...Array.from({ length: 63 }, (_, k) => (k + 1) / 64),
    1 - 2 ** -24,
    1,
    0.5 + 2 ** -24,
    0.5 - 2 ** -25,
    DENORMAL,
    2 ** -130,
    // Rounded to float32 these are 0, 0, the smallest denormal, 1 and 1.
    2 ** -150,
    1e-60,
    2 ** -150 + 2 ** -160,
    1 - 2 ** -25,
    1 - 2 ** -40,
    0.1,
    0.3,
    0.7,
    -1,
    2,
    Infinity,
    -Infinity,
    Number.NaN,
];

/** One t for each element: half of them ordinary, half of them borders. */
function times(random, count) {
    const t = new Float32Array(count);
    for (let i = 0; i < count; i++) t[i] = random.below(2) ? random.unit() : random.of(TIMES);
    return t;
}

module.exports = {
    FLOATS,
    PAIR_CLASSES: Object.keys(PAIRS),
    MATRIX_CLASSES: Object.keys(MATRICES),
    TIMES,
    anyBits,
    matrices,
    quaternionPairs,
    times,
    unitQuaternion,
};
