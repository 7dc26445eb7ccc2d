// SPDX-License-Identifier: MIT

import type { Resolve } from './buffers';
import { RefusedFile } from './references';

/** A glTF file, and those that it refers to. */
export interface InputFiles {
    /** As the caller named it. */
    readonly file: string;
    /**
     * All bytes of the file.
     *
     * @throws InputError `FILE_UNREADABLE`.
     */
    load(): Promise<Uint8Array>;
    /** All bytes of a file that it refers to. */
    readonly resolve: Resolve;
}

/** A file in memory. */
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
        resolve(path) {
            const bytes = beside.get(path) ?? Promise.resolve(resolve(path));
            beside.set(path, bytes);
            return bytes;
        },
    };
}
