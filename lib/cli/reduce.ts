// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '../base/errors';
import { stemOf } from '../base/names';
import { realPlace } from '../files/output-files';
import type { ReduceOptions } from '../reduce';
import { REDUCE_OPTIONS, reduceRecipeOf } from '../reduce/options';
import { cacheFor, runBatch, threadsFor } from './batch/batch';
import { addBatchOptions, addInputOptions, type BatchArguments, INPUTS } from './batch/options';
import type { ReduceJob, ReduceJobResult } from './batch/reduce-job';
import { expandInputs, findInputs, type Input, takeShard } from './inputs';
import type { Io } from './io';
import { addLibraryOptions, libraryOptions } from './library-options';
import { refuseFile } from './output-file';
import { missingFolders, refuseCollisions, type Target, targetsOf } from './output-folders';
import { refuseOverwriting } from './overwriting';
import { linesOf, sumOf } from './reduce-lines';

interface ReduceArguments extends Omit<ReduceOptions, 'animations'>, BatchArguments {
    /** Files and patterns. */
    readonly animations?: readonly string[];
}

export function reduceCommand(io: Io): Command {
    const command = new Command('reduce')
        .description('remove animation keys from glTF files, with a maximum displacement of every vertex')
        .argument('<inputs...>', INPUTS)
        .requiredOption(
            '-o, --out <path>',
            'folder for <name>.glb or <name>.vrm; for one input also a .glb or .vrm file',
        );
    addLibraryOptions(addInputOptions(command), REDUCE_OPTIONS);
    return addBatchOptions(
        command,
        'reduce',
        'files to reduce at once; for a single file, clips (default: one for each processor)',
    )
        .addHelpText(
            'after',
            `
Examples:
  $ poselane reduce hero.glb -o hero.small.glb
  $ poselane reduce hero.glb -o small/ --max-error 0.5mm -v
  $ poselane reduce hero.glb -o small/ --max-error 0.2% --keep-joints 'hand|weapon' --compress meshopt
  $ poselane reduce hero.glb -o small/ --clips Walk,Run --max-slide 0.1mm
  $ poselane reduce hero.glb -o hero.small.glb --animations 'mixamo/*.fbx' --retarget humanoid
  $ poselane reduce models/ -o small/ --keep-tree --exclude '*_lod?.glb' -j 8 --report report.json
  $ poselane reduce 'models/**/*.glb' -o small/ --cache .cache/poselane --shard 3/10

A length is a number in model units (meters), or one with mm, cm, m or % of the extent: 0.5mm, 0.1%.
Exit codes: 0 done, 1 system error such as a full disk, 2 wrong use, 3 input missing or invalid,
4 --max-error too small for float32, 5 at least one of several inputs failed, 130 interrupted.`,
        )
        .action((inputs: string[], given: ReduceArguments) => reduce(inputs, given, io));
}

async function reduce(names: readonly string[], given: ReduceArguments, io: Io): Promise<void> {
    const started = performance.now();
    const animations = given.animations && (await expandInputs(given.animations));
    const options = { ...libraryOptions(REDUCE_OPTIONS, given), animations };
    const recipe = reduceRecipeOf('poselane reduce', options);
    const { out } = given;
    if (out === '-') throw new UsageError("--out: standard output has the results: name a file or a folder ('./-')");
    const file =
        /\.(glb|vrm)$/i.test(out) && !(await stat(out).catch(() => null))?.isDirectory() ? basename(out) : null;
    const folder = file === null ? out : dirname(out);
    const found = await findInputs(names, { exclude: given.exclude, ...(file === null ? { out } : {}) });
    const inputs = found.map(({ path }) => path);
    if (file !== null && (found.length > 1 || given.keepTree)) {
        const who = found.length > 1 ? 'several inputs need' : '--keep-tree needs';
        throw new UsageError(`--out: '${out}' is one file: ${who} a folder`);
    }
    const cache = await cacheFor(given);
    await missingFolders('--out', [folder]);
    const all = await targetsFor(found, folder, file, given.keepTree);
    refuseCollisions(all, 'reduce');
    // File systems may ignore case.
    const placeOf = (target: Target) => join(target.place, basename(pathOf(target, file))).toLowerCase();
    const byPlace = new Map(all.filter(({ isFolder }) => !isFolder).map((target) => [placeOf(target), target.path]));
    const writerOf = (path: string) => byPlace.get(path.toLowerCase());
    const missing = await missingFolders('--out', new Set(all.map((target) => target.folder)));
    const named = new Map<string, string>();
    if (given.report !== undefined) {
        await refuseFile('--report', given.report, given.dryRun ? null : folder);
        const own = writerOf(await realPlace(given.report));
        if (own !== undefined) throw new UsageError(`--report: '${given.report}' is what '${own}' is reduced to`);
        named.set(given.report, '--report');
    }
    await refuseOverwriting([...inputs, ...(animations ?? [])], {
        targets: all,
        writerOf,
        doing: 'reducing',
        named,
    });
    const targets = given.shard === undefined ? all : takeShard(all, given.shard);
    const jobs = targets.map(
        (target, number): ReduceJob => ({
            command: 'reduce',
            number,
            input: target.path,
            path: pathOf(target, file),
            dryRun: given.dryRun === true,
            recipe,
            threads: targets.length === 1 ? threadsFor(given) : 1,
            cache,
        }),
    );
    const { maxSlide } = options;
    await runBatch<ReduceJobResult>(
        {
            command: 'reduce',
            given,
            // JSON has no Infinity.
            options: { ...options, ...(maxSlide === Infinity ? { maxSlide: 'none' } : {}) },
            inputs,
            targets,
            jobs,
            missing,
            results: new Map(),
            started,
            linesOf: (result, target) => linesOf(result, { ...given, path: pathOf(target, file) }),
            sumOf,
        },
        io,
    );
}

/** @param file Name of the single output. Null if each output has the name of its input. */
async function targetsFor(inputs: readonly Input[], folder: string, file: string | null, keepTree?: boolean) {
    const targets = await targetsOf(inputs, folder, keepTree);
    if (file === null) return targets;
    return targets.map((target) => ({
        ...target,
        key: join(target.place, stemOf(file)).toLowerCase(),
    }));
}

function pathOf({ folder, path }: Target, file: string | null): string {
    return join(folder, file ?? `${stemOf(basename(path))}${/\.vrm$/i.test(path) ? '.vrm' : '.glb'}`);
}
