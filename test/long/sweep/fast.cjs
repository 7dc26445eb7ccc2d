// SPDX-License-Identifier: MIT
'use strict';

/** How far fast/* are from strict/typescript, whose bits are known: all routines that blend, on unit quaternions. */

const { createRandom } = require('./random.cjs');

const COUNT = 1000;
const TIMES = [0, 1e-7, 0.1, 0.25, 0.5, 0.7, 0.9, 1 - 2 ** -24, 1];

/** Unit quaternions in any direction. */
function quaternions(random) {
    const list = new Float32Array(COUNT * 4);
    for (let o = 0; o < list.length; o += 4) {
        const q = Array.from({ length: 4 }, () => random.signed());
        const length = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
        list.set(length < 0.1 ? [0, 0, 0, 1] : q.map((x) => x / length), o);
    }
    return list;
}

/** These as joints, with translations below 1. */
function joints(random, quats) {
    const list = Float32Array.from({ length: COUNT * 8 }, () => random.signed());
    for (let i = 0; i < COUNT; i++) list.set(quats.subarray(i * 4, i * 4 + 4), i * 8);
    return list;
}

/** Each routine as a function of kernels and a t. Where there is one t for each pair, that of the list is another. */
function callsOf(random) {
    const from = quaternions(random);
    const to = quaternions(random);
    const fromJoints = joints(random, from);
    const toJoints = joints(random, to);
    const times = Float32Array.from({ length: COUNT }, () => random.unit());
    const calls = {};
    for (const routine of ['slerpJoints', 'lerpJoints', 'slerpJointsPerJoint']) {
        calls[routine] = (kernels, t) => {
            const result = fromJoints.slice();
            kernels[routine](result, toJoints, routine === 'slerpJointsPerJoint' ? times : t);
            return result;
        };
    }
    for (const routine of ['slerpQuats', 'lerpQuats', 'slerpQuatsPerQuat']) {
        calls[routine] = (kernels, t) => {
            const result = new Float32Array(from.length);
            kernels[routine](result, from, to, routine === 'slerpQuatsPerQuat' ? times : t);
            return result;
        };
    }
    calls.slerpQuatTimes = (kernels) => {
        const result = new Float32Array(from.length);
        kernels.slerpQuatTimes(result, from.subarray(0, 4), to.subarray(0, 4), times);
        return result;
    };
    return calls;
}

/** The greatest difference of a float; NaN where one is NaN. */
function greatestDifference(a, b) {
    let greatest = 0;
    for (let i = 0; i < a.length; i++) greatest = Math.max(greatest, Math.abs(a[i] - b[i]));
    return greatest;
}

/** By implementation and routine; `poselane` is the package. */
function fastDifferences({ implementation, implementations }) {
    const names = implementations()
        .filter(({ name, available }) => available && name.startsWith('fast/'))
        .map(({ name }) => name);
    const strict = implementation('strict/typescript');
    const differences = Object.fromEntries(names.map((name) => [name, {}]));
    if (names.length === 0) return differences;
    for (const [routine, call] of Object.entries(callsOf(createRandom('fast')))) {
        for (const name of names) differences[name][routine] = 0;
        for (const t of TIMES) {
            const expected = call(strict, t);
            for (const name of names) {
                const difference = greatestDifference(call(implementation(name), t), expected);
                differences[name][routine] = Math.max(differences[name][routine], difference);
            }
        }
    }
    return differences;
}

module.exports = { fastDifferences };
