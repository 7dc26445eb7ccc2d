// SPDX-License-Identifier: MIT

/**
 * The implementations that the public functions run: `strict/typescript`, until choose.ts replaces it by a faster one
 * with the same bits.
 */

import { type Bindable, bind } from './bind';
import type { ListFunction } from './description';
import { ROUTINE_NAMES, ROUTINES, type Routine } from './routines';
import { inTypescript } from './targets';

/** The implementation of a routine's public function and of its bound form. */
export interface Plain {
    /** Its name. */
    implementation: string;
    run: ListFunction;
    /** Undefined if the routine cannot be bound. */
    bindable?: Bindable | undefined;
}

/** Allocates lists of zeros that the implementation can use without a copy. */
export const memory = {
    // Outside the JavaScript heap, because V8 would move short lists out of it at the first call of the addon.
    createFloats: (length: number): Float32Array => new Float32Array(new ArrayBuffer(length * 4)),
};

const nothing = () => {
    throw new Error('no implementation has been chosen');
};

/**
 * The implementation of each routine. The public functions keep these objects, so that their implementation can change.
 */
export const plain = Object.fromEntries(
    ROUTINE_NAMES.map((routine) => {
        const { kernel, call } = ROUTINES[routine];
        if (kernel === undefined) return [routine, { implementation: 'none', run: nothing, bindable: undefined }];
        const run = call(inTypescript(kernel));
        return [routine, { implementation: 'strict/typescript', run, bindable: { kernel, terms: 0 } }];
    }),
) as Record<Routine, Plain>;

/** Binds a routine as the public function runs it. */
export function bindPlain(routine: Routine, ...args: readonly unknown[]): ReturnType<typeof bind> {
    return bind(routine, plain[routine].bindable!, args);
}
