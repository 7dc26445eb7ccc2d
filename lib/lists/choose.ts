// SPDX-License-Identifier: MIT

/**
 * Chooses at load time which implementation the public functions run: the best `strict` of this machine, or the one that POSELANE_BACKEND
 * names.
 */

import { forcedBackend, nativeLoadError } from '../addon/load';
import { stateError } from '../errors';
import {
    bestNativeStrict,
    checkAvailable,
    findImplementation,
    firstAvailable,
    PAPER_TYPESCRIPT,
    plainOf,
    STRICT_TYPESCRIPT,
} from './implementations';
import { plain } from './plain';
import { ROUTINE_NAMES } from './routines';

/** The best `strict` that can run here; all have the same bits. */
const bestStrict = bestNativeStrict ?? STRICT_TYPESCRIPT;

function chooseDefault(): string {
    if (forcedBackend === undefined) return bestStrict;
    if (forcedBackend === 'ts') return STRICT_TYPESCRIPT;
    if (forcedBackend === 'native') {
        if (bestNativeStrict !== undefined) return bestNativeStrict;
        const reason = nativeLoadError?.message ?? 'the addon has nothing for this CPU';
        throw stateError('ERR_NATIVE_UNAVAILABLE', `POSELANE_BACKEND=native, but ${reason}`, nativeLoadError?.cause);
    }
    checkAvailable(findImplementation(forcedBackend, 'POSELANE_BACKEND must be ts, native or one of').info);
    return forcedBackend;
}

/** The implementation behind the plain functions, as far as it has them. */
export const defaultImplementation: string = chooseDefault();

/** `'native'` where the plain functions on joint lists run in the addon, `'ts'` where they run in TypeScript. */
export const backend: 'native' | 'ts' = defaultImplementation.endsWith('/typescript') ? 'ts' : 'native';

/**
 * The first of these implementations that has a routine serves it. The best `strict` has all but the scalar family of "Slerping Clock
 * Cycles", which comes from `paper/*`.
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
