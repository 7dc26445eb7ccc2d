// SPDX-License-Identifier: MIT

import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { InputError } from '../errors';
import { whyUnreadable } from '../messages';
import { type FilesRead, readWhole } from './read-whole';

/**
 * Reads what a file names as lying in its folder: that of its name, or of what it is a symbolic link to. Links that lead to
 * anywhere else are refused, and so is what is no file.
 *
 * @param file The file that names it, as the caller named it.
 * @param name Relative to the folder of `file`.
 * @param pointer Of the name, for messages.
 * @param files What of the folder has been read.
 * @throws InputError `FILE_UNREADABLE`.
 */
export function readBeside(file: string, name: string, pointer: string, files?: FilesRead): Buffer {
    let place: string;
    let folders: string[];
    try {
        place = realpathSync(join(dirname(file), name));
        folders = [realpathSync(dirname(file)), dirname(realpathSync(file))];
    } catch (cause) {
        throw new InputError('FILE_UNREADABLE', file, pointer, `cannot be read: ${whyUnreadable(cause)}`, { cause });
    }
    if (!folders.some((folder) => place.startsWith(folder.endsWith(sep) ? folder : folder + sep))) {
        const rule = `'${name}' is a symbolic link that leads out of the folder, and is not read (2.8)`;
        throw new InputError('FILE_UNREADABLE', file, pointer, rule);
    }
    return readWhole(place, file, pointer, files);
}
