// SPDX-License-Identifier: MIT

import type { CacheOutcome, Warning } from '../../bake';
import type { CachePlace, CacheWarning } from '../../cache/cache';

/** One input of a command. Plain data, so that it can be sent to another thread. */
export interface Job {
    readonly command: 'bake' | 'reduce';
    /** Its place among the jobs of this process. */
    readonly number: number;
    readonly input: string;
    readonly cache: CachePlace | null;
    /** What was wrong with the cache when this was looked for in it, and not found. */
    readonly sought?: readonly CacheWarning[];
}

/** The outcome of a job: an entry of `--report`. */
export interface JobResult {
    readonly input: string;
    readonly files: readonly { readonly name: string; readonly byteLength: number }[];
    readonly warnings: readonly Warning[];
    /** Null without a cache. */
    readonly cache: CacheOutcome | null;
    readonly error: JobError | null;
    /** The implementation that evaluated the poses: `native`, or `ts`. The bytes are the same. */
    readonly backend: string;
    /** Milliseconds, writing included. */
    readonly milliseconds: number;
}

export interface JobError {
    readonly message: string;
    readonly code: string | null;
    /** JSON pointer into the input, where the fault is there. */
    readonly pointer: string | null;
    readonly exitCode: number;
}

/** What the command itself adds to a report. */
export type Outcome<R extends JobResult> = Omit<R, 'input' | 'error' | 'backend' | 'milliseconds'>;
