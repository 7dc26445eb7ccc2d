// SPDX-License-Identifier: MIT

/** Options of the commands that work on many files. */

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
    /** Bytes. */
    readonly cacheMaxEntry?: number;
    readonly verbose?: boolean;
    readonly quiet?: boolean;
}

/** What several commands say of their inputs. */
export const INPUTS = '.glb, .gltf or .vrm files, folders of them, or patterns such as "models/**/*.glb"';

/** Declares `--exclude`. */
export function addExclude(command: Command): Command {
    return command.option(
        '--exclude <pattern>',
        "leave files out: '*_lod?.glb' or the name of a folder, wherever it is, or a path; may repeat",
        addOne,
    );
}

/** Declares those about which inputs there are, and how they lie. */
export function addInputOptions(command: Command): Command {
    return addExclude(command).option(
        '--keep-tree',
        'keep the folders that inputs are in: models/a/hero.glb -> out/a/',
    );
}

/** Declares all others, but `--out`. */
export function addBatchOptions(command: Command, verb: Job['command'], jobs: string): Command {
    return command
        .option('-j, --jobs <number>', jobs, wholeFrom(1))
        .option('--fail-fast', 'end with the first file that fails, instead of going on with the others')
        .option(
            '--shard <i/n>',
            `${verb} every n-th file only, from the i-th on; env, or env/n: as Slurm, Kubernetes or CI tells`,
            shard,
        )
        .option('--dry-run', 'do everything but write')
        .option('--json', 'what became of each file, as JSON on standard output, instead of lines')
        .option('--report <file>', 'write what became of each file, as JSON, beside the lines')
        .option(
            '--cache <place>',
            `${verb} nothing twice: a folder, or the URL of a server that speaks the protocol of Bazel`,
        )
        .option('--cache-read-only', 'write nothing to the cache')
        .option('--cache-insecure', 'let the URL of the cache be http:, which others can read and change')
        .option(
            '--cache-max-entry <size>',
            'leave larger results out of the cache: 500MB, 1.5GB (default: 1 GiB)',
            sizeOf,
        )
        .option('-v, --verbose', 'tell of each clip, too')
        .option('--quiet', 'say nothing but errors');
}

/** Reads a list, with those before it. */
export function addList(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, ...value.split(',')];
}

/** The value with those before it. */
export function addOne(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, value];
}

/** Reads a number of an option. */
export function number(value: string): number {
    if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw new InvalidArgumentError('Needs a number, 0 or more.');
    return Number(value);
}

/** A length as the library takes it, which checks it. */
export function length(value: string): number | string {
    return /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
}

/** Reads a whole number of an option. */
export function wholeFrom(min: number): (value: string) => number {
    return (value) => {
        if (!/^\d{1,15}$/.test(value) || Number(value) < min) {
            throw new InvalidArgumentError(`Needs a whole number, ${min} or more.`);
        }
        return Number(value);
    };
}

const UNITS: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Reads a size in bytes. */
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
