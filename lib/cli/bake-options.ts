// SPDX-License-Identifier: MIT

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BakeContainer, BakeOptions } from '../bake';
import { CONTAINERS } from '../bake/container';
import type { Shard } from './inputs';
import { shardFromEnvironment } from './shard';

/** The arguments of `poselane bake`. */
export interface BakeArguments extends Omit<BakeOptions, 'animations'> {
    /** Files and patterns. */
    readonly animations?: readonly string[];
    readonly out: string;
    readonly container?: BakeContainer;
    readonly exclude?: readonly string[];
    readonly keepTree?: boolean;
    readonly jobs?: number;
    readonly failFast?: boolean;
    readonly shard?: Shard;
    readonly dryRun?: boolean;
    readonly json?: boolean;
    readonly report?: string;
    readonly html?: string;
    readonly cache?: string;
    readonly cacheReadOnly?: boolean;
    readonly cacheInsecure?: boolean;
    readonly verbose?: boolean;
    readonly quiet?: boolean;
    readonly watch?: boolean;
    /** False for none. */
    readonly config?: string | false;
}

/** Declares the options of `poselane bake`. */
export function addBakeOptions(command: Command): Command {
    // It must be given, but a config may do that.
    command.option('-o, --out <folder>', 'where to write the bakes, <name>.bake.json and <name>.bake.bin');
    addExclude(command).option('--keep-tree', 'keep the folders that inputs are in: models/a/hero.glb -> out/a/');
    return addRecipeOptions(command)
        .addOption(
            new Option(
                '--container <form>',
                'manifest and arrays as two files (files, the default), or as one, <name>.bake.glb (glb)',
            ).choices(CONTAINERS),
        )
        .option('-j, --jobs <number>', 'files to bake at once (default: one for each processor)', wholeFrom(1))
        .option('--fail-fast', 'end with the first file that fails, instead of baking the others')
        .option(
            '--shard <i/n>',
            'bake every n-th file only, from the i-th on; env, or env/n: as Slurm, Kubernetes or CI tells',
            shard,
        )
        .option('--dry-run', 'do everything but write')
        .option('--json', 'what became of each file, as JSON on standard output, instead of lines')
        .option('--report <file>', 'write what became of each file, as JSON, beside the lines')
        .option('--html <path>', 'write a page to look at: a file; of several inputs a folder, with an index')
        .option(
            '--cache <place>',
            'bake nothing twice: a folder, or the URL of a server that speaks the protocol of Bazel',
        )
        .option('--cache-read-only', 'write nothing to the cache')
        .option('--cache-insecure', 'let the URL of the cache be http:, which others can read and change')
        .option('--watch', 'then bake again what changes, until Ctrl-C')
        .option(
            '--config <file>',
            'options for all or for some files (default: poselane.config.{json,js,mjs,cjs}, if here)',
        )
        .option('--no-config', 'take no options from a file')
        .option('-v, --verbose', 'tell of each clip, too')
        .option('--quiet', 'say nothing but errors');
}

/** Declares the options that the library takes, which checks values that depend on the file, or on other options. */
export function addRecipeOptions(command: Command): Command {
    return command
        .option(
            '--fps <rate>',
            'frames per second: 30, 29.97, 30000/1001; keys: what meets every key, up to 60, else 30; auto: for each clip what keeps to --max-error',
            'keys',
        )
        .option(
            '--max-error <distance>',
            'for --fps auto, --dtype f16, --layout qts16 and --emit pvat: greatest error allowed, model units (default: 1e-3 of the extent)',
            number,
        )
        .option('--clips <names>', 'only these clips: a,b or #3 by number; may repeat', addList)
        .option(
            '--animations <files>',
            'clips of other files, too, for nodes of the same names: a file or a pattern; may repeat',
            addOne,
        )
        .option(
            '--rename <from=to>',
            "of --animations: the name that counts instead; 'mixamorig*=*' for beginnings; may repeat",
            addRename,
        )
        .addOption(
            new Option(
                '--unmatched <what>',
                'of --animations: what nodes without a counterpart are, by default an error',
            ).choices(['error', 'warn']),
        )
        .addOption(
            new Option(
                '--retarget <how>',
                'of --animations: keys as they are (none, the default), or relative to the two rest poses (rotation)',
            ).choices(['none', 'rotation']),
        )
        .option('--from <seconds>', 'bake from here in every clip', number)
        .option('--to <seconds>', 'bake up to here in every clip', number)
        .option('--skin <number>', 'only this skin', wholeFrom(0))
        .addOption(
            new Option('--attachments <which>', 'meshes without a skin that move, by default all').choices([
                'all',
                'none',
            ]),
        )
        .option('--max-rows <number>', 'refuse to bake more rows than these', wholeFrom(1))
        .addOption(
            new Option(
                '--end <how>',
                'a last interval that is no whole frame: shorten it (clamp, the default), or all',
            ).choices(['clamp', 'fit']),
        )
        .option(
            '--emit <list>',
            'palette,hit,local,morph,bounds,root,jointBounds,glb,pvat (default: palette); may repeat',
            addList,
        )
        .addOption(
            new Option('--layout <layout>', 'of the palette, by default mat4').choices(['mat4', 'mat3x4', 'qts16']),
        )
        .addOption(new Option('--dtype <type>', 'of the palette, by default f32').choices(['f32', 'f16']))
        .addOption(
            new Option('--space <space>', 'what places are relative to, by default the scene').choices([
                'scene',
                'skin-root',
            ]),
        )
        .option('--hit-joints <regex>', 'with --emit hit: joints whose name matches (default: all)')
        .addOption(
            new Option(
                '--root <how>',
                'root motion: keep it in the frames (the default), extract it to an array (with --emit root), or take it out',
            ).choices(['keep', 'extract', 'in-place']),
        )
        .option('--root-joint <name>', 'the joint that carries root motion (default: the first one)')
        .addOption(
            new Option('--root-motion <parts>', 'what of it counts, by default xz+yaw').choices([
                'xz+yaw',
                'xyz+rotation',
            ]),
        )
        .option('--renormalize', 'bring rotation keys to unit length')
        .option('--strict', 'a warning is an error');
}

/** The options that the library takes. */
export function libraryOptions(given: BakeArguments): BakeOptions {
    const {
        out,
        container,
        exclude,
        keepTree,
        jobs,
        failFast,
        shard,
        dryRun,
        json,
        report,
        html,
        verbose,
        quiet,
        watch,
        config,
        ...rest
    } = given;
    const { cache, cacheReadOnly, cacheInsecure, ...options } = rest;
    return options;
}

/** What several commands say of their inputs. */
export const INPUTS = '.glb or .gltf files, folders of them, or patterns such as "models/**/*.glb"';

/** Declares `--exclude`. */
export function addExclude(command: Command): Command {
    return command.option(
        '--exclude <pattern>',
        "leave files out: '*_lod?.glb' or the name of a folder, wherever it is, or a path; may repeat",
        addOne,
    );
}

/** Whether an option may repeat. */
export function isList({ parseArg }: Option): boolean {
    return ([addList, addOne, addRename] as unknown[]).includes(parseArg);
}

function addList(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, ...value.split(',')];
}

/** The value with those before it. */
export function addOne(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, value];
}

/** Reads `from=to`, with those before it. */
export function addRename(
    value: string,
    previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
    const [, from, to] = /^([^=]+)=(.+)$/.exec(value) ?? [];
    if (from === undefined || to === undefined) throw new InvalidArgumentError('Needs from=to, such as pelvis=Hips.');
    return { ...previous, [from]: to };
}

function number(value: string): number {
    if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw new InvalidArgumentError('Needs a number, 0 or more.');
    return Number(value);
}

/** Reads a whole number of an option. */
export function wholeFrom(min: number): (value: string) => number {
    return (value) => {
        if (!/^\d{1,15}$/.test(value) || Number(value) < min) {
            throw new InvalidArgumentError(`Needs a whole number, ${min} or more.`);
        }
        return Number(value);
    };
}

function shard(value: string): Shard {
    const [named, wanted] = /^env(?:\/(\d{1,9}))?$/.exec(value) ?? [];
    if (named !== undefined) return shardFromEnvironment(wanted === undefined ? undefined : Number(wanted));
    const [, index = 0, count = 0] = (/^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? []).map(Number);
    if (index < 1 || index > count)
        throw new InvalidArgumentError('Needs i/n with i from 1 to n, such as 2/8, or env.');
    return { index, count };
}
