// SPDX-License-Identifier: MIT

/**
 * node test/long/threads.mjs [--terminations 100]: the addon in many threads, in several contexts, loaded several times, and from a copy.
 * Threads end in the middle of calls. All must give the same bytes, and the process must survive. Fails if the addon could be present
 * and is not.
 */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import nodeGypBuild from 'node-gyp-build';
import { root } from '../../scripts/lib.mjs';
import addon from '../support/without-addon.cjs';
import soak from './soak/soak.cjs';

const require = createRequire(import.meta.url);
const { values: options } = parseArgs({ options: { terminations: { type: 'string', default: '100' } } });

const DIST = path.join(root, 'dist');
const JOINTS = 4096;
const POSES = 200;
const { PARTS } = soak;

function assert(holds, what) {
    if (!holds) throw new Error(what);
}

/** The hash of the results of calls. `Floats` may be of another realm. */
function hashOfCalls({ slerpJoints, bindSlerpJoints }, Floats = Float32Array) {
    const [a, b] = [new Floats(JOINTS * 8), new Floats(JOINTS * 8)];
    for (let i = 0; i < a.length; i++) {
        a[i] = ((i * 7) % 11) / 11 + 0.1;
        b[i] = ((i * 5) % 13) / 13 + 0.1;
    }
    slerpJoints(a, b, 0.3);
    bindSlerpJoints(a, b).run(0.7);
    return createHash('sha256').update(Buffer.from(a.buffer)).digest('hex');
}

const evaluated = (rig, poses) => {
    rig.evaluate(
        poses,
        0,
        Float64Array.from({ length: POSES }, (_, i) => i / POSES),
    );
    rig.toGlobal(poses);
};

const WORKER = `
const { parentPort, workerData: { dist, parts, poses, mode } } = require('node:worker_threads');
const { slerpJoints, transformSkeleton } = require(dist + '/lists');
const { Rig } = require(dist + '/rig');
if (mode === 'share') {
    const rig = Rig.create(parts);
    const shared = rig.createPoses(${POSES}, { shared: poses });
    rig.evaluate(shared, 0, Float64Array.from({ length: ${POSES} }, (_, i) => i / ${POSES}));
    rig.toGlobal(shared);
    parentPort.postMessage('done');
} else {
    const [a, b] = [new Float32Array(8 * 200000).fill(0.5), new Float32Array(8 * 200000).fill(0.25)];
    const rig = Rig.create(parts);
    const many = rig.createPoses(20000);
    const times = new Float64Array(20000);
    parentPort.postMessage('running');
    for (;;) {
        slerpJoints(a, b, 0.5);
        rig.evaluate(many, 0, times);
        rig.toGlobal(many);
    }
}`;

function worker(data) {
    const thread = new Worker(WORKER, { eval: true, workerData: { dist: DIST, parts: PARTS, ...data } });
    const answer = new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
    return { thread, answer };
}

async function terminate(count) {
    for (let i = 0; i < count; i += 2) {
        const pair = [worker({ mode: 'loop' }), worker({ mode: 'loop' })];
        await Promise.all(pair.map(({ answer }) => answer));
        // Ends at another point of the work each time.
        await new Promise((resolve) => setTimeout(resolve, i % 7));
        const codes = await Promise.all(pair.map(({ thread }) => thread.terminate()));
        assert(
            codes.every((code) => code === 1),
            `a terminated thread ended with ${codes}`,
        );
    }
}

async function share(poselane) {
    const rig = poselane.Rig.create(PARTS);
    const alone = rig.createPoses(POSES);
    evaluated(rig, alone);
    const shared = rig.createPoses(POSES, { shared: true });
    const threads = Array.from({ length: 4 }, () => worker({ mode: 'share', poses: shared.data }));
    await Promise.all(threads.map(({ answer }) => answer));
    await Promise.all(threads.map(({ thread }) => thread.terminate()));
    const bytes = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    assert(Buffer.compare(bytes(shared.data), bytes(alone.data)) === 0, 'shared poses have other bytes');
}

function inContexts(poselane, expected) {
    for (let i = 0; i < 5; i++) {
        const context = vm.createContext({ hashOfCalls, poselane });
        const hash = vm.runInContext('hashOfCalls(poselane, Float32Array)', context);
        assert(hash === expected, `context ${i}: other bytes`);
    }
}

/** Loads the package again, addon included. */
function loadAgain() {
    for (const file of Object.keys(require.cache)) {
        if (file.startsWith(DIST) || file.endsWith('.node')) delete require.cache[file];
    }
    return require(DIST);
}

function severalLoads(first, expected, file) {
    const loads = Array.from({ length: 5 }, loadAgain);
    assert(
        loads.every((load) => load !== first),
        'the same instance again',
    );
    for (const load of [...loads, first]) assert(hashOfCalls(load) === expected, 'another load has other bytes');
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'poselane-copy-'));
    try {
        const copy = path.join(folder, 'copy.node');
        fs.copyFileSync(file, copy);
        const [one, two] = [require(file), require(copy)];
        assert(one !== two && one.implementations.length === two.implementations.length, 'the copy is not one');
        const list = (addon) => {
            const [a, b] = [new Float32Array(64).fill(0.5), new Float32Array(64).fill(0.25)];
            addon.implementations.find(({ name }) => name === 'strict/scalar').kernels.slerpJoints(a, b, 0.5, null, 8);
            return [...a].join();
        };
        assert(list(one) === list(two), 'the copy has other bytes');
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}

const poselane = require(DIST);
const native = addon.withoutAddon(poselane) === null;
const expected = hashOfCalls(poselane);
inContexts(poselane, expected);
if (native) severalLoads(poselane, expected, nodeGypBuild.path(root));
await share(poselane);
await terminate(Number(options.terminations));
assert(hashOfCalls(poselane) === expected, 'other bytes in the end');
console.log(JSON.stringify({ terminations: Number(options.terminations), native }));
