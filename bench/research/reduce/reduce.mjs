// SPDX-License-Identifier: MIT

/** The methods: how a clip's bound is shared among its tracks and times, and what is done with what is left of it. */

import { createTracks, deviation, fitTrack, fittedValues, quantize, subsetValues } from './fit.mjs';
import { createPose, measureNode, placeNode, playTrack, refresh, refreshAll } from './pose.mjs';

const UNIT = 1 / 32767;

/**
 * @param options
 *   values 'float' as float32, 'round' floats on a grid of a power of two, 'int16' rotations on multiples of 2^k / 32767
 *   noise the share of a track's tolerance that rounding may use
 *   allocate 'uniform' one tolerance for all, by bisection; 'adaptive' one for each track and time, by what the skin shows
 *   fit, pick, grid as for fitTrack; compensate: rotations relative to the reduced parent; polish: remove keys while the skin allows
 */
export function reduceClip(model, clip, bound, options) {
    const pose = createPose(model, clip);
    const tracks = createTracks(pose, options);
    const moving = tracks.filter(({ constant, kept }) => !constant && !kept);
    const times = clip.times;
    for (const track of tracks) {
        if (!track.constant && !track.kept) continue;
        dropOrKeep(track, bound, options);
        playTrack(pose, track, 0, pose.count);
    }
    const byNode = new Map();
    for (const track of moving) byNode.set(track.node, [...(byNode.get(track.node) ?? []), track]);
    const state = { model, pose, tracks, moving, byNode, times, bound, options };
    if (moving.length > 0) {
        if (options.allocate === 'adaptive') allocateAdaptively(state);
        else allocateUniformly(state);
        if (options.polish) polish(state);
        if (options.coarsen) coarsen(state);
    }
    return { clip, tracks, pose, error: refreshAll(pose) };
}

/** A constant track goes where the rest pose has its value, within a hundredth of the bound. */
function dropOrKeep(track, bound, options) {
    track.dropped = track.constant && deviation(track, 0, track.restValue, 0) <= 0.01 * bound;
    if (track.dropped) {
        track.values = Float64Array.from(track.restValue);
        return;
    }
    setStep(track, bound * 0.05, options);
    quantize(track, track.values);
    if (track.step === 0) track.values = Float64Array.from(track.values, Math.fround);
}

/** The greatest step that keeps rounding within `noise` (a displacement). */
function setStep(track, noise, options) {
    if (options.values === 'float') return;
    const rotation = track.width === 4;
    const lever = track.parentScale * (rotation ? 2 * track.reach : track.place === 7 ? track.reach : 1);
    // A component is off by half a step at most; of several components by about 0.6 steps.
    const step = noise / (0.6 * lever || 1e-9);
    if (rotation && options.values === 'int16') {
        track.step = UNIT * 2 ** Math.max(0, Math.min(8, Math.floor(Math.log2(step / UNIT))));
    } else {
        track.step = 2 ** Math.max(-24, Math.floor(Math.log2(step)));
    }
}

/** Fits every track within its tolerance, parents first, and plays it. Returns the greatest error at the skin. */
function fitAll(state) {
    const { model, pose, byNode, times, options } = state;
    let worst = 0;
    for (const node of model.order) {
        for (const track of byNode.get(node) ?? []) {
            if (options.compensate && track.width === 4) compensate(pose, track);
            let tolerance = 0;
            for (const one of track.tolerance) tolerance += one / times.length;
            setStep(track, (options.noise ?? 0.15) * tolerance, options);
            fitTrack(track, times, options);
            if (track.step === 0) track.values = Float64Array.from(track.values, Math.fround);
            playTrack(pose, track, 0, pose.count);
        }
        placeNode(pose, node, 0, pose.count);
        worst = Math.max(worst, measureNode(pose, node, 0, pose.count));
    }
    return worst;
}

/** The rotation under the reduced parent that gives the node its source orientation: that of inverse(parent) x source. */
function compensate(pose, track) {
    const parent = pose.model.parents[track.node];
    if (parent < 0) return;
    const { target } = track;
    const p = new Float64Array(4);
    const g = new Float64Array(4);
    const was = new Float64Array(4);
    for (let i = 0; i < pose.n; i++) {
        if (!rotationOf(pose.globals[parent], i * 24, p) || !rotationOf(pose.source[track.node], i * 24, g)) return;
        const [x, y, z, w] = [-p[0], -p[1], -p[2], p[3]];
        was[0] = w * g[0] + x * g[3] + y * g[2] - z * g[1];
        was[1] = w * g[1] - x * g[2] + y * g[3] + z * g[0];
        was[2] = w * g[2] + x * g[1] - y * g[0] + z * g[3];
        was[3] = w * g[3] - x * g[0] - y * g[1] - z * g[2];
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += was[c] * target[i * 4 + c];
        for (let c = 0; c < 4; c++) target[i * 4 + c] = dot < 0 ? -was[c] : was[c];
    }
}

/** Of a matrix with one scale; false where it has several, or none. */
function rotationOf(m, o, q) {
    const s = Math.hypot(m[o], m[o + 4], m[o + 8]);
    for (let c = 1; c < 3; c++)
        if (Math.abs(Math.hypot(m[o + c], m[o + 4 + c], m[o + 8 + c]) - s) > 1e-3 * s) return false;
    if (s === 0) return false;
    const [a, b, c, d, e, f, g, h, i] = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => m[o + k] / s);
    if (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0) return false;
    const trace = a + e + i;
    if (trace > 0) {
        const k = Math.sqrt(trace + 1) * 2;
        q.set([(h - f) / k, (c - g) / k, (d - b) / k, k / 4]);
    } else if (a > e && a > i) {
        const k = Math.sqrt(1 + a - e - i) * 2;
        q.set([k / 4, (b + d) / k, (c + g) / k, (h - f) / k]);
    } else if (e > i) {
        const k = Math.sqrt(1 + e - a - i) * 2;
        q.set([(b + d) / k, k / 4, (f + h) / k, (c - g) / k]);
    } else {
        const k = Math.sqrt(1 + i - a - e) * 2;
        q.set([(c + g) / k, (f + h) / k, k / 4, (d - b) / k]);
    }
    return true;
}

const keysOf = (tracks) => tracks.reduce((sum, { index, width }) => sum + index.length * (width + 1), 0);

function snapshot(state) {
    return state.moving.map(({ index, values, step, target }) => ({ index, values, step, target: target.slice() }));
}

function restore(state, saved) {
    for (const [i, track] of state.moving.entries()) {
        Object.assign(track, saved[i]);
        playTrack(state.pose, track, 0, state.pose.count);
    }
    refreshAll(state.pose);
}

/** One factor of all tolerances by bisection. */
function scaleByBisection(state, low, high, rounds) {
    const shape = state.moving.map(({ tolerance }) => tolerance.slice());
    let best = null;
    for (let round = 0; round < rounds; round++) {
        const factor = round === 0 ? high : Math.sqrt(low * high);
        for (const [i, track] of state.moving.entries())
            for (let k = 0; k < shape[i].length; k++) track.tolerance[k] = factor * shape[i][k];
        if (fitAll(state) <= state.bound) {
            best = snapshot(state);
            if (round === 0) break;
            low = factor;
        } else high = factor;
    }
    state.failed = best === null;
    if (best === null) {
        // Nothing thinned: every key as it is.
        for (const track of state.moving) {
            track.target = track.original.slice();
            if (track.step !== 0) track.step = track.width === 4 && state.options.values === 'int16' ? UNIT : 2 ** -24;
            track.index = Array.from(state.times, (_, i) => i);
            track.values = quantize(track, subsetValues(track, track.index));
        }
        best = snapshot(state);
    }
    restore(state, best);
}

function allocateUniformly(state) {
    for (const { tolerance } of state.moving) tolerance.fill(state.bound);
    scaleByBisection(state, 1 / 256, 1, 10);
}

/**
 * Tolerances by multiplicative weights: each track's at each time grows where every node that it moves is within the bound around that
 * time, and shrinks where one is not. Of the rounds the feasible one with the fewest numbers counts; a bisection ends it.
 */
function allocateAdaptively(state) {
    const { model, pose, moving, bound, options } = state;
    const window = options.window ?? 2;
    for (const { tolerance } of moving) tolerance.fill((options.start ?? 0.3) * bound);
    let best = null;
    let fewest = Infinity;
    const through = new Map();
    for (let round = 0; round < (options.rounds ?? 10); round++) {
        const worst = fitAll(state);
        if (round === 0 && options.weigh) weighByKeys(state);
        const keys = keysOf(moving);
        if (worst <= bound && keys < fewest) {
            best = snapshot(state);
            fewest = keys;
        }
        throughNodes(model, pose, window, through);
        const late = round >= 6;
        for (const track of moving) {
            const seen = through.get(track.node);
            for (let i = 0; i < track.tolerance.length; i++) {
                const ratio = (0.95 * bound) / (seen[i] || 1e-12);
                // Near the end tolerances only shrink, so that the last rounds are feasible.
                const change =
                    ratio < 1
                        ? Math.max(0.5, ratio ** 0.9)
                        : late
                          ? Math.min(1.1, ratio ** 0.3)
                          : Math.min(1.5, ratio ** 0.6);
                track.tolerance[i] = Math.min(bound, track.tolerance[i] * change);
            }
        }
    }
    scaleByBisection(state, 0.4, 1.1, 6);
    if (state.failed) scaleByBisection(state, 1 / 64, 0.4, 6);
    if (best !== null && fewest < keysOf(moving)) restore(state, best);
}

/** Where keys cost most the tolerance is largest: with keys ~ a / sqrt(tolerance), shares of a chain go by a^(2/3). */
function weighByKeys(state) {
    const { moving } = state;
    const weights = moving.map(
        ({ index, tolerance, width }) => (width * index.length * Math.sqrt(tolerance[0])) ** (2 / 3),
    );
    const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
    for (const [i, track] of moving.entries()) {
        const k = Math.max(0.4, Math.min(2, weights[i] / mean));
        for (let t = 0; t < track.tolerance.length; t++) track.tolerance[t] *= k;
    }
}

/** For each node and time of the grid the greatest error at or below the node, within `window` times on either side. */
function throughNodes(model, pose, window, through) {
    const { n } = pose;
    const raw = new Map();
    for (let k = model.order.length - 1; k >= 0; k--) {
        const node = model.order[k];
        const own = new Float64Array(n);
        const errors = pose.errors[node];
        for (let i = 0; i < n; i++)
            own[i] = Math.max(errors[i * 2], i > 0 ? errors[i * 2 - 1] : 0, i < n - 1 ? errors[i * 2 + 1] : 0);
        for (const child of model.children[node]) {
            const below = raw.get(child);
            for (let i = 0; i < n; i++) own[i] = Math.max(own[i], below[i]);
        }
        raw.set(node, own);
        const wide = new Float64Array(n);
        for (let i = 0; i < n; i++)
            for (let j = Math.max(0, i - window); j <= Math.min(n - 1, i + window); j++)
                wide[i] = Math.max(wide[i], own[j]);
        through.set(node, wide);
    }
}

/**
 * Removes keys while the skin allows: the one whose removal moves least first; its neighbours are fitted anew. Judged exactly, through the
 * whole hierarchy, at the times that the change touches.
 */
function polish(state) {
    const { moving, options } = state;
    for (let pass = 0; pass < (options.passes ?? 2); pass++) {
        const candidates = [];
        for (const track of moving)
            for (let k = 1; k + 1 < track.index.length; k++)
                candidates.push({ track, time: track.index[k], cost: removalCost(state, track, k) });
        candidates.sort((a, b) => a.cost - b.cost);
        let removed = 0;
        for (const { track, time } of candidates) if (tryRemoval(state, track, track.index.indexOf(time))) removed++;
        for (const track of moving) if (track.index.length === 2 && trySingle(state, track)) removed++;
        if (removed === 0) break;
    }
}

/** Doubles each track's step while the skin allows: fewer bits that differ. The tracks with most keys come first. */
function coarsen(state) {
    for (const track of [...state.moving].sort((a, b) => b.index.length - a.index.length)) {
        for (;;) {
            const { step } = track;
            if (step === 0 || (track.width === 4 && step > UNIT * 200)) break;
            track.step = step * 2;
            if (tryChange(state, track, track.index, quantize(track, track.values.slice()), 0, state.pose.count))
                continue;
            track.step = step;
            break;
        }
    }
}

function removalCost(state, track, k) {
    const { width, index, values, target } = track;
    const { times } = state;
    const t = (times[index[k]] - times[index[k - 1]]) / (times[index[k + 1]] - times[index[k - 1]]);
    const chord = new Float64Array(width);
    for (let c = 0; c < width; c++) chord[c] = (1 - t) * values[(k - 1) * width + c] + t * values[(k + 1) * width + c];
    const kept = { ...track, target: values.subarray(k * width, k * width + width) };
    if (width === 4) {
        const length = Math.hypot(...chord) || 1;
        for (let c = 0; c < 4; c++) chord[c] /= length;
    }
    return target.length === 0 ? 0 : deviation(kept, 0, chord, 0);
}

function tryRemoval(state, track, k) {
    const { times } = state;
    const { index, values, width } = track;
    const m = index.length;
    const part = [k - 2, k - 1, k + 1, k + 2].filter((i) => i >= 0 && i < m);
    const knots = part.map((i) => index[i]);
    const old = new Float64Array(part.length * width);
    for (const [i, one] of part.entries()) for (let c = 0; c < width; c++) old[i * width + c] = values[one * width + c];
    const local = fittedValues(track, times, knots, 2, old).values;
    const next = new Float64Array(values);
    for (const [i, one] of part.entries()) for (let c = 0; c < width; c++) next[one * width + c] = local[i * width + c];
    if (track.step === 0) for (let i = 0; i < next.length; i++) next[i] = Math.fround(next[i]);
    const changed = Float64Array.from([...next.subarray(0, k * width), ...next.subarray((k + 1) * width)]);
    return tryChange(
        state,
        track,
        index.filter((_, i) => i !== k),
        changed,
        knots[0] * 2,
        knots[knots.length - 1] * 2 + 1,
    );
}

function trySingle(state, track) {
    const middle = new Float64Array(track.width);
    for (let c = 0; c < track.width; c++) middle[c] = (track.values[c] + track.values[track.width + c]) / 2;
    if (track.width === 4) {
        const length = Math.hypot(...middle) || 1;
        for (let c = 0; c < 4; c++) middle[c] /= length;
    }
    quantize(track, middle);
    if (track.step === 0) for (let c = 0; c < track.width; c++) middle[c] = Math.fround(middle[c]);
    return tryChange(state, track, [0], middle, 0, state.pose.count);
}

function tryChange(state, track, index, values, from, to) {
    const { pose, bound } = state;
    const before = { index: track.index, values: track.values };
    Object.assign(track, { index, values });
    playTrack(pose, track, from, to);
    if (refresh(pose, track.node, from, to, bound) <= bound) return true;
    Object.assign(track, before);
    playTrack(pose, track, from, to);
    refresh(pose, track.node, from, to);
    return false;
}
