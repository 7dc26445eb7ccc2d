// SPDX-License-Identifier: MIT

import { type FileSystem, fileSystem } from './file-system';

/** The most bytes of a piece. */
export const PIECE_BYTES = 2 ** 20;

/**
 * Whether a file has its bytes already, as after a second bake: to read takes half as long as to write anew. It then counts as written
 * now, for programs that compare times.
 *
 * @param isRight Called for one piece after the other, of which `at` is the place.
 * @returns False as well for a file of another size, and for one that cannot be opened, read, or given a time,
 * which not everybody may who may write.
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
