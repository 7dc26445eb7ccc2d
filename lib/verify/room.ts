// SPDX-License-Identifier: MIT

import { InputError } from '../errors';

/**
 * What numbers may take that a few bytes of JSON can ask for: accessors that store nothing, overlap, are used by many channels or
 * are compressed. The process stays below 1 GiB with it.
 */
const LEAST_BYTES = 671088640;

/** For each byte that buffers store: one of a quaternion's, with a time of its own, becomes ten; a mesh's up to sixteen. */
const PER_STORED_BYTE = 16;

/**
 * Counts what the numbers of one file take, before they do.
 *
 * @throws InputError `GLTF_INVALID` where it is more than any such file needs.
 */
export type TakeRoom = (bytes: number, pointer: string) => void;

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
