// SPDX-License-Identifier: MIT

import type { CommanderError } from 'commander';
import { type ArgumentErrorCode, InputError, ToleranceError, UsageError } from '../base/errors';

/** The exit codes of `poselane`. */
export const EXIT = {
    ok: 0,
    /** A defect of poselane, or the system refused something, e.g. a full disk. */
    internal: 1,
    /** A wrong option, argument or `POSELANE_BACKEND`, an unknown clip or skin. */
    usage: 2,
    /** A missing, invalid or unsupported input file. */
    input: 3,
    /** Further off than allowed: `verify`, `diff`, `--max-error`; `bench --compare`: a kernel is slower than allowed. */
    tolerance: 4,
    /** Some of several inputs failed, or all; the others are done. With `--shard` the inputs are those of all shards. */
    someFailed: 5,
    interrupted: 130,
} as const;

/** The verdict of `bench --compare`, where it is not what was hoped for. */
export class SlowerError extends Error {}

/** Ends the command with a code of its own. */
export class ExitError extends Error {
    constructor(
        readonly exitCode: number,
        message: string,
    ) {
        super(message);
    }
}

/** The reason of the signal that Ctrl-C aborts. */
export const interruption = () => new ExitError(EXIT.interrupted, 'interrupted');

/** Codes of the errors that a wrong `POSELANE_BACKEND` leads to. */
const BACKEND_CODES = new Set<unknown>([
    'ERR_UNKNOWN_IMPLEMENTATION',
    'ERR_IMPLEMENTATION_UNAVAILABLE',
    'ERR_NATIVE_UNAVAILABLE',
] satisfies ArgumentErrorCode[]);

/** The exit code for an error that ended a command. */
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

/** By its code and not its class: threads ask for exit codes too, and would load all of Commander and what it needs. */
function isCommanderError(error: unknown): error is CommanderError {
    const { code } = (error ?? {}) as { code?: unknown };
    return typeof code === 'string' && code.startsWith('commander.');
}
