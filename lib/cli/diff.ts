// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../errors';
import type { ReportModel } from '../report/model';
import type { ArrayDifference, BakeDifference } from '../verify';
import { addOne } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, refuseEmpty } from './inputs';
import { groupDigits, type Io, threeDigits, writeLine } from './io';
import { refuseFile, refuseInput, writeWhole } from './output-file';

interface Options {
    readonly tol?: number;
    readonly json?: boolean;
    readonly html?: string;
    readonly model?: string;
    readonly animations?: readonly string[];
}

/** The maximum of differences between manifests that are shown. */
const SHOWN = 20;

/** `poselane diff` */
export function diffCommand(io: Io): Command {
    return new Command('diff')
        .description('compare two bakes: manifests, clips and every number of every array')
        .argument('<a>', 'a .bake.json, beside which its .bake.bin lies, or a .bake.glb')
        .argument('<b>', 'another')
        .option('--tol <difference>', 'numbers may differ by as much, and manifests in any way', tolerance)
        .option('--json', 'the whole result as JSON')
        .option('--html <file>', 'write a page with both of them, to look at')
        .option('--model <file>', 'with --html: the .glb or .gltf that was baked, to show them beside')
        .option('--animations <files>', 'of --model: where files lie whose clips were baked; may repeat', addOne)
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
    refuseEmpty('a', a);
    refuseEmpty('b', b);
    const { model } = given;
    if (given.animations !== undefined && model === undefined) throw new UsageError('--animations: only for --model');
    const animations = given.animations && (await expandInputs(given.animations));
    if (model !== undefined && html === undefined) throw new UsageError('--model: only for --html');
    if (html !== undefined) await refuseFile('--html', html, null);
    // Loaded here: other commands start faster without it.
    const { diffBakes } = require('../verify/diff') as typeof import('../verify/diff');
    const result = await diffBakes(a, b);
    if (html !== undefined) await writePage(html, a, b, model, animations, io.signal);
    if (html !== undefined && !json) writeLine(io.stdout, `${html}: a page of both`);
    const same = tol === undefined ? result.equal : isWithin(result, tol);
    if (json) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else tell(result, same, io);
    if (!same) throw new ExitError(EXIT.tolerance, `${a} and ${b} differ`);
}

/** @throws ExitError where the model is that of neither bake. */
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
    // Each may have clips of its own files, or none.
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
    await writeWhole('--html', html, await pageOf(`${basename(a)} and ${basename(b)}`, model, bakes, {}, signal));
}

function isWithin({ clips, arrays }: BakeDifference, tol: number): boolean {
    if (clips.onlyInA.length > 0 || clips.onlyInB.length > 0) return false;
    return arrays.every(({ kind, greatest }) => kind === 'equal' || (greatest !== null && greatest.difference <= tol));
}

function tell({ equal, manifest, clips, arrays }: BakeDifference, same: boolean, io: Io): void {
    const line = (text: string) => writeLine(io.stdout, text);
    if (equal) {
        line('equal, byte for byte');
        return;
    }
    for (const { pointer, a, b } of manifest.slice(0, SHOWN))
        line(`${pointer}: ${a ?? '(absent)'} -> ${b ?? '(absent)'}`);
    if (manifest.length > SHOWN) line(`and ${groupDigits(manifest.length - SHOWN)} more differences of the manifests`);
    for (const clip of clips.onlyInA) line(`clip ${clip} is only in the first`);
    for (const clip of clips.onlyInB) line(`clip ${clip} is only in the second`);
    for (const array of arrays) line(textOf(array));
    if (same) line('within the tolerance');
}

function textOf({ array, kind, count, greatest }: ArrayDifference): string {
    if (kind === 'equal') return `${array}: the same numbers`;
    if (kind === 'shape') return `${array}: rows that cannot be compared`;
    if (kind !== 'values') return `${array}: only in the ${kind === 'only-a' ? 'first' : 'second'}`;
    const { difference, a, b, clip, animation, frame, at } = greatest!;
    const place = animation < 0 ? '' : `clip #${animation} '${clip}', frame ${frame}, `;
    return (
        `${array}: ${groupDigits(count)} number${count === 1 ? ' differs' : 's differ'}, by ${threeDigits(difference)} at most: ` +
        `${place}[${at.join(', ')}]: ${a} and ${b}`
    );
}
