// SPDX-License-Identifier: MIT

/** The kernels' module in Node, compiled at the first use. */

import { type Module, webassembly } from './api';
import { STRICT_BYTES } from './strict-bytes';
import { checkModule, whyUnavailable } from './support';

/** The reason why WebAssembly kernels cannot run here; undefined if they can. */
export const webassemblyUnavailable: string | undefined = findReason();

function findReason(): string | undefined {
    const reason = whyUnavailable('this process has no WebAssembly (node --jitless switches it off)', STRICT_BYTES);
    if (reason !== undefined) return reason;
    try {
        new (webassembly().Memory)({ initial: 1 });
        return undefined;
    } catch {
        return 'this process may not reserve the addresses that a WebAssembly memory takes (ulimit -v)';
    }
}

let compiled: Module | undefined;

/** Call it only where WebAssembly is available. */
export function strictModule(): Module {
    if (compiled === undefined) {
        // Loaded on demand: with the addon nothing needs it.
        const { gunzipSync } = require('node:zlib') as typeof import('node:zlib');
        compiled = new (webassembly().Module)(gunzipSync(Buffer.from(STRICT_BYTES, 'base64')));
    }
    return compiled;
}

/**
 * Returns the compiled WebAssembly module of the kernels. Send it to workers, so that they need not compile it: see
 * {@link useModule}.
 *
 * @returns The module; undefined if `strict/wasm` is not available, see `implementations()`. Browsers compile in the
 * background: wait for `ready()` there.
 * @example
 * const { Worker } = await import('node:worker_threads');
 * const worker = new Worker('./worker.js', { workerData: compiledModule() });
 */
export function compiledModule(): Module | undefined {
    return webassemblyUnavailable === undefined ? strictModule() : undefined;
}

/**
 * Uses a module that another thread has compiled. Call it before any other function of poselane: it does not affect
 * kernels that already run.
 *
 * @param module Result of `compiledModule()` in another thread, of the same version of poselane.
 * @throws TypeError `ERR_ARGUMENT_TYPE`.
 * @example
 * useModule(workerData);
 */
export function useModule(module: Module): void {
    const checked = checkModule(module);
    compiled ??= checked;
}
