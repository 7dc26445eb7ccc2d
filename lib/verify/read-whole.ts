// SPDX-License-Identifier: MIT

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { InputError } from '../errors';

/**
 * All of a file. What is none is refused rather than waited for.
 *
 * @param file What the error is about, at `pointer`.
 * @throws InputError `FILE_UNREADABLE`.
 */
export function readWhole(path: string, file: string, pointer: string): Buffer {
    const refuse = (why: string, cause?: unknown): never => {
        throw new InputError('FILE_UNREADABLE', file, pointer, `cannot be read: ${why}`, { cause });
    };
    let descriptor: number | null = null;
    try {
        descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
        const found = fstatSync(descriptor);
        if (found.isFile() || found.isDirectory()) return readFileSync(descriptor); // a folder: EISDIR
    } catch (cause) {
        const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
        refuse(code, cause);
    } finally {
        if (descriptor !== null) closeSync(descriptor);
    }
    return refuse('it is a pipe or a device, not a file');
}
