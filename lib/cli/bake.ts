// SPDX-License-Identifier: MIT

import { Command } from 'commander';
import type { BakeContainer, BakeOptions, Emit } from '../bake';
import { BAKE_OPTIONS } from '../bake/plan/option-table';
import { hasArrays, type Recipe, recipeOf } from '../bake/plan/options';
import { UsageError } from '../base/errors';
import { greatestError, linesOf, sumOf } from './bake-lines';
import { addBakeOptions } from './bake-options';
import type { BakeJob, BakeJobResult } from './batch/bake-job';
import { cacheFor, runBatch } from './batch/batch';
import { INPUTS } from './batch/options';
import { type InputSettings, inConfig, inputsOf, readSettings, type Settings, settingsOf } from './config';
import { expandInputs, takeShard } from './inputs';
import { groupDigits, type Io, plural } from './io';
import { libraryOptions } from './library-options';
import { refuseFile } from './output-file';
import { missingFolders, refuseCollisions, targetsOf, withoutSkin } from './output-folders';
import { refuseOverwriting } from './overwriting';
import { namedFiles, pagesOf, relativeUrl, writeIndex } from './pages';
import { type Round, watch } from './watch';

export function bakeCommand(io: Io): Command {
    const command = new Command('bake')
        .description('bake animation clips of glTF files to palettes of skinning matrices')
        .argument('[inputs...]', INPUTS);
    return addBakeOptions(command)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane bake hero.glb -o out/
  $ poselane bake hero.glb -o out/ --fps 60 --clips Walk,Run
  $ poselane bake hero.glb -o out/ --max-error 5mm -v
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
  $ poselane bake    # with the options in poselane.config.json

Exit codes: 0 done, 1 system error such as a full disk, 2 wrong use, 3 input missing or invalid, 4 error above --max-error,
5 at least one of several inputs failed (--json and --report have the code of each), 130 interrupted.
A shard of several inputs exits with 5 too, even if it has only one of them.`,
        )
        .action(async (inputs: string[]) => {
            const read = () => readSettings(command, inputs);
            const settings = await read();
            if (settings.given.watch) return watch(settings, read, bake, io);
            return bake(settings, { changed: null, results: new Map() }, io);
        });
}

async function bake(settings: Settings, round: Round, io: Io): Promise<void> {
    await bakeAll(settings, round, io).catch((error) => {
        throw inConfig(error, settings, settings.places);
    });
}

async function bakeAll(settings: Settings, { changed, results }: Round, io: Io): Promise<void> {
    const started = performance.now();
    const { given } = settings;
    const { container = 'files' } = given;
    const found = await inputsOf(settings, results);
    const paths = found.map(({ path }) => path);
    const recipes = await recipesFor(settings, paths);
    const distinct = [...new Set(recipes.values())];
    const emit = new Set(distinct.flatMap(({ recipe }) => [...recipe.emit]));
    const cache = await cacheFor(given);
    await missingFolders('--out', [given.out]);
    const all = await targetsOf(found, given.out, given.keepTree);
    const byKey = refuseCollisions(all, 'bake', withoutSkin);
    const missing = await missingFolders('--out', new Set(all.map(({ folder }) => folder)));
    const made = given.dryRun ? null : given.out;
    if (given.report !== undefined) await refuseFile('--report', given.report, made);
    const pages = given.html === undefined ? null : await pagesOf(given.html, all, made, given.shard);
    if (pages !== null && pages.index !== null) await missingFolders('--html', [given.html!]);
    const clips = distinct.flatMap((one) => one.options.animations ?? []) as string[];
    const configs = settings.config === null ? [] : [settings.config];
    await refuseOverwriting([...paths, ...new Set(clips), ...configs], {
        targets: all,
        writerOf: (path) => writerOf(path, byKey, emit, container),
        doing: 'baking',
        named: namedFiles(pages, given.report),
    });
    const targets = given.shard === undefined ? all : takeShard(all, given.shard);
    const jobs = targets
        .filter(({ path }) => changed === null || changed.has(path))
        .map(({ path: input, folder }, number): BakeJob => {
            const path = given.dryRun ? undefined : pages?.paths.get(input);
            const index = pages?.index ?? null;
            const page = path === undefined ? null : { path, index: index && relativeUrl(path, index) };
            const { recipe } = recipes.get(input)!;
            const out = given.dryRun ? null : folder;
            const advise = all.length === 1 && !given.quiet && !given.json;
            return { command: 'bake', number, input, out, container, recipe, page, cache, advise };
        });
    for (const { input } of jobs) results.delete(input);
    const [{ options }] = distinct as [CheckedOptions];
    await runBatch<BakeJobResult>(
        {
            command: 'bake',
            given,
            options: { ...(distinct.length === 1 ? options : { recipes: distinct.map((one) => one.options) }) },
            inputs: paths,
            targets,
            jobs,
            missing,
            results,
            started,
            linesOf: (result, { folder }) => linesOf(result, { ...given, folder, batch: all.length > 1 }),
            errorOf: greatestError,
            sumOf,
            async finish(latest, ended) {
                if (!pages?.index || given.dryRun) return null;
                const inputs = targets.map(({ path }) => path);
                await writeIndex(pages.index, inputs, latest, ended);
                return `${pages.index}: ${plural(groupDigits(inputs.length), 'file')}`;
            },
        },
        io,
    );
}

interface CheckedOptions {
    readonly options: BakeOptions;
    readonly recipe: Recipe;
}

/** Checks the options of each input, once for all inputs that share them. */
async function recipesFor(settings: Settings, inputs: readonly string[]): Promise<ReadonlyMap<string, CheckedOptions>> {
    const made = new Map<InputSettings, CheckedOptions>();
    const recipes = new Map<string, CheckedOptions>();
    for (const [input, own] of await settingsOf(settings, inputs)) {
        const { given, places } = own;
        if (!made.has(own)) {
            try {
                const animations = given.animations && (await expandInputs(given.animations));
                const options = { ...libraryOptions(BAKE_OPTIONS, given), animations };
                const recipe = recipeOf('poselane bake', options);
                const { emit } = recipe;
                if (given.html !== undefined && !hasArrays(emit))
                    throw new UsageError(`--html: a page shows arrays, and '--emit ${[...emit].join()}' has none`);
                if (given.container === 'glb' && !hasArrays(emit))
                    throw new UsageError(
                        `--container has no effect: '--emit ${[...emit].join()}' has no arrays; leave it out`,
                    );
                made.set(own, { options, recipe });
            } catch (error) {
                throw inConfig(error, settings, places);
            }
        }
        recipes.set(input, made.get(own)!);
    }
    return recipes;
}

/** The input whose bake has a file with this path. A file of several skins has `hero.skin0.bake.json`. */
function writerOf(
    path: string,
    byKey: ReadonlyMap<string, string>,
    emit: ReadonlySet<Emit>,
    container: BakeContainer,
): string | undefined {
    const [, engineKey, engine] = /^(.*)_(vat|godot)[/\\][^/\\]*$/s.exec(path.toLowerCase()) ?? [];
    if (engineKey !== undefined)
        return emit.has(engine === 'vat' ? 'openvat' : 'godot') ? byKey.get(engineKey) : undefined;
    const [, key, kind] =
        /^(.*)\.(bake\.json|bake\.bin|bake\.glb|baked\.glb|baked\.vat)$/s.exec(path.toLowerCase()) ?? [];
    if (key === undefined) return undefined;
    if (kind === 'baked.glb') return emit.has('glb') ? byKey.get(key) : undefined;
    if (kind === 'baked.vat') return emit.has('pvat') ? byKey.get(key) : undefined;
    if (!hasArrays(emit) || (kind === 'bake.glb') !== (container === 'glb')) return undefined;
    return byKey.get(key) ?? byKey.get(withoutSkin(key));
}
