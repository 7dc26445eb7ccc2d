// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import type { Search, SearchHooks } from '../../cache/through';
import { openContainer } from '../../gltf/container';
import type { JsonObject } from '../../gltf/json';
import { createReport } from '../../gltf/reading';
import type { ReduceFileHooks, ReduceResult } from '../../reduce';
import type { ReduceRecipe } from '../../reduce/options';
import { findReducedFile, reduceChecked } from '../../reduce/reduce-file';
import type { ReducedClip, ReducedPlace } from '../../reduce/types';
import { writeWhole } from '../output-file';
import type { Job, JobResult, Outcome } from './job';

export interface ReduceJob extends Job {
    readonly command: 'reduce';
    readonly path: string;
    readonly dryRun: boolean;
    readonly recipe: ReduceRecipe;
    /** The number of clips to reduce at once. */
    readonly threads: number;
}

/** The result of a reduction. Its only file is the GLB. */
export interface ReduceJobResult extends JobResult {
    readonly reduction: ToldReduction | null;
}

/** A `ReduceResult` without its bytes. */
export interface ToldReduction extends Pick<ReduceResult, 'extent' | 'maxError' | 'before' | 'after'> {
    readonly clips: readonly ToldClip[];
}

export interface ToldClip extends ReducedClip {
    readonly worst: ToldPlace | null;
}

export interface ToldPlace extends ReducedPlace {
    readonly name: string;
}

/** @throws As `reduceFile`; the file system's error. */
export async function runReduce(job: ReduceJob, hooks: ReduceFileHooks): Promise<Outcome<ReduceJobResult>> {
    const { input, recipe, threads } = job;
    const { signal, onProgress, cache } = hooks;
    const result = await reduceChecked(input, recipe, { signal, onProgress, threads, cache });
    return write(job, result, false, signal);
}

/** @throws As `findReducedFile`; the file system's error. */
export async function findReduce(job: ReduceJob, hooks: SearchHooks): Promise<Search<Outcome<ReduceJobResult>>> {
    const placeOf = () => (job.dryRun ? null : job.path);
    const { found, ...search } = await findReducedFile(job.input, job.recipe, { ...hooks, placeOf });
    return { found: found && (await write(job, found, search.inPlace, hooks.signal)), ...search };
}

async function write(
    { input, path, dryRun }: ReduceJob,
    result: ReduceResult,
    inPlace: boolean,
    signal: AbortSignal | undefined,
): Promise<Outcome<ReduceJobResult>> {
    const { bytes, extent, maxError, clips, before, after, warnings } = result;
    const nameOf = await nodeNames(bytes, input);
    if (!dryRun && !inPlace) await writeWhole('--out', path, bytes, signal);
    return {
        files: [{ name: basename(path), byteLength: bytes.byteLength }],
        reduction: {
            extent,
            maxError,
            clips: clips.map(({ worst, ...clip }) => ({
                ...clip,
                worst: worst && { ...worst, name: nameOf(worst.node) },
            })),
            before,
            after,
        },
        warnings,
        cache: result.cache ?? null,
    };
}

/** Names of nodes, which are those of the source. */
async function nodeNames(glb: Uint8Array, file: string): Promise<(node: number) => string> {
    const { json } = await openContainer(() => glb, createReport(file));
    const nodes = (json.nodes ?? []) as readonly JsonObject[];
    return (node) => String(nodes[node]?.name ?? '');
}
