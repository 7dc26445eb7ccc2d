// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { InputError } from '../base/errors';
import type { FbxAnswer, FbxRequest, FbxResult } from './fbx/worker';

/** The same path from lib/convert, dist/convert and dist/cli. */
const WORKER = join(__dirname, '../../dist/convert/fbx/worker.js');

/**
 * Time that a file may take: this, and longer for a large file. Milliseconds in which the thread works, and of the
 * processor's time: on a busy machine the thread often waits. In any case it ends after a few times as long.
 */
const TIMEOUT = 6_000;
const TIMEOUT_PER_BYTE = 0.01;
const AT_MOST = 4;
const LOOK_EVERY = 250;

const INSTALL = 'npm install @babylonjs/core@9.28.0 @babylonjs/loaders@9.28.0';

/** One file at a time. The thread is kept for a while, because loading Babylon.js takes 0.2 s. */
let worker: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
const KEPT = 2_000;
let before: Promise<unknown> = Promise.resolve();

/**
 * Converts an FBX file to GLB, in a thread.
 *
 * @param find Returns the first file that exists of several names, relative to the file; null if none does.
 * @throws InputError `CONVERTER_MISSING`, `SOURCE_INVALID`.
 */
export function convertFbx(
    file: string,
    bytes: Uint8Array,
    find: (names: readonly string[]) => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
    const result = before.then(() => inThread(file, bytes, find));
    before = result.catch(() => {});
    return result;
}

async function inThread(
    file: string,
    bytes: Uint8Array,
    find: (names: readonly string[]) => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
    const thread = worker ?? new Worker(WORKER);
    worker = thread;
    clearTimeout(idle);
    thread.ref();
    let timer: NodeJS.Timeout | undefined;
    const end = (rule: string): FbxResult => {
        worker = null;
        void thread.terminate();
        return { rule, isMissing: false };
    };
    try {
        const answer = await new Promise<FbxResult>((settle) => {
            const limit = Math.round(TIMEOUT + bytes.length * TIMEOUT_PER_BYTE);
            const [work, usage] = [thread.performance.eventLoopUtilization(), process.cpuUsage()];
            let started = performance.now();
            timer = setInterval(() => {
                const { active } = thread.performance.eventLoopUtilization(work);
                const { user, system } = process.cpuUsage(usage);
                const worked = Math.min(active, (user + system) / 1000);
                if (worked < limit && performance.now() - started < AT_MOST * limit) return;
                settle(end(`it takes more than ${Math.round(limit / 1000)} s`));
            }, LOOK_EVERY);
            thread.once('error', (error) => settle(end(error.message)));
            thread.once('exit', () => settle(end('its thread has ended')));
            thread.on('message', (message: FbxAnswer) => {
                if (!('names' in message)) return settle(message);
                started = Infinity; // the caller reads a file
                void find(message.names).then((found) => {
                    started = performance.now();
                    thread.postMessage({ found } satisfies FbxRequest);
                });
            });
            thread.postMessage({ fbx: bytes } satisfies FbxRequest);
        });
        if ('glb' in answer) return answer.glb;
        if (!answer.isMissing)
            throw new InputError('SOURCE_INVALID', file, '', `the FBX file cannot be read: ${answer.rule}`);
        const rule = `FBX files are read with @babylonjs/core and @babylonjs/loaders, 9.26.1 or later: ${answer.rule}`;
        throw new InputError('CONVERTER_MISSING', file, '', `${rule}; run '${INSTALL}'`);
    } finally {
        clearInterval(timer);
        for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
        thread.on('error', () => {}); // of a thread that is ending
        thread.unref();
        idle = setTimeout(() => {
            if (worker === thread) worker = null;
            void thread.terminate();
        }, KEPT).unref();
    }
}
