// SPDX-License-Identifier: MIT

/** What threads do with a job. */

import type { BakeHooks } from '../../bake';
import { InputError } from '../../errors';
import { evaluationBackend } from '../../rig/implementations';
import { exitCodeOf } from '../exit-codes';
import { messageOf } from '../flags';
import type { Job, JobReport } from './job';
import { type AnyJob, KINDS, runnerOf } from './kinds';

/** The report of a job, also of one that fails. */
export async function jobOrFailure(job: AnyJob, hooks: BakeHooks): Promise<JobReport> {
    const started = performance.now();
    const elapsed = () => performance.now() - started;
    try {
        const outcome = await runnerOf(job)(hooks);
        return { input: job.input, ...outcome, error: null, backend: evaluationBackend, milliseconds: elapsed() };
    } catch (error) {
        return failureOf(job, error, elapsed());
    }
}

/** The report of a job that an error ended. */
export function failureOf({ command, input }: Job, error: unknown, milliseconds: number): JobReport {
    const { code } = (error ?? {}) as { code?: unknown };
    return {
        input,
        ...KINDS[command].nothing,
        error: {
            message: messageOf(error),
            code: typeof code === 'string' ? code : null,
            pointer: error instanceof InputError ? error.pointer : null,
            exitCode: exitCodeOf(error),
        },
        backend: evaluationBackend,
        milliseconds,
    };
}
