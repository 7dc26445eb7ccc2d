// SPDX-License-Identifier: MIT

/**
 * Chooses at load time which implementation the public functions run: the fastest `strict` of this machine, or the one
 * that POSELANE_BACKEND names.
 */

import { forcedBackend, nativeLoadError } from '../addon/load';
import { stateError } from '../base/errors';
import { createFloats } from '../webassembly/heap';
import { strictModule } from '../webassembly/module';
import {
    bestNativeStrict,
    checkAvailable,
    findImplementation,
    firstAvailable,
    PAPER_TYPESCRIPT,
    plainOf,
    STRICT_TYPESCRIPT,
    STRICT_WASM,
} from './implementations';
import { memory, plain } from './plain';
import { ROUTINE_NAMES } from './routines';

const wantsTypescript = forcedBackend === 'ts' || forcedBackend?.endsWith('/typescript');

/** The fastest `strict` that this machine can run, or the requested one. All have the same bits. */
const bestStrict = bestNativeStrict ?? firstAvailable(wantsTypescript ? [] : [STRICT_WASM]) ?? STRICT_TYPESCRIPT;

function chooseDefault(): string {
    if (forcedBackend === undefined) return bestStrict;
    if (forcedBackend === 'ts') return STRICT_TYPESCRIPT;
    if (forcedBackend === 'native') {
        if (bestNativeStrict !== undefined) return bestNativeStrict;
        const reason = nativeLoadError?.message ?? 'the addon has nothing for this CPU';
        throw stateError('ERR_NATIVE_UNAVAILABLE', `POSELANE_BACKEND=native, but ${reason}`, nativeLoadError?.cause);
    }
    const name = forcedBackend === 'wasm' ? STRICT_WASM : forcedBackend;
    checkAvailable(findImplementation(name, 'POSELANE_BACKEND must be ts, wasm, native or one of').info);
    return name;
}

/** Name of the implementation that the plain functions run, for all routines that it has. */
export const defaultImplementation: string = chooseDefault();

/** Where an implementation runs: in the addon, in WebAssembly or in TypeScript. */
export type Backend = 'native' | 'wasm' | 'ts';

export function backendOf(implementation: string): Backend {
    if (implementation === STRICT_WASM) return 'wasm';
    return implementation.endsWith('/typescript') ? 'ts' : 'native';
}

/** Where the plain functions on joint lists run. */
export const backend: Backend = backendOf(defaultImplementation);

/**
 * Resolves at once. For programs that also run in browsers, where WebAssembly is compiled in the background.
 * Throws nothing.
 *
 * @returns `backend`.
 * @example
 * await ready();
 */
export async function ready(): Promise<Backend> {
    return backend;
}

/**
 * The first of these implementations that has a routine serves it. The best `strict` has all but the scalar family of
 * "Slerping Clock Cycles", which comes from `paper/*`.
 */
const sources = [
    defaultImplementation,
    bestStrict,
    firstAvailable(['paper/sse', 'paper/c']) ?? PAPER_TYPESCRIPT,
    PAPER_TYPESCRIPT,
];

for (const routine of ROUTINE_NAMES) {
    for (const source of sources) {
        const found = plainOf(source, routine);
        if (found === undefined) continue;
        Object.assign(plain[routine], found);
        break;
    }
}

if (backend === 'wasm') memory.createFloats = (length) => createFloats(strictModule(), length);
