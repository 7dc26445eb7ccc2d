// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { openInput } from '../gltf/files';
import { keepFiles } from '../gltf/input';
import { readChecked } from '../gltf/read';
import { readWhole, type WholeFile } from '../gltf/read-whole';
import { animationBytes } from '../reduce/write/animation-bytes';
import { chartReduced, type VerifyReducedOptions } from '../verify/reduced';
import { createBlobs, filesOf, type Report, type Subject } from './collect';
import type { ReportReducedClip } from './data';
import { MAX_FLOAT } from './errors';

/** Samples of each clip's chart. */
const TIMES = 200;

/**
 * Collects the data of a page about a reduced model beside its source.
 *
 * @param source Path of the model.
 * @param reduced Path of the model with fewer keys.
 * @returns Arguments for `reportHtml`. Without clips if the files have none, or differ too much for a comparison.
 * @throws As `verifyReduced`; InputError `GLTF_INVALID` for a faulty accessor that no pose depends on.
 */
export async function collectReduced(
    { poselane, title }: Pick<Subject, 'poselane' | 'title'>,
    source: string,
    reduced: string,
    options: VerifyReducedOptions,
): Promise<Report> {
    const { charts, clips, extent, maxError, problems } = await chartReduced(source, reduced, options, TIMES);
    const { blobs, add } = createBlobs();
    const [before, after] = [await sideOf(source), await sideOf(reduced)];
    const packed = ({ files }: typeof before) => files.map(({ uri, bytes }) => ({ uri, blob: add(bytes) }));
    const sizeOf = ({ files }: typeof before) => files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const reported: ReportReducedClip[] = [];
    for (const [index, { error, seam, animation, ...verdict }] of clips.entries()) {
        const { times, errors } = charts[index]!;
        reported.push({
            ...verdict,
            animation,
            error: finite(error),
            seam: seam === null ? null : finite(seam),
            share: finite(verdict.share),
            times,
            errors: errors.map(finite),
            before: await bytesOf(before.whole, animation),
            after: await bytesOf(after.whole, animation),
        });
    }
    const data = {
        poselane,
        title,
        files: packed(before),
        sha256: null,
        modelBytes: sizeOf(before),
        bakes: [],
        rates: [],
        smaller: [],
        reduced: {
            files: packed(after),
            bytes: sizeOf(after),
            extent,
            maxError,
            problems,
            before: await animationBytes(before.whole),
            after: await animationBytes(after.whole),
            clips: reported,
        },
    };
    return { data, blobs };
}

async function sideOf(path: string) {
    const kept = keepFiles(openInput(path));
    const { faults } = await readChecked(path);
    return { files: await filesOf(kept, basename(path)), whole: await readWhole(kept, new Set(faults.keys())) };
}

/** Sizes of one animation. */
function bytesOf(file: WholeFile, animation: number) {
    return animationBytes({ ...file, json: { ...file.json, animations: [(file.json.animations as [])[animation]!] } });
}

/** Rounds to the digits that a page needs. The judge's further digits can differ between machines. */
function finite(distance: number): number {
    return Number(Math.min(distance, MAX_FLOAT).toPrecision(6));
}
