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
import { GREATEST_FLOAT } from './errors';

/** Times of each clip in the chart. */
const TIMES = 200;

/**
 * Gathers what a page shows of a model beside the same with fewer keys.
 *
 * @param source Path of the model.
 * @param reduced Path of the model with fewer keys.
 * @returns All that `reportHtml` takes. Without clips where the files differ too much for a comparison, or have none.
 * @throws As `verifyReduced`; InputError `GLTF_INVALID` for an accessor that no pose depends on.
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

/** Of one animation. */
function bytesOf(file: WholeFile, animation: number) {
    return animationBytes({ ...file, json: { ...file.json, animations: [(file.json.animations as [])[animation]!] } });
}

/** In as many digits as a page needs, which are those of every machine: the judge works in double precision. */
function finite(distance: number): number {
    return Number(Math.min(distance, GREATEST_FLOAT).toPrecision(6));
}
