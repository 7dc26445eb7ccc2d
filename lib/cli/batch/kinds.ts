// SPDX-License-Identifier: MIT

/** The commands that work on many files, without what they load. */

import type { BakeFileHooks } from '../../bake';
import type { Search, SearchHooks } from '../../cache/through';
import type { BakeJob, BakeJobResult } from './bake-job';
import type { Job, JobResult, Outcome } from './job';
import type { ReduceJob, ReduceJobResult } from './reduce-job';

export type AnyJob = BakeJob | ReduceJob;

interface Kind<R extends JobResult> {
    /** In messages, and in reports as a status. */
    readonly done: 'baked' | 'reduced';
    /** What progress is counted in. */
    readonly unit: 'frames' | 'clips';
    /** The outcome of an input that nothing was made of. */
    readonly nothing: Outcome<R>;
    /** How many of these units an outcome has. */
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

/** What does a job. */
interface Runner {
    run(hooks: BakeFileHooks): Promise<Outcome<JobResult>>;
    /** Takes from a cache what `run` would make, and does with it what that does; null where it was not looked for. */
    find(hooks: SearchHooks): Promise<Search<Outcome<JobResult>> | null>;
}

/** By code that is loaded now. */
export function runnerOf(job: AnyJob): Runner {
    if (job.command === 'bake') {
        const { runBake, findBake } = require('./bake-job') as typeof import('./bake-job');
        return { run: (hooks) => runBake(job, hooks), find: (hooks) => findBake(job, hooks) };
    }
    const { runReduce, findReduce } = require('./reduce-job') as typeof import('./reduce-job');
    return { run: (hooks) => runReduce(job, hooks), find: (hooks) => findReduce(job, hooks) };
}
