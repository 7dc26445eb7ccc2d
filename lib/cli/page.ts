// SPDX-License-Identifier: MIT

/** Pages: the part that threads use too. */

import { basename, dirname, join } from 'node:path';
import type { BakeResult } from '../bake';
import { folderFactsOf } from '../bake/engines/folder-facts';
import type { Recipe } from '../bake/plan/options';
import { UsageError } from '../base/errors';
import { clipRecipeOf } from '../clips/options';
import type { Manifest } from '../format/manifest';
import { readReferences } from '../gltf/files';
import {
    absentClips,
    type BakeToReport,
    boundOf,
    collectReport,
    isBakeOf,
    type OutputToReport,
} from '../report/collect';
import { collectReduced } from '../report/collect-reduced';
import type { ReportReduced } from '../report/data';
import { reportHtml } from '../report/html';
import { openModel, type ReportModel } from '../report/model';
import { retargetedOf } from '../report/retargeted';
import { thumbnailOf } from '../report/thumbnail';
import type { VerifyReducedOptions } from '../verify';
import { type BakeFiles, type BakeManifest, readWholeBake } from '../verify/read-bake';
import { inRecordedOrder, recordedClips } from '../verify/recorded-clips';
import { EXIT, ExitError } from './exit-codes';
import { writeWhole } from './output-file';
import { packageVersion } from './version';

export { bakeModel } from '../report/model';
export { absentClips, isBakeOf, openModel };

/**
 * Opens a model with the other files whose clips a bake has.
 *
 * @param animations Paths of these files. By default they are in the folder of the model.
 */
export function openBakedModel(
    path: string,
    manifest: BakeManifest,
    animations?: readonly string[],
): Promise<ReportModel> {
    const options = recordedClips(manifest, path, animations);
    const recipe = { animations: options.animations, clipRecipe: clipRecipeOf(options) };
    return openModel(path, recipe, (clips) =>
        inRecordedOrder(clips, ({ scene }) => scene.sha256, manifest.source).filter((clip) => clip !== null),
    );
}

/**
 * Makes the page of bakes. With a model and one bake, it compares other rates.
 *
 * @param index URL of the index, relative to the page.
 */
export async function pageOf(
    title: string,
    model: ReportModel | null,
    bakes: readonly BakeToReport[],
    { maxError }: Pick<Recipe, 'maxError'>,
    signal: AbortSignal | undefined,
    index?: string,
): Promise<string> {
    const shown = await Promise.all(
        bakes.map(async (bake) => {
            const [manifest] = bake.outputs.map(({ json }) => JSON.parse(json) as Manifest);
            const fits = model !== null && manifest !== undefined && isBakeOf(model, manifest);
            return fits ? { ...bake, retargeted: await retargetedOf(model, manifest) } : bake;
        }),
    );
    const subject = { poselane: packageVersion(), title, index, model, bakes: shown };
    const { data, blobs } = await collectReport(subject, { maxError, signal, withoutRates: bakes.length > 1 });
    return reportHtml(data, blobs);
}

/**
 * Makes the page of a model and its reduced version.
 *
 * @throws ExitError if they are too different to compare; as `collectReduced`.
 */
export async function pageOfReduced(
    path: string,
    reduced: string,
    options: VerifyReducedOptions,
): Promise<{ page: string; problems: ReportReduced['problems'] }> {
    const subject = { poselane: packageVersion(), title: `${basename(path)} beside ${basename(reduced)}` };
    const { data, blobs } = await collectReduced(subject, path, reduced, options);
    const { clips, problems } = data.reduced!;
    if (clips.length === 0) {
        const [first] = problems;
        const why = first ? `not ${path} with fewer keys: ${first.pointer} ${first.message}` : 'it has no animation';
        throw new ExitError(EXIT.tolerance, `${reduced}: ${why}`);
    }
    return { page: reportHtml(data, blobs), problems };
}

/** @throws The file system's error; the signal's reason. */
export async function writePage(
    model: ReportModel,
    { outputs, warnings, files }: BakeResult,
    recipe: Recipe,
    { path, index }: PageToWrite,
    signal: AbortSignal | undefined,
): Promise<WrittenPage> {
    const bakes = [{ label: 'Baked', outputs, warnings, folders: folderFactsOf(files) }];
    const html = await pageOf(basename(model.path), model, bakes, recipe, signal, index ?? undefined);
    await writeWhole('--html', path, html);
    const png = index === null ? null : await thumbnailOf(model, outputs);
    const bound = Math.min(...outputs.map(({ manifest }) => boundOf(manifest, recipe.maxError)));
    return { path, byteLength: Buffer.byteLength(html), thumbnail: png && Buffer.from(png).toString('base64'), bound };
}

export interface PageToWrite {
    readonly path: string;
    /** URL of the index that lists the page, relative to it; null for none. */
    readonly index: string | null;
}

/** A page in an index. */
export interface WrittenPage {
    readonly path: string;
    readonly byteLength: number;
    /** PNG in base64. Null if nothing is visible, or it was not requested. */
    readonly thumbnail: string | null;
    /** As `ReportBake.bound`. */
    readonly bound: number;
}

export interface ReadBakes {
    readonly files: readonly BakeFiles[];
    readonly outputs: readonly OutputToReport[];
    readonly inputs: readonly string[];
}

/**
 * @param paths Paths of manifests.
 * @throws InputError as `readWholeBake`; UsageError for two bakes of one skin.
 */
export async function readBakes(paths: readonly string[]): Promise<ReadBakes> {
    const files: BakeFiles[] = [];
    const bySkin = new Map<number | null, string>();
    for (const path of paths) {
        const read = await readWholeBake(path);
        const skin = read.manifest.skin?.index ?? null;
        const other = bySkin.get(skin);
        const which = skin === null ? 'no skin' : `skin ${skin}`;
        if (other !== undefined) throw new UsageError(`bakes: '${other}' and '${path}' are both of ${which}`);
        bySkin.set(skin, path);
        files.push(read);
    }
    return {
        files,
        outputs: files.map(({ path, json, bin }) => ({
            stem: basename(path).replace(/\.bake\.(json|glb)$/i, ''),
            json,
            bin,
        })),
        inputs: files.flatMap((read) => read.paths),
    };
}

/** Paths of a model and of the files that it refers to. */
export async function inputsOfModel(path: string): Promise<string[]> {
    return [path, ...(await readReferences(path)).map((reference) => join(dirname(path), reference))];
}
