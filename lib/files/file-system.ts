// SPDX-License-Identifier: MIT

import * as direct from 'node:fs';
import * as promises from 'node:fs/promises';
import { promisify } from 'node:util';

/** The operations of the file system that inputs, outputs and caches need. */
export type FileSystem = Pick<
    typeof promises,
    'copyFile' | 'link' | 'lstat' | 'mkdir' | 'open' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat'
>;

let chosen: FileSystem = promises;

/** That of this thread. */
export function fileSystem(): FileSystem {
    return chosen;
}

/**
 * From now on this thread waits for its files, in place of sending most calls to another thread and back, which takes several times as
 * long as they do. For threads in which nothing else has to go on meanwhile.
 */
export function waitForFiles(): void {
    chosen = DIRECT;
}

/** So many bytes are read and written by another thread even then: the processor has other work. */
const LARGE = 2 ** 20;

const readThere = promisify(direct.read);
const writeThere = promisify(direct.write);

/** The part of a FileHandle that is used here. */
class DirectFile {
    constructor(private readonly fd: number) {}

    async stat(options: { bigint: true }) {
        return direct.fstatSync(this.fd, options);
    }

    async read(bytes: Uint8Array, offset: number, length: number, position: number | null = null) {
        if (length >= LARGE) return readThere(this.fd, bytes, offset, length, position);
        return { bytesRead: direct.readSync(this.fd, bytes, offset, length, position), buffer: bytes };
    }

    async readFile({ signal }: { signal?: AbortSignal } = {}) {
        signal?.throwIfAborted();
        const { size } = direct.fstatSync(this.fd);
        if (size < LARGE) return direct.readFileSync(this.fd);
        // As many bytes as it has now; less than 2 GiB go in one call.
        const bytes = Buffer.allocUnsafeSlow(size);
        for (let at = 0; at < size; ) {
            const { bytesRead } = await this.read(bytes, at, Math.min(size - at, 2 ** 30));
            if (bytesRead === 0) return bytes.subarray(0, at);
            at += bytesRead;
            signal?.throwIfAborted();
        }
        return bytes;
    }

    async write(bytes: Uint8Array, offset: number, length: number) {
        if (length >= LARGE) return writeThere(this.fd, bytes, offset, length);
        return { bytesWritten: direct.writeSync(this.fd, bytes, offset, length), buffer: bytes };
    }

    async utimes(accessed: Date, modified: Date) {
        direct.futimesSync(this.fd, accessed, modified);
    }

    async close() {
        direct.closeSync(this.fd);
    }
}

/** What a synchronous function throws, the promise is rejected with. */
function later<Args extends unknown[], T>(call: (...args: Args) => T): (...args: Args) => Promise<T> {
    return async (...args) => call(...args);
}

const DIRECT = {
    copyFile: later(direct.copyFileSync),
    link: later(direct.linkSync),
    lstat: later(direct.lstatSync),
    mkdir: later(direct.mkdirSync),
    open: async (...args: Parameters<typeof direct.openSync>) => new DirectFile(direct.openSync(...args)),
    readFile: later(direct.readFileSync),
    realpath: later(direct.realpathSync.native),
    rename: later(direct.renameSync),
    rm: later(direct.rmSync),
    stat: later(direct.statSync),
} as unknown as FileSystem;
