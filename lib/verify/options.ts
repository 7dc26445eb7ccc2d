// SPDX-License-Identifier: MIT

import { checkHooks, describe, isArray } from '../base/arguments';
import { typeError, UsageError } from '../base/errors';

/** Options of {@link verifyBake}. */
export interface VerifyOptions {
    /**
     * Maximum error near the origin, as a share of the extent (for morph weights, of 1). Far from the origin, the
     * rounding of float32 is added. Default 1e-5; for f16 arrays, the error that the manifest states.
     */
    tolerance?: number;
    /** Who judges: the evaluator in double precision (default), or three.js for palettes and hit matrices. */
    oracle?: 'double' | 'three';
    /**
     * Paths of the files whose clips the bake has, in any order. The manifest identifies them by their hashes. Default:
     * the files beside the input with the manifest's names.
     */
    animations?: readonly string[];
    /** Cancels the verification: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
    /**
     * Called at intervals.
     *
     * @param done Rows judged so far.
     * @param total Rows in all.
     */
    onProgress?(done: number, total: number): void;
}

const OPTIONS: readonly string[] = ['tolerance', 'oracle', 'animations', 'signal', 'onProgress'];

/** Checks that arguments are paths. */
export function checkPaths(routine: string, paths: Readonly<Record<string, unknown>>): void {
    for (const [name, path] of Object.entries(paths)) {
        if (typeof path === 'string') continue;
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${name} must be a path, got ${describe(path)}`);
    }
}

/** Checks that options are an object with known members, and the hooks among them. */
export function checkOptions(routine: string, options: object, known: readonly string[]): void {
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options must be an object, got ${describe(options)}`);
    }
    const unknown = Object.keys(options).find((key) => !known.includes(key));
    if (unknown !== undefined) {
        throw new UsageError(`${routine}: there is no option ${unknown}, only ${known.join(', ')}`);
    }
    checkHooks(routine, options);
}

/** Checks the types of arguments, for callers without TypeScript. */
export function checkArguments(input: unknown, manifest: unknown, options: VerifyOptions): void {
    checkPaths('verifyBake', { input, manifest });
    checkOptions('verifyBake', options, OPTIONS);
    const { tolerance, oracle, animations } = options as { tolerance: unknown; oracle: unknown; animations: unknown };
    if (animations !== undefined && !(isArray(animations) && animations.every((path) => typeof path === 'string'))) {
        const got = describe(animations);
        throw typeError('ERR_ARGUMENT_TYPE', `verifyBake: options.animations must be a list of paths, got ${got}`);
    }
    if (tolerance !== undefined && !(typeof tolerance === 'number' && tolerance > 0 && tolerance < Infinity)) {
        throw new UsageError(`verifyBake: tolerance must be a number above 0, got ${describe(tolerance)}`);
    }
    if (oracle !== undefined && oracle !== 'double' && oracle !== 'three') {
        throw new UsageError(`verifyBake: oracle must be 'double' or 'three', got ${describe(oracle)}`);
    }
}
