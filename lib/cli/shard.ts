// SPDX-License-Identifier: MIT

import { UsageError } from '../base/errors';
import type { Shard } from './inputs';

type Variables = Readonly<Record<string, string | undefined>>;

/** Values of a variable, from the first process to the last. */
interface Range {
    readonly first: number;
    readonly step: number;
    readonly count: number;
}

/** A system that starts several processes and sets variables that identify each. */
interface System {
    /** A variable that is set only in such a job. */
    readonly index: string;
    /** @param wanted The count in `--shard`. */
    rangeOf(variables: Variables, wanted: number | undefined): Range;
}

const SYSTEMS: readonly System[] = [
    {
        // https://slurm.schedmd.com/job_array.html
        index: 'SLURM_ARRAY_TASK_ID',
        rangeOf(variables) {
            const [first, last, step, count] = ['MIN', 'MAX', 'STEP', 'COUNT'].map((what) =>
                wholeOf(variables, `SLURM_ARRAY_TASK_${what}`),
            ) as [number, number, number, number];
            // In a list such as 1,3,9, a task cannot know its position. Slurm reports step 1 for it.
            if ((last - first) / step + 1 !== count) {
                const found = `${count} tasks from ${first} to ${last} with a step of ${step}`;
                const needs =
                    'needs a range, such as sbatch --array=0-7; single tasks are repeated by scontrol requeue';
                throw new UsageError(`--shard env: SLURM_ARRAY_TASK_COUNT, _MIN, _MAX and _STEP: ${found}: ${needs}`);
            }
            return { first, step, count };
        },
    },
    {
        // https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
        index: 'JOB_COMPLETION_INDEX',
        rangeOf(variables, wanted) {
            if (wanted !== undefined) return { first: 0, step: 1, count: wanted };
            const why = 'Kubernetes does not say of how many: needs the completions of the Job, such as --shard env/8';
            throw new UsageError(`--shard env: ${said(variables, 'JOB_COMPLETION_INDEX')}, and ${why}`);
        },
    },
    {
        // GitLab counts from 1 (https://docs.gitlab.com/ci/variables/predefined_variables/), others that have these names from 0.
        index: 'CI_NODE_INDEX',
        rangeOf: (variables) => ({
            first: variables.GITLAB_CI ? 1 : 0,
            step: 1,
            count: wholeOf(variables, 'CI_NODE_TOTAL'),
        }),
    },
];

/**
 * Reads the shard of this process from the variables of Slurm job arrays, Kubernetes indexed jobs or parallel CI jobs.
 *
 * @param wanted The count, if given. Kubernetes does not set it; other systems must agree with it.
 * @throws UsageError with the variables and their values, if none is set, several systems are, or they are inconsistent.
 */
export function shardFromEnvironment(wanted: number | undefined, variables: Variables = process.env): Shard {
    const found = SYSTEMS.filter(({ index }) => variables[index]);
    const names = (systems: readonly System[]) => systems.map(({ index }) => said(variables, index)).join(', ');
    if (found.length === 0) throw new UsageError(`--shard env: ${names(SYSTEMS)}: needs one of them`);
    if (found.length > 1) {
        throw new UsageError(
            `--shard env: ${names(found)}: which of them counts? Say --shard i/n, or unset the others`,
        );
    }
    const { index: name, rangeOf } = found[0]!;
    const value = wholeOf(variables, name);
    const { first, step, count } = rangeOf(variables, wanted);
    if (wanted !== undefined && count !== wanted) {
        throw new UsageError(`--shard env/${wanted}: ${said(variables, name)} is one of ${count}`);
    }
    const index = (value - first) / step + 1;
    if (!(Number.isInteger(index) && index >= 1 && index <= count)) {
        throw new UsageError(
            `--shard env: ${said(variables, name)}: it is not one of ${count} parts, counted from ${first}`,
        );
    }
    return { index, count };
}

function wholeOf(variables: Variables, name: string): number {
    const value = variables[name] ?? '';
    if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--shard env: ${said(variables, name)}: needs a whole number`);
    return Number(value);
}

function said(variables: Variables, name: string): string {
    return variables[name] ? `${name}=${variables[name]}` : `${name} is not set`;
}
