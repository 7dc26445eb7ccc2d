// SPDX-License-Identifier: MIT

import { withoutRepeats } from '../bake/warnings';
import { type Length, unitsOf } from '../base/length';
import { nextTurn } from '../base/next-turn';
import type { FolderFacts } from '../format/folder-facts';
import type { Manifest } from '../format/manifest';
import { LARGE_SHARE } from '../format/played-error';
import { appendAnimations } from '../gltf/append-animations';
import { openContainer, withSpaces } from '../gltf/container';
import type { InputFiles } from '../gltf/input';
import { createReport } from '../gltf/reading';
import { fileUrisOf } from '../gltf/references';
import type { Warning } from '../gltf/scene';
import type { Blob, ReportBake, ReportData, ReportOutput, ReportRetargeted } from './data';
import { errorsOf, statedError } from './errors';
import { gzipped } from './gzip';
import type { ReportModel } from './model';
import { othersOf } from './rates';

/** A bake for a report, in memory or read from files. */
export interface BakeToReport {
    /** As {@link ReportBake.label}. */
    readonly label: string;
    /** All warnings of the bake. By default those in its manifests. */
    readonly warnings?: readonly Warning[] | undefined;
    /** One for each palette. */
    readonly outputs: readonly OutputToReport[];
    readonly folders?: readonly FolderFacts[];
    /** As {@link ReportBake.retargeted}. */
    readonly retargeted?: readonly ReportRetargeted[];
}

export interface OutputToReport {
    readonly stem: string;
    /** The manifest's text. */
    readonly json: string;
    readonly bin: Uint8Array;
}

/** The subject of a page. */
export interface Subject {
    /** Version of poselane. */
    readonly poselane: string;
    readonly title: string;
    /** As {@link ReportData.index}. */
    readonly index?: string | undefined;
    /** The baked model; null for none. */
    readonly model: ReportModel | null;
    /** One bake, or two to compare. */
    readonly bakes: readonly BakeToReport[];
}

export interface CollectOptions {
    /** As the bake's own, for the rate `auto`. */
    readonly maxError?: Length | null;
    /** Whether to leave out what the model would be with other options. */
    readonly withoutRates?: boolean;
    readonly signal?: AbortSignal;
}

/** Data and bytes of a page. */
export interface Report {
    readonly data: ReportData;
    readonly blobs: readonly Uint8Array[];
}

/**
 * Collects the data of a page: files, bakes, and their errors. A bake of another model is reported without errors; the
 * page says so.
 *
 * @returns Arguments for `reportHtml`. The same arguments give the same result.
 * @throws InputError `BAKE_INVALID` for a manifest that claims the model but does not match it; the signal's reason.
 */
export async function collectReport(
    { poselane, title, index, model, bakes }: Subject,
    { maxError, withoutRates = false, signal }: CollectOptions = {},
): Promise<Report> {
    const { blobs, add } = createBlobs();
    const turn = async () => {
        await nextTurn();
        signal?.throwIfAborted();
    };
    const files = model === null ? [] : await filesOfModel(model);
    const packed = files.map(({ uri, bytes }) => ({ uri, blob: add(bytes) }));
    const modelBytes = blobs.reduce((sum, { length }) => sum + length, 0);

    const reported: ReportBake[] = [];
    const own: Manifest[] = [];
    for (const { label, outputs, warnings, folders, retargeted } of bakes) {
        const all: ReportOutput[] = [];
        const manifests: Manifest[] = [];
        for (const output of outputs) {
            const { stem, json, bin } = output;
            const manifest = JSON.parse(json) as Manifest;
            manifests.push(manifest);
            const fits = model !== null && isBakeOf(model, manifest);
            if (fits) own.push(manifest);
            all.push({
                stem,
                json,
                bin: add(bin),
                bytes: bin.length,
                gzipBytes: (await gzipped(bin)).length,
                errors: fits ? await errorsOf(model, output, label, turn) : [],
            });
        }
        reported.push({
            label,
            bound: Math.min(...manifests.map((manifest) => boundOf(manifest, maxError ?? null))),
            warnings: warnings ?? withoutRepeats(manifests.flatMap((manifest) => manifest.warnings)),
            outputs: all,
            ...(folders?.length ? { folders } : {}),
            ...(retargeted?.length ? { retargeted } : {}),
        });
    }
    return {
        data: {
            poselane,
            title,
            ...(index === undefined ? {} : { index }),
            files: packed,
            sha256: model?.scene.sha256 ?? null,
            modelBytes,
            bakes: reported,
            ...(model === null || withoutRates || own.length === 0
                ? { rates: [], smaller: [] }
                : await othersOf(model, own, { maxError: maxError ?? null, signal })),
        },
        blobs,
    };
}

/**
 * The bound of a bake's playback error, as a share of the extent: the given one, else the manifest's, else 1%.
 *
 * @param maxError Option of the bake.
 */
export function boundOf(manifest: Pick<Manifest, 'recipe' | 'extent'>, maxError: Length | null): number {
    const { extent } = manifest;
    const length = maxError === null ? (statedError(manifest) ?? 0) : unitsOf(maxError, extent);
    return length > 0 && extent > 0 ? length / extent : LARGE_SHARE;
}

export function createBlobs() {
    const blobs: Uint8Array[] = [];
    return {
        blobs,
        /** Equal files are stored once. */
        add(bytes: Uint8Array): Blob {
            const known = blobs.indexOf(bytes);
            return known >= 0 ? known : blobs.push(bytes) - 1;
        },
    };
}

/** Whether a bake claims to be of the model. */
export function isBakeOf({ scene }: ReportModel, { source }: Pick<Manifest, 'source'>): boolean {
    const clips = (source.animations ?? []).map(({ sha256 }) => sha256);
    const known = (scene.clipFiles ?? []).map(({ sha256 }) => sha256);
    return source.sha256 === scene.sha256 && clips.join() === known.join();
}

/** The first file whose clips the bake has but the model, otherwise the same, does not; null for none. */
export function absentClips({ scene }: ReportModel, { source }: Pick<Manifest, 'source'>): string | null {
    const known = (scene.clipFiles ?? []).map(({ sha256 }) => sha256);
    const absent = (source.animations ?? []).find(({ sha256 }) => !known.includes(sha256));
    return source.sha256 === scene.sha256 ? (absent?.name ?? null) : null;
}

interface NamedBytes {
    readonly uri: string;
    readonly bytes: Uint8Array;
}

/** As {@link filesOf}. Clips of other files are included as if they were the file's own. */
async function filesOfModel({ path, scene, files }: ReportModel): Promise<NamedBytes[]> {
    const [main, ...others] = await filesOf(files, scene.name);
    const taken = (scene.clipFiles ?? []).reduce((sum, { clips }) => sum + clips, 0);
    if (taken === 0) return [main!, ...others];
    const container = await openContainer(files.load, createReport(path));
    const uri = 'clips of other files.bin';
    const { glb, keys } = appendAnimations(container, scene.animations.slice(-taken), encodeURI(uri));
    return [{ uri: scene.name, bytes: glb }, { uri, bytes: keys }, ...others];
}

/** A glTF file and every file that it refers to, by URI. Images that cannot be read are left out. */
export async function filesOf(files: InputFiles, name: string): Promise<NamedBytes[]> {
    const container = await openContainer(files.load, createReport(files.file));
    const found = [{ uri: name, bytes: withSpaces(await files.load()) }];
    for (const [uri, relative] of fileUrisOf(container.json)) {
        const bytes = await files.resolve(relative).catch(() => null);
        if (bytes !== null) found.push({ uri, bytes });
    }
    return found;
}
