// SPDX-License-Identifier: MIT

import { type Command, InvalidArgumentError } from 'commander';
import type { Shard } from '../inputs';
import { shardFromEnvironment } from '../shard';
import type { Job } from './job';

export interface BatchArguments {
    readonly out: string;
    readonly exclude?: readonly string[];
    readonly keepTree?: boolean;
    readonly jobs?: number;
    readonly failFast?: boolean;
    readonly shard?: Shard;
    readonly dryRun?: boolean;
    readonly json?: boolean;
    readonly report?: string;
    readonly cache?: string;
    readonly cacheReadOnly?: boolean;
    readonly cacheInsecure?: boolean;
    readonly cacheMaxEntry?: number;
    readonly verbose?: boolean;
    readonly quiet?: boolean;
}

export const INPUTS = '.glb, .gltf, .vrm, .fbx or .bvh files, folders of them, or patterns such as "models/**/*.glb"';

export function addExclude(command: Command): Command {
    return command.option(
        '--exclude <pattern>',
        "skip files: '*_lod?.glb', the name of a folder anywhere, or a path; may repeat",
        addOne,
    );
}

export function addInputOptions(command: Command): Command {
    return addExclude(command).option(
        '--keep-tree',
        'write to the same subfolders as the inputs: models/a/hero.glb -> out/a/',
    );
}

/** Adds the other shared options, except `--out`. */
export function addBatchOptions(command: Command, verb: Job['command'], jobs: string): Command {
    return command
        .option('-j, --jobs <number>', jobs, wholeFrom(1))
        .option('--fail-fast', 'stop at the first file that fails')
        .option(
            '--shard <i/n>',
            `${verb} only every n-th file, starting at the i-th; env or env/n: read i/n from the variables of Slurm, Kubernetes or CI`,
            shard,
        )
        .option('--dry-run', 'do everything, but write no files')
        .option('--json', 'print the result of each file as JSON')
        .option('--report <file>', 'also write the result of each file to a JSON file')
        .option('--cache <place>', `cache results, and reuse them: a folder, or the URL of a Bazel HTTP cache`)
        .option('--cache-read-only', 'only read the cache')
        .option('--cache-insecure', 'allow a cache at an http: URL, which others can read and change')
        .option('--cache-max-entry <size>', 'do not cache larger results: 500MB, 1.5GB (default: 1 GiB)', sizeOf)
        .option('-v, --verbose', 'also print each clip')
        .option('--quiet', 'print only errors');
}

/** Adds the entries of `a,b` to those before them. */
export function addList(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, ...value.split(',')];
}

export function addOne(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, value];
}

export function number(value: string): number {
    if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw new InvalidArgumentError('Needs a number, 0 or more.');
    return Number(value);
}

export function length(value: string): number | string {
    return /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
}

export function wholeFrom(min: number): (value: string) => number {
    return (value) => {
        if (!/^\d{1,15}$/.test(value) || Number(value) < min) {
            throw new InvalidArgumentError(`Needs a whole number, ${min} or more.`);
        }
        return Number(value);
    };
}

const UNITS: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

export function sizeOf(value: string): number {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(kB|MB|GB|TB)$/.exec(value) ?? [];
    if (number === undefined)
        throw new InvalidArgumentError('Needs a size in kB, MB, GB or TB, such as 500MB or 10GB.');
    return Number(number) * UNITS[unit!]!;
}

function shard(value: string): Shard {
    const [named, wanted] = /^env(?:\/(\d{1,9}))?$/.exec(value) ?? [];
    if (named !== undefined) return shardFromEnvironment(wanted === undefined ? undefined : Number(wanted));
    const [, index = 0, count = 0] = (/^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? []).map(Number);
    if (index < 1 || index > count)
        throw new InvalidArgumentError('Needs i/n with i from 1 to n, such as 2/8, or env.');
    return { index, count };
}
