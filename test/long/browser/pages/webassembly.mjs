// SPDX-License-Identifier: MIT

import * as poselane from 'poselane';
import * as typescript from 'poselane/typescript';

const PARENTS = Array.from({ length: 40 }, (_, i) => i - 1);
const REST = PARENTS.flatMap((i) => [0, 1, 0, Math.sin(i), 0, 0, Math.cos(i), 1, 1, 1]);
const NAMES = PARENTS.map(String);

/** A rig that is there at once, while Rig.load waits for WebAssembly. */
const smallRig = () => poselane.Rig.create({ parents: PARENTS, rest: REST, names: NAMES });

function globalsOf(rig, poses = rig.createPoses(20)) {
    rig.toGlobal(poses);
    return Array.from(poses.data);
}

function slerped() {
    const joints = Float32Array.from({ length: 800 }, (_, i) => ((i * 7919) % 1013) / 1013 - 0.5);
    poselane.slerpJoints(
        joints,
        joints.map((x) => x * 0.5 + 0.1),
        0.375,
    );
    return Array.from(joints);
}

const state = () => {
    const { backend, defaultImplementation } = poselane;
    return { backend, defaultImplementation, implementations: poselane.implementations() };
};

/** State and results of poselane before and after ready(), and of its TypeScript entry. */
export async function beforeAndAfter() {
    const untouched = state();
    const rig = smallRig();
    const poses = rig.createPoses(20);
    const results = () => JSON.stringify([slerped(), globalsOf(rig), globalsOf(rig, poses)]);
    const before = { ...state(), rig: rig.implementation, results: results() };
    const backend = await poselane.ready();
    const after = { ...state(), rig: rig.implementation, results: results() };
    return { untouched, before, backend, after, inTypescript: typescript.backend };
}

/** @returns How many rigs have poses in WebAssembly, of so many that all live at once or are dropped one after the other. */
export async function manyRigs(count, keep) {
    await poselane.ready();
    const expected = globalsOf(smallRig());
    const isRight = (rig, poses) => {
        rig.toGlobal(poses);
        return expected.every((x, i) => x === poses.data[i]);
    };
    const kept = [];
    const faults = [];
    let inWasm = 0;
    for (let i = 0; i < count; i++) {
        const rig = smallRig();
        const poses = rig.createPoses(20);
        if (!isRight(rig, poses)) faults.push(i);
        // Memories are whole pages.
        if (poses.data.buffer.byteLength > poses.data.byteLength) inWasm++;
        if (keep) kept.push([rig, poses]);
    }
    for (const [i, [rig, poses]] of kept.entries()) {
        if (!isRight(rig, poses)) faults.push(i);
    }
    return { faults, inWasm };
}

/** Nothing but the module reaches a worker: what it calculates, and where. */
export async function inWorker(script) {
    await poselane.ready();
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' });
    worker.postMessage(poselane.compiledModule());
    const answer = await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
    });
    worker.terminate();
    return { ...answer, here: slerped() };
}
