// SPDX-License-Identifier: MIT

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BakeContainer, BakeOptions } from '../bake';
import { CONTAINERS } from '../bake/write/container';
import {
    addBatchOptions,
    addInputOptions,
    addList,
    addOne,
    type BatchArguments,
    length,
    number,
    wholeFrom,
} from './batch/options';

/** The arguments of `poselane bake`. */
export interface BakeArguments extends Omit<BakeOptions, 'animations'>, BatchArguments {
    /** Files and patterns. */
    readonly animations?: readonly string[];
    readonly container?: BakeContainer;
    readonly html?: string;
    readonly watch?: boolean;
    /** False for none. */
    readonly config?: string | false;
}

/** Declares the options of `poselane bake`. */
export function addBakeOptions(command: Command): Command {
    // It must be given, but a config may do that.
    command.option('-o, --out <folder>', 'where to write the bakes, <name>.bake.json and <name>.bake.bin');
    addRecipeOptions(addInputOptions(command)).addOption(
        new Option(
            '--container <form>',
            'manifest and arrays as two files (files, the default), or as one, <name>.bake.glb (glb)',
        ).choices(CONTAINERS),
    );
    return addBatchOptions(command, 'bake', 'files to bake at once (default: one for each processor)')
        .option('--html <path>', 'write a page to look at: a file; of several inputs a folder, with an index')
        .option('--watch', 'then bake again what changes, until Ctrl-C')
        .option(
            '--config <file>',
            'options for all or for some files (default: poselane.config.{json,js,mjs,cjs}, if here)',
        )
        .option('--no-config', 'take no options from a file');
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
            '--max-error <length>',
            'for --fps auto, --dtype f16, --layout qts16 and --emit pvat: maximum error: 0.5mm, 2cm, 0.1% of the extent, or units of the model (default: 0.1%)',
            length,
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

/** Whether an option may repeat. */
export function isList({ parseArg }: Option): boolean {
    return ([addList, addOne, addRename] as unknown[]).includes(parseArg);
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
