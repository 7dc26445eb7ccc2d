// SPDX-License-Identifier: MIT

/**
 * The pairs of quaternions that accuracy is measured on: the same numbers on every machine, and in quick mode some of them. A set has
 * chunks, and a chunk has lists of 67 pairs with one time each. 67 is not a multiple of 4, 8 or 16, whose remainders have code of their own.
 */

export const LIST = 67;

/** A source of numbers in [0, 1). */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        // SplitMix32.
        state = (state + 0x9e3779b9) >>> 0;
        let x = state;
        x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
        x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
        return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
    };
}

/** Writes a unit quaternion into `q`, uniform over all of them. */
export function unitQuaternion(next, q) {
    for (;;) {
        let square = 0;
        for (let k = 0; k < 4; k++) {
            q[k] = 2 * next() - 1;
            square += q[k] * q[k];
        }
        if (square < 0.01 || square > 1) continue;
        const length = Math.sqrt(square);
        for (let k = 0; k < 4; k++) q[k] /= length;
        return;
    }
}

const q = new Float64Array(4);
const p = new Float64Array(4);

/** Writes two quaternions of these lengths with `angle` between them as vectors. */
function setPair(next, from, to, o, angle, fromLength, toLength) {
    unitQuaternion(next, q);
    for (;;) {
        unitQuaternion(next, p);
        const along = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
        if (along * along > 0.99) continue;
        const length = Math.sqrt(1 - along * along);
        for (let k = 0; k < 4; k++) p[k] = (p[k] - along * q[k]) / length;
        break;
    }
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (let k = 0; k < 4; k++) {
        from[o + k] = q[k] * fromLength;
        to[o + k] = (cos * q[k] + sin * p[k]) * toLength;
    }
}

/** @param times One for each list. */
function makeChunk(next, times, drawAngle, drawLength = () => 1) {
    const pairs = times.length * LIST;
    const from = new Float32Array(pairs * 4);
    const to = new Float32Array(pairs * 4);
    for (let i = 0; i < pairs; i++) setPair(next, from, to, i * 4, drawAngle(), drawLength(), drawLength());
    return { pairs, from, to, times };
}

const ANY_ANGLE = (next) => () => Math.PI * next();
const TINY_ANGLE = (next) => () => 10 ** (-8 + 6 * next());
const NEARLY_UNIT = (next) => () => 1 + 1e-3 * (2 * next() - 1);

const CHUNKS = 100;
const LISTS = 600;

function drawn(seed, angle, length) {
    return function* (quick) {
        const next = random(seed);
        for (let chunk = 0; chunk < (quick ? 1 : CHUNKS); chunk++) {
            const times = Float32Array.from({ length: LISTS }, next);
            yield makeChunk(next, times, angle(next), length?.(next));
        }
    };
}

function sweptAngles() {
    const acute = [0];
    for (let k = 0; k <= 12; k++) acute.push(10 ** (k / 2 - 7));
    for (let degrees = 6; degrees <= 90; degrees += 3) acute.push((degrees * Math.PI) / 180);
    const obtuse = acute.slice(0, -1).map((angle) => Math.PI - angle);
    return [...acute, ...obtuse.reverse()];
}

function* swept(quick) {
    const every = quick ? 4 : 1;
    const lists = quick ? 1 : 8;
    for (const [index, angle] of sweptAngles().entries()) {
        const next = random(0xb0000 + index);
        const times = [];
        for (let k = 0; k <= 64; k += every) for (let i = 0; i < lists; i++) times.push(k / 64);
        yield makeChunk(next, Float32Array.from(times), () => angle);
    }
}

/** By letter: a title, and `chunks(quick)`. */
export const SETS = {
    a: {
        title: 'random pairs: any two rotations, any angle from 0 to π between them, any t from 0 to 1',
        chunks: drawn(0xa0000, ANY_ANGLE),
    },
    b: {
        title: 'swept angles: 0, 1e-7 … 0.1 two in each decade, 6° … 90° every 3°, and the same from π down; t = k/64',
        chunks: swept,
    },
    c: { title: 'tiny angles: 1e-8 … 1e-2, logarithmically even, any t', chunks: drawn(0xc0000, TINY_ANGLE) },
    d: {
        title: 'as (a), but quaternions whose lengths are off by up to 1e-3',
        chunks: drawn(0xd0000, ANY_ANGLE, NEARLY_UNIT),
    },
};

/** JointQuats of the pairs of a chunk, with translations from 1e-3 to 1e3. */
export function withTranslations({ pairs, from, to }, next) {
    return [from, to].map((quats) => {
        const list = new Float32Array(pairs * 8);
        for (let i = 0; i < pairs; i++) {
            const size = 10 ** (-3 + 6 * next());
            for (let k = 0; k < 4; k++) {
                list[i * 8 + k] = quats[i * 4 + k];
                list[i * 8 + 4 + k] = (2 * next() - 1) * size;
            }
        }
        return list;
    });
}

/** JointQuats of a chain of bones of length 1 with random rotations. */
export function chain(next, numJoints) {
    const quats = new Float32Array(numJoints * 8);
    for (let o = 0; o < quats.length; o += 8) {
        unitQuaternion(next, q);
        unitQuaternion(next, p);
        const length = Math.hypot(p[0], p[1], p[2]);
        quats.set([...q, p[0] / length, p[1] / length, p[2] / length], o);
    }
    return quats;
}
