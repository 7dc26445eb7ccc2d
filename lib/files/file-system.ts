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

export function fileSystem(): FileSystem {
    return chosen;
}

/**
 * Switches this thread to synchronous file access. Asynchronous calls go to another thread and back, which takes
 * several times as long. For threads that have nothing else to do.
 */
export function waitForFiles(): void {
    chosen = DIRECT;
}

/** Larger reads and writes stay asynchronous: the processor has other work meanwhile. */
const LARGE = 2 ** 20;

const readThere = promisify(direct.read);
const writeThere = promisify(direct.write);

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
        // The file's size at this time. A single read takes less than 2 GiB.
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

/** Makes a synchronous function asynchronous: errors become rejections. */
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
