// SPDX-License-Identifier: MIT
'use strict';

/** Repeats the same work: the memory of the process must not grow. Needs --expose-gc. */

const { readFileSync } = require('node:fs');
const { setImmediate: turn } = require('node:timers/promises');

const MIB = 2 ** 20;
const SAMPLES = 24;

/** Resident MiB after garbage collection and finalizers. */
async function resident() {
    for (let i = 0; i < 3; i++) {
        globalThis.gc();
        await turn();
    }
    return process.memoryUsage.rss() / MIB;
}

/** MiB by which the line through the second half of the samples rises, from the middle to the end. */
function riseOf(samples) {
    const half = samples.slice(samples.length >> 1);
    const n = half.length;
    const meanX = (n - 1) / 2;
    const meanY = half.reduce((sum, y) => sum + y, 0) / n;
    let [above, below] = [0, 0];
    for (const [x, y] of half.entries()) {
        above += (x - meanX) * (y - meanY);
        below += (x - meanX) ** 2;
    }
    return (above / below) * (n - 1);
}

/** @param work A function of the number of times to do it. */
async function soak(name, times, work) {
    const each = Math.ceil(times / SAMPLES);
    const samples = [];
    for (let i = 0; i < SAMPLES; i++) {
        await work(each);
        samples.push(await resident());
    }
    const [first, last] = [samples[SAMPLES >> 1], samples[SAMPLES - 1]];
    return { name, times: each * SAMPLES, first, last, rise: riseOf(samples) };
}

/** A rig of three joints. */
const PARTS = {
    parents: [-1, 0, 1],
    rest: [0, 1, 2].flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
    skins: [{ joints: [0, 1, 2] }],
    clips: [{ channels: [{ node: 1, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 2, 3] }] }],
};

/** Calls of every kind in turn: plain, indexed, bound, bound again, refused, of a Rig. */
function calls(poselane) {
    const { Rig, bindSlerpJoints, convertJointQuatsToJointMats, slerpJoints, slerpQuats, transformSkeleton } = poselane;
    const [a, b, mats] = [
        new Float32Array(40 * 8).fill(0.5),
        new Float32Array(40 * 8).fill(0.5),
        new Float32Array(40 * 12),
    ];
    const index = Int32Array.from({ length: 20 }, (_, i) => i);
    const parents = Int32Array.from({ length: 40 }, (_, i) => i - 1);
    const quats = new Float32Array(4 * 4).fill(0.5);
    const bound = bindSlerpJoints(a, b);
    const rig = Rig.create(PARTS);
    const poses = rig.createPoses(4);
    const times = new Float64Array(4);
    const out = new Float32Array(4 * 3 * 16);
    const refused = (call) => {
        try {
            call();
        } catch (error) {
            if (error.code === 'ERR_BUFFER_LENGTH') return;
            throw error;
        }
        throw new Error('a wrong call was not refused');
    };
    const kinds = [
        () => slerpJoints(a, b, 0.5),
        () => slerpJoints(a, b, 0.5, index),
        () => slerpQuats(quats, quats, quats, 0.5),
        () => convertJointQuatsToJointMats(mats, a),
        () => transformSkeleton(mats.fill(0), parents),
        () => bound.run(0.5),
        () => rig.evaluate(poses, 0, times),
        () => rig.toGlobal(poses),
        () => rig.palettes(poses, 0, out),
    ];
    return (count) => {
        for (let i = 0; i < count; i++) {
            kinds[i % kinds.length]();
            if (i % 1000 === 0) bindSlerpJoints(a, b, index).run(0.25);
            if (i % 1000 === 500) refused(() => slerpJoints(a, b.subarray(8), 0.5));
        }
    };
}

/**
 * @param model A small `.glb` for the loads; `example` the one to bake.
 * @returns For each kind of work `{ name, times, first, last, rise }`, MiB.
 */
async function soakAll(poselane, { model, example, sizes }) {
    const bytes = readFileSync(model);
    const load = async (count) => {
        for (let i = 0; i < count; i++) {
            const rig = await poselane.Rig.load(bytes);
            const poses = rig.createPoses(8);
            rig.evaluate(poses, 0, new Float32Array(8));
            rig.toGlobal(poses);
        }
    };
    const bake = async (count) => {
        for (let i = 0; i < count; i++) await poselane.bakeFile(example, { fps: 5 });
    };
    const runs = [];
    if (sizes.calls > 0) runs.push(await soak('calls', sizes.calls, calls(poselane)));
    if (sizes.loads > 0) runs.push(await soak('rig loads', sizes.loads, load));
    if (sizes.bakes > 0) runs.push(await soak('bakes of the example', sizes.bakes, bake));
    return runs;
}

module.exports = { PARTS, soakAll };
