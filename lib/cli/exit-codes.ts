// SPDX-License-Identifier: MIT

import { CommanderError } from 'commander';
import { InputError, UsageError } from '../errors';

/** What `poselane` exits with. */
export const EXIT = {
    ok: 0,
    /** A defect of poselane, or the system refused something, e.g. a full disk. */
    internal: 1,
    /** A wrong option or argument, an unknown clip or skin. */
    usage: 2,
    /** A missing, invalid or unsupported input file. */
    input: 3,
    interrupted: 130,
} as const;

/** The exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof UsageError) return EXIT.usage;
    if (error instanceof InputError) return EXIT.input;
    return EXIT.internal;
}
