// SPDX-License-Identifier: MIT

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { readWhole } from './read-whole';
import { RefusedFile } from './refused-file';

/**
 * Reads a file that a glTF refers to, from the glTF's folder: the one that its name is in, or, where the glTF itself is a
 * symbolic link, the one where it really is. Links may lead to any place within these, and to none outside: an unpacked
 * archive could have brought a link to a file that only its victim can read, which would end up in the bake. Devices and
 * pipes are refused, because they may never end.
 *
 * @param relative As `Resolve` has it.
 * @throws RefusedFile, or the file system's error.
 */
export async function readBeside(file: string, relative: string): Promise<Uint8Array> {
    const target = await realpath(path.join(path.dirname(file), relative));
    const folders = [await realpath(path.dirname(file)), path.dirname(await realpath(file))];
    if (!folders.some((folder) => isWithin(folder, target))) {
        throw new RefusedFile("a symbolic link leads out of the input's folder (2.8)");
    }
    return readWhole(target);
}

function isWithin(folder: string, target: string): boolean {
    const below = path.relative(folder, target);
    return below !== '' && below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}
