// SPDX-License-Identifier: MIT

import type { BakeHooks } from '../../bake';
import { InputError } from '../../base/errors';
import { type BakeCache, sharedCache } from '../../cache/cache';
import { waitForFiles } from '../../files/file-system';
import { evaluationBackend } from '../../rig/implementations';
import { exitCodeOf } from '../exit-codes';
import { messageOf } from '../flags';
import type { Job, JobError, JobResult, Outcome } from './job';
import { type AnyJob, KINDS, runnerOf } from './kinds';

// A thread with jobs does nothing else, so it may block.
waitForFiles();

/** @returns The result, which is written; the job if it is not in the cache. */
export async function findJob(job: AnyJob, { signal }: BakeHooks): Promise<JobResult | AnyJob> {
    if (job.cache === null) return job;
    const started = performance.now();
    try {
        const cache = sharedCache(job.cache);
        const search = await runnerOf(job).find({ cache, signal });
        if (search === null) return job;
        const { found, warnings } = search;
        if (found === null) return { ...job, cache: cache.isUsed ? job.cache : null, sought: warnings };
        return resultOf(job, found, null, performance.now() - started);
    } catch (error) {
        return failureOf(job, error, performance.now() - started);
    }
}

/** Runs a job. An error becomes a result. */
export async function jobOrFailure(job: AnyJob, hooks: BakeHooks): Promise<JobResult> {
    const started = performance.now();
    try {
        const outcome = await runnerOf(job).run({ ...hooks, cache: cacheOf(job) });
        return resultOf(job, outcome, null, performance.now() - started);
    } catch (error) {
        return failureOf(job, error, performance.now() - started);
    }
}

/** The cache for the result. It is not searched again if the job was looked for before. */
function cacheOf({ cache, sought }: Job): BakeCache | undefined {
    if (cache === null) return undefined;
    const shared = sharedCache(cache);
    return sought === undefined ? shared : Object.create(shared, { find: { value: async () => null } });
}

export function failureOf(job: Job, error: unknown, milliseconds: number): JobResult {
    const { code } = (error ?? {}) as { code?: unknown };
    const told = {
        message: messageOf(error),
        code: typeof code === 'string' ? code : null,
        pointer: error instanceof InputError ? error.pointer : null,
        exitCode: exitCodeOf(error),
    };
    return resultOf(job, KINDS[job.command].nothing, told, milliseconds);
}

function resultOf(
    { input, sought }: Job,
    outcome: Outcome<JobResult>,
    error: JobError | null,
    milliseconds: number,
): JobResult {
    const { hit = false, warnings = [] } = outcome.cache ?? {};
    const cache = sought === undefined ? outcome.cache : { hit, warnings: [...sought, ...warnings] };
    return { input, ...outcome, cache, error, backend: evaluationBackend, milliseconds };
}
