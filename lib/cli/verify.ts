// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { LARGE_SHARE } from '../bake/warnings';
import { InputError, UsageError } from '../errors';
import type { ArrayVerdict, Verification } from '../verify';
import { addExclude, addOne, length } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { BAKES, expandInputs, findInputs, isPlainFile, refuseEmpty } from './inputs';
import { green, groupDigits, type Io, oneLine, red, threeDigits, writeError, writeJson, writeLine, yellow } from './io';
import { createProgress } from './progress';
import { verifyReducedFile } from './verify-reduced';

interface Options {
    readonly tol?: number;
    readonly oracle: 'double' | 'three';
    readonly json?: boolean;
    readonly exclude?: readonly string[];
    readonly animations?: readonly string[];
    readonly maxError?: number | string;
    readonly maxAngle?: number;
    readonly keepJoints?: string;
}

/** The maximum of problems that are shown: a manifest may have one for nearly every joint. */
const SHOWN = 20;

/** `poselane verify` */
export function verifyCommand(io: Io): Command {
    const command = new Command('verify')
        .description(
            'prove the rows of a bake (evaluate the input again, in double precision and by other code), and judge playback; ' +
                'or say how far a model with fewer keys is off',
        )
        .argument(
            '<input>',
            'the .glb, .gltf or .vrm file that was baked or reduced; of several bakes a folder or a pattern, too',
        )
        .argument(
            '<bakes...>',
            'its .bake.json, beside which the .bake.bin lies, or its .bake.glb; several, folders of them, or patterns; ' +
                'or one .glb, .gltf or .vrm: the same model after its animations were reduced, by poselane or by another tool',
        )
        .option(
            '--tol <share>',
            'greatest error, as a share of the extent (default: 1e-5; f16: as the bake states)',
            share,
        )
        .addOption(new Option('--oracle <who>', 'who judges').choices(['double', 'three']).default('double'))
        .option(
            '--animations <files>',
            'files whose clips the bake has, where they are not beside the input; may repeat',
            addOne,
        )
        .option(
            '--max-error <length>',
            'of a reduced model: greatest displacement of any vertex at any time: 0.5mm, 2cm, 0.1% of the extent, or units of the model (default: 0.1%)',
            length,
        )
        .option(
            '--max-angle <degrees>',
            'of a reduced model: greatest rotation of nodes that carry no vertex (default: 0.5; inf leaves them out)',
            angle,
        )
        .option('--keep-joints <pattern>', 'of a reduced model: joints whose origins count as vertices do', pattern);
    return addExclude(command)
        .option('--json', 'the whole result as JSON; of folders, patterns and several bakes a list')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane verify hero.glb out/hero.bake.json
  $ poselane verify hero.glb out/hero.bake.json --oracle three --tol 1e-4
  $ poselane verify hero.glb out/hero.bake.json --animations 'clips/*.glb'
  $ poselane verify models/ out/
  $ poselane verify 'models/**/*.glb' 'out/**/*.bake.json' --json | jq '.[] | select(.ok | not).bake'
  $ poselane verify hero.glb hero.reduced.glb --max-error 0.5mm

Of several inputs, that of a bake is the one with the name and the hash that its manifest states.

Exit codes: 0 within tolerance, 2 wrong use, 3 a file is missing or invalid, 4 beyond tolerance or not made of that input,
5 of several bakes some failed, or all.`,
        )
        .action((input: string, bakes: string[], options: Options) => verify(input, bakes, options, io));
}

function share(value: string): number {
    const number = Number(value);
    if (!/^[\d.]/.test(value) || !(number > 0 && number < Infinity))
        throw new InvalidArgumentError('Needs a number above 0.');
    return number;
}

function angle(value: string): number {
    const number = value === 'inf' ? Infinity : Number(value);
    if (!/^[\d.]|^inf$/.test(value) || !(number >= 0)) {
        throw new InvalidArgumentError("Needs a number from 0 up, or 'inf'.");
    }
    return number;
}

function pattern(value: string): string {
    try {
        new RegExp(value, 'u');
        return value;
    } catch {
        throw new InvalidArgumentError('Needs a regular expression.');
    }
}

/** An entry of `--json` of several bakes. */
type Judged = { readonly bake: string } & (
    | ({ readonly input: string; readonly error?: undefined } & Verification)
    | { readonly error: Pick<InputError, 'code' | 'pointer' | 'rule'> }
);

async function verify(input: string, named: readonly string[], options: Options, io: Io): Promise<void> {
    refuseEmpty('input', input);
    for (const name of named) refuseEmpty('bakes', name);
    const { tol, oracle, json, exclude, maxError, maxAngle, keepJoints } = options;
    const { isModel } = require('../verify/bake-file') as typeof import('../verify/bake-file');
    if (isPlainFile([input]) && isPlainFile(named) && (await isModel(named[0]!))) {
        if (tol !== undefined || oracle === 'three' || options.animations !== undefined) {
            throw new UsageError(`--tol, --oracle and --animations are for bakes, and ${named[0]} is a model`);
        }
        await verifyReducedFile(input, named[0]!, { maxError, maxAngle, keepJoints }, json === true, io);
        return;
    }
    if (maxError !== undefined || maxAngle !== undefined || keepJoints !== undefined) {
        throw new UsageError(
            '--max-error, --max-angle and --keep-joints are for one model that was reduced, and not for bakes',
        );
    }
    // Loaded here: other commands start faster without it.
    const { verifyBake } = require('../verify') as typeof import('../verify');
    const { inputFinder } = require('./bake-input') as typeof import('./bake-input');
    const animations = options.animations && (await expandInputs(options.animations));
    const single = isPlainFile([input]) && isPlainFile(named);
    const bakes = await findInputs(named, { exclude, kind: BAKES });
    const sourceOf = single ? null : await inputFinder(input);
    const batch = bakes.length > 1;
    const progress = createProgress(io.stderr, batch ? '' : oneLine(basename(bakes[0]!.path)), bakes.length);
    const judged: Judged[] = [];
    const started = performance.now();
    let rows = 0;
    let alone: Verification | undefined;
    try {
        for (const [number, found] of bakes.entries()) {
            const bake = found.path;
            io.signal?.throwIfAborted();
            try {
                const source = sourceOf === null ? { input, hasOthers: true } : await sourceOf(found);
                const result = await verifyBake(source.input, bake, {
                    ...(tol === undefined ? {} : { tolerance: tol }),
                    oracle,
                    ...(animations && source.hasOthers && { animations }),
                    signal: io.signal,
                    onProgress: (done, total) => progress.update(rows + done, number + (total > 0 ? done / total : 0)),
                });
                rows += result.rows;
                alone = result;
                judged.push({ bake, input: source.input, ...result });
                progress.pause();
                if (!json) tell(bake, result, batch, io);
            } catch (error) {
                if (!batch || !(error instanceof InputError)) throw error;
                const { code, pointer, rule } = error;
                judged.push({ bake, error: { code, pointer, rule } });
                progress.pause();
                writeError(io, error.message);
            }
        }
    } finally {
        progress.stop();
    }
    if (json) writeJson(io.stdout, single ? alone : judged);
    else if (batch) writeLine(io.stdout, totalsOf(judged, performance.now() - started));
    const failed = judged.filter((one) => one.error !== undefined || !one.ok);
    if (failed.length === 0) return;
    if (!batch) {
        const { bake, input: source } = failed[0] as { bake: string; input: string };
        throw new ExitError(EXIT.tolerance, `${bake}: not the bake that ${source} and its recipe give`);
    }
    const which = `${groupDigits(failed.length)} of ${groupDigits(judged.length)} bakes`;
    throw new ExitError(EXIT.someFailed, `${which} are not what their inputs and recipes give, or could not be read`);
}

/** The last line of several. */
function totalsOf(judged: readonly Judged[], milliseconds: number): string {
    const kinds = judged.map((one) => (one.error !== undefined ? 'not read' : one.ok ? 'proved' : 'wrong'));
    const told = ['proved', 'wrong', 'not read'].flatMap((kind) => {
        const count = kinds.filter((other) => other === kind).length;
        return count === 0 ? [] : `${groupDigits(count)} ${kind}`;
    });
    const rows = judged.reduce((sum, one) => sum + (one.error === undefined ? one.rows : 0), 0);
    const seconds = threeDigits(milliseconds / 1000);
    return `${groupDigits(judged.length)} bakes: ${told.join(', ')}; ${groupDigits(rows)} rows, ${seconds} s`;
}

/** Of a right bake among others one line; else each problem, then the worst of each array, then every clip that is beyond tolerance. */
function tell(bake: string, { ok, problems, clips, worst, extent, rows }: Verification, batch: boolean, io: Io): void {
    if (batch && ok) {
        const { share, poor } = playbackOf(clips) ?? { share: 0, poor: false };
        const off = `${groupDigits(rows)} rows, off by at most ${threeDigits(worst?.share ?? 0)} of the extent`;
        const played = [poor ? yellow('playback POOR') : 'playback', `: ${threeDigits(share * 100)}%`];
        writeLine(io.stdout, `${bake}: `, green('rows proved'), `: ${off}; `, ...played);
        return;
    }
    for (const { code, pointer, message } of problems.slice(0, SHOWN))
        writeLine(io.stdout, `${code} ${bake}#${pointer}: ${message}`);
    if (problems.length > SHOWN) writeLine(io.stdout, `and ${groupDigits(problems.length - SHOWN)} more problems`);
    for (const { name, animation, arrays } of clips) {
        for (const verdict of arrays) {
            if (!verdict.ok) writeLine(io.stdout, `clip #${animation} '${name}' ${textOf(verdict)}`);
            else if (verdict.note !== undefined)
                writeLine(io.stdout, `clip #${animation} '${name}' ${verdict.array}: ${verdict.note}`);
        }
    }
    const size = `${groupDigits(rows)} rows, extent ${threeDigits(extent)}`;
    const found =
        worst === null
            ? 'nothing was compared'
            : `${size}; worst: clip #${worst.animation} '${worst.clip}' ${textOf(worst)}`;
    writeLine(io.stdout, `${bake}: `, ok ? green('rows proved') : red('WRONG'), `: ${found}`);
    if (ok) tellPlayback(bake, clips, io);
}

/** Rows can be right and too few. Null where there is nothing between them. */
function playbackOf(clips: Verification['clips']) {
    const all = clips.flatMap(({ name, animation, playback }) =>
        playback === null ? [] : [{ name, animation, ...playback }],
    );
    if (all.length === 0) return null;
    const worst = all.reduce((a, b) => (b.share > a.share ? b : a));
    return { ...worst, poor: worst.share > LARGE_SHARE };
}

function tellPlayback(bake: string, clips: Verification['clips'], io: Io): void {
    const worst = playbackOf(clips);
    if (worst === null) return;
    const { name, animation, joint, what, time, error, share, poor } = worst;
    const off = `between rows off by at most ${threeDigits(share * 100)}% of the extent (${threeDigits(error)})`;
    const where = joint < 0 ? '' : `: clip #${animation} '${name}', ${what}, at ${threeDigits(time)} s`;
    const advice = poor ? '; bake it at a rate that suits it better, such as --fps auto finds' : '';
    writeLine(io.stdout, `${bake}: `, poor ? yellow('playback POOR') : 'playback', `: ${off}${where}${advice}`);
}

function textOf({ array, what, frame, time, error, share, tolerance }: ArrayVerdict): string {
    return (
        `${array}, ${what}, frame ${frame} (${threeDigits(time)} s): error ${threeDigits(error)}, ` +
        `${threeDigits(share)} of the extent (${threeDigits(tolerance)} allowed)`
    );
}
