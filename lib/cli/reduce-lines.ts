// SPDX-License-Identifier: MIT

import { roughSizeOf } from '../base/messages';
import type { ReduceJobResult, ToldClip, ToldPlace, ToldReduction } from './batch/reduce-job';
import { groupDigits, plural, threeDigits } from './io';

interface Told {
    readonly path: string;
    readonly dryRun?: boolean;
    readonly verbose?: boolean;
}

/** The lines for one file: keys, sizes, maximum error and its place. `verbose` lists each clip. */
export function linesOf(result: ReduceJobResult, { path, dryRun, verbose = false }: Told): string[] {
    const { input, milliseconds, cache } = result;
    const reduction = result.reduction!;
    const { clips, before } = reduction;
    const kept = clips.filter((clip) => clip.kept && clip.keysBefore > 0).length;
    const dropped = clips.reduce((sum, clip) => sum + clip.dropped, 0);
    const parts = [
        `${input} -> ${path}${dryRun ? ' (dry run: not written)' : ''}: ${sizesOf([reduction])}`,
        ...(before.keys > 0 ? [offOf(reduction)] : []),
        ...(kept === 0
            ? []
            : [`${keptOf(kept, clips.length)} all keys: nothing smaller was proved to be within the bound`]),
        ...(dropped === 0 ? [] : [`${plural(groupDigits(dropped), 'channel')} at rest left out`]),
        `${threeDigits(milliseconds / 1000)} s${cache?.hit ? ', from the cache' : ''}`,
    ];
    return [parts.join('; '), ...(verbose ? clips.map((clip) => `  ${lineOf(clip, reduction)}`) : [])];
}

export function sumOf(begun: readonly ReduceJobResult[]): string {
    return sizesOf(begun.flatMap(({ reduction }) => reduction ?? []));
}

function sizesOf(reductions: readonly ToldReduction[]): string {
    const sum = (of: (reduction: ToldReduction) => number) => reductions.reduce((total, one) => total + of(one), 0);
    const keys = sum(({ before }) => before.keys);
    if (keys === 0) return 'no animations';
    const [was, is] = [sum(({ before }) => before.gzip), sum(({ after }) => after.gzip)];
    const counts = `${plural(groupDigits(keys), 'key')} to ${groupDigits(sum(({ after }) => after.keys))}`;
    const sizes = `animations ${roughSizeOf(was)} to ${roughSizeOf(is)} gzipped`;
    return `${counts}, ${sizes} (${groupDigits((is / was) * 100)}%)`;
}

function keptOf(kept: number, clips: number): string {
    return kept === clips && clips > 1
        ? 'all clips keep'
        : kept === 1
          ? '1 clip keeps'
          : `${groupDigits(kept)} clips keep`;
}

const NOTHING_OFF = 'nothing is off';
const NO_SHARE = 'the extent is 0, and --max-error is a share of it; give a length, such as --max-error 1mm';

function offOf(reduction: ToldReduction): string {
    const [first, ...rest] = reduction.clips;
    if (first === undefined) {
        const isPoint = reduction.extent === 0 && reduction.before.keys > 0;
        return isPoint ? `all keys kept: ${NO_SHARE}` : 'no key that moves a node';
    }
    const worst = rest.reduce((a, b) => (b.error > a.error ? b : a), first);
    if (worst.error === 0) return NOTHING_OFF;
    return `off by at most ${distanceOf(worst.error, reduction)}: clip #${worst.animation} '${worst.name}'${placeOf(worst.worst, ', ')}`;
}

function lineOf({ animation, name, keysBefore, keysAfter, error, worst, kept }: ToldClip, of: ToldReduction): string {
    const keys = plural(groupDigits(keysBefore), 'key');
    if (kept) return `clip #${animation} '${name}': ${keys}, all kept`;
    const off = error === 0 ? NOTHING_OFF : `off by at most ${distanceOf(error, of)}${placeOf(worst, ': ')}`;
    return `clip #${animation} '${name}': ${keys} to ${groupDigits(keysAfter)}, ${off}`;
}

function placeOf(place: ToldPlace | null, before: string): string {
    if (place === null) return '';
    const { node, name, time } = place;
    return `${before}${name === '' ? `node ${node}` : `node '${name}'`}, at ${threeDigits(time)} s`;
}

function distanceOf(distance: number, { extent }: ToldReduction): string {
    const share = extent > 0 ? ` (${threeDigits((distance / extent) * 100)}% of the extent)` : '';
    return `${lengthOf(distance)}${share}`;
}

/** A length in meters (glTF 2.0, 3.4), with a unit. */
export function lengthOf(metres: number): string {
    const [unit, name] = metres < 0.01 ? [0.001, 'mm'] : metres < 1 ? [0.01, 'cm'] : [1, 'm'];
    return `${threeDigits(metres / unit)} ${name}`;
}
