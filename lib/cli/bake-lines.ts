// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import type { BakeStats, ManifestError } from '../bake';
import { flagsOf, roughSizeOf, significant } from '../base/messages';
import { byMorph, playedShare } from '../format/played-error';
import type { BakeJobResult } from './batch/bake-job';
import { groupDigits, plural, threeDigits } from './io';

interface Told {
    readonly folder: string;
    readonly dryRun?: boolean;
    readonly verbose?: boolean;
    readonly batch: boolean;
}

/**
 * The lines for one file: what was written, and the playback error. A single file also gets the place of the error, and `verbose` lists
 * each clip.
 */
export function linesOf(result: BakeJobResult, { folder, dryRun, verbose = false, batch }: Told): string[] {
    const { input, outputs, files, page, stats, backend, milliseconds, cache } = result;
    const { clips, frames, joints, attachments } = stats!;
    const paths = [
        ...bakesOf(outputs, folder),
        // A folder of several files is one name.
        ...new Set(files.map(({ name }) => join(folder, name.replace(/(?<=\/).*/, '')))),
        ...(page ? [page.path] : []),
    ];
    const size = roughSizeOf(bytesOf(result));
    const each = joints.length === 0 ? '' : ` of ${columnsOf(joints, attachments)}`;
    const what = `${plural(groupDigits(clips), 'clip')}, ${plural(groupDigits(frames), 'row')}${each}${rateOf(outputs)}`;
    const where = `${paths.join(', ')}${dryRun ? ' (dry run: not written)' : ''}, ${size}`;
    const line = `${input}: ${what} -> ${where}, ${groupDigits(milliseconds)} ms${cache?.hit ? ', from the cache' : ''}`;
    const renumbered = verbose ? renumberedOf(result) : [];
    const folders = folderLines(result);
    if (outputs.length === 0) return [line, ...folders, ...renumbered];
    const [off, place] = errorOf(outputs);
    if (batch && !verbose) return [`${line}; ${off}`];
    const advice = adviceOf(result);
    if (!verbose) return [line, `  ${off}${place}`, ...folders, ...advice];
    const listed = outputs.flatMap(({ skin, errors }) =>
        errors.map(({ name, animation, frameCount, fps, ...error }) => {
            const rows = plural(groupDigits(frameCount), 'row');
            const rate = fps === null ? '' : ` at ${significant(fps, 5)} fps`;
            const of = outputs.length === 1 ? '' : `skin ${skin}, `;
            return `  ${of}clip #${animation} '${name}': ${rows}${rate}, off by at most ${percent(error)}`;
        }),
    );
    return [
        line,
        `  ${off}${place}`,
        ...folders,
        ...advice,
        ...listed,
        ...renumbered,
        `  evaluation ${evaluationOf(stats!)}, backend ${backend}`,
    ];
}

/** The errors of folders for engines. */
function folderLines({ folders = [] }: BakeJobResult): string[] {
    return folders.map(({ folder, error, extent }) => {
        const percent = (length: number) =>
            `${threeDigits((length / extent) * 100)}% of the extent (${threeDigits(length)})`;
        return `  ${folder}: vertices off by at most ${percent(error.between)} between frames, ${percent(error.frames)} in frames`;
    });
}

/** A line for each smaller bake: its options and bytes. */
function adviceOf({ smaller = [] }: BakeJobResult): string[] {
    return smaller.map(({ options, byteLength, insteadOf, bound }) => {
        const about = options.layout ? 'about ' : '';
        return `  ${flagsOf(options)}: ${about}${roughSizeOf(byteLength)} instead of ${roughSizeOf(insteadOf)} at the same ${bound}`;
    });
}

const SHOWN = 8;

/** The new numbers of the clips in a GLB that lacks some of them. */
function renumberedOf({ files, stats }: BakeJobResult): string[] {
    const dense = files.find(({ name }) => name.endsWith('.baked.glb'));
    const { animations } = stats!;
    if (dense === undefined || animations.every((animation, number) => animation === number)) return [];
    const pairs = animations.slice(0, SHOWN).map((animation, number) => `#${animation} is #${number}`);
    const more = animations.length > SHOWN ? ` and ${animations.length - SHOWN} more` : '';
    return [`  ${dense.name} has these clips only, with other numbers: ${pairs.join(', ')}${more}`];
}

function bytesOf({ outputs, files, page }: BakeJobResult): number {
    const sizes = [
        ...outputs.flatMap((one) => [one.byteLength, one.jsonByteLength]),
        ...files.map((one) => one.byteLength),
        page?.byteLength ?? 0,
    ];
    return sizes.reduce((sum, one) => sum + one, 0);
}

export function sumOf(begun: readonly BakeJobResult[]): string {
    const sum = (of: (result: BakeJobResult) => number) => begun.reduce((total, result) => total + of(result), 0);
    const clips = plural(groupDigits(sum(({ stats }) => stats?.clips ?? 0)), 'clip');
    const rows = plural(groupDigits(sum(({ stats }) => stats?.frames ?? 0)), 'row');
    return `${clips}, ${rows}, ${roughSizeOf(sum(bytesOf))}`;
}

type PlayedError = Pick<ManifestError, 'maxLerp' | 'maxLerpShare' | 'maxMorph' | 'maxMorphShare'>;

const distanceOf = (error: PlayedError) => (byMorph(error) ? error.maxMorph! : error.maxLerp);

/** A share of the extent; the distance if the extent is 0, so that there is no share. */
function percent(error: PlayedError): string {
    const [share, distance] = [playedShare(error), distanceOf(error)];
    if (share === 0 && distance > 0) return threeDigits(distance);
    return `${threeDigits(share * 100)}% of the extent`;
}

function offOf(error: PlayedError): string {
    const [share, distance] = [percent(error), threeDigits(distanceOf(error))];
    return share === distance ? share : `${share} (${distance})`;
}

function rateOf(outputs: BakeJobResult['outputs']): string {
    const rates = outputs.flatMap(({ errors }) => errors.flatMap(({ fps }) => fps ?? []));
    if (rates.length === 0) return '';
    const [low, high] = [Math.min, Math.max].map((choose) =>
        significant(
            rates.reduce((a, b) => choose(a, b)),
            5,
        ),
    );
    return ` at ${low === high ? '' : `${low} to `}${high} fps`;
}

function columnsOf(joints: readonly number[], attachments: readonly number[]): string {
    const counted = (counts: readonly number[], noun: string) =>
        counts.some((n) => n > 0) ? plural(counts.map(groupDigits).join(' + '), noun) : [];
    return [counted(joints, 'joint'), counted(attachments, 'attachment')].flat().join(' and ');
}

/** Below a millisecond clocks are too coarse for a rate. */
export function evaluationOf({
    jointFrames,
    evaluationMilliseconds,
}: Pick<BakeStats, 'jointFrames' | 'evaluationMilliseconds'>): string {
    if (!(evaluationMilliseconds >= 1)) return 'under 1 ms';
    const rate = (jointFrames / evaluationMilliseconds) * 1000;
    return `${groupDigits(evaluationMilliseconds)} ms: ${groupDigits(rate)} joint-frames/s`;
}

/** The files of the outputs, as one word. */
function bakesOf(outputs: BakeJobResult['outputs'], folder: string): string[] {
    if (outputs.length === 0) return [];
    const { stem: last, container } = outputs[outputs.length - 1]!;
    const end = container === 'glb' ? '.bake.glb' : '.bake.{json,bin}';
    if (outputs.length === 1) return [join(folder, `${last}${end}`)];
    return [`${join(folder, last).replace(/\d+$/, '')}{${outputs.map(({ skin }) => skin).join(',')}}${end}`];
}

/** Maximum error of linear playback, as a share of the extent. */
export function greatestError({ outputs }: BakeJobResult): number {
    return outputs.reduce((max, { errors }) => errors.reduce((m, one) => Math.max(m, playedShare(one)), max), 0);
}

/** The largest error of playing rows that are interpolated, and where that is; and how late jumps are. */
function errorOf(outputs: BakeJobResult['outputs']): [off: string, place: string] {
    const all = outputs.flatMap((output) => output.errors.map((error) => ({ output, error })));
    const { output, error } = all.reduce((a, b) => (playedShare(b.error) > playedShare(a.error) ? b : a));
    const late = all.reduce((max, one) => Math.max(max, one.error.maxLate), 0);
    const jumps = late > 0 ? `; jumps up to ${threeDigits(late)} s late` : '';
    const off = `between rows off by at most ${offOf(error)}`;
    const { worst, skin } = output;
    if (byMorph(error)) return [off, `: clip #${error.animation} '${error.name}', morph weights${jumps}`];
    if (worst === null || worst.animation !== error.animation) return [off, jumps];
    const what = `${worst.what}${outputs.length === 1 ? '' : ` of skin ${skin}`}`;
    return [off, `: clip #${error.animation} '${error.name}', ${what}, at ${threeDigits(worst.time)} s${jumps}`];
}
