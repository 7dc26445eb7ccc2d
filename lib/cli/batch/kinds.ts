// SPDX-License-Identifier: MIT

/** The commands that work on many files, without what they load. */

import type { BakeHooks } from '../../bake';
import type { BakeJob, BakeReport } from './bake-job';
import type { Job, JobReport, Outcome } from './job';
import type { ReduceJob, ReduceReport } from './reduce-job';

export type AnyJob = BakeJob | ReduceJob;

interface Kind<R extends JobReport> {
    /** In messages, and in reports as a status. */
    readonly done: 'baked' | 'reduced';
    readonly doing: string;
    /** What progress is counted in. */
    readonly unit: 'frames' | 'clips';
    /** The outcome of an input that nothing was made of. */
    readonly nothing: Outcome<R>;
}

const BAKE: Kind<BakeReport> = {
    done: 'baked',
    doing: 'baking',
    unit: 'frames',
    nothing: { outputs: [], files: [], page: null, stats: null, warnings: [], cache: null },
};
const REDUCE: Kind<ReduceReport> = {
    done: 'reduced',
    doing: 'reducing',
    unit: 'clips',
    nothing: { files: [], reduction: null, warnings: [], cache: null },
};

export const KINDS: Readonly<Record<Job['command'], Kind<JobReport>>> = { bake: BAKE, reduce: REDUCE };

/** Does a job, by code that is loaded now. */
export function runnerOf(job: AnyJob): (hooks: BakeHooks) => Promise<Outcome<JobReport>> {
    if (job.command === 'bake') {
        const { runBake } = require('./bake-job') as typeof import('./bake-job');
        return (hooks) => runBake(job, hooks);
    }
    const { runReduce } = require('./reduce-job') as typeof import('./reduce-job');
    return (hooks) => runReduce(job, hooks);
}
