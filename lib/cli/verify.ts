// SPDX-License-Identifier: MIT

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { InputError, UsageError } from '../base/errors';
import { readLength } from '../base/length';
import { LARGE_SHARE } from '../format/played-error';
import type {
    ArrayVerdict,
    FolderVerification,
    ReducedVerification,
    RetargetMeasures,
    RetargetVerdict,
    Verification,
} from '../verify';
import type { InputFinder } from './bake-input';
import { addExclude, addOne, length } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, findInputs, type Input, isPlainFile, JUDGED, refuseName } from './inputs';
import { green, groupDigits, type Io, oneLine, red, threeDigits, writeError, writeJson, writeLine, yellow } from './io';
import { createProgress } from './progress';
import { failureOf, judgeReduced, tellReduced } from './verify-reduced';

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

/** Maximum number of problems to print. A manifest may have one for nearly every joint. */
const SHOWN = 20;

export function verifyCommand(io: Io): Command {
    const command = new Command('verify')
        .description('check a bake or a reduced model against its source, with independent code in double precision')
        .argument('<input>', 'the source: a .glb, .gltf, .vrm or .fbx file, a folder or a pattern')
        .argument(
            '<bakes...>',
            'a .bake.json with its .bake.bin in the same folder, a .bake.glb, the folder of an OpenVAT or Godot bake, ' +
                'or a .glb, .gltf or .vrm with reduced animations; ' +
                'files, folders or patterns',
        )
        .option(
            '--tol <share>',
            'for bakes: maximum error as a share of the extent (default: 1e-5; f16: the error in the manifest)',
            share,
        )
        .addOption(
            new Option('--oracle <who>', 'for bakes: the evaluator to compare with')
                .choices(['double', 'three'])
                .default('double'),
        )
        .option(
            '--animations <files>',
            'for bakes: other files whose clips were baked, if not in the folder of the input; may repeat',
            addOne,
        )
        .option(
            '--max-error <length>',
            'for reduced models: maximum displacement of any vertex: 0.5mm, 2cm, 0.1% of the extent, or model units (default: 0.1%)',
            length,
        )
        .option(
            '--max-angle <degrees>',
            'for reduced models: maximum rotation of nodes without vertices; inf for no maximum (default: 0.5)',
            angle,
        )
        .option(
            '--keep-joints <pattern>',
            'for reduced models: joints whose origins --max-error bounds, like vertices',
            pattern,
        );
    return addExclude(command)
        .option('--json', 'print the whole result as JSON; a list for several files')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane verify hero.glb out/hero.bake.json
  $ poselane verify hero.glb out/hero.bake.json --oracle three --tol 1e-4
  $ poselane verify hero.glb out/hero.bake.json --animations 'clips/*.glb'
  $ poselane verify hero.glb out/hero_vat/ out/hero_godot/
  $ poselane verify models/ out/
  $ poselane verify 'models/**/*.glb' 'out/**/*.bake.json' --json | jq '.[] | select(.ok | not).bake'
  $ poselane verify hero.glb hero.small.glb --max-error 0.5mm
  $ poselane verify models/ small/ --max-error 0.5mm

The source of a bake is the input with the name and hash in its manifest. The source of a reduced model has its name:
models/hero.gltf for small/hero.glb or small/hero.small.glb.

Exit codes: 0 within tolerance, 2 wrong use, 3 file missing or invalid, 4 beyond tolerance or made from another source,
5 at least one of several files failed.`,
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

type Failed = { readonly error: Pick<InputError, 'code' | 'pointer' | 'rule'> };
type Judged<Verdict> = { readonly input: string; readonly error?: undefined } & Verdict;
type JudgedBake = { readonly bake: string } & (Judged<Verification> | Judged<FolderVerification> | Failed);
type JudgedModel = { readonly reduced: string } & (Judged<ReducedVerification> | Failed);

interface Target extends Input {
    /** Source of a reduced model. Undefined for a bake, null if the source is missing. */
    readonly source?: string | null;
}

async function verify(input: string, named: readonly string[], options: Options, io: Io): Promise<void> {
    refuseName('input', input);
    for (const name of named) refuseName('bakes', name);
    if (/\.bake\.(json|glb)$/i.test(input)) {
        throw new UsageError(
            `verify: the first file must be the source, got a bake: poselane verify hero.glb ${input}`,
        );
    }
    const { tol, oracle, json, exclude, maxError, maxAngle, keepJoints } = options;
    if (maxError !== undefined) readLength('maxError', maxError, true); // refuses it before any work
    // Loaded here: other commands start faster without it.
    const { verifyBake, verifyFolder } = require('../verify') as typeof import('../verify');
    const { inputFinder } = require('./bake-input') as typeof import('./bake-input');
    const { isOfFolder } = require('../verify/engines/read') as typeof import('../verify/engines/read');
    const single = isPlainFile([input]) && isPlainFile(named);
    const finder = await inputFinder(input);
    const targets = await targetsOf(named, exclude, finder, single ? input : null);
    refuseIdle(targets, options);
    const animations = options.animations && (await expandInputs(options.animations));
    const batch = targets.length > 1;
    const progress = createProgress(io.stderr, batch ? '' : oneLine(basename(targets[0]!.path)), targets.length);
    const judged: (JudgedBake | JudgedModel)[] = [];
    const started = performance.now();
    let units = 0;
    let alone: Verification | FolderVerification | ReducedVerification | undefined;
    try {
        for (const [number, { source, ...found }] of targets.entries()) {
            const { path } = found;
            io.signal?.throwIfAborted();
            const { signal } = io;
            const onProgress = (done: number, total: number) =>
                progress.update(units + done, number + (total > 0 ? done / total : 0));
            try {
                if (source !== undefined) {
                    if (source === null) throw noSource(path, input);
                    const limits = { maxError, maxAngle, keepJoints, signal, onProgress };
                    const result = await judgeReduced(source, path, limits);
                    units += result.times;
                    alone = result;
                    judged.push({ reduced: path, input: source, ...result });
                    progress.pause();
                    if (!json) tellReduced(source, path, result, io);
                    continue;
                }
                const from = single ? { input, hasOthers: true } : await finder.ofBake(found);
                if (isOfFolder(path)) {
                    const others = animations && from.hasOthers ? { animations } : {};
                    const result = await verifyFolder(from.input, path, { ...others, signal, onProgress });
                    units += result.rows;
                    alone = result;
                    judged.push({ bake: path, input: from.input, ...result });
                    progress.pause();
                    if (!json) tellFolder(path, result, io);
                    continue;
                }
                const result = await verifyBake(from.input, path, {
                    ...(tol === undefined ? {} : { tolerance: tol }),
                    oracle,
                    ...(animations && from.hasOthers && { animations }),
                    signal,
                    onProgress,
                });
                units += result.rows;
                alone = result;
                judged.push({ bake: path, input: from.input, ...result });
                progress.pause();
                if (!json) tell(path, result, batch, io);
            } catch (error) {
                if (!batch || !(error instanceof InputError)) throw error;
                const { code, pointer, rule } = error;
                const failed = { error: { code, pointer, rule } };
                judged.push(source === undefined ? { bake: path, ...failed } : { reduced: path, ...failed });
                progress.pause();
                writeError(io, error.message);
            }
        }
    } finally {
        progress.stop();
    }
    if (json) writeJson(io.stdout, single ? alone : judged);
    else if (batch) writeLine(io.stdout, totalsOf(judged, performance.now() - started));
    if (!json && !single && targets.some(({ source }) => source !== undefined)) {
        const used = [
            ...targets.map(({ source }) => source),
            ...judged.map((one) => ('input' in one ? one.input : null)),
        ];
        tellUnused(finder.paths, new Set(used), io);
    }
    const failed = judged.filter((one) => one.error !== undefined || !one.ok);
    if (failed.length === 0) return;
    if (!batch) {
        const [one] = failed as [
            | Judged<{ bake: string } & (Verification | FolderVerification)>
            | Judged<{ reduced: string } & ReducedVerification>,
        ];
        const message =
            'bake' in one
                ? `${one.bake}: not the bake that ${one.input} and its recipe give`
                : failureOf(one.input, one.reduced, one);
        throw new ExitError(EXIT.tolerance, message);
    }
    const which = `${groupDigits(failed.length)} of ${groupDigits(judged.length)} ${nounOf(judged)}`;
    const onlyBakes = judged.every((one) => 'bake' in one);
    const what = onlyBakes ? 'are not what their inputs and recipes give' : 'are wrong, above the maximum error';
    throw new ExitError(EXIT.someFailed, `${which} ${what}, or could not be read`);
}

/**
 * The files to judge: all named files, and in folders all bakes and all models with a source.
 *
 * @param single The input, if it and one other are plain files.
 */
async function targetsOf(
    named: readonly string[],
    exclude: readonly string[] | undefined,
    finder: InputFinder,
    single: string | null,
): Promise<Target[]> {
    const { isModel } = require('../verify/read-bake') as typeof import('../verify/read-bake');
    const { isOfFolder } = require('../verify/engines/read') as typeof import('../verify/engines/read');
    const found = await findInputs(named, { exclude, kind: JUDGED });
    const plain = new Set(named.filter((name) => isPlainFile([name])).map((name) => resolve(name)));
    const sources = new Set(finder.paths.map((path) => resolve(path)));
    const targets: Target[] = [];
    for (const one of found) {
        const full = resolve(one.path);
        const isNamed = plain.has(full);
        // A folder may also contain sources.
        if (!isNamed && (sources.has(full) || isOfEngine(full))) continue;
        // In a folder, an unreadable file counts as what its name says.
        const isReduced = isOfFolder(full)
            ? false
            : isNamed
              ? await isModel(one.path)
              : !/\.bake\.(json|glb)$/i.test(one.path) || (await isModel(one.path));
        if (!isReduced) targets.push(one);
        else if (single !== null) targets.push({ ...one, source: single });
        else {
            const source = finder.ofReduced(one);
            // A folder may contain unrelated models.
            if (source !== null || isNamed || finder.paths.length > 1) targets.push({ ...one, source });
        }
    }
    if (targets.length > 0) return targets;
    throw new InputError('FILE_UNREADABLE', named.join(', '), '', 'no bake or reduced model found');
}

/** Whether a model is a part of an OpenVAT or Godot folder, which has no clips. */
function isOfEngine(path: string): boolean {
    const stem = path.replace(/\.[^.]*$/, '');
    return ['-remap_info.json', '_palette.exr'].some((end) => stem !== path && existsSync(`${stem}${end}`));
}

function noSource(path: string, input: string): InputError {
    const rule = `no file among those of '${input}' has its name; name both files: poselane verify <source> '${path}'`;
    return new InputError('FILE_UNREADABLE', path, '', rule);
}

/** Refuses options that have no effect on any of the files. */
function refuseIdle(targets: readonly Target[], options: Options): void {
    const { tol, oracle, animations, maxError, maxAngle, keepJoints } = options;
    const bakes = targets.some(({ source }) => source === undefined);
    const models = targets.some(({ source }) => source !== undefined);
    if (!bakes && (tol !== undefined || oracle === 'three' || animations !== undefined)) {
        const rule = `--tol, --oracle and --animations need a bake, but ${targets[0]!.path} is a model; leave them out`;
        const others =
            "; its clips of other files are in what 'poselane convert' makes with the same options: verify that";
        throw new UsageError(animations === undefined ? rule : rule + others);
    }
    if (!models && (maxError !== undefined || maxAngle !== undefined || keepJoints !== undefined)) {
        throw new UsageError(
            '--max-error, --max-angle and --keep-joints need a reduced model, not a bake; leave them out',
        );
    }
}

/** Warns of sources without a judged file: a model may be missing. */
function tellUnused(sources: readonly string[], used: ReadonlySet<string | null | undefined>, io: Io): void {
    const unused = sources.filter((path) => !used.has(path));
    for (const path of unused.slice(0, SHOWN)) {
        writeLine(io.stderr, 'poselane: ', yellow('warning:'), ` ${path}: nothing was made of it`);
    }
    if (unused.length > SHOWN) writeLine(io.stderr, `poselane: and ${groupDigits(unused.length - SHOWN)} more sources`);
}

function nounOf(judged: readonly (JudgedBake | JudgedModel)[]): string {
    if (judged.every((one) => 'bake' in one)) return 'bakes';
    return judged.every((one) => 'reduced' in one) ? 'models' : 'files';
}

function totalsOf(judged: readonly (JudgedBake | JudgedModel)[], milliseconds: number): string {
    const kinds = judged.map((one) => {
        if (one.error !== undefined) return 'not read';
        if ('bake' in one) return one.ok ? 'proved' : 'wrong';
        return one.ok ? 'within' : one.clips.some(({ ok }) => !ok) ? 'beyond' : 'different';
    });
    const told = ['proved', 'wrong', 'within', 'beyond', 'different', 'not read'].flatMap((kind) => {
        const count = kinds.filter((other) => other === kind).length;
        return count === 0 ? [] : `${groupDigits(count)} ${kind}`;
    });
    const rows = judged.reduce((sum, one) => sum + ('bake' in one && one.error === undefined ? one.rows : 0), 0);
    const size = judged.some((one) => 'bake' in one) ? ` ${groupDigits(rows)} rows,` : '';
    const seconds = threeDigits(milliseconds / 1000);
    return `${groupDigits(judged.length)} ${nounOf(judged)}: ${told.join(', ')};${size} ${seconds} s`;
}

/**
 * Prints the verdict of a bake: one line if it is right and one of several; else problems, the worst of each array, and each clip beyond
 * tolerance.
 */
function tell(
    bake: string,
    { ok, problems, clips, retargeted, worst, extent, rows }: Verification,
    batch: boolean,
    io: Io,
): void {
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
    for (const verdict of retargeted) tellRetargeted(bake, verdict, io);
}

/** One line for each retargeted clip, the worst first. */
function tellRetargeted(bake: string, { name, animation, measures, limits, worst }: RetargetVerdict, io: Io): void {
    const poor = worst.ratio > 1;
    const parts = Object.entries(limits).map(([measure, limit]) => {
        const { value } = measures[measure as keyof RetargetMeasures];
        const isAngle = ['arms', 'legs', 'turn'].includes(measure);
        const text = `${measure} ${isAngle ? `${value.toFixed(1)}°` : `${(value * 100).toFixed(2)}%`}`;
        return value > limit ? yellow(text) : text;
    });
    const { role, time } = measures[worst.measure];
    const where = poor ? ` (${worst.measure}: ${role}, at ${threeDigits(time)} s)` : '';
    const label = poor ? yellow('retargeting POOR') : 'retargeted';
    const texts = parts.flatMap((part, i) => (i === 0 ? [part] : [', ', part]));
    writeLine(io.stdout, `${bake}: `, label, `: clip #${animation} '${name}': `, ...texts, where);
}

function tellFolder(path: string, result: FolderVerification, io: Io): void {
    const { ok, problems, worst, worstNormal, stated, extent, rows, vertices } = result;
    for (const { code, pointer, message } of problems.slice(0, SHOWN))
        writeLine(io.stdout, `${code} ${path}#${pointer}: ${message}`);
    const size = `${groupDigits(rows)} frames of ${groupDigits(vertices)} vertices`;
    const percent = (length: number) =>
        `${threeDigits((length / extent) * 100)}% of the extent (${threeDigits(length)})`;
    const at = ({
        animation,
        clip,
        frame,
        vertex,
    }: {
        animation: number;
        clip: string;
        frame: number;
        vertex: string;
    }) => `: clip #${animation} '${clip}', frame ${frame}, ${vertex}`;
    const found =
        worst === null
            ? 'nothing was compared'
            : `${size}; off by at most ${percent(worst.error)}, ${percent(stated.frames)} allowed${at(worst)}`;
    writeLine(io.stdout, `${path}: `, ok ? green('vertices proved') : red('WRONG'), `: ${found}`);
    if (worstNormal !== null) {
        const { angle, allowed } = worstNormal;
        const turned = `off by ${threeDigits(angle)} degrees, ${threeDigits(allowed)} allowed there${at(worstNormal)}`;
        writeLine(io.stdout, `${path}: `, angle <= allowed ? 'normals' : red('normals WRONG'), `: ${turned}`);
    }
    if (ok) writeLine(io.stdout, `${path}: playback: stated between frames: off by at most ${percent(stated.between)}`);
}

/** The worst playback error. Rows can be correct but too few. Null if no clip has two rows. */
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
