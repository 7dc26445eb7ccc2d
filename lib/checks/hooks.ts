// SPDX-License-Identifier: MIT

import { typeError } from '../errors';
import { describe } from './views';

/** What a long call tells, and what ends it. */
interface Hooks {
    readonly signal?: AbortSignal;
    onProgress?(done: number, total: number): void;
}

/**
 * Before any work, and not in the middle of it, where they are first needed.
 *
 * @throws TypeError `ERR_ARGUMENT_TYPE`.
 */
export function checkHooks(routine: string, hooks: Hooks): void {
    if (typeof hooks !== 'object' || hooks === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: hooks must be an object, got ${describe(hooks)}`);
    }
    const { signal, onProgress } = hooks;
    if (onProgress !== undefined && typeof onProgress !== 'function') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: onProgress must be a function, got ${describe(onProgress)}`);
    }
    // One of another realm, or of a library, does as well.
    if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: signal must be an AbortSignal, got ${describe(signal)}`);
    }
}
