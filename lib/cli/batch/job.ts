// SPDX-License-Identifier: MIT

import type { CacheOutcome, Warning } from '../../bake';
import type { CachePlace, CacheWarning } from '../../cache/cache';

/** One input of a command. Plain data, which can be sent to another thread. */
export interface Job {
    readonly command: 'bake' | 'reduce';
    /** Index among the jobs of this process. */
    readonly number: number;
    readonly input: string;
    readonly cache: CachePlace | null;
    /** Cache warnings of a search that did not find this job. */
    readonly sought?: readonly CacheWarning[];
}

/** The result of a job: an entry of `--report`. */
export interface JobResult {
    readonly input: string;
    readonly files: readonly { readonly name: string; readonly byteLength: number }[];
    readonly warnings: readonly Warning[];
    /** Null without a cache. */
    readonly cache: CacheOutcome | null;
    readonly error: JobError | null;
    /** The implementation that evaluated the poses: `native` or `ts`. Both give the same bytes. */
    readonly backend: string;
    readonly milliseconds: number;
}

export interface JobError {
    readonly message: string;
    readonly code: string | null;
    /** JSON pointer into the input, if the fault is in its JSON. */
    readonly pointer: string | null;
    readonly exitCode: number;
}

export type Outcome<R extends JobResult> = Omit<R, 'input' | 'error' | 'backend' | 'milliseconds'>;
