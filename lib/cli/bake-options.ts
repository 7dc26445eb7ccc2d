// SPDX-License-Identifier: MIT

import { type Command, Option } from 'commander';
import type { BakeContainer, BakeOptions } from '../bake';
import { BAKE_OPTIONS } from '../bake/plan/option-table';
import { CONTAINERS } from '../bake/write/container';
import { addBatchOptions, addInputOptions, type BatchArguments } from './batch/options';
import { addLibraryOptions } from './library-options';

export interface BakeArguments extends Omit<BakeOptions, 'animations'>, BatchArguments {
    /** Files and patterns. */
    readonly animations?: readonly string[];
    readonly container?: BakeContainer;
    readonly html?: string;
    readonly watch?: boolean;
    /** False for `--no-config`. */
    readonly config?: string | false;
}

export function addBakeOptions(command: Command): Command {
    // Required, but a config may give it.
    command.option('-o, --out <folder>', 'folder for the bakes: <name>.bake.json and <name>.bake.bin');
    addLibraryOptions(addInputOptions(command), BAKE_OPTIONS).addOption(
        new Option(
            '--container <form>',
            'write manifest and arrays as two files, or as one, <name>.bake.glb (default: files)',
        ).choices(CONTAINERS),
    );
    return addBatchOptions(command, 'bake', 'files to bake at once (default: one for each processor)')
        .option(
            '--html <path>',
            'write an HTML page that plays the bake: a file; for several inputs a folder with an index',
        )
        .option('--watch', 'bake again whatever changes, until Ctrl-C')
        .option(
            '--config <file>',
            'file with options, for all or some inputs (default: poselane.config.{json,js,mjs,cjs} in the current folder)',
        )
        .option('--no-config', 'read no config file');
}
