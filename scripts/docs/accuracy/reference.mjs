// SPDX-License-Identifier: MIT

/**
 * The right answers, in double precision from the very floats that the routines get, and the errors against them.
 */

/** Below this a dot product's sign is float32 rounding, and both ways round are right. */
const EITHER_WAY = 1e-6;

/** The weights of slerp and of lerp for two vectors `angle` apart: [of the first, of the second]. */
const WEIGHTS = {
    slerp(angle, t) {
        // By the true angle; its sine vanishes only at 0, because the shorter way is never more than a right angle.
        const sine = Math.sin(angle);
        return sine === 0 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    },
    lerp: (_, t) => [1 - t, t],
};

/**
 * Interpolates every pair of a chunk (sets.mjs). `right` holds 4 doubles for each; `other` the second right answer of
 * those pairs that have one, by pair: those a right angle apart, and obtuse ones at t = 1.
 *
 * @param kind 'slerp', or 'lerp' (renormalised).
 */
export function interpolate({ pairs, from, to, times }, kind) {
    const right = new Float64Array(pairs * 4);
    const other = new Map();
    const list = pairs / times.length;
    const answer = new Float64Array(4);
    for (let i = 0, o = 0; i < pairs; i++, o += 4) {
        const [x0, y0, z0, w0] = [from[o], from[o + 1], from[o + 2], from[o + 3]];
        const [x1, y1, z1, w1] = [to[o], to[o + 1], to[o + 2], to[o + 3]];
        const length0 = Math.sqrt(x0 * x0 + y0 * y0 + z0 * z0 + w0 * w0);
        const length1 = Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1 + w1 * w1);
        const cos = (x0 * x1 + y0 * y1 + z0 * z1 + w0 * w1) / (length0 * length1);
        const t = times[Math.floor(i / list)];
        const one = (sign) => {
            const [s0, s1] = [1 / length0, sign / length1];
            const apart = (x0 * s0 - x1 * s1) ** 2 + (y0 * s0 - y1 * s1) ** 2 + (z0 * s0 - z1 * s1) ** 2;
            const along = (x0 * s0 + x1 * s1) ** 2 + (y0 * s0 + y1 * s1) ** 2 + (z0 * s0 + z1 * s1) ** 2;
            const angle =
                2 *
                Math.atan2(Math.sqrt(apart + (w0 * s0 - w1 * s1) ** 2), Math.sqrt(along + (w0 * s0 + w1 * s1) ** 2));
            const [keep, take] = WEIGHTS[kind](angle, t);
            answer[0] = keep * x0 + sign * take * x1;
            answer[1] = keep * y0 + sign * take * y1;
            answer[2] = keep * z0 + sign * take * z1;
            answer[3] = keep * w0 + sign * take * w1;
            if (kind === 'lerp') {
                const length = Math.hypot(...answer);
                for (let k = 0; k < 4; k++) answer[k] /= length;
            }
            return answer;
        };
        right.set(one(cos < 0 ? -1 : 1), o);
        if (Math.abs(cos) < EITHER_WAY) other.set(i, Float64Array.from(one(cos < 0 ? 1 : -1)));
        // At the end a copy of `to` is right, whatever its sign.
        else if (t === 1 && cos < 0) other.set(i, Float64Array.from([x1, y1, z1, w1]));
    }
    return { right, other };
}

/** The errors of one routine on one set: `add` what it returned, chunk by chunk, and ask at the end. */
export class Errors {
    max = 0;
    length = 0;
    #squares = 0;
    #chord = 0;
    #count = 0;

    /**
     * @param actual The results, `stride` floats apart.
     * @param expected From `interpolate`, or doubles alike.
     */
    add(actual, stride, { right, other }) {
        const pairs = right.length / 4;
        this.#count += pairs;
        // In variables: it is what most of the time goes into.
        let { max, length: worstLength } = this;
        let squares = this.#squares;
        let worstChord = this.#chord;
        for (let i = 0, o = 0, a = 0; i < pairs; i++, o += 4, a += stride) {
            let x1 = right[o];
            let y1 = right[o + 1];
            let z1 = right[o + 2];
            let w1 = right[o + 3];
            const x = actual[a];
            const y = actual[a + 1];
            const z = actual[a + 2];
            const w = actual[a + 3];
            const second = other.size > 0 ? other.get(i) : undefined;
            if (second !== undefined) {
                if (x * second[0] + y * second[1] + z * second[2] + w * second[3] > x * x1 + y * y1 + z * z1 + w * w1) {
                    x1 = second[0];
                    y1 = second[1];
                    z1 = second[2];
                    w1 = second[3];
                }
            }
            const dx = x - x1;
            const dy = y - y1;
            const dz = z - z1;
            const dw = w - w1;
            const most = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz), Math.abs(dw));
            // A NaN is no small error.
            if (!(most <= max)) max = Number.isNaN(most) ? Infinity : most;
            squares += dx * dx + dy * dy + dz * dz + dw * dw;
            const length = Math.sqrt(x * x + y * y + z * z + w * w);
            const length1 = Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1 + w1 * w1);
            const off = Math.abs(length / length1 - 1);
            if (off > worstLength) worstLength = off;
            const s = 1 / length;
            const s1 = 1 / length1;
            const chord =
                (x * s - x1 * s1) ** 2 + (y * s - y1 * s1) ** 2 + (z * s - z1 * s1) ** 2 + (w * s - w1 * s1) ** 2;
            if (chord > worstChord) worstChord = chord;
        }
        this.max = max;
        this.length = worstLength;
        this.#squares = squares;
        this.#chord = worstChord;
    }

    /** Over all components. */
    get rms() {
        return Math.sqrt(this.#squares / (4 * this.#count));
    }

    /** Of the normalised result, in radians: twice the angle between the vectors. */
    get rotation() {
        return 4 * Math.asin(Math.min(1, Math.sqrt(this.#chord) / 2));
    }

    get pairs() {
        return this.#count;
    }
}

/** The papers' rotation matrix of a quaternion (its 9 numbers by rows), of any length near 1, by the formula. */
export function rotationOf(x, y, z, w) {
    return [
        1 - 2 * (y * y + z * z),
        2 * (x * y + w * z),
        2 * (x * z - w * y),
        2 * (x * y - w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z + w * x),
        2 * (x * z + w * y),
        2 * (y * z - w * x),
        1 - 2 * (x * x + y * y),
    ];
}

/** The max entry of R Rᵀ - I of the JointMat at `o`. */
export function offOrthonormal(mats, o) {
    let worst = 0;
    for (let r = 0; r < 3; r++) {
        for (let c = r; c < 3; c++) {
            const [a, b] = [o + r * 4, o + c * 4];
            const dot = mats[a] * mats[b] + mats[a + 1] * mats[b + 1] + mats[a + 2] * mats[b + 2];
            worst = Math.max(worst, Math.abs(dot - (r === c ? 1 : 0)));
        }
    }
    return worst;
}

/** The product of two JointMats; with `inverse` that of the first one's inverse, a rotation's, and the second. */
export function product(a, b, inverse = false) {
    const m = new Float64Array(12);
    for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 4; c++) {
            let sum = c === 3 && !inverse ? a[r * 4 + 3] : 0;
            for (let k = 0; k < 3; k++) {
                sum += inverse
                    ? a[k * 4 + r] * (b[k * 4 + c] - (c === 3 ? a[k * 4 + 3] : 0))
                    : a[r * 4 + k] * b[k * 4 + c];
            }
            m[r * 4 + c] = sum;
        }
    }
    return m;
}

/** transformSkeleton of a chain: every matrix relative to the first one's parent. */
export function transformChain(mats) {
    const m = Float64Array.from(mats);
    for (let a = 12; a < m.length; a += 12) m.set(product(m.subarray(a - 12, a), m.subarray(a, a + 12)), a);
    return m;
}
