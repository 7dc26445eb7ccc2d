// SPDX-License-Identifier: MIT

/**
 * node bench/research/reduce/prove.mjs [models] [method]
 * A bound on the displacement at all times, not only at samples (README.md has the derivation), beside what the samples show. Each interval
 * of the grid is divided into 1, 2, 4 ... parts until the bound is proved; scales that move are counted, and not proved.
 */

import { gzipSync } from 'node:zlib';
import { MeshoptEncoder } from 'meshoptimizer';
import { sampleAt } from '../../../dist/verify/sampler.js';
import { reducedBytes, sourceBytes } from './encode.mjs';
import { METHODS } from './methods.mjs';
import { loadModel } from './model.mjs';
import { MODELS } from './models.mjs';
import { reduceClip } from './reduce.mjs';

const [names = 'robot,fox,figure,example', method = 'bc + polish, coarsen .5'] = process.argv.slice(2);
const { abs, hypot, max, sqrt } = Math;

/** Locals of all nodes, 10 each, of source and candidate. */
function localsAt(model, clip, tracks, time) {
    const rest = model.evaluator.locals(null, 0);
    const [source, reduced] = [rest.slice(), rest.slice()];
    for (const { node, place, sampler } of clip.tracks) source.set(sampleAt(sampler, time), node * 10 + place);
    for (const track of tracks) {
        track.sampler ??= {
            times: Float64Array.from(track.index, (i) => clip.times[i]),
            values: track.values,
            interpolation: track.kept ? 'STEP' : 'LINEAR',
            width: track.width,
            rotation: track.width === 4,
        };
        reduced.set(sampleAt(track.sampler, time), track.node * 10 + track.place);
    }
    return { source, reduced };
}

/** The rotation vector from a to b, in the parent's frame, for unit quaternions at o. */
function turn(a, b, o) {
    const [ax, ay, az, aw] = [-a[o], -a[o + 1], -a[o + 2], a[o + 3]];
    const [bx, by, bz, bw] = [b[o], b[o + 1], b[o + 2], b[o + 3]];
    let [x, y, z, w] = [
        bw * ax + bx * aw + by * az - bz * ay,
        bw * ay - bx * az + by * aw + bz * ax,
        bw * az + bx * ay - by * ax + bz * aw,
        bw * aw - bx * ax - by * ay - bz * az,
    ];
    if (w < 0) [x, y, z, w] = [-x, -y, -z, -w];
    const sine = hypot(x, y, z);
    const k = sine < 1e-12 ? 2 : (2 * Math.atan2(sine, w)) / sine;
    return [x * k, y * k, z * k];
}

const gap = (a, b, o) => hypot(a[o] - b[o], a[o + 1] - b[o + 1], a[o + 2] - b[o + 2]);

/** h^2 / 8 times a bound on the second derivative of any judged point's displacement between two times. Infinity where it is not known. */
function curvature(model, from, to, h) {
    const { order, parents, children, points } = model;
    const r = [],
        V = [],
        A = [],
        rates = [];
    for (const node of order) {
        const o = node * 10;
        const w = turn(from.source, to.source, o + 3).map((x) => x / h);
        const v = turn(from.reduced, to.reduced, o + 3).map((x) => x / h);
        rates[node] = { w, v, source: hypot(...w), reduced: hypot(...v) };
        if (
            gap(from.source, to.source, o + 7) > 1e-9 ||
            gap(from.reduced, to.reduced, o + 7) > 1e-9 ||
            gap(from.source, from.reduced, o + 7) > 1e-9
        )
            return Infinity;
    }
    for (let k = order.length - 1; k >= 0; k--) {
        const node = order[k];
        let [reach, speed, pull] = [0, 0, 0];
        const p = points[node];
        for (let i = 0; i < p.length; i += 3) reach = max(reach, hypot(p[i], p[i + 1], p[i + 2]));
        for (const child of children[node]) {
            const o = child * 10;
            const omega = rates[child].reduced;
            reach = max(
                reach,
                r[child] + max(hypot(...from.reduced.subarray(o, o + 3)), hypot(...to.reduced.subarray(o, o + 3))),
            );
            speed = max(speed, gap(from.reduced, to.reduced, o) / h + omega * r[child] + V[child]);
            pull = max(pull, omega * omega * r[child] + 2 * omega * V[child] + A[child]);
        }
        const scale = max(...[7, 8, 9].map((c) => abs(from.source[node * 10 + c])));
        [r[node], V[node], A[node]] = [reach * scale, speed * scale, pull * scale];
    }
    let worst = 0;
    const above = [];
    for (const node of order) {
        const {
            sum: K,
            omega: W,
            scale: s,
        } = parents[node] < 0 ? { sum: 0, omega: 0, scale: 1 } : above[parents[node]];
        const o = node * 10;
        const { w, v, source, reduced } = rates[node];
        const delta = hypot(w[0] - v[0], w[1] - v[1], w[2] - v[2]);
        const slow = 1 - (reduced * h) / 2;
        if (slow <= 0) return Infinity;
        const y =
            (hypot(...turn(from.reduced, from.source, o + 3)) +
                hypot(...turn(to.reduced, to.source, o + 3)) +
                delta * h) /
            2 /
            slow;
        const y1 = delta + reduced * y;
        const y2 = source * source * y + (source + reduced) * delta;
        const t = max(gap(from.source, from.reduced, o), gap(to.source, to.reduced, o));
        const t1 =
            hypot(
                ...[0, 1, 2].map(
                    (c) => to.source[o + c] - from.source[o + c] - to.reduced[o + c] + from.reduced[o + c],
                ),
            ) / h;
        const own =
            s *
            (W * W * (y * r[node] + t) +
                y2 * r[node] +
                y * A[node] +
                2 * W * (y1 * r[node] + t1) +
                2 * W * y * V[node] +
                2 * y1 * V[node]);
        const scale = max(...[7, 8, 9].map((c) => abs(from.source[o + c])));
        above[node] = { sum: K + own, omega: W + source, scale: s * scale };
        worst = max(worst, K + own);
    }
    return ((h * h) / 8) * worst;
}

/** The error at one time, by points. */
function errorAt(model, poses) {
    const [a, b] = [poses.source, poses.reduced].map((locals) => model.evaluator.globalsOf(locals, model.order));
    let worst = 0;
    for (const node of model.order) {
        const p = model.points[node];
        const m = node * 16;
        for (let i = 0; i < p.length; i += 3) {
            let e = 0;
            for (let c = 0; c < 3; c++) {
                const d =
                    (a[m + c] - b[m + c]) * p[i] +
                    (a[m + 4 + c] - b[m + 4 + c]) * p[i + 1] +
                    (a[m + 8 + c] - b[m + 8 + c]) * p[i + 2] +
                    a[m + 12 + c] -
                    b[m + 12 + c];
                e += d * d;
            }
            worst = max(worst, e);
        }
    }
    return sqrt(worst);
}

await MeshoptEncoder.ready;
const gzip = (parts) => gzipSync(Buffer.concat(parts), { level: 9 }).length;
for (const name of names.split(',')) {
    const model = await loadModel(MODELS[name]);
    const bound = 0.001 * model.extent;
    const proved = new Map([1, 2, 4, 8].map((parts) => [parts, { worst: 0, over: 0 }]));
    let [intervals, unproved, seen] = [0, 0, 0];
    let seconds = 0;
    const reduced = model.clips.map((clip) => reduceClip(model, clip, bound, METHODS[method]));
    for (const { clip, tracks } of reduced) {
        const start = performance.now();
        for (let k = 0; k + 1 < clip.times.length; k++) {
            intervals++;
            const span = clip.times[k + 1] - clip.times[k];
            for (const [parts, one] of proved) {
                let interval = 0;
                let before = localsAt(model, clip, tracks, clip.times[k]);
                let error = errorAt(model, before);
                for (let b = 1; b <= parts; b++) {
                    const after = localsAt(model, clip, tracks, clip.times[k] + (span * b) / parts);
                    const next = errorAt(model, after);
                    seen = max(seen, error, next);
                    interval = max(interval, max(error, next) + curvature(model, before, after, span / parts));
                    [before, error] = [after, next];
                }
                if (interval === Infinity) {
                    if (parts === 1) unproved++;
                    continue;
                }
                one.worst = max(one.worst, interval);
                if (interval > bound) one.over++;
            }
        }
        seconds += (performance.now() - start) / 1000;
    }
    const list = [...proved]
        .map(([parts, { worst, over }]) => `${parts}: ${(worst / bound).toFixed(3)} (${over} over)`)
        .join(', ');
    console.log(
        `${name}: seen ${(seen / bound).toFixed(3)}; proved with parts ${list}; ${intervals} intervals, ${unproved} with moving scale or STEP; ${seconds.toFixed(1)} s`,
    );
    // The same numbers in other layouts.
    const source = sourceBytes(
        model,
        model.clips.map(({ index }) => index),
    ).gzip;
    const by = (order) => reducedBytes(reduced, METHODS[method], order);
    const streams = { times: [], rotations: [], others: [] };
    for (const { track, stored } of by('node').all) {
        streams.times.push(Buffer.from(stored.times.buffer));
        streams[track.width === 4 ? 'rotations' : 'others'].push(Buffer.from(stored.values.buffer));
    }
    const encoded = Object.entries(streams).flatMap(([key, parts]) => {
        const size = key === 'times' ? 4 : key === 'rotations' ? 8 : 12;
        const all = Buffer.concat(
            key === 'times' ? [...new Map(parts.map((p) => [p.toString('latin1'), p])).values()] : parts,
        );
        return all.length === 0
            ? []
            : [MeshoptEncoder.encodeGltfBuffer(new Uint8Array(all), all.length / size, size, 'ATTRIBUTES')];
    });
    const show = (bytes) => `${bytes} ${((bytes / source) * 100).toFixed(1)}%`;
    console.log(
        `  gzip by clip ${show(by('clip').gzip)}, by node ${show(by('node').gzip)}, meshopt + gzip ${show(gzip(encoded))}, meshopt alone ${show(encoded.reduce((n, e) => n + e.length, 0))}`,
    );
}
