// SPDX-License-Identifier: MIT

import { typeError } from '../errors';
import { describe } from './views';

/** What a long call tells, and what ends it. */
interface Hooks {
    readonly signal?: AbortSignal;
    onProgress?(done: number, total: number): void;
    onTrial?(rate: number): void;
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
    const { signal, onProgress, onTrial } = hooks;
    for (const [name, hook] of Object.entries({ onProgress, onTrial })) {
        if (hook === undefined || typeof hook === 'function') continue;
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${name} must be a function, got ${describe(hook)}`);
    }
    // One of another realm, or of a library, does as well.
    if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: signal must be an AbortSignal, got ${describe(signal)}`);
    }
}
