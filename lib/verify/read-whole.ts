// SPDX-License-Identifier: MIT

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { InputError } from '../errors';
import { whyUnreadable } from '../messages';

/** What has been read, by the file itself: links, and letters in another case, are further names of the same one. */
export type FilesRead = Map<string, Buffer>;

/**
 * All of a file. What is none is refused rather than waited for.
 *
 * @param file What the error is about, at `pointer`.
 * @param files Each of these is read once.
 * @throws InputError `FILE_UNREADABLE`.
 */
export function readWhole(path: string, file: string, pointer: string, files: FilesRead = new Map()): Buffer {
    const refuse = (why: string, cause?: unknown): never => {
        throw new InputError('FILE_UNREADABLE', file, pointer, `cannot be read: ${why}`, { cause });
    };
    let descriptor: number | null = null;
    try {
        descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
        const found = fstatSync(descriptor, { bigint: true });
        if (found.isFile() || found.isDirectory()) {
            // Some network drives number no files.
            const identity = found.ino === 0n ? path : `${found.dev}:${found.ino}`;
            const bytes = files.get(identity) ?? readFileSync(descriptor); // a folder: EISDIR
            files.set(identity, bytes);
            return bytes;
        }
    } catch (cause) {
        refuse(whyUnreadable(cause), cause);
    } finally {
        if (descriptor !== null) closeSync(descriptor);
    }
    return refuse('it is a pipe or a device, not a file');
}
