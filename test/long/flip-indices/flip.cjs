// SPDX-License-Identifier: MIT
'use strict';

/**
 * Another thread overwrites index lists, parents, clips and slots in shared memory while kernels use them as addresses. Calls may
 * succeed or refuse their arguments. They must not write outside the lists.
 */

const { Worker } = require('node:worker_threads');

const JOINTS = 200;
/** More than the addon checks at once, so that time passes between check and use. */
const NAMED = 3000;
const GUARD_FLOATS = 4096;
const GUARD = 12345.5;

/** Good and wrong values in turn, in many places. */
const FLIPPER = `
const { workerData: { lists, stop } } = require('node:worker_threads');
const halt = new Int32Array(stop);
let seed = 1;
const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >>> 8;
while (Atomics.load(halt, 0) === 0) {
    for (let i = 0; i < 2000; i++) {
        const { list, good, wrong } = lists[next() % lists.length];
        const at = next() % list.length;
        list[at] = wrong[next() % wrong.length];
        // Mostly restored at once: most calls must pass the first check.
        if (next() % 1024 !== 0) list[at] = good[at];
        if (next() % 512 === 0) list.set(good);
    }
}`;

const CODES = new Set([
    'ERR_INDEX_RANGE',
    'ERR_PARENT_RANGE',
    'ERR_PARENT_ORDER',
    'ERR_BUFFER_CHANGED',
    'ERR_NOT_FINITE',
]);

function shared(View, values) {
    const list = new View(new SharedArrayBuffer(values.length * View.BYTES_PER_ELEMENT));
    list.set(values);
    return list;
}

/** Floats between guards. */
function guarded(length) {
    const all = new Float32Array(new SharedArrayBuffer((length + 2 * GUARD_FLOATS) * 4)).fill(GUARD);
    const view = all.subarray(GUARD_FLOATS, GUARD_FLOATS + length);
    for (let i = 0; i < length; i++) view[i] = (i % 7) / 7;
    const check = (what) => {
        for (let i = 0; i < GUARD_FLOATS; i++) {
            if (all[i] === GUARD && all[all.length - 1 - i] === GUARD) continue;
            throw new Error(`${what} wrote outside of the list`);
        }
    };
    return { view, check };
}

/** Every routine on joints that takes an index list or parents. */
function jointCalls({ index, parents }, guards, routines) {
    const list = (floats) => {
        const made = guarded(JOINTS * floats);
        guards.push(made);
        return made.view;
    };
    const calls = {};
    for (const [name, { lists, parameter, selection }] of Object.entries(routines)) {
        if (selection !== 'index' && selection !== 'parents') continue;
        const args = lists.map(({ floats }) => list(floats));
        if (parameter) args.push(0.3);
        args.push(selection === 'index' ? index : parents);
        calls[name] = (kernel) => kernel(...args);
    }
    return calls;
}

const PARTS = {
    parents: [-1, 0, 1, 2],
    rest: [0, 1, 2, 3].flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
    skins: [{ joints: [0, 1, 2, 3] }],
    clips: [0, 1, 2].map((clip) => ({
        channels: [{ node: clip, path: 'translation', times: [0, 1 + clip], values: [0, 0, 0, 1, 2, 3] }],
    })),
};
const POSES = 64;

function rigCalls(rig, { clips, slots, times, weights }, guards) {
    const [palettes, joints] = [guarded(times.length * 4 * 16), guarded(POSES * slots.length * 12)];
    const memory = guarded(rig.createPoses(POSES).data.length);
    guards.push(palettes, joints, memory);
    const [poses, other] = [rig.createPoses(POSES, { shared: memory.view }), rig.createPoses(POSES)];
    return {
        evaluate: () => rig.evaluate(poses, clips, times),
        'evaluate, wrapped': () => rig.evaluate(poses, clips, times, { loop: 'wrap' }),
        blend: () => rig.blend(poses, poses, other, weights),
        joints: () => rig.joints(poses, slots, joints.view),
        bakePalettes: () => rig.bakePalettes(poses, clips, times, 0, palettes.view),
        createPoses: () => rig.createPoses(1, { only: slots }),
    };
}

/**
 * @param implementations `{ name, kernels }`; `rigs` `{ name, create }`; `routines` the descriptions of lib/lists/routines.ts.
 * @returns How many calls there were, and how many were refused.
 */
async function flipIndices({ implementations, rigs, routines, milliseconds }) {
    const goodIndex = Int32Array.from({ length: NAMED }, (_, i) => i % JOINTS);
    const goodParents = Int32Array.from({ length: JOINTS }, (_, i) => i - 1);
    const goodClips = Uint16Array.from({ length: 500 }, (_, i) => i % 3);
    const goodSlots = Uint16Array.from({ length: 100 }, (_, i) => i % 4);
    const goodTimes = Float64Array.from({ length: 500 }, (_, i) => i / 100);
    const goodWeights = Float32Array.from({ length: POSES }, (_, i) => i / POSES);
    const lists = {
        index: {
            list: shared(Int32Array, goodIndex),
            good: goodIndex,
            wrong: [-1, JOINTS, 2 ** 30, -(2 ** 31), 2 ** 31 - 1],
        },
        parents: {
            list: shared(Int32Array, goodParents),
            good: goodParents,
            wrong: [-2, JOINTS, JOINTS - 1, 2 ** 30, -(2 ** 31)],
        },
        clips: { list: shared(Uint16Array, goodClips), good: goodClips, wrong: [3, 65535, 1000] },
        slots: { list: shared(Uint16Array, goodSlots), good: goodSlots, wrong: [4, 65535, 1000] },
        times: {
            list: shared(Float64Array, goodTimes),
            good: goodTimes,
            wrong: [Number.NaN, Infinity, -Infinity, 1e300, -1e300],
        },
        weights: {
            list: shared(Float32Array, goodWeights),
            good: goodWeights,
            wrong: [Number.NaN, Infinity, -1, 3e38],
        },
    };
    const stop = new SharedArrayBuffer(4);
    const worker = new Worker(FLIPPER, { eval: true, workerData: { lists: Object.values(lists), stop } });
    await new Promise((resolve, reject) => worker.once('online', resolve).once('error', reject));
    const live = Object.fromEntries(Object.entries(lists).map(([name, { list }]) => [name, list]));

    const guards = [];
    const calls = [];
    const joints = jointCalls(live, guards, routines);
    for (const { name, kernels } of implementations) {
        for (const [routine, call] of Object.entries(joints)) {
            const kernel = kernels[routine];
            if (kernel) calls.push({ implementation: name, routine, call: () => call(kernel) });
        }
    }
    for (const { name, create } of rigs) {
        for (const [routine, call] of Object.entries(rigCalls(create(PARTS), live, guards))) {
            calls.push({ implementation: name, routine: `Rig.${routine}`, call });
        }
    }
    let done = 0;
    let refused = 0;
    const until = Date.now() + milliseconds;
    try {
        do {
            for (const { implementation, routine, call } of calls) {
                try {
                    call();
                } catch (error) {
                    if (!CODES.has(error?.code)) throw new Error(`${implementation} ${routine}: ${error?.stack}`);
                    refused++;
                }
                done++;
            }
            for (const { check } of guards) check('a call of the last round');
        } while (Date.now() < until);
    } finally {
        Atomics.store(new Int32Array(stop), 0, 1);
        await worker.terminate();
    }
    const different = (name) => new Set(calls.map((call) => call[name])).size;
    return { calls: done, refused, routines: different('routine'), implementations: different('implementation') };
}

module.exports = { flipIndices };
