// SPDX-License-Identifier: MIT

/** The opened bakes of a report, or the model with fewer keys, with their clips side by side. */

import { playedShare } from '../../format/played-error';
import type { Warning } from '../../gltf/scene';
import { BakedTable, type Manifest, type ManifestClip } from '../../table';
import type { ReportBake, ReportData, ReportOutput, ReportReduced } from '../data';
import { readBlob } from './blobs';
import { reasonOf, say } from './dom';

export interface Output extends ReportOutput {
    readonly manifest: Manifest;
    /** Null if it cannot be read. A message on the page says so. */
    readonly table: BakedTable | null;
}

/** The properties of a clip that the page needs. */
export type Clip = Pick<
    ManifestClip,
    | 'name'
    | 'animation'
    | 'duration'
    | 'start'
    | 'frameCount'
    | 'firstRow'
    | 'loop'
    | 'animated'
    | 'discontinuities'
    | 'events'
>;

export interface Bake {
    readonly label: string;
    /** As {@link ReportBake.bound}. For the model with fewer keys, its tolerance. */
    readonly bound: number;
    readonly warnings: readonly Warning[];
    readonly outputs: readonly Output[];
    /** Clips, the same for all outputs. */
    readonly clips: readonly Clip[];
    /** Model units, of the first output. */
    readonly extent: number;
    /** Whether it was made of another model than the report's. A message on the page says so. */
    readonly isOther: boolean;
    /** One for each output; null if one cannot be read, or the model is another one. */
    readonly tables: readonly BakedTable[] | null;
    /** The model with fewer keys, without outputs and tables; null for a bake. */
    readonly reduced: ReportReduced | null;
}

/** A clip of all bakes. */
export interface Entry {
    readonly name: string;
    /** For each bake, the index of the clip there; -1 if it has none of that name. */
    readonly clips: readonly number[];
    /** Seconds, of the longest. */
    readonly duration: number;
}

export type Series = 'lerp' | 'nearest';

/** Frame rate for reduced clips, which have none. */
const FRAMES_PER_SECOND = 60;

export function openBakes(data: ReportData): Promise<Bake[]> {
    const { reduced } = data;
    if (reduced !== undefined) return Promise.resolve([besideOf(reduced)]);
    return Promise.all(data.bakes.map((bake) => openBake(bake, data)));
}

function besideOf(reduced: ReportReduced): Bake {
    const clips = reduced.clips.map(({ name, animation, times, seam }) => {
        const duration = times.at(-1)!;
        const frameCount = Math.ceil(duration * FRAMES_PER_SECOND) + 1;
        const own = { firstRow: 0, frameCount, loop: seam !== null, animated: true, discontinuities: [] };
        return { name, animation, duration, ...own };
    });
    const { extent, maxError, problems: warnings } = reduced;
    const bound = maxError / (extent || 1);
    return { label: 'After', bound, warnings, outputs: [], clips, extent, isOther: false, tables: null, reduced };
}

async function openBake({ label, bound, warnings, outputs }: ReportBake, data: ReportData): Promise<Bake> {
    const opened = await Promise.all(outputs.map(openOutput));
    const { clips, extent } = opened[0]!.manifest;
    const other = opened.find(({ manifest }) => data.sha256 !== null && manifest.source.sha256 !== data.sha256);
    if (other !== undefined) {
        const { name, sha256 } = other.manifest.source;
        say(
            `The bake ${other.stem} is not of this model, so it is not shown in the picture: it was made of ${name} with the ` +
                `SHA-256 ${sha256}, and ${data.files[0]?.uri ?? data.title} has ${data.sha256}.`,
        );
    }
    const tables = opened.flatMap(({ table }) => table ?? []);
    const isOther = other !== undefined;
    const isWhole = !isOther && tables.length === opened.length;
    const shown = isWhole ? tables : null;
    return { label, bound, warnings, outputs: opened, clips, extent, isOther, tables: shown, reduced: null };
}

async function openOutput(output: ReportOutput): Promise<Output> {
    const manifest = JSON.parse(output.json) as Manifest;
    try {
        const bin = await readBlob(output.bin, `the bin of ${output.stem}`);
        // `load` checks the hash, and reads manifest and bin as if they were files.
        const url = new URL('http://localhost/bake.json');
        const json = new TextEncoder().encode(output.json);
        const table = await BakedTable.load(url, async ({ href }) => (href === url.href ? json : bin));
        return { ...output, manifest, table };
    } catch (error) {
        say(`The bake ${output.stem} cannot be shown: ${reasonOf(error)}`);
        return { ...output, manifest, table: null };
    }
}

/** The clips of all bakes, grouped by name, in order. */
export function entriesOf(bakes: readonly Bake[]): Entry[] {
    const found = new Map<string, { name: string; clips: number[]; duration: number }>();
    for (const [b, bake] of bakes.entries()) {
        const times = new Map<string, number>();
        for (const [index, { name, duration, animation }] of bake.clips.entries()) {
            const repeated = times.get(name) ?? 0;
            times.set(name, repeated + 1);
            const key = JSON.stringify([name, repeated]);
            const entry = found.get(key) ?? { name: name || `#${animation}`, clips: bakes.map(() => -1), duration: 0 };
            entry.clips[b] = index;
            entry.duration = Math.max(entry.duration, duration);
            found.set(key, entry);
        }
    }
    return [...found.values()];
}

/**
 * The errors of a bake's clip in each interval between two frames, as shares of the extent: the maximum over all
 * outputs. Empty if they are not known.
 */
export function errorsOf({ outputs }: Bake, clip: number, series: Series): readonly number[] {
    const known = outputs.flatMap(({ errors, manifest }) => {
        return errors[clip] ? [errors[clip][series].map((error) => error / (manifest.extent || 1))] : [];
    });
    return (known[0] ?? []).map((_, i) => Math.max(...known.map((one) => one[i] ?? 0)));
}

/** Time of a frame, seconds. */
export function frameTime({ outputs, clips, reduced }: Bake, clip: number, frame: number): number {
    const { frameCount, duration } = clips[clip]!;
    if (reduced) return Math.min(duration, frame / FRAMES_PER_SECOND);
    const { table } = outputs[0]!;
    return table?.frameTime(clip, frame) ?? (frame * duration) / Math.max(1, frameCount - 1);
}

/** Maximum playback error of a clip. */
export interface Worst {
    /** Share of the extent. */
    readonly share: number;
    /** Model units. */
    readonly distance: number;
}

export function worstOf({ outputs, reduced, extent }: Bake, clip: number, series: Series): Worst {
    if (reduced) {
        const { error } = reduced.clips[clip]!;
        return { share: error / (extent || 1), distance: error };
    }
    const errors = outputs.flatMap(({ manifest }) => manifest.clips[clip]?.error ?? []);
    return maxOf(
        errors.map((error) =>
            series === 'lerp'
                ? { share: playedShare(error), distance: Math.max(error.maxLerp, error.maxMorph ?? 0) }
                : { share: error.maxNearestShare, distance: error.maxNearest },
        ),
    );
}

/** Maximum over all clips. */
export function worstOfAll(bake: Bake, series: Series): Worst {
    return maxOf(bake.clips.map((_, clip) => worstOf(bake, clip, series)));
}

/** The maximum share. Where the extent is 0, all shares are 0: the maximum distance. */
function maxOf(all: readonly Worst[]): Worst {
    const isMore = (a: Worst, b: Worst) => a.share > b.share || (a.share === b.share && a.distance > b.distance);
    return all.reduce((max, one) => (isMore(one, max) ? one : max), { share: 0, distance: 0 });
}

/** Bytes of a clip's rows in all arrays; of a reduced clip, its keys and times. */
export function bytesOf({ outputs, reduced }: Bake, clip: number): number {
    if (reduced) return reduced.clips[clip]!.after.bytes;
    const sizes = outputs.flatMap(({ manifest }) => {
        const { jointBounds, ...arrays } = manifest.arrays;
        const { frameCount } = manifest.clips[clip]!;
        return Object.values(arrays).map(({ byteLength, shape }) => (frameCount * byteLength) / shape[0]!);
    });
    return sizes.reduce((sum, one) => sum + one, 0);
}

/** Minimum and maximum frames per second of the clips; null if none has a duration. */
export function ratesOf({ outputs }: Bake): readonly [number, number] | null {
    const fps = outputs.flatMap(({ manifest }) => manifest.clips.flatMap((clip) => clip.fps ?? []));
    return fps.length === 0 ? null : [Math.min(...fps), Math.max(...fps)];
}
