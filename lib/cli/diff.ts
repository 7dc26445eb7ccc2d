// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../base/errors';
import type { ReportModel } from '../report/model';
import type { ArrayDifference, BakeDifference, ClipFrames, RetimedClip } from '../verify';
import { addOne } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, refuseName } from './inputs';
import { groupDigits, type Io, threeDigits, writeJson, writeLine } from './io';
import { refuseFile, refuseInput, writeWhole } from './output-file';

interface Options {
    readonly tol?: number;
    readonly json?: boolean;
    readonly html?: string;
    readonly model?: string;
    readonly animations?: readonly string[];
}

const SHOWN = 20;

export function diffCommand(io: Io): Command {
    return new Command('diff')
        .description('compare two bakes: manifests, clips and every number of every array')
        .argument('<a>', 'a .bake.json, with its .bake.bin in the same folder, or a .bake.glb')
        .argument('<b>', 'the other one')
        .option(
            '--tol <difference>',
            'allowed difference of numbers; of manifests then only clips and their frames must be equal',
            tolerance,
        )
        .option('--json', 'print the whole result as JSON')
        .option('--html <file>', 'write an HTML page that plays both')
        .option('--model <file>', 'with --html: the .glb, .gltf, .vrm or .fbx that was baked, to show beside them')
        .option('--animations <files>', 'with --model: other files whose clips were baked; may repeat', addOne)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane diff out/hero.bake.json old/hero.bake.json
  $ poselane diff out/hero.bake.json old/hero.bake.json --tol 1e-6
  $ poselane diff out/hero.bake.json old/hero.bake.json --html diff.html --model hero.glb

Exit codes: 0 equal, or within --tol; 2 wrong use; 3 a file is missing or invalid; 4 different.`,
        )
        .action((a: string, b: string, options: Options) => diff(a, b, options, io));
}

function tolerance(value: string): number {
    const number = Number(value);
    if (!/^[\d.]/.test(value) || !(number >= 0 && number < Infinity)) throw new InvalidArgumentError('Needs a number.');
    return number;
}

async function diff(a: string, b: string, { tol, json, html, ...given }: Options, io: Io): Promise<void> {
    refuseName('a', a);
    refuseName('b', b);
    const { model } = given;
    if (given.animations !== undefined && model === undefined)
        throw new UsageError('--animations has no effect without --model; add it, or leave this out');
    const animations = given.animations && (await expandInputs(given.animations));
    if (model !== undefined && html === undefined)
        throw new UsageError('--model has no effect without --html; add it, or leave this out');
    if (html !== undefined) await refuseFile('--html', html, null);
    // Loaded here: other commands start faster without it.
    const { diffBakes } = require('../verify/diff') as typeof import('../verify/diff');
    const result = await diffBakes(a, b);
    if (html !== undefined) await writePage(html, a, b, model, animations, io.signal);
    if (html !== undefined && !json) writeLine(io.stdout, `${html}: a page of both`);
    const same = tol === undefined ? result.equal : isWithin(result, tol);
    if (json) writeJson(io.stdout, result);
    else tell(result, same, io);
    if (!same) throw new ExitError(EXIT.tolerance, `${a} and ${b} differ`);
}

/** @throws ExitError if the model is not the input of either bake. */
async function writePage(
    html: string,
    a: string,
    b: string,
    path: string | undefined,
    animations: readonly string[] | undefined,
    signal: AbortSignal | undefined,
): Promise<void> {
    const { inputsOfModel, isBakeOf, openBakedModel, pageOf, readBakes } = require('./page') as typeof import('./page');
    const pair = [await readBakes([a]), await readBakes([b])];
    const own = path === undefined ? [] : await inputsOfModel(path);
    await refuseInput('--html', html, [...own, ...pair.flatMap(({ inputs }) => inputs)]);
    const manifests = pair.map(({ files }) => files[0]!.manifest);
    let model: ReportModel | null = null;
    // Only one of them may have clips of other files.
    const [some] = manifests.filter(({ source }) => source.animations !== undefined);
    for (const manifest of path === undefined ? [] : manifests) {
        const isOther = some !== undefined && manifest.source.animations === undefined;
        model = await openBakedModel(path!, manifest, isOther ? undefined : animations);
        await refuseInput('--html', html, model.clipPaths ?? []);
        if (isBakeOf(model, manifest)) break;
    }
    if (model !== null && !manifests.some((manifest) => isBakeOf(model!, manifest))) {
        throw new ExitError(EXIT.tolerance, `--model: neither ${a} nor ${b} is a bake of '${path}' as it is now`);
    }
    const bakes = [a, b].map((label, i) => ({ label, outputs: pair[i]!.outputs }));
    const names = basename(a) === basename(b) ? [a, b] : [basename(a), basename(b)];
    await writeWhole('--html', html, await pageOf(names.join(' and '), model, bakes, { maxError: null }, signal));
}

function isWithin({ clips, arrays }: BakeDifference, tol: number): boolean {
    if (clips.onlyInA.length > 0 || clips.onlyInB.length > 0 || clips.retimed.some(hasOtherFrames)) return false;
    return arrays.every(({ kind, greatest }) => kind === 'equal' || (greatest !== null && greatest.difference <= tol));
}

function tell({ equal, manifest, clips, arrays }: BakeDifference, same: boolean, io: Io): void {
    const line = (text: string) => writeLine(io.stdout, text);
    if (equal) {
        line('equal, byte for byte');
        return;
    }
    for (const clip of clips.onlyInA) line(`clip ${clip} is only in the first`);
    for (const clip of clips.onlyInB) line(`clip ${clip} is only in the second`);
    for (const text of retimedLines(clips.retimed)) line(text);
    const where = clips.retimed.some(hasOtherFrames) ? ' in clips with as many frames' : '';
    for (const array of arrays) line(textOf(array, where));
    for (const { pointer, a, b } of manifest.slice(0, SHOWN))
        line(`${pointer}: ${a ?? '(absent)'} -> ${b ?? '(absent)'}`);
    if (manifest.length > SHOWN) line(`and ${groupDigits(manifest.length - SHOWN)} more differences of the manifests`);
    if (same) line('within the tolerance');
}

function hasOtherFrames({ a, b }: RetimedClip): boolean {
    return a.frameCount !== b.frameCount;
}

/** One line for each kind of difference. */
function retimedLines(retimed: readonly RetimedClip[]): string[] {
    const byText = new Map<string, string[]>();
    const rateOf = ({ fps }: ClipFrames) => (fps === null ? 'no rate' : `${threeDigits(fps)} fps`);
    for (const { clip, a, b } of retimed) {
        const text = a.fps === b.fps ? `${a.frameCount} frames -> ${b.frameCount}` : `${rateOf(a)} -> ${rateOf(b)}`;
        byText.set(text, [...(byText.get(text) ?? []), clip]);
    }
    return [...byText].map(([text, [first, ...rest]]) => {
        const more = rest.length === 0 ? '' : ` and ${groupDigits(rest.length)} more`;
        return `clip ${first}${more}: ${text}`;
    });
}

function textOf({ array, kind, count, greatest }: ArrayDifference, where: string): string {
    if (kind === 'equal') return `${array}: the same numbers${array === 'jointBounds' ? '' : where}`;
    if (kind === 'shape') return `${array}: rows that cannot be compared`;
    if (kind !== 'values') return `${array}: only in the ${kind === 'only-a' ? 'first' : 'second'}`;
    const { difference, a, b, clip, animation, frame, at } = greatest!;
    const place = animation < 0 ? '' : `clip #${animation} '${clip}', frame ${frame}, `;
    return (
        `${array}: ${groupDigits(count)} number${count === 1 ? ' differs' : 's differ'}, by ${threeDigits(difference)} at most: ` +
        `${place}[${at.join(', ')}]: ${a} and ${b}`
    );
}
