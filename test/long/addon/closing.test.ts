// SPDX-License-Identifier: MIT

/** A thread can end at any time, also while the addon loads or creates something. The process survives, or ends with its own exit code. */

import { join } from 'node:path';
import { itNative } from '../../support/implementations';
import { runNode } from '../../support/processes';
import { rounds } from '../../support/rounds';

const ROOT = join(__dirname, '../../..');
const { path: addonPath } = require('node-gyp-build') as { path(folder: string): string };

const LOAD = `
    const file = ${JSON.stringify(addonPath(ROOT))};
    for (;;) process.dlopen({ exports: {} }, file);`;
const MAKE = `
    const { bindSlerpJoints, Rig } = require(${JSON.stringify(ROOT)});
    const lists = [new Float32Array(8), new Float32Array(8)];
    const parts = { parents: [-1], rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] };
    for (;;) {
        bindSlerpJoints(...lists).run(0.5);
        Rig.create(parts).createPoses(1);
    }`;
const REQUIRE = `require(${JSON.stringify(ROOT)});`;

/** Runs `code` in ten threads, one after another, and ends each up to 6 ms after its start. */
const terminate = (code: string) => `
    const { once } = require('node:events');
    const { Worker } = require('node:worker_threads');
    const code = ${JSON.stringify(`require('node:worker_threads').parentPort.postMessage(''); ${code}`)};
    (async () => {
        for (let i = 0; i < 10; i++) {
            const worker = new Worker(code, { eval: true });
            await once(worker, 'message');
            const end = performance.now() + Math.random() * 6;
            while (performance.now() < end);
            await worker.terminate();
        }
    })();`;

/** Eight threads at once, and the process exits meanwhile. */
const exit = (code: string) => `
    const { Worker } = require('node:worker_threads');
    for (let i = 0; i < 8; i++) new Worker(${JSON.stringify(code)}, { eval: true });
    setTimeout(() => process.exit(0), 80 + Math.random() * 340);`;

const TITLES = {
    'threads are terminated while they load the addon': terminate(LOAD),
    'threads are terminated while they make functions': terminate(MAKE),
    'the process exits while threads load the addon': exit(LOAD),
    'the process exits while threads require the package': exit(REQUIRE),
};

for (const [title, program] of Object.entries(TITLES)) {
    itNative(title, () => {
        for (let i = 0; i < rounds(2); i++) {
            const { status, signal, stderr } = runNode(['-e', program]);
            expect([status, signal, stderr]).toEqual([0, null, '']);
        }
    });
}
