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
import { type CachePlace, sharedCache } from '../../bake/cache/cache';
import type { WorstPlace } from '../../bake/clip';
import { glbOfOutput } from '../../bake/container';
import { InputError } from '../../errors';
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

/** @throws What `bakeFile` and `writeBake` throw, or the file system of a page. */
export async function runJob(
    { input, out, container, options, page: wanted, cache }: Job,
    watched: BakeHooks,
): Promise<JobReport> {
    const started = performance.now();
    const hooks: BakeFileHooks = cache === null ? watched : { ...watched, cache: sharedCache(cache) };
    // Loaded here: a bake without a page starts faster without it.
    const pages = wanted === null ? null : (require('../page') as typeof import('../page'));
    const model = pages === null ? null : await pages.openModel(input, options);
    const result: BakeResult =
        model === null ? await bakeFile(input, options, hooks) : await pages!.bakeModel(model, options, hooks);
    if (out !== null) await writeBake(result, out, { container, signal: hooks.signal });
    const page = wanted === null ? null : await pages!.writePage(model!, result, options, wanted, hooks.signal);
    return {
        input,
        outputs: result.outputs.map(({ stem, skin, manifest, json, bin, worst }) => ({
            stem,
            skin,
            container,
            byteLength: bin.length,
            jsonByteLength:
                container === 'glb' ? glbOfOutput({ json, bin }).length - bin.length : Buffer.byteLength(json),
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
        cache: result.cache ?? null,
        error: null,
        backend: evaluationBackend,
        milliseconds: performance.now() - started,
    };
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
export function failureOf({ input }: Job, error: unknown, milliseconds: number): JobReport {
    const { code } = (error ?? {}) as { code?: unknown };
    return {
        input,
        outputs: [],
        files: [],
        page: null,
        stats: null,
        warnings: [],
        cache: null,
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
