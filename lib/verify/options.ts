// SPDX-License-Identifier: MIT

import { checkHooks, describe, isArray } from '../base/arguments';
import { typeError, UsageError } from '../base/errors';

/** Options of {@link verifyBake}. */
export interface VerifyOptions {
    /**
     * Maximum error near the origin, as a share of the extent (of morph weights: of 1); farther away, what float32 cannot keep
     * is added. Default 1e-5, for arrays in f16 the error that the manifest states.
     */
    tolerance?: number;
    /** The judge: the evaluator in double precision (the default), or three.js for palettes and hit matrices. */
    oracle?: 'double' | 'three';
    /**
     * Paths of the files whose clips the bake has, in any order: the manifest tells them by their hashes. Default: those beside the input
     * that have the names of the manifest.
     */
    animations?: readonly string[];
    /** Ends the verification: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
    /**
     * Called now and then.
     *
     * @param done Rows judged so far.
     * @param total All of them.
     */
    onProgress?(done: number, total: number): void;
}

const OPTIONS: readonly string[] = ['tolerance', 'oracle', 'animations', 'signal', 'onProgress'];

/** Refuses arguments that TypeScript would refuse, for callers without TypeScript. */
export function checkArguments(input: unknown, manifest: unknown, options: VerifyOptions): void {
    for (const [name, path] of Object.entries({ input, manifest })) {
        if (typeof path !== 'string') {
            throw typeError('ERR_ARGUMENT_TYPE', `verifyBake: ${name} must be a path, got ${describe(path)}`);
        }
    }
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `verifyBake: options must be an object, got ${describe(options)}`);
    }
    const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (unknown !== undefined) {
        throw new UsageError(`verifyBake: there is no option ${unknown}, only ${OPTIONS.join(', ')}`);
    }
    checkHooks('verifyBake', options);
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
