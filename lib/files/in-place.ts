// SPDX-License-Identifier: MIT

import { type FileSystem, fileSystem } from './file-system';

/** Maximum size of a piece, bytes. */
export const PIECE_BYTES = 2 ** 20;

/**
 * Whether a file already has the right bytes, as after a second bake. Reading takes half as long as writing. Its
 * modification time is then set to now, for programs that compare times.
 *
 * @param isRight Called for each piece in turn. `at` is its offset.
 * @returns Also false for a file of another size, and for one that cannot be opened, read, or given a time. The time
 * may be denied even if writing is allowed.
 * @throws The signal's reason.
 */
export async function isInPlace(
    path: string,
    size: number,
    isRight: (piece: Uint8Array, at: number) => boolean | Promise<boolean>,
    { signal, files = fileSystem() }: { readonly signal?: AbortSignal | undefined; readonly files?: FileSystem },
): Promise<boolean> {
    const file = await files.open(path, 'r+').catch(() => null);
    if (file === null) return false;
    try {
        const found = await file.stat({ bigint: true });
        if (!found.isFile() || found.size !== BigInt(size)) return false;
        const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
        for (let at = 0; at < size; ) {
            signal?.throwIfAborted();
            const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - at), at);
            if (bytesRead === 0 || !(await isRight(piece.subarray(0, bytesRead), at))) return false;
            at += bytesRead;
        }
        const now = new Date();
        await file.utimes(now, now);
        return true;
    } catch {
        signal?.throwIfAborted();
        return false;
    } finally {
        await file.close();
    }
}
