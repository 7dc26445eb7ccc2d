// SPDX-License-Identifier: MIT

import { type Command, Option } from 'commander';
import type { BakeContainer, BakeOptions } from '../bake';
import { BAKE_OPTIONS } from '../bake/plan/option-table';
import { CONTAINERS } from '../bake/write/container';
import { addBatchOptions, addInputOptions, type BatchArguments } from './batch/options';
import { addLibraryOptions } from './library-options';

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
    addLibraryOptions(addInputOptions(command), BAKE_OPTIONS).addOption(
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
