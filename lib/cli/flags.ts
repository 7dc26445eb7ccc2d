// SPDX-License-Identifier: MIT

import { isNativeError } from 'node:util/types';
import { CONVERT_OPTIONS } from '../bake/convert-file';
import { BAKE_OPTIONS } from '../bake/plan/option-table';
import { messageWith } from '../base/errors';
import { FEWER_FILES } from '../base/messages';
import type { OptionEntry, OptionTable } from '../base/option-table';
import { REDUCE_OPTIONS } from '../reduce/options';

export function flagOf(option: string, entry: OptionEntry): string {
    const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return entry.default === true ? `--no-${name}` : `--${name}`;
}

const TABLES: OptionTable = { ...BAKE_OPTIONS, ...CONVERT_OPTIONS, ...REDUCE_OPTIONS };

/** Flags by library option. An option has the same flag in every command. */
export const FLAGS: Readonly<Partial<Record<string, string>>> = {
    ...Object.fromEntries(Object.entries(TABLES).map(([option, entry]) => [option, flagOf(option, entry)])),
    insecure: '--cache-insecure',
    maxEntryBytes: '--cache-max-entry',
};

/** Advice for errors of files, by the system's error code. */
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

/** The message of an error. Options are called by their flags, and system errors get advice. */
export function messageOf(error: unknown): string {
    const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
    if (isNativeError(error)) {
        const text = messageWith(error, (option) => FLAGS[option] ?? option);
        return typeof code === 'string' && Object.hasOwn(ADVICE, code) ? `${text}; ${ADVICE[code]}` : text;
    }
    return typeof message === 'string' ? message : String(error);
}
