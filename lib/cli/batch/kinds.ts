// SPDX-License-Identifier: MIT

/** Commands for many files. Their code is loaded on demand. */

import type { BakeFileHooks } from '../../bake';
import type { Search, SearchHooks } from '../../cache/through';
import type { BakeJob, BakeJobResult } from './bake-job';
import type { Job, JobResult, Outcome } from './job';
import type { ReduceJob, ReduceJobResult } from './reduce-job';

export type AnyJob = BakeJob | ReduceJob;

interface Kind<R extends JobResult> {
    /** For messages, and as a status in reports. */
    readonly done: 'baked' | 'reduced';
    readonly unit: 'frames' | 'clips';
    /** The outcome of an input without outputs. */
    readonly nothing: Outcome<R>;
    unitsOf(outcome: Outcome<R>): number;
}

const BAKE: Kind<BakeJobResult> = {
    done: 'baked',
    unit: 'frames',
    nothing: { outputs: [], files: [], page: null, stats: null, warnings: [], cache: null },
    unitsOf: ({ stats }) => stats?.frames ?? 0,
};
const REDUCE: Kind<ReduceJobResult> = {
    done: 'reduced',
    unit: 'clips',
    nothing: { files: [], reduction: null, warnings: [], cache: null },
    unitsOf: ({ reduction }) => reduction?.clips.length ?? 0,
};

export const KINDS: Readonly<Record<Job['command'], Kind<JobResult>>> = { bake: BAKE, reduce: REDUCE };

interface Runner {
    run(hooks: BakeFileHooks): Promise<Outcome<JobResult>>;
    /** Finds the result of `run` in a cache and writes it. Null if it does not search. */
    find(hooks: SearchHooks): Promise<Search<Outcome<JobResult>> | null>;
}

/** Loads the code of the job's command. */
export function runnerOf(job: AnyJob): Runner {
    if (job.command === 'bake') {
        const { runBake, findBake } = require('./bake-job') as typeof import('./bake-job');
        return { run: (hooks) => runBake(job, hooks), find: (hooks) => findBake(job, hooks) };
    }
    const { runReduce, findReduce } = require('./reduce-job') as typeof import('./reduce-job');
    return { run: (hooks) => runReduce(job, hooks), find: (hooks) => findReduce(job, hooks) };
}
