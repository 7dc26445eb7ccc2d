// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import type { Manifest } from '../format/manifest';
import { readWithClips } from '../verify/clips';
import { DoubleEvaluator } from '../verify/evaluator';
import type { BakeManifest } from '../verify/read-bake';
import { judgeRetargeted, type RetargetMeasureName, traceOf } from '../verify/retargeted';
import type { ReportRetargeted } from './data';
import type { ReportModel } from './model';

/** Poses a second on the page. */
const RATE = 24;

/** The retargeted clips of a bake, with the poses of both skeletons. */
export async function retargetedOf(
    { path, clips = [] }: ReportModel,
    manifest: Pick<Manifest, 'source' | 'recipe' | 'clips'>,
): Promise<ReportRetargeted[]> {
    if (manifest.recipe.retarget !== 'humanoid') return [];
    const paths = clips.map(({ files }) => files.file);
    const { file } = await readWithClips(path, manifest as unknown as BakeManifest, paths);
    const evaluator = new DoubleEvaluator(file);
    return judgeRetargeted(evaluator, manifest.clips).map(({ animation, measures, limits }) => {
        const made = file.retargeted!.find((one) => one.animation === animation)!;
        return {
            animation,
            file: basename(made.source.path),
            measures: (Object.keys(limits) as RetargetMeasureName[]).map((name) => ({
                name,
                value: measures[name].value,
                limit: limits[name],
            })),
            trace: traceOf(evaluator, made, RATE),
        };
    });
}
