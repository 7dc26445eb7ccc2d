// SPDX-License-Identifier: MIT

import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { Command } from 'commander';
import { openCache } from '../bake/cache/cache';
import { hasArrays, recipeOf } from '../bake/options';
import { UsageError } from '../errors';
import { linesOf, plural, totalsOf, wasCut } from './bake-lines';
import { addBakeOptions, type BakeArguments, INPUTS, libraryOptions } from './bake-options';
import type { JobReport } from './batch/job';
import { runJobs } from './batch/run';
import { EXIT, ExitError } from './exit-codes';
import { messageOf } from './flags';
import { expandInputs, findInputs, type Input, takeShard } from './inputs';
import { groupDigits, type Io, oneLine, writeError, writeLine, writeWarnings, yellow } from './io';
import { refuseFile, writeWhole } from './output-file';
import { missingFolders, refuseCollisions, removeEmpty, targetsOf } from './output-folders';
import { refuseOverwriting } from './overwriting';
import { namedFiles, pagesOf, writeIndex } from './pages';
import { createProgress } from './progress';
import { reportText } from './report';

/** `poselane bake` */
export function bakeCommand(io: Io): Command {
    const command = new Command('bake')
        .description('bake the clips of glTF files to palettes of skinning matrices')
        .argument('<inputs...>', INPUTS);
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

Exit codes: 0 done, 1 the system refused something, 2 wrong use, 3 an input is missing or invalid,
4 not within --max-error, 5 of several inputs some failed, or all (--json and --report have the code of each), 130 interrupted.
With --shard the inputs are those of all shards.`,
        )
        .action((inputs: string[], options: BakeArguments) => bake(inputs, options, io));
}

async function bake(names: readonly string[], given: BakeArguments, io: Io): Promise<void> {
    const started = performance.now();
    const animations = given.animations && (await expandInputs(given.animations));
    const options = { ...libraryOptions(given), animations };
    const { emit } = recipeOf('poselane bake', options); // here as well: what is wrong for every file is no fault of any
    if (given.html !== undefined && !hasArrays(emit))
        throw new UsageError(`--html: a page shows arrays, and '--emit ${[...emit].join()}' has none`);
    const { container = 'files' } = given;
    if (container !== 'files' && !hasArrays(emit)) {
        throw new UsageError(`--container: it decides nothing here: '--emit ${[...emit].join()}' has no arrays`);
    }
    const cache = await cacheFor(given);
    await missingFolders('--out', [given.out]);
    const found = await findInputs(names, { exclude: given.exclude, out: given.out });
    const all = await targetsOf(found, given.out, given.keepTree);
    const byKey = refuseCollisions(all);
    const folders = new Set(all.map(({ folder }) => folder));
    const missing = await missingFolders('--out', folders);
    const made = given.dryRun ? null : given.out;
    if (given.report !== undefined) await refuseFile('--report', given.report, made);
    const pages = given.html === undefined ? null : await pagesOf(given.html, all, made, given.shard);
    if (pages !== null && pages.index !== null) await missingFolders('--html', [given.html!]);
    const paths = all.map(({ path }) => path);
    await refuseOverwriting([...paths, ...(animations ?? [])], byKey, {
        targets: all,
        emit,
        container,
        named: namedFiles(pages, given.report),
    });
    const targets = given.shard === undefined ? all : takeShard(all, given.shard);
    const jobs = targets.map(({ path: input, folder }, number) => {
        const path = given.dryRun ? undefined : pages?.paths.get(input);
        const page = path === undefined ? null : { path, thumbnail: pages!.index !== null };
        return { number, input, out: given.dryRun ? null : folder, container, options, page, cache };
    });
    const threads = Math.min(given.jobs ?? availableParallelism(), jobs.length);
    const batch = all.length > 1;
    const silent = given.quiet === true || given.json === true;

    const progress = given.quiet ? null : createProgress(io.stderr, labelOf(targets), targets.length);
    /** By the job's number; none of a job that was not begun. */
    const reports: JobReport[] = [];
    const tell = teller(given, io, batch, silent);
    const stop = stopper(io.signal);
    let ended: unknown;
    try {
        await runJobs(jobs, Math.max(threads, 1), {
            signal: stop.signal,
            onProgress: ({ frames, jobs, trial }) => progress?.update(frames, jobs, trial),
            onEnd: ({ input, error }) => {
                if (error === null || !given.failFast || !batch) return;
                stop.abort(new ExitError(EXIT.someFailed, `--fail-fast: '${input}' could not be baked`));
            },
            onReport: ({ number }, report) => {
                reports[number] = report;
                if (io.signal?.aborted) return;
                progress?.pause();
                tell(report, targets[number]!.folder);
            },
        });
        judge(reports, all.length);
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
    const whole = { options, inputs: paths, shard: given.shard ?? null };
    const report = given.report || given.json ? await reportText(whole, targets, reports, ended) : '';
    if (given.report !== undefined) await finish(writeWhole('--report', given.report, report));
    if (pages?.index && !given.dryRun) {
        const inputs = targets.map(({ path }) => path);
        await finish(writeIndex(pages.index, inputs, reports, ended));
        if (!silent) writeLine(io.stdout, `${pages.index}: ${plural(groupDigits(inputs.length), 'file')}`);
    }
    if (given.json) io.stdout.write(report);
    if (batch && !silent && !io.signal?.aborted) {
        writeLine(io.stdout, totalsOf(reports, targets.length, performance.now() - started));
    }
    if (ended !== undefined) throw ended;
}

/** Aborts with a signal, and by itself. */
function stopper(signal: AbortSignal | undefined): AbortController {
    const controller = new AbortController();
    const follow = () => controller.abort(signal!.reason);
    if (signal?.aborted) follow();
    else signal?.addEventListener('abort', follow, { once: true });
    return controller;
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

function labelOf(inputs: readonly Input[]): string {
    return inputs.length === 1 ? oneLine(basename(inputs[0]!.path)) : '';
}

/**
 * Gives what tells of a file: the lines of one that was baked, one for each of its warnings; in a batch, one for a file that failed.
 *
 * @param silent Whether errors alone are told.
 */
function teller({ dryRun, verbose }: BakeArguments, io: Io, batch: boolean, silent: boolean) {
    const told = new Set<string>();
    return (report: JobReport, folder: string): void => {
        const { input, error, warnings, cache } = report;
        for (const message of silent ? [] : (cache?.warnings ?? [])) {
            // Of a server that is down each thread says the same.
            if (!told.has(message)) writeLine(io.stderr, 'poselane: ', yellow('warning:'), ` ${message}`);
            told.add(message);
        }
        if (error !== null && batch && !wasCut(report)) writeError(io, error.message);
        if (error !== null || silent) return;
        writeWarnings(io, input, warnings, '--report lists them');
        for (const line of linesOf(report, { folder, dryRun, verbose, batch })) writeLine(io.stdout, line);
    };
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
