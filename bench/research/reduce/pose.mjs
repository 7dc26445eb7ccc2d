// SPDX-License-Identifier: MIT

/**
 * A clip in play: source and candidate poses at the grid's times (even samples) and between them (odd samples), and how far each judged
 * node's points are apart. This is what native kernels would do; everything is kept per node, so that a changed track costs its subtree.
 */

import { sampleAt } from '../../../dist/verify/sampler.js';

export function createPose(model, clip) {
    const n = clip.times.length;
    const count = Math.max(1, n * 2 - 1);
    const at = new Float64Array(count);
    for (let s = 0; s < count; s++)
        at[s] = s % 2 === 0 ? clip.times[s / 2] : (clip.times[(s - 1) / 2] + clip.times[(s + 1) / 2]) / 2;
    if (n === 0) at[0] = 0;
    const size = model.parents.length;
    const pose = {
        model,
        clip,
        n,
        count,
        at,
        locals: new Array(size),
        source: new Array(size),
        globals: new Array(size),
        errors: new Array(size),
    };
    const rest = model.evaluator.locals(null, 0);
    for (const node of model.order) {
        const locals = new Float64Array(count * 10);
        for (let s = 0; s < count; s++) for (let c = 0; c < 10; c++) locals[s * 10 + c] = rest[node * 10 + c];
        pose.locals[node] = locals;
        pose.globals[node] = new Float64Array(count * 12);
        pose.errors[node] = new Float64Array(count);
    }
    for (const { node, place, width, sampler } of clip.tracks)
        for (let s = 0; s < count; s++) {
            const value = sampleAt(sampler, at[s]);
            for (let c = 0; c < width; c++) pose.locals[node][s * 10 + place + c] = value[c];
        }
    for (const node of model.order) {
        placeNode(pose, node, 0, count);
        pose.source[node] = pose.globals[node].slice();
    }
    return pose;
}

/** Local numbers to global 3x4 matrices, row-major, for samples from..to-1. Parents must be placed. */
export function placeNode(pose, node, from, to) {
    const { model, locals, globals } = pose;
    const matrix = model.evaluator.matrixOf(node);
    const l = locals[node];
    const g = globals[node];
    const parent = model.parents[node];
    const p = parent >= 0 ? globals[parent] : null;
    for (let s = from; s < to; s++) {
        const a = s * 10;
        let m0, m1, m2, m4, m5, m6, m8, m9, m10, tx, ty, tz;
        if (matrix === null) {
            const x = l[a + 3],
                y = l[a + 4],
                z = l[a + 5],
                w = l[a + 6];
            const sx = l[a + 7],
                sy = l[a + 8],
                sz = l[a + 9];
            m0 = (1 - 2 * (y * y + z * z)) * sx;
            m1 = 2 * (x * y - z * w) * sy;
            m2 = 2 * (x * z + y * w) * sz;
            m4 = 2 * (x * y + z * w) * sx;
            m5 = (1 - 2 * (x * x + z * z)) * sy;
            m6 = 2 * (y * z - x * w) * sz;
            m8 = 2 * (x * z - y * w) * sx;
            m9 = 2 * (y * z + x * w) * sy;
            m10 = (1 - 2 * (x * x + y * y)) * sz;
            tx = l[a];
            ty = l[a + 1];
            tz = l[a + 2];
        } else {
            [m0, m4, m8, , m1, m5, m9, , m2, m6, m10, , tx, ty, tz] = matrix;
        }
        const o = s * 12;
        if (p === null) {
            g[o] = m0;
            g[o + 1] = m1;
            g[o + 2] = m2;
            g[o + 3] = tx;
            g[o + 4] = m4;
            g[o + 5] = m5;
            g[o + 6] = m6;
            g[o + 7] = ty;
            g[o + 8] = m8;
            g[o + 9] = m9;
            g[o + 10] = m10;
            g[o + 11] = tz;
        } else {
            for (let r = o; r < o + 12; r += 4) {
                const p0 = p[r],
                    p1 = p[r + 1],
                    p2 = p[r + 2];
                g[r] = p0 * m0 + p1 * m4 + p2 * m8;
                g[r + 1] = p0 * m1 + p1 * m5 + p2 * m9;
                g[r + 2] = p0 * m2 + p1 * m6 + p2 * m10;
                g[r + 3] = p0 * tx + p1 * ty + p2 * tz + p[r + 3];
            }
        }
    }
}

/** The greatest displacement of the node's points at samples from..to-1; kept in `errors`. Stops early above `limit`. */
export function measureNode(pose, node, from, to, limit = Infinity) {
    const points = pose.model.points[node];
    if (points === null) return 0;
    const g = pose.globals[node];
    const q = pose.source[node];
    const errors = pose.errors[node];
    let worst = 0;
    for (let s = from; s < to; s++) {
        const o = s * 12;
        const d0 = g[o] - q[o],
            d1 = g[o + 1] - q[o + 1],
            d2 = g[o + 2] - q[o + 2],
            d3 = g[o + 3] - q[o + 3];
        const d4 = g[o + 4] - q[o + 4],
            d5 = g[o + 5] - q[o + 5],
            d6 = g[o + 6] - q[o + 6],
            d7 = g[o + 7] - q[o + 7];
        const d8 = g[o + 8] - q[o + 8],
            d9 = g[o + 9] - q[o + 9],
            d10 = g[o + 10] - q[o + 10],
            d11 = g[o + 11] - q[o + 11];
        let max = 0;
        for (let k = 0; k < points.length; k += 3) {
            const x = points[k],
                y = points[k + 1],
                z = points[k + 2];
            const dx = d0 * x + d1 * y + d2 * z + d3;
            const dy = d4 * x + d5 * y + d6 * z + d7;
            const dz = d8 * x + d9 * y + d10 * z + d11;
            const e = dx * dx + dy * dy + dz * dz;
            if (e > max) max = e;
        }
        max = Math.sqrt(max);
        errors[s] = max;
        if (max > worst) worst = max;
        if (worst > limit) return worst;
    }
    return worst;
}

/** Places and measures a node and all below it; the greatest error among them. */
export function refresh(pose, node, from, to, limit = Infinity) {
    let worst = 0;
    for (const below of pose.model.subtree[node]) {
        placeNode(pose, below, from, to);
        worst = Math.max(worst, measureNode(pose, below, from, to, limit));
        if (worst > limit) return worst;
    }
    return worst;
}

/** The whole clip. */
export function refreshAll(pose) {
    let worst = 0;
    for (const node of pose.model.order) {
        placeNode(pose, node, 0, pose.count);
        worst = Math.max(worst, measureNode(pose, node, 0, pose.count));
    }
    return worst;
}

/** Writes a track's candidate, knots at `index` of the grid with `values`, into the locals of samples from..to-1. */
export function playTrack(pose, track, from, to) {
    const { at } = pose;
    const { index, values, width, place, node } = track;
    const out = pose.locals[node];
    const last = index.length - 1;
    let k = 0;
    for (let s = from; s < to; s++) {
        while (k < last && index[k + 1] * 2 <= s) k++;
        const o = s * 10 + place;
        const v = k * width;
        if (k === last || index[k] * 2 >= s || track.kept) {
            for (let c = 0; c < width; c++) out[o + c] = values[v + c];
            continue;
        }
        const t0 = at[index[k] * 2];
        const t = (at[s] - t0) / (at[index[k + 1] * 2] - t0);
        let u = 1 - t;
        let w = t;
        if (width === 4) {
            let dot = 0;
            for (let c = 0; c < 4; c++) dot += values[v + c] * values[v + 4 + c];
            const near = Math.abs(dot);
            if (near < 1) {
                const angle = Math.acos(near);
                const sine = Math.sin(angle);
                u = Math.sin(angle * u) / sine;
                w = Math.sin(angle * w) / sine;
            }
            if (dot < 0) w = -w;
        }
        for (let c = 0; c < width; c++) out[o + c] = u * values[v + c] + w * values[v + width + c];
    }
}
