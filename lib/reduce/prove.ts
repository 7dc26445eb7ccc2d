// SPDX-License-Identifier: MIT

/**
 * A bound on how far reduced keys displace any vertex at all times, and not only at those that are looked at.
 *
 * Between two neighbouring keys of any track all locals are smooth, so a point's displacement d is at most the greater of its two ends
 * plus h²/8 times a bound on |d″|. With G = X L Z, X the source above a joint, L its local, Z what hangs below it when it is reduced,
 * G - G' is the sum over all joints of X (L - L') Z. Derivatives of the products follow from bounds of each factor's: `Rates`. An interval
 * that is not proved so is halved: the second term falls to a quarter.
 */

import { compose, multiply } from './affine';
import { type Model, normOf, TRS } from './model';
import { keyUpTo, type SampledChannel, sampleFrom } from './sampler';

/** A track, as the source has it and as it is reduced. */
export interface ComparedTrack {
    readonly node: number;
    readonly place: number;
    readonly width: number;
    readonly source: SampledChannel;
    readonly reduced: SampledChannel;
}

/** What was proved of a clip. */
export interface Proof {
    /** The greatest share of a limit that anything may reach; Infinity where that could not be told. */
    readonly share: number;
    /** A bound on the displacement at all times, model units. */
    readonly error: number;
    /** The greatest displacement that was seen, when, and of which node's points. */
    readonly seen: number;
    readonly time: number;
    readonly node: number;
}

/** How often an interval is halved. */
const DEPTH = 7;

/** What all nodes are at one time. */
interface State {
    time: number;
    readonly source: Float64Array;
    readonly reduced: Float64Array;
    /** By node the greatest displacement of its vertices. */
    readonly errors: Float64Array;
}

/**
 * @param times All key times, of source and reduced tracks, ascending.
 * @param limitOf The displacement that is allowed for a node on the interval from `times[i]` on.
 * @param enough Where nothing may exceed this share, intervals are not looked at any further.
 */
export function prove(
    model: Model,
    tracks: readonly ComparedTrack[],
    times: ArrayLike<number>,
    limitOf: (node: number, i: number) => number,
    enough = 1,
): Proof {
    const size = model.nodes.length;
    const create = (): State => ({
        time: 0,
        source: model.rest.slice(),
        reduced: model.rest.slice(),
        errors: new Float64Array(size),
    });
    const middles = Array.from({ length: DEPTH }, create);
    const keys = tracks.map(() => ({ source: -1, reduced: -1 }));
    const rates = createRates(model);
    const globals = [new Float64Array(size * 12), new Float64Array(size * 12)] as const;
    const proof = { share: 0, error: 0, seen: 0, time: 0, node: -1 };

    function evaluate(state: State, time: number): void {
        state.time = time;
        for (let i = 0; i < tracks.length; i++) {
            const { node, place: at, width, source, reduced } = tracks[i]!;
            sampleFrom(source, width, keys[i]!.source, time, state.source, node * TRS + at);
            sampleFrom(reduced, width, keys[i]!.reduced, time, state.reduced, node * TRS + at);
        }
        displacements(model, state, globals);
        for (let node = 0; node < size; node++) {
            const error = state.errors[node]!;
            if (error <= proof.seen) continue;
            proof.seen = error >= 0 ? error : Infinity;
            proof.time = time;
            proof.node = node;
        }
    }

    /** @param i The interval of `times` that it is a part of. */
    function look(from: State, to: State, i: number, depth: number): void {
        const bounds = rates.bound(from, to, tracks, keys);
        let share = 0;
        let error = 0;
        for (let node = 0; node < size; node++) {
            const ends = Math.max(from.errors[node]!, to.errors[node]!);
            const own = ends + bounds[node]!;
            if (!(own <= error)) error = own >= 0 ? own : Infinity;
            const part = shareOf(own, limitOf(node, i));
            if (part > share) share = part;
        }
        // What is said of the error is to be close to what is seen, too.
        if (
            depth === DEPTH ||
            (share <= enough && (share <= 0.5 * enough || error <= Math.max(1.02 * proof.seen, proof.error)))
        ) {
            if (share > proof.share) proof.share = share;
            if (error > proof.error) proof.error = error;
            return;
        }
        const middle = middles[depth]!;
        evaluate(middle, (from.time + to.time) / 2);
        look(from, middle, i, depth + 1);
        look(middle, to, i, depth + 1);
    }

    let from = create();
    let to = create();
    const advance = (time: number) => {
        for (const [i, { source, reduced }] of tracks.entries()) {
            const key = keys[i]!;
            key.source = keyUpTo(source.times, time, key.source);
            key.reduced = keyUpTo(reduced.times, time, key.reduced);
        }
    };
    for (let i = 0; i < times.length; i++) {
        advance(times[i]!);
        evaluate(from, times[i]!);
        if (i + 1 === times.length) {
            for (let node = 0; node < size; node++) {
                proof.share = Math.max(proof.share, shareOf(from.errors[node]!, limitOf(node, Math.max(0, i - 1))));
                proof.error = Math.max(proof.error, from.errors[node]!);
            }
            break;
        }
        // By the keys of this interval: of STEP the values before the next one.
        evaluate(to, times[i + 1]!);
        look(from, to, i, 0);
        [from, to] = [to, from];
    }
    return proof;
}

/** Of an error that could not be told, or a limit that leaves nothing: Infinity. */
function shareOf(error: number, limit: number): number {
    if (error === 0 && limit >= 0) return 0;
    return error >= 0 && limit > 0 ? error / limit : Infinity;
}

/** Fills in by how much points of each node are displaced. */
function displacements(model: Model, state: State, [source, reduced]: readonly [Float64Array, Float64Array]): void {
    const { points, starts, slack, nodes } = model;
    globalsOf(model, state.source, source);
    globalsOf(model, state.reduced, reduced);
    for (let node = 0; node < nodes.length; node++) {
        const o = node * 12;
        const d0 = reduced[o]! - source[o]!;
        const d1 = reduced[o + 1]! - source[o + 1]!;
        const d2 = reduced[o + 2]! - source[o + 2]!;
        const d3 = reduced[o + 3]! - source[o + 3]!;
        const d4 = reduced[o + 4]! - source[o + 4]!;
        const d5 = reduced[o + 5]! - source[o + 5]!;
        const d6 = reduced[o + 6]! - source[o + 6]!;
        const d7 = reduced[o + 7]! - source[o + 7]!;
        const d8 = reduced[o + 8]! - source[o + 8]!;
        const d9 = reduced[o + 9]! - source[o + 9]!;
        const d10 = reduced[o + 10]! - source[o + 10]!;
        const d11 = reduced[o + 11]! - source[o + 11]!;
        let max = 0;
        for (let p = starts[node]! * 3; p < starts[node + 1]! * 3; p += 3) {
            const x = points[p]!;
            const y = points[p + 1]!;
            const z = points[p + 2]!;
            const dx = d0 * x + d1 * y + d2 * z + d3;
            const dy = d4 * x + d5 * y + d6 * z + d7;
            const dz = d8 * x + d9 * y + d10 * z + d11;
            const squared = dx * dx + dy * dy + dz * dz;
            if (!(squared <= max)) max = squared;
        }
        const linear = d0 * d0 + d1 * d1 + d2 * d2 + d4 * d4 + d5 * d5 + d6 * d6 + d8 * d8 + d9 * d9 + d10 * d10;
        state.errors[node] = starts[node] === starts[node + 1] ? 0 : Math.sqrt(max) + slack[node]! * Math.sqrt(linear);
    }
}

const local = new Float64Array(12);

function globalsOf({ parents, matrices, nodes }: Model, locals: Float64Array, globals: Float64Array): void {
    for (let node = 0; node < nodes.length; node++) {
        const matrix = matrices[node] ?? local;
        if (matrix === local) compose(local, 0, 1, locals, node * TRS);
        const parent = parents[node]!;
        if (parent < 0) globals.set(matrix, node * 12);
        else multiply(globals, node * 12, globals, parent * 12, matrix, 0);
    }
}

/** Bounds of a curve and of its first and second derivative on an interval, in norm. */
interface Rates {
    value: number;
    first: number;
    second: number;
    /** Of a rotation by slerp the squared rate of its angle, -1 of others; and the second derivative of its squared length. */
    turn: number;
    length: number;
}

const newRates = (): Rates => ({ value: 0, first: 0, second: 0, turn: 0, length: 0 });

function createRates(model: Model) {
    const { parents, children, points, starts, slack, matrices, nodes } = model;
    const size = nodes.length;
    const reaches = Float64Array.from(nodes, (_, node) => {
        let max = 0;
        for (let p = starts[node]! * 3; p < starts[node + 1]! * 3; p += 3) {
            const squared = points[p]! * points[p]! + points[p + 1]! * points[p + 1]! + points[p + 2]! * points[p + 2]!;
            if (squared > max) max = squared;
        }
        return Math.sqrt(max) + slack[node]!;
    });
    const norms = matrices.map((matrix) => (matrix === null ? 0 : normOf(matrix)));
    // By node: the local's linear part M S and translation, of the source and reduced; and their difference as it acts on points.
    const of = Array.from({ length: size }, () => ({
        source: triple(),
        reduced: triple(),
        shift: triple(),
        linear: triple(),
        moved: triple(),
    }));
    const reach = Array.from({ length: size }, triple);
    const above = Array.from({ length: size }, triple);
    const sums = new Float64Array(size);
    const bounds = new Float64Array(size);
    const tracksOf: { r: number; t: number; s: number }[] = Array.from({ length: size }, () => ({
        r: -1,
        t: -1,
        s: -1,
    }));
    let known: readonly ComparedTrack[] | null = null;
    const rates: Record<'source' | 'reduced', Rates & { key: number }>[] = [];

    function bound(
        from: State,
        to: State,
        tracks: readonly ComparedTrack[],
        keys: readonly { readonly source: number; readonly reduced: number }[],
    ): Float64Array {
        if (known !== tracks) {
            known = tracks;
            for (const [i, { node, place: at }] of tracks.entries())
                tracksOf[node]![at === 0 ? 't' : at === 3 ? 'r' : 's'] = i;
        }
        const h = to.time - from.time;
        for (let node = 0; node < size; node++) localRates(node, from, to, h, tracks, keys);
        for (let node = size - 1; node >= 0; node--) {
            const hangs = reach[node]!;
            hangs[0] = reaches[node]!;
            hangs[1] = hangs[2] = 0;
            for (const child of children[node]!) {
                const [r, v, a] = reach[child]!;
                const { reduced: l, shift: t } = of[child]!;
                hangs[0] = Math.max(hangs[0]!, t[0] + l[0] * r);
                hangs[1] = Math.max(hangs[1]!, t[1] + l[1] * r + l[0] * v);
                hangs[2] = Math.max(hangs[2]!, t[2] + l[2] * r + 2 * l[1] * v + l[0] * a);
            }
        }
        for (let node = 0; node < size; node++) {
            const parent = parents[node]!;
            const [x0, x1, x2] = parent < 0 ? [1, 0, 0] : above[parent]!;
            const { linear: e, moved: t, source: l } = of[node]!;
            const [r, v, a] = reach[node]!;
            const d0 = e[0] * r + t[0];
            const d1 = e[1] * r + e[0] * v + t[1];
            const d2 = e[2] * r + 2 * e[1] * v + e[0] * a + t[2];
            sums[node] = (parent < 0 ? 0 : sums[parent]!) + x2 * d0 + 2 * x1 * d1 + x0 * d2;
            const next = above[node]!;
            next[0] = x0 * l[0];
            next[1] = x1 * l[0] + x0 * l[1];
            next[2] = x2 * l[0] + 2 * x1 * l[1] + x0 * l[2];
            bounds[node] = starts[node] === starts[node + 1] ? 0 : ((h * h) / 8) * sums[node]!;
        }
        return bounds;
    }

    function localRates(
        node: number,
        from: State,
        to: State,
        h: number,
        tracks: readonly ComparedTrack[],
        keys: readonly { readonly source: number; readonly reduced: number }[],
    ): void {
        const out = of[node]!;
        if (matrices[node] !== null) {
            const m = matrices[node]!;
            out.source[0] = out.reduced[0] = norms[node]!;
            out.shift[0] = Math.sqrt(m[3]! * m[3]! + m[7]! * m[7]! + m[11]! * m[11]!);
            return;
        }
        const { r, t, s } = tracksOf[node]!;
        const o = node * TRS;
        // Rotation: M(q) v = q v q* + (1 - |q|²) v, which is how players make a matrix of any q.
        const m = rotation.source;
        const mr = rotation.reduced;
        const y = rotation.difference;
        if (r < 0) still(normOfRotation(from.source, o + 3), m, mr, y);
        else {
            const track = tracks[r]!;
            const own = ratesFor(r, 'source', track, keys[r]!.source, from.time, to.time);
            const other = ratesFor(r, 'reduced', track, keys[r]!.reduced, from.time, to.time);
            rotationRates(from, to, o + 3, h, own, other);
        }
        // Scale.
        const sc = scale.source;
        const sr = scale.reduced;
        const g = scale.difference;
        if (s < 0)
            still(
                Math.max(Math.abs(from.source[o + 7]!), Math.abs(from.source[o + 8]!), Math.abs(from.source[o + 9]!)),
                sc,
                sr,
                g,
            );
        else {
            const track = tracks[s]!;
            const own = ratesFor(s, 'source', track, keys[s]!.source, from.time, to.time);
            const other = ratesFor(s, 'reduced', track, keys[s]!.reduced, from.time, to.time);
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
            const track = tracks[t]!;
            const own = ratesFor(t, 'source', track, keys[t]!.source, from.time, to.time);
            const other = ratesFor(t, 'reduced', track, keys[t]!.reduced, from.time, to.time);
            vectorRates(from, to, o, h, own, other, translation);
            for (let k = 0; k < 3; k++) {
                out.shift[k] = translation.reduced[k]!;
                out.moved[k] = translation.difference[k]!;
            }
        }
    }

    /** Of what is no spline they are the same on the whole interval between two keys. */
    function ratesFor(
        i: number,
        which: 'source' | 'reduced',
        track: ComparedTrack,
        key: number,
        from: number,
        to: number,
    ): Rates {
        rates[i] ??= { source: { key: NaN, ...newRates() }, reduced: { key: NaN, ...newRates() } };
        const cached = rates[i]![which];
        if (cached.key !== key || track[which].interpolation === 'CUBICSPLINE') {
            ratesOf(track[which], track.width, key, from, to, cached);
            cached.key = key;
        }
        return cached;
    }

    return { bound };
}

/** A bound of a value's norm, and of those of its first and second derivative. */
type Triple = [value: number, first: number, second: number];

const triple = (): Triple => [0, 0, 0];

/** Of a value with its derivatives: the source's, the reduced one's, and their difference's. */
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

/** Vectors: a scale acts on points as its greatest component does, which its norm is not below. */
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

/** Of the matrix of a quaternion, which need not be of unit length: a bound of how it stretches. */
function normOfRotation(q: Float64Array, o: number): number {
    const squared = q[o]! * q[o]! + q[o + 1]! * q[o + 1]! + q[o + 2]! * q[o + 2]! + q[o + 3]! * q[o + 3]!;
    return squared + Math.abs(squared - 1);
}

const [qa, qb, ra, rb] = Array.from({ length: 4 }, () => new Float64Array(4)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
];

/** Copies a quaternion, on the side of another one. */
function copyNear(result: Float64Array, q: Float64Array, o: number, near: Float64Array): void {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += q[o + c]! * near[c]!;
    for (let c = 0; c < 4; c++) result[c] = dot < 0 ? -q[o + c]! : q[o + c]!;
}

const squared4 = (q: Float64Array) => q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!;

function rotationRates(from: State, to: State, o: number, h: number, a: Rates, b: Rates): void {
    for (let c = 0; c < 4; c++) qa[c] = from.source[o + c]!;
    copyNear(qb, to.source, o, qa);
    copyNear(ra, from.reduced, o, qa);
    copyNear(rb, to.reduced, o, ra);
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

/** arccos²(1 - y) = the sum of 2 (2y)ⁿ / (n² (2n over n)): coefficients of yⁿ. */
const ARC = Float64Array.from({ length: 40 }, (_, i) => {
    let c = 2;
    for (let n = 1; n <= i + 1; n++) c *= (2 * n * n) / (2 * n * (2 * n - 1));
    return c / ((i + 1) * (i + 1));
});

function squaredArc(y: number): number {
    let sum = 0;
    for (let i = ARC.length - 1; i >= 0; i--) sum = (sum + ARC[i]!) * y;
    return sum;
}

/** Bounds of a channel's curve on an interval that has none of its keys inside; `value` is left to the caller. */
function ratesOf(
    { times, values, interpolation }: SampledChannel,
    width: number,
    k: number,
    from: number,
    to: number,
    rates: Rates,
): void {
    rates.first = rates.second = rates.turn = rates.length = 0;
    if (k < 0 || k === times.length - 1 || interpolation === 'STEP') return;
    const span = times[k + 1]! - times[k]!;
    if (interpolation === 'CUBICSPLINE') {
        const t0 = (from - times[k]!) / span;
        const t1 = (to - times[k]!) / span;
        splineRates(values, width, k * 3 * width, span, t0, t1, rates);
        return;
    }
    const a = k * width;
    const b = (k + 1) * width;
    if (width === 3) {
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += (values[b + c]! - values[a + c]!) * (values[b + c]! - values[a + c]!);
        rates.first = Math.sqrt(sum) / span;
        return;
    }
    let dot = 0;
    let aa = 0;
    let bb = 0;
    for (let c = 0; c < 4; c++) {
        dot += values[a + c]! * values[b + c]!;
        aa += values[a + c]! * values[a + c]!;
        bb += values[b + c]! * values[b + c]!;
    }
    const cosine = Math.abs(dot);
    const sine = 1 - cosine * cosine;
    if (!(sine > 1e-12)) {
        // Players go straight.
        const squared = Math.max(0, aa + bb - 2 * cosine);
        rates.first = Math.sqrt(squared) / span;
        rates.length = (2 * squared) / (span * span);
        return;
    }
    // q″ = -θ² q, so that |q′|² + θ² |q|² is the same at all times, and |q|² swings about half of it.
    const turn = squaredArc(1 - cosine) / (span * span);
    const energy = turn * ((bb - 2 * cosine * cosine + cosine * cosine * aa) / sine + aa);
    const middle = energy / (2 * turn);
    const lean = (cosine * cosine * (1 - aa) * (1 - aa)) / sine;
    rates.turn = turn;
    rates.length = 4 * turn * Math.sqrt((aa - middle) * (aa - middle) + lean);
    const least = Math.min(aa, bb) - ((span * span) / 8) * rates.length;
    rates.first = Math.sqrt(Math.max(0, energy - turn * Math.max(0, least)));
    rates.second = turn * Math.sqrt(Math.max(aa, bb) + ((span * span) / 8) * rates.length);
}

/** Of a Hermite spline (appendix C.5) from t0 to t1 of an interval between keys: its second derivative is straight. */
function splineRates(
    values: ArrayLike<number>,
    width: number,
    at: number,
    span: number,
    t0: number,
    t1: number,
    rates: Rates,
): void {
    let first0 = 0;
    let first1 = 0;
    let second0 = 0;
    let second1 = 0;
    let third = 0;
    let low0 = 0;
    let low1 = 0;
    let dot = 0;
    for (let c = at + width; c < at + 2 * width; c++) {
        const [v0, o0, v1, i1] = [
            values[c]!,
            span * values[c + width]!,
            values[c + 3 * width]!,
            span * values[c + 2 * width]!,
        ];
        const c3 = 2 * v0 + o0 - 2 * v1 + i1;
        const c2 = -3 * v0 - 2 * o0 + 3 * v1 - i1;
        const f0 = (3 * c3 * t0 + 2 * c2) * t0 + o0;
        const f1 = (3 * c3 * t1 + 2 * c2) * t1 + o0;
        const s0 = 6 * c3 * t0 + 2 * c2;
        const s1 = 6 * c3 * t1 + 2 * c2;
        const p0 = ((c3 * t0 + c2) * t0 + o0) * t0 + v0;
        const p1 = ((c3 * t1 + c2) * t1 + o0) * t1 + v0;
        first0 += f0 * f0;
        first1 += f1 * f1;
        second0 += s0 * s0;
        second1 += s1 * s1;
        third += 36 * c3 * c3;
        low0 += p0 * p0;
        low1 += p1 * p1;
        dot += p0 * p1;
    }
    const part = t1 - t0;
    const second = Math.sqrt(Math.max(second0, second1));
    const first = Math.sqrt(Math.max(first0, first1)) + ((part * part) / 8) * Math.sqrt(third);
    rates.first = first / span;
    rates.second = second / (span * span);
    rates.turn = -1;
    if (width !== 4) return;
    // n = p / |p|: |n′| <= |p′| / |p|, |n″| <= |p″| / |p| + 3 |p′|² / |p|². The chord's distance from 0, less what the curve sags.
    const chord = low0 + low1 - 2 * dot;
    const along = chord > 0 ? Math.min(1, Math.max(0, (low0 - dot) / chord)) : 0;
    const near = Math.max(0, low0 + along * (2 * (dot - low0) + along * chord));
    const low = Math.sqrt(near) - ((part * part) / 8) * second;
    if (!(low > 0)) {
        rates.first = rates.second = Infinity;
        return;
    }
    rates.second = second / (span * span) / low + (3 * first * first) / (span * span) / (low * low);
    rates.first = first / span / low;
}
