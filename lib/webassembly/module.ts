// SPDX-License-Identifier: MIT

/** The kernels' module in Node, compiled when it is first asked for. */

import { gunzipSync } from 'node:zlib';
import { type Module, webassembly } from './api';
import { STRICT_BYTES } from './strict-bytes';
import { checkModule, whyUnavailable } from './support';

/** Why the kernels cannot run as WebAssembly here; undefined where they can. */
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
    compiled ??= new (webassembly().Module)(gunzipSync(Buffer.from(STRICT_BYTES, 'base64')));
    return compiled;
}

/**
 * The kernels' WebAssembly module, to be sent to workers, which then need not compile it: see {@link useModule}.
 *
 * @returns The module; undefined where `implementations()` says that `strict/wasm` is not available. Browsers compile in the
 * background: there, wait for `ready()`.
 * @example
 * const { Worker } = await import('node:worker_threads');
 * const worker = new Worker('./worker.js', { workerData: compiledModule() });
 */
export function compiledModule(): Module | undefined {
    return webassemblyUnavailable === undefined ? strictModule() : undefined;
}

/**
 * Takes over a module that another thread has compiled. Call it before anything else of poselane: what runs already stays as
 * it is.
 *
 * @param module What `compiledModule()` returned in another thread, of the same version of poselane.
 * @throws TypeError `ERR_ARGUMENT_TYPE`.
 * @example
 * useModule(workerData);
 */
export function useModule(module: Module): void {
    const checked = checkModule(module);
    compiled ??= checked;
}
