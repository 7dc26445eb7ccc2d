// SPDX-License-Identifier: MIT

import type { BigIntStats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Resolve } from './buffers';
import { readWhole, readWith } from './read-whole';
import { RefusedFile } from './refused-file';

/**
 * Reads a file that a glTF refers to, from the glTF's folder: the one that its name is in, or, where the glTF itself is a
 * symbolic link, the one where it really is. Links may lead to any place within these, and to none outside: an unpacked
 * archive could have brought a link to a file that only its victim can read, which would end up in the bake. Devices and
 * pipes are refused, because they may never end.
 *
 * @param relative As `Resolve` has it.
 * @param read What has been read already, which is not read again; what is read is added to it.
 * @throws RefusedFile, or the file system's error.
 */
export async function readBeside(file: string, relative: string, read?: Map<string, Uint8Array>): Promise<Uint8Array> {
    const target = await realpath(path.join(path.dirname(file), relative));
    const folders = [await realpath(path.dirname(file)), path.dirname(await realpath(file))];
    if (!folders.some((folder) => isWithin(folder, target))) {
        throw new RefusedFile("a symbolic link leads out of the input's folder (2.8)");
    }
    if (read === undefined) return readWhole(target);
    let name = target;
    const bytes = await readWith(target, (opened, found) => {
        name = nameOf(target, found);
        return read.get(name) ?? opened.readFile();
    });
    read.set(name, bytes);
    return bytes;
}

/** {@link readBeside} for all buffers of a glTF: links may give one large file any number of names, and it is read once. */
export function besideReader(file: string): Resolve {
    const read = new Map<string, Uint8Array>();
    return (relative) => readBeside(file, relative, read);
}

/** The same for all names of a file. Its number is asked only where it has several: not every file system has numbers that are unique. */
function nameOf(target: string, { nlink, dev, ino }: BigIntStats): string {
    return nlink > 1n && ino !== 0n ? `${dev} ${ino}` : target;
}

/** Whether a path is below a folder; both real ones. */
export function isWithin(folder: string, target: string): boolean {
    const below = path.relative(folder, target);
    return below !== '' && below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}
