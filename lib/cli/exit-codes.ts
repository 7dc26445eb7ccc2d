// SPDX-License-Identifier: MIT

import type { CommanderError } from 'commander';
import { type ArgumentErrorCode, InputError, ToleranceError, UsageError } from '../base/errors';

export const EXIT = {
    ok: 0,
    /** A defect of poselane, or a system error such as a full disk. */
    internal: 1,
    /** A wrong option, argument or `POSELANE_BACKEND`, an unknown clip or skin. */
    usage: 2,
    /** A missing, invalid or unsupported input file. */
    input: 3,
    /** An error above its maximum: `verify`, `diff`, `--max-error`. A kernel slower than allowed: `bench --compare`. */
    tolerance: 4,
    /** At least one of several inputs failed; the others are done. With `--shard`, the inputs of all shards count. */
    someFailed: 5,
    interrupted: 130,
} as const;

export class SlowerError extends Error {}

export class ExitError extends Error {
    constructor(
        readonly exitCode: number,
        message: string,
    ) {
        super(message);
    }
}

export const interruption = () => new ExitError(EXIT.interrupted, 'interrupted');

const BACKEND_CODES = new Set<unknown>([
    'ERR_UNKNOWN_IMPLEMENTATION',
    'ERR_IMPLEMENTATION_UNAVAILABLE',
    'ERR_NATIVE_UNAVAILABLE',
] satisfies ArgumentErrorCode[]);

export function exitCodeOf(error: unknown): number {
    if (isCommanderError(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof ExitError) return error.exitCode;
    if (error instanceof SlowerError) return EXIT.tolerance;
    if (error instanceof UsageError) return EXIT.usage;
    if (error instanceof ToleranceError) return EXIT.tolerance;
    if (error instanceof InputError) return EXIT.input;
    if (BACKEND_CODES.has((error as { code?: unknown } | null)?.code)) return EXIT.usage;
    return EXIT.internal;
}

/** Checks the code, not the class: threads would load all of Commander for the class. */
function isCommanderError(error: unknown): error is CommanderError {
    const { code } = (error ?? {}) as { code?: unknown };
    return typeof code === 'string' && code.startsWith('commander.');
}
