// SPDX-License-Identifier: MIT
// Twin: native/rig/clip_bound.h

/**
 * A bound on the second derivative of any point's displacement. A global is G = X L Z. X is the source above a joint, L
 * the joint's local, Z the reduced clip below it. Then G - G' is the sum over all joints of X (L - L') Z. The
 * derivatives of these products follow from bounds on each factor's derivatives.
 */

import { TRS } from '../model/affine';
import { type Model, normOf } from '../model/model';
import type { SampledChannel } from '../model/sampler';
import { newRates, type Rates, ratesOf } from './curve-rates';

/** A track of the source, and the same track reduced. */
export interface ComparedTrack {
    readonly node: number;
    readonly place: number;
    readonly width: number;
    readonly source: SampledChannel;
    readonly reduced: SampledChannel;
}

/** A channel during sampling. */
export interface Curve {
    readonly channel: SampledChannel;
    readonly width: number;
    /** Index of its first number in `State`. */
    readonly at: number;
    /** The number of the key that it is sampled from. */
    key: number;
    /** Bounds between that key and the next, and the key that they are for. Splines have others in each interval. */
    readonly rates: Rates;
    rated: number;
}

export function curveOf({ times, values, interpolation }: SampledChannel, width: number, at: number): Curve {
    // Copies of one type are faster to read.
    const channel = { interpolation, times: new Float64Array(times), values: new Float64Array(values) };
    return { channel, width, at, key: -1, rates: newRates(), rated: NaN };
}

/** The locals of all nodes at one time. */
export interface State {
    time: number;
    readonly source: Float64Array;
    readonly reduced: Float64Array;
    /** By node, the maximum displacement of its vertices. */
    readonly errors: Float64Array;
}

/** Numbers of a node, of the source and reduced, and of their difference as it acts on points. */
interface LocalRates {
    /** The linear part M S of the local. */
    readonly source: Triple;
    readonly reduced: Triple;
    readonly linear: Triple;
    /** The translation of the reduced local. */
    readonly shift: Triple;
    readonly moved: Triple;
}

/**
 * Bounds the displacement of each node's points between two states. A class, because V8 compiles the functions of each
 * closure again.
 */
export class DerivativeBounds {
    private readonly reaches: Float64Array;
    private readonly norms: readonly number[];
    private readonly of: readonly LocalRates[];
    private readonly reach: readonly Triple[];
    private readonly above: readonly Triple[];
    private readonly sums: Float64Array;
    private readonly bounds: Float64Array;
    private readonly tracksOf: readonly { r: number; t: number; s: number }[];

    /** @param tracks Each has the curves of its number. */
    constructor(
        private readonly model: Model,
        tracks: readonly ComparedTrack[],
        private readonly sources: readonly Curve[],
        private readonly reductions: readonly Curve[],
    ) {
        const { points, starts, slack, matrices, nodes } = model;
        this.reaches = Float64Array.from(nodes, (_, node) => {
            let max = 0;
            for (let p = starts[node]! * 3; p < starts[node + 1]! * 3; p += 3) {
                const squared =
                    points[p]! * points[p]! + points[p + 1]! * points[p + 1]! + points[p + 2]! * points[p + 2]!;
                if (squared > max) max = squared;
            }
            return Math.sqrt(max) + slack[node]!;
        });
        this.norms = matrices.map((matrix) => (matrix === null ? 0 : normOf(matrix)));
        this.of = Array.from(nodes, () => ({
            source: triple(),
            reduced: triple(),
            linear: triple(),
            shift: triple(),
            moved: triple(),
        }));
        this.reach = Array.from(nodes, triple);
        this.above = Array.from(nodes, triple);
        this.sums = new Float64Array(nodes.length);
        this.bounds = new Float64Array(nodes.length);
        this.tracksOf = Array.from(nodes, () => ({ r: -1, t: -1, s: -1 }));
        for (const [i, { node, place: at }] of tracks.entries())
            this.tracksOf[node]![at === 0 ? 't' : at === 3 ? 'r' : 's'] = i;
    }

    between(from: State, to: State): Float64Array {
        const { of, reach, reaches, above, sums, bounds } = this;
        const { parents, children, starts } = this.model;
        const size = parents.length;
        const span = to.time - from.time;
        for (let node = 0; node < size; node++) this.localRates(node, from, to, span);
        for (let node = size - 1; node >= 0; node--) {
            const hangs = reach[node]!;
            hangs[0] = reaches[node]!;
            hangs[1] = hangs[2] = 0;
            for (const child of children[node]!) {
                const h = reach[child]!;
                const { reduced: l, shift: t } = of[child]!;
                hangs[0] = Math.max(hangs[0]!, t[0] + l[0] * h[0]);
                hangs[1] = Math.max(hangs[1]!, t[1] + l[1] * h[0] + l[0] * h[1]);
                hangs[2] = Math.max(hangs[2]!, t[2] + l[2] * h[0] + 2 * l[1] * h[1] + l[0] * h[2]);
            }
        }
        for (let node = 0; node < size; node++) {
            const parent = parents[node]!;
            const x = parent < 0 ? ROOT : above[parent]!;
            const { linear: e, moved: t, source: l } = of[node]!;
            const h = reach[node]!;
            const d0 = e[0] * h[0] + t[0];
            const d1 = e[1] * h[0] + e[0] * h[1] + t[1];
            const d2 = e[2] * h[0] + 2 * e[1] * h[1] + e[0] * h[2] + t[2];
            sums[node] = (parent < 0 ? 0 : sums[parent]!) + x[2] * d0 + 2 * x[1] * d1 + x[0] * d2;
            product(above[node]!, x, l);
            bounds[node] = starts[node] === starts[node + 1] ? 0 : ((span * span) / 8) * sums[node]!;
        }
        return bounds;
    }

    private localRates(node: number, from: State, to: State, h: number): void {
        const { sources, reductions } = this;
        const out = this.of[node]!;
        const matrix = this.model.matrices[node]!;
        if (matrix !== null) {
            const [x, y, z] = [matrix[3]!, matrix[7]!, matrix[11]!];
            out.source[0] = out.reduced[0] = this.norms[node]!;
            out.shift[0] = Math.sqrt(x * x + y * y + z * z);
            return;
        }
        const { r, t, s } = this.tracksOf[node]!;
        const o = node * TRS;
        // Rotation: M(q) v = q v q* + (1 - |q|²) v. Players make a matrix this way from any q.
        const m = rotation.source;
        const mr = rotation.reduced;
        const y = rotation.difference;
        if (r < 0) still(normOfRotation(from.source, o + 3), m, mr, y);
        else {
            const own = ratesFor(sources[r]!, from.time, to.time);
            const other = ratesFor(reductions[r]!, from.time, to.time);
            rotationRates(from, to, o + 3, h, own, other);
        }
        // Scale.
        const sc = scale.source;
        const sr = scale.reduced;
        const g = scale.difference;
        if (s < 0) still(max3(from.source, o + 7), sc, sr, g);
        else {
            const own = ratesFor(sources[s]!, from.time, to.time);
            const other = ratesFor(reductions[s]!, from.time, to.time);
            vectorRates(from, to, o + 7, h, own, other, scale);
        }
        product(out.source, m, sc);
        product(out.reduced, mr, sr);
        out.linear[0] = y[0] * sc[0] + mr[0] * g[0];
        out.linear[1] = y[1] * sc[0] + y[0] * sc[1] + mr[1] * g[0] + mr[0] * g[1];
        out.linear[2] = y[2] * sc[0] + 2 * y[1] * sc[1] + y[0] * sc[2] + mr[2] * g[0] + 2 * mr[1] * g[1] + mr[0] * g[2];
        if (t < 0) {
            out.shift[0] = norm3(from.source, o);
            out.shift[1] = out.shift[2] = 0;
            out.moved[0] = out.moved[1] = out.moved[2] = 0;
        } else {
            const own = ratesFor(sources[t]!, from.time, to.time);
            const other = ratesFor(reductions[t]!, from.time, to.time);
            vectorRates(from, to, o, h, own, other, translation);
            for (let k = 0; k < 3; k++) {
                out.shift[k] = translation.reduced[k]!;
                out.moved[k] = translation.difference[k]!;
            }
        }
    }
}

function ratesFor(curve: Curve, from: number, to: number): Rates {
    if (curve.rated !== curve.key || curve.channel.interpolation === 'CUBICSPLINE') {
        ratesOf(curve.channel, curve.width, curve.key, from, to, curve.rates);
        curve.rated = curve.key;
    }
    return curve.rates;
}

/** Bounds on a value's norm, and on those of its first and second derivative. */
type Triple = [value: number, first: number, second: number];

const triple = (): Triple => [0, 0, 0];

/** The identity above a root. */
const ROOT: Triple = [1, 0, 0];

/** Bounds for a value: the source's, the reduced one's, and their difference's. */
interface Compared {
    readonly source: Triple;
    readonly reduced: Triple;
    readonly difference: Triple;
}

const compared = (): Compared => ({ source: triple(), reduced: triple(), difference: triple() });
const [rotation, scale, translation] = [compared(), compared(), compared()];

function still(value: number, source: Triple, reduced: Triple, difference: Triple): void {
    source[0] = reduced[0] = value;
    source[1] = source[2] = reduced[1] = reduced[2] = 0;
    difference[0] = difference[1] = difference[2] = 0;
}

function product(result: Triple, a: Triple, b: Triple): void {
    result[0] = a[0] * b[0];
    result[1] = a[1] * b[0] + a[0] * b[1];
    result[2] = a[2] * b[0] + 2 * a[1] * b[1] + a[0] * b[2];
}

function norm3(v: ArrayLike<number>, o: number): number {
    return Math.sqrt(v[o]! * v[o]! + v[o + 1]! * v[o + 1]! + v[o + 2]! * v[o + 2]!);
}

/** Bounds for vectors. A scale acts on points by its largest component, which is at most its norm. */
function vectorRates(from: State, to: State, o: number, h: number, a: Rates, b: Rates, result: Compared): void {
    const { source, reduced, difference } = result;
    const isScale = result === scale;
    const size = isScale ? max3 : norm3;
    source[0] = Math.max(size(from.source, o), size(to.source, o)) + ((h * h) / 8) * a.second;
    source[1] = a.first;
    source[2] = a.second;
    reduced[0] = Math.max(size(from.reduced, o), size(to.reduced, o)) + ((h * h) / 8) * b.second;
    reduced[1] = b.first;
    reduced[2] = b.second;
    const second = a.second + b.second;
    let start = 0;
    let end = 0;
    let change = 0;
    for (let c = o; c < o + 3; c++) {
        const p = from.source[c]! - from.reduced[c]!;
        const q = to.source[c]! - to.reduced[c]!;
        start += p * p;
        end += q * q;
        change += (q - p) * (q - p);
    }
    difference[0] = Math.sqrt(Math.max(start, end)) + ((h * h) / 8) * second;
    difference[1] = Math.sqrt(change) / h + (h / 2) * second;
    difference[2] = second;
}

function max3(v: ArrayLike<number>, o: number): number {
    return Math.max(Math.abs(v[o]!), Math.abs(v[o + 1]!), Math.abs(v[o + 2]!));
}

/** Bound on how much the matrix of a quaternion stretches. The quaternion need not be of unit length. */
function normOfRotation(q: Float64Array, o: number): number {
    const squared = q[o]! * q[o]! + q[o + 1]! * q[o + 1]! + q[o + 2]! * q[o + 2]! + q[o + 3]! * q[o + 3]!;
    return squared + Math.abs(squared - 1);
}

const four = () => new Float64Array(4);
const [qa, qb, ra, rb] = [four(), four(), four(), four()];

/** Copies the quaternions at `o` at both ends of an interval. At its beginning, the sign is that of `near` at `n`. */
function copyBoth(
    a: Float64Array,
    b: Float64Array,
    from: Float64Array,
    to: Float64Array,
    o: number,
    near: Float64Array,
    n: number,
) {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += from[o + c]! * near[n + c]!;
    const sign = dot < 0 ? -1 : 1;
    for (let c = 0; c < 4; c++) {
        a[c] = sign * from[o + c]!;
        b[c] = sign * to[o + c]!;
    }
}

const squared4 = (q: Float64Array) => q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!;

function rotationRates(from: State, to: State, o: number, h: number, a: Rates, b: Rates): void {
    // Both ends are on one curve, so they keep their relative sign.
    copyBoth(qa, qb, from.source, to.source, o, from.source, o);
    copyBoth(ra, rb, from.reduced, to.reduced, o, qa, 0);
    const la = squared4(qa);
    const lb = squared4(qb);
    const na = squared4(ra);
    const nb = squared4(rb);
    matrixRates(rotation.source, la, lb, h, a);
    matrixRates(rotation.reduced, na, nb, h, b);
    const m = a.value;
    const n = b.value;
    let start = 0;
    let end = 0;
    let change = 0;
    for (let c = 0; c < 4; c++) {
        const p = qa[c]! - ra[c]!;
        const q = qb[c]! - rb[c]!;
        start += p * p;
        end += q * q;
        change += (q - p) * (q - p);
    }
    const ends = Math.sqrt(Math.max(start, end));
    let d0 = 0;
    let d2 = 0;
    if (a.turn >= 0 && b.turn >= 0) {
        // q″ = -θ² q of both.
        const rest = Math.abs(a.turn - b.turn) * n;
        d0 = (ends + ((h * h) / 8) * rest) / (1 - ((h * h) / 8) * a.turn);
        d2 = a.turn * d0 + rest;
    } else {
        d2 = a.second + b.second;
        d0 = ends + ((h * h) / 8) * d2;
    }
    const d1 = Math.sqrt(change) / h + (h / 2) * d2;
    const l2 = a.length + b.length;
    const l0 = Math.max(Math.abs(la - na), Math.abs(lb - nb)) + ((h * h) / 8) * l2;
    const l1 = Math.abs(lb - nb - la + na) / h + (h / 2) * l2;
    // M(q) - M(r) = d v q* + r v d* - (|q|² - |r|²) v, with d = q - r.
    const { difference } = rotation;
    difference[0] = (m + n) * d0 + l0;
    difference[1] = (m + n) * d1 + (a.first + b.first) * d0 + l1;
    difference[2] = (m + n) * d2 + 2 * (a.first + b.first) * d1 + (a.second + b.second) * d0 + l2;
}

function matrixRates(result: Triple, la: number, lb: number, h: number, rates: Rates): void {
    const most = Math.max(la, lb) + ((h * h) / 8) * rates.length;
    const least = Math.min(la, lb) - ((h * h) / 8) * rates.length;
    rates.value = Math.sqrt(most);
    result[0] = most + Math.max(Math.abs(most - 1), Math.abs(least - 1));
    result[1] = 2 * rates.value * rates.first + Math.abs(lb - la) / h + (h / 2) * rates.length;
    result[2] = 2 * rates.value * rates.second + 2 * rates.first * rates.first + rates.length;
}
