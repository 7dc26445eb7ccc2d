// SPDX-License-Identifier: MIT

import { isNativeError } from 'node:util/types';
import type { BakeOptions } from '../bake';
import { messageWith } from '../base/errors';
import { FEWER_FILES } from '../base/messages';
import type { ReduceOptions } from '../reduce';

/** What `poselane bake` calls the library's options. */
export const BAKE_FLAGS: Readonly<Record<keyof BakeOptions, string>> = {
    fps: '--fps',
    maxError: '--max-error',
    clips: '--clips',
    animations: '--animations',
    rename: '--rename',
    unmatched: '--unmatched',
    retarget: '--retarget',
    skin: '--skin',
    attachments: '--attachments',
    from: '--from',
    to: '--to',
    end: '--end',
    emit: '--emit',
    layout: '--layout',
    dtype: '--dtype',
    space: '--space',
    hitJoints: '--hit-joints',
    root: '--root',
    rootJoint: '--root-joint',
    rootMotion: '--root-motion',
    renormalize: '--renormalize',
    maxRows: '--max-rows',
    strict: '--strict',
};

/** What `poselane reduce` calls them. */
export const REDUCE_FLAGS: Readonly<Record<keyof ReduceOptions, string>> = {
    maxError: '--max-error',
    clips: '--clips',
    keepJoints: '--keep-joints',
    maxAngle: '--max-angle',
    maxSlide: '--max-slide',
    quantize: '--no-quantize',
    dropRest: '--drop-rest',
    compress: '--compress',
    strict: '--strict',
};

/** No two commands call the same by two names. */
export const FLAGS: Readonly<Partial<Record<string, string>>> = {
    ...BAKE_FLAGS,
    ...REDUCE_FLAGS,
    insecure: '--cache-insecure',
    maxEntryBytes: '--cache-max-entry',
};

/** Advice for a file that the system does not open or write, by the code of its error. */
const ADVICE: Readonly<Record<string, string>> = {
    EACCES: 'check who may write there',
    EPERM: 'check who may write there',
    EROFS: 'choose a folder that can be written to',
    ENOENT: 'check the path',
    ENOTDIR: 'check the path',
    EISDIR: 'move it away, or choose another folder',
    ENOSPC: 'make room, or choose another disk',
    EDQUOT: 'make room, or choose another disk',
    EFBIG: 'raise the limit on the size of files (ulimit -f), or bake less',
    EMFILE: FEWER_FILES,
    ENFILE: 'try again when fewer files are open',
    ENAMETOOLONG: 'choose a shorter name',
};

/** The message of whatever was thrown, with options as they are called here; of the system's errors with advice. */
export function messageOf(error: unknown): string {
    const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
    if (isNativeError(error)) {
        const text = messageWith(error, (option) => FLAGS[option] ?? option);
        return typeof code === 'string' && Object.hasOwn(ADVICE, code) ? `${text}; ${ADVICE[code]}` : text;
    }
    return typeof message === 'string' ? message : String(error);
}
