// SPDX-License-Identifier: MIT

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BakeOptions } from '../bake';
import type { Shard } from './inputs';

/** The arguments of `poselane bake`. */
export interface BakeArguments extends BakeOptions {
    readonly out: string;
    readonly jobs?: number;
    readonly shard?: Shard;
    readonly dryRun?: boolean;
    readonly report?: string;
    readonly verbose?: boolean;
    readonly quiet?: boolean;
}

/** Declares the options. The library checks values that depend on the file, or on other options. */
export function addBakeOptions(command: Command): Command {
    return command
        .requiredOption('-o, --out <folder>', 'where to write <name>.bake.json and <name>.bake.bin')
        .option(
            '--fps <rate>',
            'frames per second: 30, 29.97, 30000/1001; keys: what meets every key, up to 60, else 30; auto: for each clip what keeps to --max-error',
            'keys',
        )
        .option(
            '--max-error <distance>',
            'for --fps auto, --dtype f16 and --layout qts16: greatest error allowed, model units (default: 1e-3 of the extent)',
            number,
        )
        .option('--clips <names>', 'only these clips: a,b or #3 by number; may repeat', addList)
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
            'palette,hit,local,morph,bounds,root,jointBounds,glb (default: palette); may repeat',
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
        .option('--renormalize', 'bring rotation keys to unit length')
        .option('--strict', 'a warning is an error')
        .option('-j, --jobs <number>', 'files to bake at once (default: one for each processor)', wholeFrom(1))
        .option('--shard <i/n>', 'bake every n-th file only, from the i-th on', shard)
        .option('--dry-run', 'do everything but write')
        .option('--report <file>', 'write what became of each file, as JSON')
        .option('-v, --verbose', 'tell of each clip, too')
        .option('--quiet', 'say nothing but errors');
}

/** The options that the library takes. */
export function libraryOptions(given: BakeArguments): BakeOptions {
    const { out, jobs, shard, dryRun, report, verbose, quiet, ...options } = given;
    return options;
}

function addList(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, ...value.split(',')];
}

function number(value: string): number {
    if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw new InvalidArgumentError('Needs a number, 0 or more.');
    return Number(value);
}

function wholeFrom(min: number): (value: string) => number {
    return (value) => {
        if (!/^\d{1,15}$/.test(value) || Number(value) < min) {
            throw new InvalidArgumentError(`Needs a whole number, ${min} or more.`);
        }
        return Number(value);
    };
}

function shard(value: string): Shard {
    const [, index = 0, count = 0] = (/^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? []).map(Number);
    if (index < 1 || index > count) throw new InvalidArgumentError('Needs i/n with i from 1 to n, such as 2/8.');
    return { index, count };
}
