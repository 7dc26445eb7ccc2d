// SPDX-License-Identifier: MIT

import {
    type BakeContainer,
    type BakeFileHooks,
    type BakeHooks,
    type BakeOptions,
    type BakeResult,
    type BakeStats,
    bakeFile,
    type CacheOutcome,
    type Warning,
    writeBake,
} from '../../bake';
import { findBakedFile } from '../../bake/bake-file';
import { type BakeCache, type CachePlace, sharedCache } from '../../bake/cache/cache';
import type { WorstPlace } from '../../bake/clip';
import { jsonBytesOf } from '../../bake/container';
import { InputError } from '../../errors';
import { waitForFiles } from '../../file-system';
import { evaluationBackend } from '../../rig/implementations';
import { exitCodeOf } from '../exit-codes';
import { messageOf } from '../flags';
import type { WrittenPage } from '../page';

/** One input to bake. Plain data, so that it can be sent to another thread. */
export interface Job {
    /** Its place among the jobs of this process. */
    readonly number: number;
    readonly input: string;
    /** Folder for the output; null for a dry run, which does everything but write. */
    readonly out: string | null;
    readonly container: BakeContainer;
    readonly options: BakeOptions;
    /** The page to write; null for none. */
    readonly page: { readonly path: string; readonly thumbnail: boolean } | null;
    readonly cache: CachePlace | null;
    /** What was wrong with the cache when this was looked for in it, and not found. */
    readonly sought?: readonly string[];
}

/** The outcome of a job: an entry of `--report`. */
export interface JobReport {
    readonly input: string;
    readonly outputs: readonly JobOutput[];
    /** Files of the whole input: `<stem>.baked.glb`, `<stem>.baked.vat`. */
    readonly files: readonly { readonly name: string; readonly byteLength: number }[];
    readonly page: WrittenPage | null;
    readonly stats: BakeStats | null;
    readonly warnings: readonly Warning[];
    /** Null without a cache. */
    readonly cache: CacheOutcome | null;
    readonly error: JobError | null;
    /** The implementation that evaluated the poses: `native`, or `ts`. The bytes are the same. */
    readonly backend: string;
    /** Milliseconds, writing included. */
    readonly milliseconds: number;
}

export interface JobOutput {
    readonly stem: string;
    readonly skin: number | null;
    /** Whether it is `<stem>.bake.json` and `.bin`, or `<stem>.bake.glb`. */
    readonly container: BakeContainer;
    /** Of the bin. */
    readonly byteLength: number;
    /** Of the manifest; of a GLB all but the bin. */
    readonly jsonByteLength: number;
    readonly sha256: string;
    /** One entry for each clip. */
    readonly errors: readonly ClipErrors[];
    /** The place of the greatest `maxLerp`; null where that is 0. */
    readonly worst: WorstPlace | null;
}

export interface ClipErrors {
    readonly name: string;
    readonly animation: number;
    readonly frameCount: number;
    readonly fps: number | null;
    /** Seconds. */
    readonly maxLate: number;
    readonly maxLerp: number;
    readonly maxLerpShare: number;
    readonly maxNearest: number;
    readonly maxNearestShare: number;
}

export interface JobError {
    readonly message: string;
    readonly code: string | null;
    /** JSON pointer into the input, where the fault is there. */
    readonly pointer: string | null;
    readonly exitCode: number;
}

// Nothing else goes on in a thread that has jobs.
waitForFiles();

/**
 * Takes from the cache what a job would bake, and writes it.
 *
 * @returns The report; where it is not there, the job that is left to do.
 */
export async function findJob(job: Job, { signal }: BakeHooks): Promise<JobReport | Job> {
    // A page needs the model anyway.
    if (job.cache === null || job.page !== null) return job;
    const started = performance.now();
    try {
        const cache = sharedCache(job.cache);
        const { found, warnings } = await findBakedFile(job.input, job.options, cache, signal);
        if (found === null) return { ...job, cache: cache.isUsed ? job.cache : null, sought: warnings };
        if (job.out !== null) await writeBake(found, job.out, { container: job.container, signal });
        return reportOf(job, found, null, started);
    } catch (error) {
        return failureOf(job, error, performance.now() - started);
    }
}

/** The cache that a bake is to be kept in, and looked for where it was not. */
function cacheOf({ cache, sought }: Job): BakeCache | undefined {
    if (cache === null) return undefined;
    const shared = sharedCache(cache);
    return sought === undefined ? shared : Object.create(shared, { find: { value: async () => null } });
}

/** @throws What `bakeFile` and `writeBake` throw, or the file system of a page. */
export async function runJob(job: Job, watched: BakeHooks): Promise<JobReport> {
    const started = performance.now();
    const { input, out, container, options, page: wanted } = job;
    const cache = cacheOf(job);
    const hooks: BakeFileHooks = cache === undefined ? watched : { ...watched, cache };
    // Loaded here: a bake without a page starts faster without it.
    const pages = wanted === null ? null : (require('../page') as typeof import('../page'));
    const model = pages === null ? null : await pages.openModel(input, options);
    const result: BakeResult =
        model === null ? await bakeFile(input, options, hooks) : await pages!.bakeModel(model, options, hooks);
    if (out !== null) await writeBake(result, out, { container, signal: hooks.signal });
    const page = wanted === null ? null : await pages!.writePage(model!, result, options, wanted, hooks.signal);
    return reportOf(job, result, page, started);
}

function reportOf(job: Job, result: BakeResult, page: WrittenPage | null, started: number): JobReport {
    const { input, container } = job;
    return {
        input,
        outputs: result.outputs.map(({ stem, skin, manifest, json, bin, worst }) => ({
            stem,
            skin,
            container,
            byteLength: bin.length,
            jsonByteLength: jsonBytesOf({ json, bin }, container),
            sha256: manifest.binary.sha256,
            errors: manifest.clips.map(({ name, animation, frameCount, fps, error }) => ({
                name,
                animation,
                frameCount,
                fps,
                ...error,
            })),
            worst,
        })),
        files: result.files.map(({ name, bytes }) => ({ name, byteLength: bytes.byteLength })),
        page,
        stats: result.stats,
        warnings: result.warnings,
        cache: outcomeOf(job, result.cache ?? null),
        error: null,
        backend: evaluationBackend,
        milliseconds: performance.now() - started,
    };
}

function outcomeOf({ sought }: Job, cache: CacheOutcome | null): CacheOutcome | null {
    if (sought === undefined) return cache;
    return { hit: cache?.hit === true, warnings: [...sought, ...(cache?.warnings ?? [])] };
}

/** The report of a job, also of one that fails. */
export async function jobOrFailure(job: Job, hooks: BakeHooks): Promise<JobReport> {
    const started = performance.now();
    try {
        return await runJob(job, hooks);
    } catch (error) {
        return failureOf(job, error, performance.now() - started);
    }
}

/** The report of a job that an error ended. */
export function failureOf(job: Job, error: unknown, milliseconds: number): JobReport {
    const { code } = (error ?? {}) as { code?: unknown };
    return {
        input: job.input,
        outputs: [],
        files: [],
        page: null,
        stats: null,
        warnings: [],
        cache: outcomeOf(job, null),
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
