// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { cached } from '../base/cached';
import { typeError } from '../base/errors';
import { unlessAborted } from '../base/follow-signal';
import type { Resolve } from './buffers';
import { viewOf } from './file-bytes';
import { acceptedFile, RefusedFile } from './references';

/** A glTF file and the files it refers to. */
export interface InputFiles {
    /** Path given by the caller. */
    readonly file: string;
    /** Reads all bytes of the file. Throws InputError `FILE_UNREADABLE`. */
    load(): Promise<Uint8Array>;
    /** Reads all bytes of a file that it refers to. */
    readonly resolve: Resolve;
}

/**
 * Wraps a caller's `resolve`: checks its results, and ends the wait if it never settles.
 *
 * @param routine Name of the caller, for messages.
 * @param signal Cancels the wait. Its reason is thrown.
 * @returns A function that throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER` for a result that is not bytes.
 */
export function checkedResolve(routine: string, resolve: Resolve | undefined, signal?: AbortSignal) {
    if (resolve === undefined) return undefined;
    return async (path: string): Promise<Uint8Array> => {
        const given: unknown = await unlessAborted(resolve(path), signal);
        const bytes = viewOf(given);
        if (bytes) return acceptedFile(bytes);
        const what = `${routine}: the bytes that resolve gives for ${JSON.stringify(path)}`;
        if (bytes === null)
            throw typeError('ERR_DETACHED_BUFFER', `${what} are detached or shrunk; give a live buffer`);
        throw typeError('ERR_ARGUMENT_TYPE', `${what} must be a Uint8Array or ArrayBuffer, got ${describe(given)}`);
    };
}

export function inputOfBytes(file: string, bytes: Uint8Array, resolve?: Resolve): InputFiles {
    const refuse = () => Promise.reject(new RefusedFile('no way to read it was given (resolve)'));
    return { file, load: async () => bytes, resolve: resolve ?? refuse };
}

/** Reads each of the files once, and keeps its bytes. */
export function keepFiles({ file, load, resolve }: InputFiles): InputFiles {
    let whole: Promise<Uint8Array> | undefined;
    const beside = new Map<string, Promise<Uint8Array>>();
    return {
        file,
        load() {
            whole ??= load();
            return whole;
        },
        resolve: (path) => cached(beside, path, () => Promise.resolve(resolve(path))),
    };
}
