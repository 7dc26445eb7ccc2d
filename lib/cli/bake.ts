// SPDX-License-Identifier: MIT

import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { Command } from 'commander';
import type { BakeOptions, Emit } from '../bake';
import { openCache } from '../bake/cache/cache';
import { hasArrays, recipeOf } from '../bake/options';
import { UsageError } from '../errors';
import { followSignal } from '../follow-signal';
import { greatestError, linesOf, plural, totalsOf, wasCut } from './bake-lines';
import { addBakeOptions, type BakeArguments, INPUTS, libraryOptions } from './bake-options';
import type { JobReport } from './batch/job';
import { runJobs } from './batch/run';
import { type InputSettings, inConfig, inputsOf, readSettings, type Settings, settingsOf } from './config';
import { EXIT, ExitError } from './exit-codes';
import { messageOf } from './flags';
import { expandInputs, takeShard } from './inputs';
import { groupDigits, type Io, oneLine, writeBatchWarnings, writeError, writeLine, writeWarnings, yellow } from './io';
import { refuseFile, writeWhole } from './output-file';
import { missingFolders, refuseCollisions, removeEmpty, targetsOf } from './output-folders';
import { refuseOverwriting } from './overwriting';
import { namedFiles, pagesOf, writeIndex } from './pages';
import { createProgress } from './progress';
import { reportText } from './report';
import { type Round, watch } from './watch';

/** `poselane bake` */
export function bakeCommand(io: Io): Command {
    const command = new Command('bake')
        .description('bake the clips of glTF files to palettes of skinning matrices')
        .argument('[inputs...]', INPUTS);
    return addBakeOptions(command)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane bake hero.glb -o out/
  $ poselane bake hero.glb -o out/ --fps 60 --clips Walk,Run
  $ poselane bake hero.glb -o out/ --fps auto -v
  $ poselane bake hero.glb -o out/ --container glb
  $ poselane bake crowd.gltf -o out/ --skin 1 --clips '#0' --emit palette,hit --hit-joints 'head|hand'
  $ poselane bake hero.glb -o out/ --animations Rig_General.glb --animations 'clips/*.glb'
  $ poselane bake models/ -o out/ -j 8 --report report.json
  $ poselane bake models/ -o out/ --keep-tree --exclude '*_lod?.glb' --exclude backup
  $ poselane bake 'models/**/*.glb' -o out/ --fail-fast
  $ poselane bake models/ -o out/ --json | jq '.inputs[] | select(.status != "baked").input'
  $ poselane bake 'models/**/*.glb' -o out/ --shard 3/10
  $ poselane bake 'models/**/*.glb' -o out/ --shard env --report reports/$SLURM_ARRAY_TASK_ID.json
  $ poselane bake 'models/**/*.glb' -o out/ --html pages/
  $ poselane bake 'models/**/*.glb' -o out/ --cache .cache/poselane
  $ POSELANE_CACHE_TOKEN=… poselane bake hero.glb -o out/ --cache https://cache.example --cache-read-only
  $ poselane bake models/ -o out/ --watch
  $ poselane bake    # as poselane.config.json says

Exit codes: 0 done, 1 the system refused something, 2 wrong use, 3 an input is missing or invalid,
4 not within --max-error, 5 of several inputs some failed, or all (--json and --report have the code of each), 130 interrupted.
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
    const started = performance.now();
    const { given } = settings;
    const { container = 'files' } = given;
    const found = await inputsOf(settings, reports);
    const paths = found.map(({ path }) => path);
    const recipes = await recipesFor(settings, paths);
    const distinct = [...new Set(recipes.values())];
    const emit = new Set(distinct.flatMap((one) => [...one.emit]));
    const cache = await cacheFor(given);
    await missingFolders('--out', [given.out]);
    const all = await targetsOf(found, given.out, given.keepTree);
    const byKey = refuseCollisions(all.filter(({ isFolder }) => !isFolder));
    const folders = new Map(all.map(({ path, folder }) => [path, folder]));
    const missing = await missingFolders('--out', new Set(folders.values()));
    const made = given.dryRun ? null : given.out;
    if (given.report !== undefined) await refuseFile('--report', given.report, made);
    const pages = given.html === undefined ? null : await pagesOf(given.html, all, made, given.shard);
    if (pages !== null && pages.index !== null) await missingFolders('--html', [given.html!]);
    const clips = distinct.flatMap((one) => one.options.animations ?? []) as string[];
    const configs = settings.config === null ? [] : [settings.config];
    await refuseOverwriting([...paths, ...new Set(clips), ...configs], byKey, {
        targets: all,
        emit,
        container,
        named: namedFiles(pages, given.report),
    });
    const targets = given.shard === undefined ? all : takeShard(all, given.shard);
    const jobs = targets
        .filter(({ path }) => changed === null || changed.has(path))
        .map(({ path: input, folder }, number) => {
            const path = given.dryRun ? undefined : pages?.paths.get(input);
            const page = path === undefined ? null : { path, thumbnail: pages!.index !== null };
            const { options } = recipes.get(input)!;
            return { number, input, out: given.dryRun ? null : folder, container, options, page, cache };
        });
    for (const { input } of jobs) reports.delete(input);
    const threads = Math.min(given.jobs ?? availableParallelism(), jobs.length);
    const batch = all.length > 1;
    const silent = given.quiet === true || given.json === true;

    const progress = given.quiet ? null : createProgress(io.stderr, labelOf(jobs), jobs.length);
    const reportsOf = (inputs: readonly { readonly input: string }[]) =>
        inputs.flatMap(({ input }) => reports.get(input) ?? []);
    const { tell, tellWarnings } = teller(given, io, batch, silent);
    const stop = followSignal(io.signal);
    let ended: unknown;
    try {
        await runJobs(jobs, Math.max(threads, 1), {
            signal: stop.signal,
            onProgress: ({ frames, jobs, trial }) => progress?.update(frames, jobs, trial),
            onEnd: ({ input, error }) => {
                if (error === null || !given.failFast || !batch) return;
                stop.abort(new ExitError(EXIT.someFailed, `--fail-fast: '${input}' could not be baked`));
            },
            onReport: ({ input }, report) => {
                reports.set(input, report);
                if (io.signal?.aborted) return;
                progress?.pause();
                tell(report, folders.get(input)!);
            },
        });
        judge(reportsOf(jobs), all.length);
    } catch (error) {
        ended = error;
    }
    stop.abort();
    progress?.stop();
    tellWarnings();
    if (!given.dryRun) await removeEmpty(missing);
    const finish = async (writing: Promise<void>) => {
        await writing.catch((error) => {
            if (ended === undefined) ended = error;
            else writeError(io, messageOf(error)); // must not hide the first one
        });
    };
    const latest = targets.map(({ path }) => reports.get(path));
    const [{ options }] = distinct as [Recipe];
    const whole = {
        options: distinct.length === 1 ? options : { recipes: distinct.map((one) => one.options) },
        inputs: paths,
        shard: given.shard ?? null,
    };
    const report = given.report || given.json ? await reportText(whole, targets, latest, ended) : '';
    if (given.report !== undefined) await finish(writeWhole('--report', given.report, report));
    if (pages?.index && !given.dryRun) {
        const inputs = targets.map(({ path }) => path);
        await finish(writeIndex(pages.index, inputs, latest, ended));
        if (!silent) writeLine(io.stdout, `${pages.index}: ${plural(groupDigits(inputs.length), 'file')}`);
    }
    if (given.json) io.stdout.write(report);
    if (batch && jobs.length > 0 && !silent && !io.signal?.aborted) {
        writeLine(io.stdout, totalsOf(reportsOf(jobs), jobs.length, performance.now() - started));
    }
    if (ended !== undefined) throw ended;
}

/** What one input is baked with. */
interface Recipe {
    readonly options: BakeOptions;
    readonly emit: ReadonlySet<Emit>;
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
                if (given.container === 'glb' && !hasArrays(emit))
                    throw new UsageError(
                        `--container: it decides nothing here: '--emit ${[...emit].join()}' has no arrays`,
                    );
                made.set(own, { options, emit });
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
    if (!/^https?:/i.test(cache)) await missingFolders('--cache', [cache]);
    return { place: cache, options };
}

function labelOf(jobs: readonly { readonly input: string }[]): string {
    return jobs.length === 1 ? oneLine(basename(jobs[0]!.input)) : '';
}

/**
 * Gives what tells of a file: the lines of one that was baked, one for each of its warnings; in a batch, one for a file that failed. A
 * batch, unless `verbose`, tells each warning once at the end, with the file whose playback is furthest off.
 *
 * @param silent Whether errors alone are told.
 */
function teller({ dryRun, verbose }: BakeArguments, io: Io, batch: boolean, silent: boolean) {
    const told = new Set<string>();
    const warned: JobReport[] = [];
    const tellWarnings = () => {
        const files = warned.sort((a, b) => greatestError(b) - greatestError(a));
        writeBatchWarnings(
            io,
            files.map(({ input: file, warnings }) => ({ file, warnings })),
            '-v and --report list them',
        );
    };
    const tell = (report: JobReport, folder: string): void => {
        const { input, error, warnings, cache } = report;
        for (const message of silent ? [] : (cache?.warnings ?? [])) {
            // Of a server that is down each thread says the same.
            if (!told.has(message)) writeLine(io.stderr, 'poselane: ', yellow('warning:'), ` ${message}`);
            told.add(message);
        }
        if (error !== null && batch && !wasCut(report)) writeError(io, error.message);
        if (error !== null || silent) return;
        if (batch && !verbose) warned.push(report);
        else writeWarnings(io, input, warnings, '--report lists them');
        for (const line of linesOf(report, { folder, dryRun, verbose, batch })) writeLine(io.stdout, line);
    };
    return { tell, tellWarnings };
}

/**
 * @param inputs How many there are, those of other shards too: a shard cannot know how the rest of its batch fares, and may
 * have one file alone, so what it exits with must not depend on how many it was dealt.
 * @throws ExitError where a file failed: with the code of the only one, or with that of batches, even where all failed.
 */
export function judge(reports: readonly Pick<JobReport, 'error'>[], inputs: number): void {
    const failures = reports.flatMap(({ error }) => error ?? []);
    if (failures.length === 0) return;
    if (inputs === 1) throw new ExitError(failures[0]!.exitCode, failures[0]!.message);
    const files = plural(groupDigits(reports.length), 'file');
    throw new ExitError(EXIT.someFailed, `${groupDigits(failures.length)} of ${files} could not be baked`);
}
