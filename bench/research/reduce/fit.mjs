// SPDX-License-Identifier: MIT

/**
 * One track at a time: few knots on the grid whose interpolation stays within a tolerance of the target. A tolerance is a displacement,
 * one for each time of the grid; a deviation is the displacement that it alone causes at the points that the node carries.
 */

import { supportPoints } from './model.mjs';

/** The tracks of a clip that move anything, ready to be fitted; constant ones get their single knot here. */
export function createTracks(pose, options) {
    const { model, clip, n } = pose;
    const rest = model.evaluator.locals(null, 0);
    const moving = new Set();
    const tracks = clip.tracks.map(({ node, path, place, width, sampler }) => {
        const target = new Float64Array(n * width);
        for (let i = 0; i < n; i++)
            for (let c = 0; c < width; c++) target[i * width + c] = pose.locals[node][i * 20 + place + c];
        if (width === 4 && sampler.interpolation !== 'STEP') alignSigns(target);
        // STEP stays on its keys.
        const kept = sampler.interpolation === 'STEP';
        const keys = kept ? Array.from(sampler.times, (t) => clip.times.indexOf(t)) : [0];
        return {
            node,
            path,
            place,
            width,
            target,
            kept,
            keys,
            restValue: rest.slice(node * 10 + place, node * 10 + place + width),
        };
    });
    for (const track of tracks) {
        track.constant = isConstant(track.target, track.width);
        if (!track.constant && track.path === 'rotation') moving.add(track.node);
    }
    for (const track of tracks) {
        track.arms = armsOf(pose, track.node, options.compensate ? moving : null);
        track.reach = farthest(track.arms);
        track.parentScale = scaleAbove(pose, track.node);
        track.scalar = options.scalarReach === true;
        track.tolerance = new Float64Array(n);
        track.step = 0;
        track.index = track.constant ? [0] : track.keys;
        track.values = subsetValues(track, track.index);
        track.original = track.target.slice();
    }
    return tracks;
}

function alignSigns(q) {
    for (let i = 4; i < q.length; i += 4) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += q[i + c] * q[i - 4 + c];
        if (dot < 0) for (let c = 0; c < 4; c++) q[i + c] = -q[i + c];
    }
}

/** Within a few units of float32's last place. */
function isConstant(target, width) {
    let largest = 0;
    let spread = 0;
    for (let i = 0; i < target.length; i++) {
        largest = Math.max(largest, Math.abs(target[i]));
        spread = Math.max(spread, Math.abs(target[i] - target[i % width]));
    }
    return spread <= 2 ** -21 * largest;
}

const farthest = (arms) => {
    let far = 0;
    for (let p = 0; p < arms.length; p += 3) far = Math.max(far, Math.hypot(arms[p], arms[p + 1], arms[p + 2]));
    return far;
};

/** The greatest factor by which the nodes above enlarge a displacement. */
function scaleAbove(pose, node) {
    const parent = pose.model.parents[node];
    if (parent < 0) return 1;
    const g = pose.source[parent];
    let max = 0;
    for (let s = 0; s < pose.count; s++)
        for (let c = 0; c < 3; c++)
            max = Math.max(max, Math.hypot(g[s * 12 + c], g[s * 12 + 4 + c], g[s * 12 + 8 + c]));
    return max;
}

/**
 * The points that the node's rotation moves, about its origin and in its own frame, over up to 12 times of the clip. Where children are
 * compensated (`moving`), a child's points do not count, only its origin.
 */
function armsOf(pose, node, moving) {
    const { model, count } = pose;
    const below = [];
    const walk = (one, originOnly) => {
        below.push([one, originOnly]);
        if (!originOnly) for (const child of model.children[one]) walk(child, moving?.has(child) === true);
    };
    walk(node, false);
    const arms = [];
    const stride = Math.max(1, Math.floor(count / 12));
    const g = pose.source[node];
    for (let s = 0; s < count; s += stride) {
        const inverse = inverseOf(g, s * 12);
        const scale = pose.locals[node].subarray(s * 10 + 7, s * 10 + 10);
        for (const [one, originOnly] of below) {
            const points = originOnly ? [0, 0, 0] : model.points[one];
            if (points === null) continue;
            const b = pose.source[one];
            const o = s * 12;
            for (let p = 0; p < points.length; p += 3) {
                const [x, y, z] = [0, 4, 8].map(
                    (r) =>
                        b[o + r] * points[p] +
                        b[o + r + 1] * points[p + 1] +
                        b[o + r + 2] * points[p + 2] +
                        b[o + r + 3] -
                        g[o + r + 3],
                );
                for (let r = 0; r < 3; r++)
                    arms.push(scale[r] * (inverse[r * 3] * x + inverse[r * 3 + 1] * y + inverse[r * 3 + 2] * z));
            }
        }
    }
    return supportPoints(arms);
}

/** Of the linear part; zeros where it has none. */
function inverseOf(m, o) {
    const [a, b, c, d, e, f, g, h, i] = [
        m[o],
        m[o + 1],
        m[o + 2],
        m[o + 4],
        m[o + 5],
        m[o + 6],
        m[o + 8],
        m[o + 9],
        m[o + 10],
    ];
    const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    const k = det === 0 ? 0 : 1 / det;
    return [
        e * i - f * h,
        c * h - b * i,
        b * f - c * e,
        f * g - d * i,
        a * i - c * g,
        c * d - a * f,
        d * h - e * g,
        b * g - a * h,
        a * e - b * d,
    ].map((x) => x * k);
}

/** The displacement that value v[o..] in place of the target at time i causes. */
export function deviation(track, i, v, o) {
    const { target, width, arms } = track;
    const t = i * width;
    if (width === 4) {
        const ax = -target[t],
            ay = -target[t + 1],
            az = -target[t + 2],
            aw = target[t + 3];
        const bx = v[o],
            by = v[o + 1],
            bz = v[o + 2],
            bw = v[o + 3];
        const w = aw * bw - ax * bx - ay * by - az * bz;
        const k = w < 0 ? -2 : 2;
        const x = k * (aw * bx + ax * bw + ay * bz - az * by);
        const y = k * (aw * by - ax * bz + ay * bw + az * bx);
        const z = k * (aw * bz + ax * by - ay * bx + az * bw);
        const norm = Math.abs(bx * bx + by * by + bz * bz + bw * bw - 1) * track.reach;
        if (track.scalar) return (Math.sqrt(x * x + y * y + z * z) * track.reach + norm) * track.parentScale;
        let max = 0;
        for (let p = 0; p < arms.length; p += 3) {
            const cx = y * arms[p + 2] - z * arms[p + 1];
            const cy = z * arms[p] - x * arms[p + 2];
            const cz = x * arms[p + 1] - y * arms[p];
            const e = cx * cx + cy * cy + cz * cz;
            if (e > max) max = e;
        }
        return (Math.sqrt(max) + norm) * track.parentScale;
    }
    const dx = v[o] - target[t],
        dy = v[o + 1] - target[t + 1],
        dz = v[o + 2] - target[t + 2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz) * track.parentScale;
    return track.place === 7 ? length * track.reach : length;
}

const at = new Float64Array(4);

/** Interpolates between two knots' values into `at`. */
function between(width, va, a, vb, b, t) {
    let u = 1 - t;
    let w = t;
    if (width === 4) {
        const dot = va[a] * vb[b] + va[a + 1] * vb[b + 1] + va[a + 2] * vb[b + 2] + va[a + 3] * vb[b + 3];
        const near = Math.abs(dot);
        if (near < 0.9999999) {
            const angle = Math.acos(near);
            const sine = Math.sin(angle);
            u = Math.sin(angle * u) / sine;
            w = Math.sin(angle * w) / sine;
        }
        if (dot < 0) w = -w;
    }
    for (let c = 0; c < width; c++) at[c] = u * va[a + c] + w * vb[b + c];
}

/** Whether the chord of targets a..b stays within factor x tolerance. */
function chordFits(track, times, a, b, factor) {
    const { target, width, tolerance } = track;
    const span = times[b] - times[a];
    // From the middle out, where most chords fail.
    for (let k = 0; k < b - a - 1; k++) {
        const i = ((a + b) >> 1) + (k % 2 === 0 ? k >> 1 : -((k + 1) >> 1));
        if (i <= a || i >= b) continue;
        between(width, target, a * width, target, b * width, (times[i] - times[a]) / span);
        if (!(deviation(track, i, at, 0) <= factor * tolerance[i])) return false;
    }
    return true;
}

/** The longest feasible segment, one after another. */
export function greedyKnots(track, times, factor) {
    const n = times.length;
    const knots = [0];
    for (let a = 0; a < n - 1; ) {
        let good = a + 1;
        let step = 1;
        while (good < n - 1 && step > 0) {
            const next = Math.min(n - 1, good + step);
            if (chordFits(track, times, a, next, factor)) {
                good = next;
                step *= 2;
            } else {
                step = next - good <= 1 ? 0 : Math.min(step, next - good) >> 1;
            }
        }
        knots.push(good);
        a = good;
    }
    return knots;
}

/** The fewest knots whose chords of targets are all feasible: dynamic programming over all segments. */
export function optimalKnots(track, times, factor) {
    const n = times.length;
    const cost = new Int32Array(n).fill(1e9);
    const from = new Int32Array(n);
    cost[0] = 1;
    for (let b = 1; b < n; b++)
        for (let a = b - 1; a >= 0; a--) {
            if (cost[a] + 1 < cost[b] && (b === a + 1 || chordFits(track, times, a, b, factor))) {
                cost[b] = cost[a] + 1;
                from[b] = a;
            }
        }
    const knots = [];
    for (let b = n - 1; b > 0; b = from[b]) knots.unshift(b);
    return [0, ...knots];
}

export function quantize(track, values) {
    const { step } = track;
    if (step === 0) return values;
    const max = track.width === 4 ? Math.floor(1 / step) * step : Infinity;
    for (let i = 0; i < values.length; i++)
        values[i] = Math.max(-max, Math.min(max, Math.round(values[i] / step) * step));
    return values;
}

/** The ratio of deviation to tolerance at each time; returns the greatest. */
function ratiosOf(track, times, knots, values, ratios) {
    const { width, tolerance } = track;
    let worst = 0;
    for (let k = 0; k + 1 < knots.length; k++) {
        const [a, b] = [knots[k], knots[k + 1]];
        const span = times[b] - times[a];
        for (let i = a; i <= b; i++) {
            between(width, values, k * width, values, (k + 1) * width, (times[i] - times[a]) / span);
            const ratio = deviation(track, i, at, 0) / tolerance[i];
            ratios[i] = ratio;
            if (!(ratio <= worst)) worst = ratio;
        }
    }
    return worst;
}

/** The targets at the knots as they are. */
export function subsetValues(track, knots) {
    const { width, target } = track;
    const values = new Float64Array(knots.length * width);
    for (const [k, i] of knots.entries()) for (let c = 0; c < width; c++) values[k * width + c] = target[i * width + c];
    return values;
}

/**
 * Knot values by weighted least squares, re-weighted a few times towards the least maximum (Lawson). Slerp's coefficients are those of the
 * round before. The first and the last knot stay at `ends`, else on the target, so that seams stay closed.
 */
export function fittedValues(track, times, knots, rounds = 4, ends = subsetValues(track, knots)) {
    const { width, target, tolerance } = track;
    const m = knots.length;
    let best = quantize(track, ends.slice());
    const [first, last] = [knots[0], knots[m - 1]];
    const n = times.length;
    const ratios = new Float64Array(n);
    let bestRatio = ratiosOf(track, times, knots, best, ratios);
    if (m <= 2) return { values: best, ratio: bestRatio };
    const weight = new Float64Array(n);
    for (let i = first; i <= last; i++) weight[i] = 1 / (tolerance[i] * tolerance[i]);
    const [diagonal, side] = [new Float64Array(m), new Float64Array(m)];
    const right = new Float64Array(m * width);
    let current = best;
    for (let round = 0; round < rounds; round++) {
        diagonal.fill(0);
        side.fill(0);
        right.fill(0);
        for (let k = 0; k + 1 < m; k++) {
            const [a, b] = [knots[k], knots[k + 1]];
            let angle = 0;
            if (width === 4) {
                let dot = 0;
                for (let c = 0; c < 4; c++) dot += current[k * 4 + c] * current[k * 4 + 4 + c];
                angle = Math.abs(dot) < 0.9999999 ? Math.acos(Math.abs(dot)) : 0;
            }
            const sine = Math.sin(angle);
            for (let i = a; i < b || (k === m - 2 && i === b); i++) {
                const t = (times[i] - times[a]) / (times[b] - times[a]);
                const u = angle === 0 ? 1 - t : Math.sin(angle * (1 - t)) / sine;
                const w = angle === 0 ? t : Math.sin(angle * t) / sine;
                const g = weight[i];
                diagonal[k] += g * u * u;
                side[k] += g * u * w;
                diagonal[k + 1] += g * w * w;
                for (let c = 0; c < width; c++) {
                    right[k * width + c] += g * u * target[i * width + c];
                    right[(k + 1) * width + c] += g * w * target[i * width + c];
                }
            }
        }
        const values = solve(diagonal, side, right, width, ends.slice());
        quantize(track, values);
        const ratio = ratiosOf(track, times, knots, values, ratios);
        if (ratio < bestRatio) {
            bestRatio = ratio;
            best = values;
        }
        current = values;
        for (let i = first; i <= last; i++) weight[i] *= 0.3 + ratios[i] / (ratio || 1);
    }
    return { values: best, ratio: bestRatio };
}

/** A symmetric tridiagonal system whose first and last unknowns are given by `values`, into which the others are written. */
function solve(diagonal, side, right, width, values) {
    const m = diagonal.length;
    const d = diagonal.slice();
    const r = right.slice();
    for (let c = 0; c < width; c++) {
        r[width + c] -= side[0] * values[c];
        r[(m - 2) * width + c] -= side[m - 2] * values[(m - 1) * width + c];
    }
    for (let k = 2; k < m - 1; k++) {
        const f = side[k - 1] / d[k - 1];
        d[k] -= f * side[k - 1];
        for (let c = 0; c < width; c++) r[k * width + c] -= f * r[(k - 1) * width + c];
    }
    for (let k = m - 2; k >= 1; k--)
        for (let c = 0; c < width; c++) {
            const after = k === m - 2 ? 0 : side[k] * values[(k + 1) * width + c];
            values[k * width + c] = (r[k * width + c] - after) / d[k];
        }
    return values;
}

/** Fits a track within its tolerance: one knot where that is enough, else knots by `pick`, values free (`fit`) or the target's. */
export function fitTrack(track, times, { fit = true, pick = greedyKnots, grid = null } = {}) {
    const { target } = track;
    const n = times.length;
    const single = middleOf(track);
    quantize(track, single);
    let holds = true;
    for (let i = 0; holds && i < n; i++) holds = deviation(track, i, single, 0) <= track.tolerance[i];
    if (holds || n === 1) return set(track, [0], single);
    if (grid !== null) {
        // Shared times: the coarsest of the sets that fits.
        for (const knots of grid(n)) {
            if (knots.length === n) break;
            const { values, ratio } = fittedValues(track, times, knots);
            if (ratio <= 1) return set(track, knots, values);
        }
        return set(
            track,
            Array.from({ length: n }, (_, i) => i),
            quantize(track, target.slice()),
        );
    }
    for (const factor of fit ? [2, 1.7, 1.45, 1.2, 1] : [1]) {
        const knots = pick(track, times, factor);
        if (!fit || knots.length === n) return set(track, knots, quantize(track, subsetValues(track, knots)));
        const { values, ratio } = fittedValues(track, times, knots);
        if (ratio <= 1 || factor === 1) return set(track, knots, values);
    }
}

function set(track, index, values) {
    track.index = index;
    track.values = values;
}

/** The middle of the box of all targets; of rotations brought to unit length. The target itself where it is constant. */
function middleOf({ target, width }) {
    const value = new Float64Array(width);
    for (let c = 0; c < width; c++) {
        let [min, max] = [Infinity, -Infinity];
        for (let i = c; i < target.length; i += width) {
            min = Math.min(min, target[i]);
            max = Math.max(max, target[i]);
        }
        value[c] = (min + max) / 2;
    }
    if (width === 4) {
        const length = Math.hypot(...value) || 1;
        for (let c = 0; c < 4; c++) value[c] /= length;
    }
    return value;
}
