// SPDX-License-Identifier: MIT

import { rmdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import type { BakeOptions, BakeStats, Emit } from '../bake';
import { openCache } from '../bake/cache/cache';
import { hasArrays, recipeOf } from '../bake/options';
import { UsageError } from '../errors';
import { roughSizeOf, significant } from '../messages';
import { addBakeOptions, type BakeArguments, libraryOptions } from './bake-options';
import type { JobReport } from './batch/job';
import { runJobs } from './batch/run';
import { type InputSettings, inConfig, inputsOf, readSettings, type Settings, settingsOf } from './config';
import { EXIT, ExitError } from './exit-codes';
import { messageOf } from './flags';
import { expandInputs, refuseCollisions, takeShard } from './inputs';
import { groupDigits, type Io, oneLine, threeDigits, writeError, writeLine, writeWarnings, yellow } from './io';
import { refuseFile } from './output-file';
import { refuseOverwriting } from './overwriting';
import { namedFiles, pagesOf, writeIndex } from './pages';
import { createProgress, type Progress } from './progress';
import { writeReport } from './report';
import { type Round, watch } from './watch';

/** `poselane bake` */
export function bakeCommand(io: Io): Command {
    const command = new Command('bake')
        .description('bake the clips of glTF files to palettes of skinning matrices')
        .argument('[inputs...]', '.glb or .gltf files, or patterns such as "models/**/*.glb"');
    return addBakeOptions(command)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane bake hero.glb -o out/
  $ poselane bake hero.glb -o out/ --fps 60 --clips Walk,Run
  $ poselane bake hero.glb -o out/ --fps auto -v
  $ poselane bake crowd.gltf -o out/ --skin 1 --clips '#0' --emit palette,hit --hit-joints 'head|hand'
  $ poselane bake hero.glb -o out/ --animations Rig_General.glb --animations 'clips/*.glb'
  $ poselane bake 'models/**/*.glb' -o out/ -j 8 --report report.json
  $ poselane bake 'models/**/*.glb' -o out/ --shard 3/10
  $ poselane bake 'models/**/*.glb' -o out/ --html pages/
  $ poselane bake 'models/**/*.glb' -o out/ --cache .cache/poselane
  $ POSELANE_CACHE_TOKEN=… poselane bake hero.glb -o out/ --cache https://cache.example --cache-read-only
  $ poselane bake 'models/**/*.glb' -o out/ --watch
  $ poselane bake    # as poselane.config.json says

Exit codes: 0 done, 1 the system refused something, 2 wrong use, 3 an input is missing or invalid,
4 not within --max-error, 5 of several inputs some failed, or all (--report has the code of each), 130 interrupted.
With --shard the inputs are those of all shards.`,
        )
        .action(async (inputs: string[]) => {
            const read = () => readSettings(command, inputs);
            const settings = await read();
            if (settings.given.watch) return watch(settings, read, bake, io);
            return bake(settings, { changed: null, reports: new Map() }, io);
        });
}

async function bake(settings: Settings, round: Round, io: Io): Promise<void> {
    await bakeAll(settings, round, io).catch((error) => {
        throw inConfig(error, settings, settings.places);
    });
}

async function bakeAll(settings: Settings, { changed, reports }: Round, io: Io): Promise<void> {
    const { given } = settings;
    const all = await inputsOf(settings, reports);
    const recipes = await recipesFor(settings, all);
    const emit = new Set([...recipes.values()].flatMap((one) => [...one.emit]));
    const cache = await cacheFor(given);
    const missing = await missingFolders('--out', given.out);
    const byStem = refuseCollisions(all);
    const made = given.dryRun ? null : given.out;
    if (given.report !== undefined) await refuseFile('--report', given.report, made);
    const pages = given.html === undefined ? null : await pagesOf(given.html, all, made, given.shard);
    if (pages !== null && pages.index !== null) await missingFolders('--html', given.html!);
    const animations = [...recipes.values()].flatMap((one) => one.animations);
    const configs = settings.config === null ? [] : [settings.config];
    await refuseOverwriting([...all, ...new Set(animations), ...configs], byStem, {
        out: given.out,
        emit,
        named: namedFiles(pages, given.report),
    });
    const inputs = given.shard === undefined ? all : takeShard(all, given.shard);
    const jobs = inputs
        .filter((input) => changed === null || changed.has(input))
        .map((input, number) => {
            const path = given.dryRun ? undefined : pages?.paths.get(input);
            const page = path === undefined ? null : { path, thumbnail: pages!.index !== null };
            return { number, input, out: made, options: recipes.get(input)!.options, page, cache };
        });
    for (const { input } of jobs) reports.delete(input);
    const threads = Math.min(given.jobs ?? availableParallelism(), jobs.length);

    const progress = given.quiet ? null : createProgress(io.stderr, labelOf(jobs), jobs.length);
    const told = new Set<string>();
    let ended: unknown;
    try {
        await runJobs(jobs, Math.max(threads, 1), {
            signal: io.signal,
            onProgress: ({ frames, jobs, trial }) => progress?.update(frames, jobs, trial),
            onReport: ({ input }, report) => {
                reports.set(input, report);
                if (!io.signal?.aborted) tell(report, given, io, progress, all.length > 1, told);
            },
        });
        judge(
            jobs.flatMap(({ input }) => reports.get(input) ?? []),
            all.length,
        );
    } catch (error) {
        ended = error;
    }
    progress?.stop();
    if (!given.dryRun) await removeEmpty(missing);
    const finish = async (writing: Promise<void>) => {
        await writing.catch((error) => {
            if (ended === undefined) ended = error;
            else writeError(io, messageOf(error)); // must not hide the first one
        });
    };
    const found = inputs.map((input) => reports.get(input));
    if (given.report !== undefined) await finish(writeReport(given.report, inputs, found, ended));
    if (pages?.index && !given.dryRun) {
        await finish(writeIndex(pages.index, inputs, found, ended));
        if (!given.quiet) writeLine(io.stdout, `${pages.index}: ${plural(groupDigits(inputs.length), 'file')}`);
    }
    if (ended !== undefined) throw ended;
}

/** What one input is baked with. */
interface Recipe {
    readonly options: BakeOptions;
    readonly emit: ReadonlySet<Emit>;
    readonly animations: readonly string[];
}

/** The options of each input, checked here as well: what is wrong for every file is no fault of any. */
async function recipesFor(settings: Settings, inputs: readonly string[]): Promise<ReadonlyMap<string, Recipe>> {
    const made = new Map<InputSettings, Recipe>();
    const recipes = new Map<string, Recipe>();
    for (const [input, own] of await settingsOf(settings, inputs)) {
        const { given, places } = own;
        if (!made.has(own)) {
            try {
                const animations = given.animations && (await expandInputs(given.animations));
                const options = { ...libraryOptions(given), animations };
                const { emit } = recipeOf('poselane bake', options);
                if (given.html !== undefined && !hasArrays(emit))
                    throw new UsageError(`--html: a page shows arrays, and '--emit ${[...emit].join()}' has none`);
                made.set(own, { options, emit, animations: animations ?? [] });
            } catch (error) {
                throw inConfig(error, settings, places);
            }
        }
        recipes.set(input, made.get(own)!);
    }
    return recipes;
}

/** What the threads open. A dry run leaves nothing anywhere. */
async function cacheFor({ cache, cacheReadOnly = false, cacheInsecure, dryRun }: BakeArguments) {
    if (cache === undefined) {
        const flag = cacheReadOnly ? '--cache-read-only' : cacheInsecure ? '--cache-insecure' : null;
        if (flag !== null) throw new UsageError(`${flag}: it decides nothing here: only with --cache`);
        return null;
    }
    const options = { readOnly: cacheReadOnly || dryRun === true, insecure: cacheInsecure === true };
    openCache(cache, options); // what is wrong for every file is no fault of any
    if (!/^https?:/i.test(cache)) await missingFolders('--cache', cache);
    return { place: cache, options };
}

function labelOf(jobs: readonly { readonly input: string }[]): string {
    return jobs.length === 1 ? oneLine(basename(jobs[0]!.input)) : '';
}

/** The lines of a file that was baked, one for each of its warnings; in a batch, one for a file that failed. */
function tell(
    report: JobReport,
    given: BakeArguments,
    io: Io,
    progress: Progress | null,
    batch: boolean,
    told: Set<string>,
): void {
    const { input, error, warnings, cache } = report;
    progress?.pause();
    if (!given.quiet) {
        for (const message of cache?.warnings ?? []) {
            // Of a server that is down each thread says the same.
            if (!told.has(message)) writeLine(io.stderr, 'poselane: ', yellow('warning:'), ` ${message}`);
            told.add(message);
        }
    }
    if (error !== null && batch) writeError(io, error.message);
    if (error !== null || given.quiet) return;
    writeWarnings(io, input, warnings, '--report lists them');
    for (const line of linesOf(report, given, batch)) writeLine(io.stdout, line);
}

/**
 * @param inputs How many there are, those of other shards too: a shard cannot know how the rest of its batch fares, and may
 * have one file alone, so what it exits with must not depend on how many it was dealt.
 * @throws ExitError where a file failed: with the code of the only one, or with that of batches, even where all failed.
 */
function judge(reports: readonly JobReport[], inputs: number): void {
    const failures = reports.flatMap(({ error }) => error ?? []);
    if (failures.length === 0) return;
    if (inputs === 1) throw new ExitError(failures[0]!.exitCode, failures[0]!.message);
    const files = `${groupDigits(reports.length)} file${reports.length === 1 ? '' : 's'}`;
    throw new ExitError(EXIT.someFailed, `${groupDigits(failures.length)} of ${files} could not be baked`);
}

/**
 * The folders to make for the output: its own and those above it, as far as they do not exist.
 *
 * @throws UsageError where a file is in the way: before any work, rather than after it.
 */
async function missingFolders(option: string, folder: string): Promise<string[]> {
    if (folder === '') throw new UsageError(`${option}: the name of the folder is empty`);
    if (folder === '-') {
        const what = option === '--out' ? 'a bake is' : 'these are';
        throw new UsageError(
            `${option}: ${what} several files, which standard output cannot take: name a folder ('./-')`,
        );
    }
    const missing: string[] = [];
    for (let at = resolve(folder); ; at = dirname(at)) {
        const found = await stat(at).catch(() => null);
        if (found?.isDirectory() || at === dirname(at)) return missing;
        if (found !== null) throw new UsageError(`${option}: '${at}' is not a folder`);
        missing.push(at);
    }
}

/** Takes folders away again that nothing came into; the deepest comes first. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
        const removed = await rmdir(folder).then(
            () => true,
            (error: NodeJS.ErrnoException) => error.code === 'ENOENT', // never made
        );
        if (!removed) return;
    }
}

/**
 * What was written, and how far playback of it is off: of one file where that is, too, in a second line; with `verbose`
 * each clip as well.
 */
function linesOf(report: JobReport, { out, dryRun, verbose = false }: BakeArguments, batch: boolean): string[] {
    const { input, outputs, files, page, stats, backend, milliseconds, cache } = report;
    const { clips, frames, joints, attachments } = stats!;
    const paths = [...pairsOf(outputs, out), ...files.map(({ name }) => join(out, name)), ...(page ? [page.path] : [])];
    const sizes = [
        ...outputs.flatMap((one) => [one.byteLength, one.jsonByteLength]),
        ...files.map((one) => one.byteLength),
        page?.byteLength ?? 0,
    ];
    const size = roughSizeOf(sizes.reduce((sum, one) => sum + one, 0));
    const each = joints.length === 0 ? '' : ` of ${columnsOf(joints, attachments)}`;
    const what = `${plural(groupDigits(clips), 'clip')}, ${plural(groupDigits(frames), 'row')}${each}${rateOf(outputs)}`;
    const where = `${paths.join(', ')}${dryRun ? ' (dry run: not written)' : ''}, ${size}`;
    const line = `${input}: ${what} -> ${where}, ${groupDigits(milliseconds)} ms${cache?.hit ? ', from the cache' : ''}`;
    if (outputs.length === 0) return [line];
    const [off, place] = errorOf(outputs);
    if (batch && !verbose) return [`${line}; ${off}`];
    if (!verbose) return [line, `  ${off}${place}`];
    const listed = outputs.flatMap(({ skin, errors }) =>
        errors.map(({ name, animation, frameCount, fps, maxLerpShare }) => {
            const rows = plural(groupDigits(frameCount), 'row');
            const rate = fps === null ? '' : ` at ${significant(fps, 5)} fps`;
            const of = outputs.length === 1 ? '' : `skin ${skin}, `;
            return `  ${of}clip #${animation} '${name}': ${rows}${rate}, off by at most ${percent(maxLerpShare)}`;
        }),
    );
    return [line, `  ${off}${place}`, ...listed, `  evaluation ${evaluationOf(stats!)}, backend ${backend}`];
}

function plural(count: string, noun: string): string {
    return `${count} ${noun}${count === '1' ? '' : 's'}`;
}

function percent(share: number): string {
    return `${threeDigits(share * 100)}% of the extent`;
}

/** Frames per second of all clips that have some. */
function rateOf(outputs: JobReport['outputs']): string {
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

/** The manifests and bins, as one word. */
function pairsOf(outputs: JobReport['outputs'], out: string): string[] {
    if (outputs.length === 0) return [];
    const last = outputs[outputs.length - 1]!.stem;
    if (outputs.length === 1) return [join(out, `${last}.bake.{json,bin}`)];
    return [`${join(out, last).replace(/\d+$/, '')}{${outputs.map(({ skin }) => skin).join(',')}}.bake.{json,bin}`];
}

/** The largest error of playing rows that are interpolated, and where that is; and how late jumps are. */
function errorOf(outputs: JobReport['outputs']): [off: string, place: string] {
    const all = outputs.flatMap((output) => output.errors.map((error) => ({ output, error })));
    const { output, error } = all.reduce((a, b) => (b.error.maxLerpShare > a.error.maxLerpShare ? b : a));
    const late = all.reduce((max, one) => Math.max(max, one.error.maxLate), 0);
    const jumps = late > 0 ? `; jumps up to ${threeDigits(late)} s late` : '';
    const off = `between rows off by at most ${percent(error.maxLerpShare)} (${threeDigits(error.maxLerp)})`;
    const { worst, skin } = output;
    if (worst === null || worst.animation !== error.animation) return [off, jumps];
    const what = `${worst.what}${outputs.length === 1 ? '' : ` of skin ${skin}`}`;
    return [off, `: clip #${error.animation} '${error.name}', ${what}, at ${threeDigits(worst.time)} s${jumps}`];
}
