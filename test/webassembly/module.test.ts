// SPDX-License-Identifier: MIT

/** The compiled module, shared between threads. */

import { useModule } from '../../lib';
import { runNode } from '../support/processes';

test('a worker uses the module, and compiles none', () => {
    const code = `const { once } = require('node:events');
        const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
        const { backend, compiledModule, slerpJoints, useModule } = require('poselane');
        const run = () => {
            const joints = Float32Array.from({ length: 800 }, (_, i) => ((i * 7919) % 1013) / 1013 - 0.5);
            slerpJoints(joints, joints.map((x) => x * 0.5 + 0.1), 0.375);
            return backend + joints;
        };
        if (isMainThread) {
            const worker = new Worker(process.env.CODE, { eval: true, workerData: compiledModule() });
            once(worker, 'message').then(([{ same, there }]) => console.log(same, there === run()));
        } else {
            useModule(workerData);
            try {
                useModule('nonsense');
                parentPort.postMessage({ same: 'not refused' });
            } catch {}
            const there = run();
            parentPort.postMessage({ same: compiledModule() === workerData, there });
        }`;
    const { stdout, stderr } = runNode(['-e', code], { env: { ...process.env, POSELANE_BACKEND: 'wasm', CODE: code } });
    expect([stderr, stdout]).toEqual(['', 'true true\n']);
});

/** A module with our section, from other sources. */
function withSection(sources: string): Uint8Array<ArrayBuffer> {
    const content = Buffer.from(`\x08poselane${sources}`);
    return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, content.length, ...content]);
}

test.each([
    ['nothing', undefined],
    ['bytes', new Uint8Array(8)],
    ["another version's module", new WebAssembly.Module(withSection('0123456789abcdef'))],
    ['another module', new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))],
])('useModule rejects %s', (_, module) => {
    expect(() => useModule(module as never)).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT_TYPE', message: expect.stringContaining('compiledModule()') }),
    );
});
