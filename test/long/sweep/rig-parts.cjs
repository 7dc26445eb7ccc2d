// SPDX-License-Identifier: MIT
'use strict';

/**
 * Rigs for the sweep, as `Rig.create` takes them: every kind of hierarchy, channel and mesh, and all valid numbers. They
 * depend only on the source of numbers, so they are the same on every machine.
 */

const { FLOATS, TIMES, unitQuaternion } = require('./classes.cjs');
const { SKELETONS, parents, shuffled } = require('./lists.cjs');

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { fround, max, min } = Math;
const { isFinite: isFiniteNumber, isNaN: isNotANumber } = Number;

const LARGEST = (2 - 2 ** -23) * 2 ** 127;

/** Sources of numbers. All are finite, as in files; results need not be. */
const DATA = ['usual', 'usual', 'wide', 'wide', 'signedZeros', 'denormals', 'huge', 'bits', 'mixed'];
const ODD = ['signedZeros', 'denormals', 'huge', 'bits'];

/** The size of most models, and sizes that are far apart but whose products do not overflow. */
const SIZES = { usual: [3], wide: [1e-5, 1e-3, 0.1, 1, 1, 1, 10, 1e3, 1e5] };

/** A finite float32 of a kind. */
function number(random, data) {
    if (data === 'mixed') return number(random, random.below(2) ? 'usual' : random.of(ODD));
    const sizes = SIZES[data];
    const value = fround(sizes === undefined ? FLOATS[data](random) : random.signed() * random.of(sizes));
    return isNotANumber(value) ? 1 : max(-LARGEST, min(LARGEST, value));
}

const numbers = (random, data, length) => Float32Array.from({ length }, () => number(random, data));

const q = new Float64Array(4);

/** Writes a rotation: of unit length, as in files, of another length, zero, or any four numbers. */
function putRotation(random, data, list, at) {
    const kind = random.below(SIZES[data] ? 12 : 6);
    unitQuaternion(random, q);
    const size = kind === 0 ? 0.5 + 2.5 * random.unit() : 1;
    for (let c = 0; c < 4; c++) {
        if (kind === 1 && !SIZES[data]) list[at + c] = random.below(2) ? 0 : -0;
        else if (kind < 4 && !SIZES[data]) list[at + c] = number(random, data);
        else list[at + c] = q[c] * size;
    }
}

/** A rotation that is next to the one 4 floats before it, or next to its negative. */
function putNearby(random, list, at) {
    const sign = random.below(2) ? 1 : -1;
    for (let c = 0; c < 4; c++) list[at + c] = sign * list[at - 4 + c] + random.signed() * 1e-5 * random.below(3);
}

/** T 3, R 4, S 3 of each node. */
function rest(random, data, nodes) {
    const list = numbers(random, data, nodes * 10);
    for (let node = 0; node < nodes; node++) {
        putRotation(random, data, list, node * 10 + 3);
        if (random.below(3) > 0) list.fill(1, node * 10 + 7, node * 10 + 10);
    }
    return list;
}

/** Column-major, with a last row of 0 0 0 1. */
function matrix(random, data) {
    const list = numbers(random, data, 16);
    for (const at of [3, 7, 11]) list[at] = 0;
    list[15] = 1;
    return list;
}

const STEPS = {
    regular: () => 1 / 30,
    random: (random) => random.unit() * 0.3,
    mixed: (random) => random.unit() * random.of([1e-7, 1e-3, 0.1, 10]),
    /** Adjacent times that are equal, or one float32 apart once the sum is rounded. */
    ulps: (random, time) => (time === 0 ? 2 ** -149 : time * 2 ** -23) * random.below(3),
    denormal: (random) => random.below(100) * 2 ** -149,
    huge: (random) => random.unit() * 1e36,
    duplicates: (random) => (random.below(2) ? 0 : random.unit()),
};
const STEP_NAMES = ['regular', 'random', ...Object.keys(STEPS)];

/** The times of keys, ascending. */
function keyTimes(random) {
    const step = STEPS[random.of(STEP_NAMES)];
    const times = new Float32Array(1 + random.below(random.below(6) ? 12 : 300));
    let time = random.below(2) ? 0 : Math.fround(random.unit());
    for (let i = 0; i < times.length; i++) {
        times[i] = time;
        time = Math.fround(time + step(random, time));
    }
    if (times[0] === 0 && random.below(8) === 0) times[0] = -0;
    return times;
}

const WIDTHS = { translation: 3, rotation: 4, scale: 3 };
const INTERPOLATIONS = ['LINEAR', 'LINEAR', 'STEP', 'CUBICSPLINE'];

/** The values of keys: different ones, or again and again the same. */
function keyValues(random, data, keys, width, interpolation, isRotation) {
    const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
    const values = numbers(random, data, keys * parts * width);
    if (isRotation) {
        for (let at = 0; at < values.length; at += 4) {
            if (at > 0 && parts === 1 && random.below(4) === 0) putNearby(random, values, at);
            else putRotation(random, data, values, at);
        }
    }
    const constant = random.below(8);
    if (constant > 1) return values;
    const floats = parts * width;
    if (parts === 3 && constant === 0) for (const part of [0, 2]) values.fill(0, part * width, (part + 1) * width);
    for (let key = 1; key < keys; key++) values.copyWithin(key * floats, 0, floats);
    return values;
}

function clip(random, data, nodes, matrices, targets) {
    // Times that channels share, as the same list or an equal one, and times of one channel.
    const pool = Array.from({ length: 1 + random.below(4) }, () => keyTimes(random));
    const density = random.of([0, 0.3, 0.7, 1]);
    const channels = [];
    for (let node = 0; node < nodes; node++) {
        for (const path of ['translation', 'rotation', 'scale', 'weights']) {
            const width = path === 'weights' ? (targets.get(node) ?? 0) : WIDTHS[path];
            if (width === 0 || (path !== 'weights' && matrices[node] !== null)) continue;
            if (random.unit() >= density) continue;
            const kind = random.below(8);
            const times = kind === 0 ? keyTimes(random) : kind === 1 ? random.of(pool).slice() : random.of(pool);
            const interpolation = random.of(INTERPOLATIONS);
            const values = keyValues(random, data, times.length, width, interpolation, path === 'rotation');
            channels.push({ node, path, interpolation, times, values });
        }
    }
    return { channels };
}

/** Weights of usual meshes, and other valid ones: sums that are not 1, none, one, any size. */
function vertexWeights(random, data, vertices, influences) {
    const weights = new Float32Array(vertices * influences);
    for (let v = 0; v < vertices; v++) {
        const at = v * influences;
        const kind = random.below(10);
        if (kind === 0) continue;
        if (kind < 3) {
            weights[at + random.below(influences)] = 1;
            continue;
        }
        let sum = 0;
        for (let i = at; i < at + influences; i++) {
            weights[i] = random.below(3) ? random.unit() : 0;
            if (kind === 3) weights[i] = Math.abs(number(random, data));
            sum += weights[i];
        }
        if (kind > 4 && sum > 0) for (let i = at; i < at + influences; i++) weights[i] /= sum;
    }
    return weights;
}

/** Displacements of morph targets: 0 for many of the vertices. */
function deltas(random, data, vertices) {
    const list = new Float32Array(vertices * 3);
    for (let v = 0; v < vertices; v++) {
        if (random.below(2)) for (let c = 0; c < 3; c++) list[v * 3 + c] = number(random, data);
    }
    return list;
}

function mesh(random, data, node, skins) {
    const vertices = random.below(16) === 0 ? 0 : 1 + random.below(60);
    const influences = random.of([4, 4, 8, 12]);
    const skin = random.below(skins.length);
    const { joints } = skins[skin];
    const withNormals = random.below(3) > 0;
    const targets = Array.from({ length: random.below(3) && random.below(5) }, () => ({
        ...(random.below(4) ? { positions: deltas(random, data, vertices) } : {}),
        ...(random.below(2) ? { normals: deltas(random, data, vertices) } : {}),
    }));
    return {
        node,
        skin,
        positions: numbers(random, data, vertices * 3),
        ...(withNormals ? { normals: numbers(random, data, vertices * 3) } : {}),
        influences,
        joints: Uint16Array.from({ length: vertices * influences }, () => random.below(joints.length)),
        weights: vertexWeights(random, data, vertices, influences),
        targets,
        targetWeights: numbers(random, data, targets.length),
    };
}

/** Parents in any order: a skeleton with its nodes shuffled. */
function hierarchy(random, nodes) {
    const ordered = parents(random.of(SKELETONS), random, nodes);
    const place = random.below(2) ? shuffled(random, nodes) : ordered.map((_, node) => node);
    const list = new Int32Array(nodes);
    for (let node = 0; node < nodes; node++) list[place[node]] = ordered[node] < 0 ? -1 : place[ordered[node]];
    return list;
}

function skin(random, data, nodes) {
    const joints = Int32Array.from(shuffled(random, nodes).subarray(0, 1 + random.below(nodes)));
    const binds = () => Float32Array.from([...joints].flatMap(() => [...matrix(random, data)]));
    return { joints, ...(random.below(4) ? { inverseBindMatrices: binds() } : {}) };
}

/**
 * A rig: what `Rig.create` takes.
 *
 * @param data One of `DATA`.
 */
function rigParts(random, data) {
    const nodes = 1 + random.below(random.below(40) ? 40 : 200);
    const withMatrices = random.below(2);
    const matrices = Array.from({ length: nodes }, () =>
        withMatrices && random.below(6) === 0 ? matrix(random, data) : null,
    );
    const skins = Array.from({ length: 1 + random.below(2) }, () => skin(random, data, nodes));
    const carriers = shuffled(random, nodes).subarray(0, random.below(3));
    const meshes = Array.from(carriers, (node) => mesh(random, data, node, skins));
    const targets = new Map(meshes.map(({ node, targets: { length } }) => [node, length]));
    return {
        parents: hierarchy(random, nodes),
        rest: rest(random, data, nodes),
        matrices,
        skins,
        clips: Array.from({ length: 1 + random.below(4) }, () => clip(random, data, nodes, matrices, targets)),
        meshes,
    };
}

const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);
const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);

/** The next number of a list's precision, up or down. */
function neighbour(value, step, isSingle) {
    if (value === 0) return step * (isSingle ? 2 ** -149 : 5e-324);
    const away = value > 0 === step > 0 ? 1 : -1;
    if (isSingle) {
        single[0] = value;
        singleBits[0] += away;
        return single[0];
    }
    double[0] = value;
    doubleBits[0] += BigInt(away);
    return double[0];
}

const ANYWHEN = [0, -0, 1e-45, -1e-45, 1e-30, 1e9, -1e9, 1e30, -1e30, 3.4e38, -3.4e38];
const ANYWHEN_DOUBLE = [...ANYWHEN, 5e-324, -5e-324, 1e-300, 1e17, -1e17, 1e300, -1.7e308];

/** A time for a clip: on a key, beside one, between, outside, rounds away, or any finite number. */
function time(random, { channels }, isSingle) {
    const end = channels.reduce((most, { times }) => Math.max(most, times[times.length - 1]), 0);
    const kind = random.below(channels.length > 0 ? 10 : 2);
    const rounds = random.below(4) ? 0 : random.below(1000) - 500;
    if (kind === 0) return random.of(isSingle ? ANYWHEN : ANYWHEN_DOUBLE);
    if (kind < 3) return (random.unit() * 1.4 - 0.2) * (end || 1) + rounds * end;
    const { times } = random.of(channels);
    const key = random.below(times.length);
    if (kind < 5) return times[key] + rounds * end;
    if (kind < 8) return neighbour(Math.fround(times[key] + rounds * end), random.below(2) ? 1 : -1, isSingle);
    if (kind === 8) return neighbour(times[times.length - 1], random.below(2) ? 1 : -1, isSingle);
    const next = times[Math.min(key + 1, times.length - 1)];
    return times[key] + (next - times[key]) * (random.below(2) ? 0.5 : 1 - 2 ** -25);
}

/** Clips, times and all other options of `evaluate`, for `count` poses. */
function evaluation(random, clips, count) {
    const one = random.below(2) ? random.below(clips.length) : -1;
    const list = Uint16Array.from({ length: count }, () => (one < 0 ? random.below(clips.length) : one));
    const isSingle = random.below(2) === 0;
    const times = new (isSingle ? Float32Array : Float64Array)(count);
    const forward = random.below(4) === 0;
    for (let i = 0; i < count; i++) {
        times[i] = forward ? i / 60 : time(random, clips[list[i]], isSingle);
        if (!isFiniteNumber(times[i])) times[i] = 0.5;
    }
    return { clips: one < 0 ? list : one, times, loop: random.of(['clamp', 'wrap']) };
}

const finiteTimes = TIMES.filter((t) => isFiniteNumber(Math.fround(t)));
const weight = (random) => (random.below(2) ? random.unit() : random.of(finiteTimes));
const weights = (random, length) => Float32Array.from({ length }, () => weight(random));

/** Options of `blend`: one weight or many, with or without a mask. */
function blending(random, nodes, count) {
    return {
        weights: random.below(2) ? weight(random) : weights(random, count),
        ...(random.below(2) ? { mask: weights(random, nodes) } : {}),
        ...(random.below(2) ? { additive: random.below(3) > 0 } : {}),
    };
}

/** A local transform for `setLocal`. */
function transform(random, data) {
    const list = numbers(random, data, 10);
    putRotation(random, data, list, 3);
    return list.map((x) => (isFiniteNumber(x) ? x : 0));
}

module.exports = { DATA, blending, evaluation, rigParts, transform };
