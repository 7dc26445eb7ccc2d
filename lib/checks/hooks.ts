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
    checkCallback(routine, 'onProgress', onProgress);
    checkCallback(routine, 'onTrial', onTrial);
    checkSignal(routine, signal);
}

/** A function, or left out. */
export function checkCallback(routine: string, argument: string, value: unknown): void {
    if (value === undefined || typeof value === 'function') return;
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${argument} must be a function, got ${describe(value)}`);
}

/** An AbortSignal, or left out. One of another realm, or of a library, does as well. */
export function checkSignal(routine: string, signal: unknown): void {
    if (signal === undefined) return;
    if (typeof (signal as AbortSignal | null)?.throwIfAborted === 'function') return;
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: signal must be an AbortSignal, got ${describe(signal)}`);
}
