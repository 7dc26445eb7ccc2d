// SPDX-License-Identifier: MIT

import { isGone, isUint8Array, wrongType } from '../base/arguments';
import { typeError } from '../base/errors';
import type { Resolve } from './buffers';

/** A `.glb` or `.gltf` in memory. */
export interface FileBytes {
    /** All bytes of the file. Neither changed nor kept. */
    readonly bytes: Uint8Array | ArrayBuffer;
    /** The file's name, without a folder. Used for outputs, manifests and messages. */
    readonly name: string;
    /** Reads files that the file refers to. Without it, a file that needs others is rejected. */
    readonly resolve?: Resolve;
}

/** The bytes of an input as a view. Throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`. */
export function viewOfInput(
    routine: string,
    input: FileBytes,
    needs = 'an object with bytes and name',
    argument = 'input',
): Uint8Array {
    if (typeof input !== 'object' || input === null) throw wrongType(routine, argument, needs, input);
    const { bytes, name, resolve } = input;
    // Systems shorten paths in different ways, which would change the manifest.
    if (typeof name !== 'string' || !/^[^/\\\0]+$/.test(name) || name === '.' || name === '..') {
        throw wrongType(routine, `${argument}.name`, 'the name of a file without its folder', name);
    }
    if (resolve !== undefined && typeof resolve !== 'function') {
        throw wrongType(routine, `${argument}.resolve`, 'a function', resolve);
    }
    const view = viewOf(bytes);
    const gone = `${argument}.bytes is detached or shrunk, needs a live buffer`;
    if (view === null) throw typeError('ERR_DETACHED_BUFFER', `${routine}: ${gone}`);
    if (view === undefined) throw wrongType(routine, `${argument}.bytes`, 'a Uint8Array or ArrayBuffer', bytes);
    return view;
}

/** Undefined for a value without bytes, null for a detached buffer. */
export function viewOf(bytes: unknown): Uint8Array | null | undefined {
    if (isUint8Array(bytes)) return isGone(bytes) ? null : bytes;
    if (Object.prototype.toString.call(bytes) !== '[object ArrayBuffer]') return undefined;
    try {
        return new Uint8Array(bytes as ArrayBuffer);
    } catch {
        return null;
    }
}
