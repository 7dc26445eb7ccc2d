// SPDX-License-Identifier: MIT

/** Exact results in double precision, from the float32 numbers that the routines get, and errors against them. */

/** Below this the sign of a dot product is float32 rounding, and both ways round are right. */
const EITHER_WAY = 1e-6;

/** The weights of both vectors, which are `angle` apart. */
const WEIGHTS = {
    slerp(angle, t) {
        const sine = Math.sin(angle);
        return sine === 0 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    },
    lerp: (_, t) => [1 - t, t],
};

/** Writes the unit vector of 4 components into `out`. */
function normalize(list, o, out) {
    let square = 0;
    for (let k = 0; k < 4; k++) square += list[o + k] * list[o + k];
    const length = Math.sqrt(square);
    for (let k = 0; k < 4; k++) out[k] = list[o + k] / length;
    return length;
}

/**
 * Interpolates every pair of a chunk (sets.mjs).
 *
 * @param kind `slerp`, or `lerp`, which is normalized.
 * @returns `right` has 4 doubles for each pair. `other` has a second right answer, by pair: at a right angle, and at t = 1 if obtuse.
 */
export function interpolate({ pairs, from, to, times }, kind) {
    const right = new Float64Array(pairs * 4);
    const other = new Map();
    const list = pairs / times.length;
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    for (let i = 0, o = 0; i < pairs; i++, o += 4) {
        normalize(from, o, a);
        normalize(to, o, b);
        let cos = 0;
        for (let k = 0; k < 4; k++) cos += a[k] * b[k];
        const t = times[Math.floor(i / list)];
        const write = (answer, sign) => {
            let [apart, along] = [0, 0];
            for (let k = 0; k < 4; k++) {
                apart += (a[k] - sign * b[k]) ** 2;
                along += (a[k] + sign * b[k]) ** 2;
            }
            // By atan2, which keeps the digits of small angles.
            const [keep, take] = WEIGHTS[kind](2 * Math.atan2(Math.sqrt(apart), Math.sqrt(along)), t);
            for (let k = 0; k < 4; k++) answer[k] = keep * from[o + k] + sign * take * to[o + k];
            if (kind === 'lerp') normalize(answer, 0, answer);
            return answer;
        };
        write(right.subarray(o, o + 4), cos < 0 ? -1 : 1);
        if (Math.abs(cos) < EITHER_WAY) other.set(i, write(new Float64Array(4), cos < 0 ? 1 : -1));
        // At t = 1 a copy of `to` is right, whatever its sign.
        else if (t === 1 && cos < 0) other.set(i, Float64Array.from(to.subarray(o, o + 4)));
    }
    return { right, other };
}

/** Larger of both; infinite for NaN. */
const worse = (worst, error) => (error <= worst ? worst : Number.isNaN(error) ? Infinity : error);

export class QuatErrors {
    max = 0;
    length = 0;
    pairs = 0;
    #squares = 0;
    #chord = 0;

    /**
     * @param actual The results, `stride` floats apart.
     * @param expected As `interpolate` returns it.
     */
    add(actual, stride, { right, other }) {
        const [unit, wanted] = [new Float64Array(4), new Float64Array(4)];
        const count = right.length / 4;
        for (let i = 0, a = 0; i < count; i++, a += stride) {
            let [answer, at] = [right, i * 4];
            const second = other.get(i);
            if (second) {
                let nearer = 0;
                for (let k = 0; k < 4; k++) nearer += actual[a + k] * (second[k] - right[at + k]);
                if (nearer > 0) [answer, at] = [second, 0];
            }
            for (let k = 0; k < 4; k++) {
                const error = Math.abs(actual[a + k] - answer[at + k]);
                if (!(error <= this.max)) this.max = worse(this.max, error);
                this.#squares += error * error;
            }
            const ratio = normalize(actual, a, unit) / normalize(answer, at, wanted);
            let chord = 0;
            for (let k = 0; k < 4; k++) chord += (unit[k] - wanted[k]) ** 2;
            this.length = Math.max(this.length, Math.abs(ratio - 1));
            this.#chord = Math.max(this.#chord, chord);
        }
        this.pairs += count;
    }

    get rms() {
        return Math.sqrt(this.#squares / (4 * this.pairs));
    }

    /** Between the normalized results, in radians: twice the angle between the vectors. */
    get rotation() {
        return 4 * Math.asin(Math.min(1, Math.sqrt(this.#chord) / 2));
    }
}

export class MatErrors {
    rotation = 0;
    translation = 0;
    /** Max entry of R Rᵀ - I. */
    orthonormal = 0;

    add(mats, right) {
        for (let i = 0; i < right.length; i++) {
            const which = i % 4 === 3 ? 'translation' : 'rotation';
            this[which] = worse(this[which], Math.abs(mats[i] - right[i]));
        }
        for (let o = 0; o < right.length; o += 12) {
            for (let r = 0; r < 3; r++) {
                for (let c = r; c < 3; c++) {
                    const [a, b] = [o + r * 4, o + c * 4];
                    const dot = mats[a] * mats[b] + mats[a + 1] * mats[b + 1] + mats[a + 2] * mats[b + 2];
                    this.orthonormal = worse(this.orthonormal, Math.abs(dot - (r === c ? 1 : 0)));
                }
            }
        }
    }
}

/** The JointMat of a quaternion of length 1 by the formula of the papers, without a translation. */
export function matrixOf([x, y, z, w]) {
    return [
        ...[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0],
        ...[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0],
        ...[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0],
    ];
}

/** The product of two JointMats; with `inverse`, of the first one's inverse (a rotation's) and the second. */
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
