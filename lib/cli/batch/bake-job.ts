// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import {
    type BakeContainer,
    type BakeFileHooks,
    type BakeResult,
    type BakeStats,
    type ManifestClip,
    type ManifestError,
    writeBake,
} from '../../bake';
import type { BakedHooks } from '../../bake/bake';
import { bakeChecked, findBakedFile } from '../../bake/bake-file';
import type { WorstPlace } from '../../bake/clip';
import { folderFactsOf } from '../../bake/engines/folder-facts';
import type { Recipe } from '../../bake/plan/options';
import { type Smaller, smallerThan } from '../../bake/smaller';
import { jsonBytesOf } from '../../bake/write/container';
import type { Search, SearchHooks } from '../../cache/through';
import type { FolderFacts } from '../../format/folder-facts';
import type { PageToWrite, WrittenPage } from '../page';
import type { Job, JobResult, Outcome } from './job';

export interface BakeJob extends Job {
    readonly command: 'bake';
    /** Output folder. Null in a dry run, which writes nothing. */
    readonly out: string | null;
    readonly container: BakeContainer;
    readonly recipe: Recipe;
    /** The page to write, or null. */
    readonly page: PageToWrite | null;
    /** Whether to look for options that would make the bake smaller. */
    readonly advise: boolean;
}

/** The result of a bake. Its `files` are for the whole input, such as `<stem>.baked.glb` and `<stem>_vat/<stem>.glb`. */
export interface BakeJobResult extends JobResult {
    readonly outputs: readonly JobOutput[];
    readonly page: WrittenPage | null;
    readonly stats: BakeStats | null;
    /** Absent without folders for engines. */
    readonly folders?: readonly FolderFacts[];
    /** Absent without advice, and for a bake from the cache. */
    readonly smaller?: readonly Smaller[];
}

export interface JobOutput {
    readonly stem: string;
    readonly skin: number | null;
    /** `files`: `<stem>.bake.json` and `.bin`. `glb`: `<stem>.bake.glb`. */
    readonly container: BakeContainer;
    readonly byteLength: number;
    /** Bytes of the manifest; of a GLB, everything but the bin. */
    readonly jsonByteLength: number;
    readonly sha256: string;
    readonly errors: readonly ClipErrors[];
    /** The place of the maximum `maxLerp`, or null if that is 0. */
    readonly worst: WorstPlace | null;
}

export type ClipErrors = ManifestError & Pick<ManifestClip, 'name' | 'animation' | 'frameCount' | 'fps'>;

/** @throws As `bakeFile` and `writeBake`; the file system's error of a page. */
export async function runBake(job: BakeJob, given: BakeFileHooks): Promise<Outcome<BakeJobResult>> {
    const { input, recipe, page: wanted, advise } = job;
    let smaller: readonly Smaller[] | undefined;
    const onBaked: BakedHooks['onBaked'] = async (...baked) => {
        smaller = await smallerThan(...baked, given.signal);
    };
    const hooks = advise ? { ...given, onBaked } : given;
    // Loaded here: a bake without a page starts faster without it.
    const pages = wanted === null ? null : (require('../page') as typeof import('../page'));
    const model = pages === null ? null : await pages.openModel(input, recipe);
    const result: BakeResult =
        model === null ? await bakeChecked(input, recipe, hooks) : await pages!.bakeModel(model, recipe, hooks);
    await write(job, result, hooks.signal);
    const page = wanted === null ? null : await pages!.writePage(model!, result, recipe, wanted, hooks.signal);
    return { ...outcomeOf(job, result, page), ...(smaller === undefined ? {} : { smaller }) };
}

/**
 * Finds a bake in a cache and writes it.
 *
 * @returns Null if it does not search.
 * @throws As `findBakedFile` and `writeBake`.
 */
export async function findBake(job: BakeJob, hooks: SearchHooks): Promise<Search<Outcome<BakeJobResult>> | null> {
    if (job.page !== null) return null; // a page needs the model
    const { out, container } = job;
    const placeOf = (name: string) => (out === null || container !== 'files' ? null : join(out, name));
    const { found, ...search } = await findBakedFile(job.input, job.recipe, { ...hooks, placeOf });
    const outcome = found && outcomeOf(job, found, null);
    if (found !== null && !search.inPlace) await write(job, found, hooks.signal);
    return { found: outcome, ...search };
}

async function write({ out, container }: BakeJob, result: BakeResult, signal: AbortSignal | undefined): Promise<void> {
    if (out !== null) await writeBake(result, out, { container, signal });
}

function outcomeOf({ container }: BakeJob, result: BakeResult, page: WrittenPage | null): Outcome<BakeJobResult> {
    const folders = folderFactsOf(result.files);
    return {
        ...(folders.length > 0 && { folders }),
        outputs: result.outputs.map((output) => ({
            stem: output.stem,
            skin: output.skin,
            container,
            byteLength: output.manifest.binary.byteLength,
            jsonByteLength: jsonBytesOf(output, container),
            sha256: output.manifest.binary.sha256,
            errors: output.manifest.clips.map(({ name, animation, frameCount, fps, error }) => ({
                name,
                animation,
                frameCount,
                fps,
                ...error,
            })),
            worst: output.worst,
        })),
        files: result.files.map((file) => ({ name: file.name, byteLength: file.byteLength ?? file.bytes.byteLength })),
        page,
        stats: result.stats,
        warnings: result.warnings,
        cache: result.cache ?? null,
    };
}
