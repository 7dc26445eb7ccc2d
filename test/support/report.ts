// SPDX-License-Identifier: MIT

/** Reports made without what gathers them for the command: errors are made up, so that a test knows them. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BakeOptions, bakeFile } from '../../lib/bake';
import type { ReportBake, ReportData, ReportOutput } from '../../lib/report/data';

/** A clip in a manifest. */
interface Clip {
    readonly frameCount: number;
    readonly error: { readonly maxLerp: number; readonly maxNearest: number };
}

export interface Parts {
    data: ReportData;
    blobs: Uint8Array[];
}

/** The interval of a clip where {@link partsOf} puts the max error. */
export const worstInterval = (frameCount: number): number => Math.floor((frameCount - 1) * 0.7);

/** The parts of a report of a model and its bake; the model's files are the first blobs. */
export async function partsOf(
    input: string,
    options: BakeOptions = {},
    beside: Record<string, string> = {},
): Promise<Parts> {
    const bytes = [input, ...Object.values(beside)].map((file) => new Uint8Array(readFileSync(file)));
    const blobs = [...bytes];
    const bake = await bakeOf(input, options, 'Baked', blobs);
    const uris = [basename(input), ...Object.keys(beside)];
    const data: ReportData = {
        poselane: '0.1.0',
        title: basename(input),
        files: uris.map((uri, blob) => ({ uri, blob })),
        sha256: JSON.parse(bake.outputs[0]!.json).source.sha256,
        modelBytes: bytes.reduce((sum, { length }) => sum + length, 0),
        bakes: [bake],
        rates: [24, 30, 60].map((fps) => ({
            label: String(fps),
            rows: fps * 10,
            bytes: fps * 1000,
            maxLerp: 1 / fps,
            maxLerpShare: 0.1 / fps,
        })),
        smaller: [],
    };
    return { data, blobs };
}

/** A bake for a report; its bins go to the blobs. */
export async function bakeOf(
    input: string,
    options: BakeOptions,
    label: string,
    blobs: Uint8Array[],
): Promise<ReportBake> {
    const { outputs, warnings } = await bakeFile(input, options);
    return {
        label,
        bound: 0.01,
        warnings,
        outputs: outputs.map(({ stem, json, bin }): ReportOutput => {
            const bytes = new Uint8Array(bin);
            const clips: Clip[] = JSON.parse(json).clips;
            return {
                stem,
                json,
                bin: blobs.push(bytes) - 1,
                bytes: bytes.length,
                gzipBytes: gzipSync(bytes).length,
                errors: clips.map(errorsOf),
            };
        }),
    };
}

function errorsOf({ frameCount, error }: Clip) {
    const at = worstInterval(frameCount);
    const hill = (height: number) =>
        Array.from({ length: frameCount - 1 }, (_, i) =>
            i === at ? height : (height * 0.8) / (1 + Math.abs(i - at) / 4),
        );
    return { lerp: hill(error.maxLerp), nearest: hill(error.maxNearest), seam: 0.00002 };
}
