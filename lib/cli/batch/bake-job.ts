// SPDX-License-Identifier: MIT

import {
    type BakeContainer,
    type BakeFileHooks,
    type BakeOptions,
    type BakeResult,
    type BakeStats,
    bakeFile,
    writeBake,
} from '../../bake';
import { sharedCache } from '../../bake/cache/cache';
import type { WorstPlace } from '../../bake/clip';
import { glbOfOutput } from '../../bake/container';
import type { WrittenPage } from '../page';
import type { Job, JobReport, Outcome } from './job';

/** One input to bake. */
export interface BakeJob extends Job {
    readonly command: 'bake';
    /** Folder for the output; null for a dry run, which does everything but write. */
    readonly out: string | null;
    readonly container: BakeContainer;
    readonly options: BakeOptions;
    /** The page to write; null for none. */
    readonly page: { readonly path: string; readonly thumbnail: boolean } | null;
}

/** The outcome of a bake. Its `files` are those of the whole input: `<stem>.baked.glb`, `<stem>.baked.vat`. */
export interface BakeReport extends JobReport {
    readonly outputs: readonly JobOutput[];
    readonly page: WrittenPage | null;
    readonly stats: BakeStats | null;
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

/** @throws What `bakeFile` and `writeBake` throw, or the file system of a page. */
export async function runBake(
    { input, out, container, options, page: wanted, cache }: BakeJob,
    watched: BakeFileHooks,
): Promise<Outcome<BakeReport>> {
    const hooks: BakeFileHooks = cache === null ? watched : { ...watched, cache: sharedCache(cache) };
    // Loaded here: a bake without a page starts faster without it.
    const pages = wanted === null ? null : (require('../page') as typeof import('../page'));
    const model = pages === null ? null : await pages.openModel(input, options);
    const result: BakeResult =
        model === null ? await bakeFile(input, options, hooks) : await pages!.bakeModel(model, options, hooks);
    if (out !== null) await writeBake(result, out, { container, signal: hooks.signal });
    const page = wanted === null ? null : await pages!.writePage(model!, result, options, wanted, hooks.signal);
    return {
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
    };
}
