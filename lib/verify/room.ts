// SPDX-License-Identifier: MIT

import { InputError } from '../errors';

/**
 * What numbers may take that a few bytes of JSON can ask for: accessors that store nothing, overlap, are used by many channels or
 * are compressed. The process stays below 1 GiB with it.
 */
const LEAST_BYTES = 640 * 2 ** 20;

/** For each byte that buffers store: one of a quaternion's, with a time of its own, becomes ten; a mesh's up to sixteen. */
const PER_STORED_BYTE = 16;

/**
 * Counts what the numbers of one file take, before they do.
 *
 * @throws InputError `GLTF_INVALID` where it is more than any such file needs.
 */
export type TakeRoom = (bytes: number, pointer: string) => void;

/** All that buffers state, and that the hash of the file goes over, where many of them name one file. */
const LEAST_HASHED_BYTES = 2 ** 30;

/** For each byte that is there. */
const HASHED_PER_STORED_BYTE = 4;

/**
 * @param stated Bytes that the buffers with data state, each for itself.
 * @param stored Bytes that they have between them.
 * @throws InputError `GLTF_INVALID` where they share so much that to hash it takes longer than the size of the file explains.
 */
export function checkHashed(path: string, stated: number, stored: number): void {
    const most = Math.max(LEAST_HASHED_BYTES, HASHED_PER_STORED_BYTE * stored);
    if (stated <= most) return;
    const rule = `all buffers state ${stated} bytes, the limit for the ${stored} that are stored is ${most}`;
    throw new InputError('GLTF_INVALID', path, '/buffers', rule);
}

/** @param stored Bytes of all buffers of the file. */
export function createRoom(path: string, stored: number): TakeRoom {
    const most = LEAST_BYTES + PER_STORED_BYTE * stored;
    let left = most;
    return (bytes, pointer) => {
        left -= bytes;
        if (left >= 0) return;
        const rule = `the numbers of the file take more than ${most} bytes here, the limit for the ${stored} that it stores`;
        throw new InputError('GLTF_INVALID', path, pointer, rule);
    };
}
