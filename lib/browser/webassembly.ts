// SPDX-License-Identifier: MIT

/**
 * The WebAssembly module of the kernels in browsers. It is compiled in the background when the first Rig is made or a
 * long list is first used. So importing poselane has no cost. Until then TypeScript calculates, with the same bits.
 */

import type { Backend } from '../lists/choose';
import type { ImplementationInfo } from '../lists/implementations';
import { memory, plain } from '../lists/plain';
import { plainInWebassembly } from '../lists/plain-webassembly';
import { ROUTINES, STRICT_ROUTINES, STRICT_TYPESCRIPT, STRICT_WASM } from '../lists/routines';
import { type ModuleKernels, webassemblyKernels } from '../lists/webassembly';
import { type Module, webassembly } from '../webassembly/api';
import { createFloats } from '../webassembly/heap';
import { STRICT_BYTES } from '../webassembly/strict-bytes';
import { checkModule, whyUnavailable } from '../webassembly/support';

/** Where long lists and new poses are calculated: `'ts'` until WebAssembly is compiled, and in browsers without it. */
export let backend: Backend = 'ts';

/** The implementation of the plain functions: `strict/typescript`, then `strict/wasm` if there is WebAssembly. */
export let defaultImplementation: string = STRICT_TYPESCRIPT;

let compiled: Module | undefined;
let kernels: ModuleKernels | undefined;
let reason: string | undefined = 'not compiled yet: await ready()';
let started: Promise<void> | undefined;

/** Not in Node's types. */
declare const DecompressionStream: new (format: 'gzip') => never;

async function unpack(): Promise<ArrayBuffer> {
    const bytes = Uint8Array.from(atob(STRICT_BYTES), (byte) => byte.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

async function compile(): Promise<void> {
    reason = whyUnavailable('this page has no WebAssembly', STRICT_BYTES);
    if (reason !== undefined) return;
    // Browsers with SIMD had it soon after. An embedded inflater would make every page larger.
    if (typeof DecompressionStream === 'undefined') {
        reason = 'no DecompressionStream: use a browser of 2023 or later';
        return;
    }
    reason = 'being compiled: await ready()';
    try {
        const module = await webassembly().compile(await unpack());
        // A worker may have received one in the meantime.
        if (compiled === undefined) install(module);
    } catch (error) {
        const csp = "the Content-Security-Policy needs script-src 'wasm-unsafe-eval'";
        // The module itself is valid, so the reason is the page's policy.
        reason = (error as Error)?.name === 'CompileError' ? `${csp} (${error})` : String(error);
    }
}

function install(module: Module): void {
    try {
        kernels = webassemblyKernels(
            module,
            STRICT_ROUTINES.map((routine) => ROUTINES[routine]),
        );
    } catch (error) {
        reason = String(error);
        return;
    }
    compiled = module;
    reason = undefined;
    backend = 'wasm';
    defaultImplementation = STRICT_WASM;
    for (const routine of STRICT_ROUTINES) plain[routine].implementation = STRICT_WASM;
    const { createFloats: plainFloats } = memory;
    memory.createFloats = (length) =>
        inEither(
            () => createFloats(module, length),
            () => plainFloats(length),
        );
}

/** Each attempt makes the browser collect garbage, for up to half a second. */
const RETRY_AFTER_MS = 10_000;
let retryAt = 0;

/**
 * Returns the result of `fast` if WebAssembly is compiled and has the memory for it, otherwise that of `slow`. Chromium
 * has addresses for about 120 memories in a page.
 */
export function inEither<Made>(fast: () => Made, slow: () => Made): Made {
    if (strictModule() === undefined || performance.now() < retryAt) return slow();
    try {
        return fast();
    } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_COUNT_RANGE') throw error;
        retryAt = performance.now() + RETRY_AFTER_MS;
        return slow();
    }
}

/** The module if it is compiled. Otherwise starts compiling it. */
export function strictModule(): Module | undefined {
    if (compiled === undefined) started ??= compile();
    return compiled;
}

/**
 * Compiles WebAssembly, unless that has already started. Waiting is optional: TypeScript calculates until then, with
 * the same results. Poses that were made before stay in TypeScript. `Rig.load` waits by itself. Throws nothing.
 *
 * @returns `backend` when compiling is done: `'wasm'`, or `'ts'` with the reason in `implementations()`.
 * @example
 * await ready();
 * const poses = Rig.create(parts).createPoses(200);
 */
export async function ready(): Promise<Backend> {
    strictModule();
    await started;
    return backend;
}

/**
 * The kernels' WebAssembly module, to send to workers, which then need not compile it: see {@link useModule}.
 *
 * @returns The module; undefined if it is not compiled yet: wait for `ready()` first.
 * @example
 * await ready();
 * worker.postMessage(compiledModule());
 */
export function compiledModule(): Module | undefined {
    return compiled;
}

/**
 * Uses a module that another thread has compiled, for all poses and lists from now on.
 *
 * @param module Result of `compiledModule()` in another thread, of the same version of poselane.
 * @throws TypeError `ERR_ARGUMENT_TYPE`.
 * @example
 * onmessage = ({ data }) => useModule(data);
 */
export function useModule(module: Module): void {
    const checked = checkModule(module);
    if (compiled === undefined) install(checked);
}

/**
 * The implementations in browsers, including those that cannot run. Starts nothing and throws nothing.
 *
 * @returns For each its name, its functions and, if it is not `available`, the `reason`.
 */
export function implementations(): ImplementationInfo[] {
    const entry = (name: string, reason?: string): ImplementationInfo => ({
        name,
        routines: [...STRICT_ROUTINES],
        available: reason === undefined,
        ...(reason === undefined ? {} : { reason }),
    });
    return [entry(STRICT_WASM, reason), entry(STRICT_TYPESCRIPT)];
}

const current = () => {
    strictModule();
    return kernels;
};
for (const routine of STRICT_ROUTINES) {
    Object.assign(plain[routine], plainInWebassembly(STRICT_TYPESCRIPT, routine, current));
}
