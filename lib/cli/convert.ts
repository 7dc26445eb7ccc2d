// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { CONVERT_OPTIONS, type ConvertFileOptions, convertFile } from '../bake/convert-file';
import { InputError, UsageError } from '../base/errors';
import { roughSizeOf } from '../base/messages';
import { stemOf } from '../base/names';
import { addInputOptions, INPUTS } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, findInputs } from './inputs';
import { bold, type Io, plural, writeError, writeLine, writeWarnings } from './io';
import { addLibraryOptions, libraryOptions } from './library-options';
import { refuseFile, refuseInput, writeWhole } from './output-file';
import { missingFolders, refuseCollisions, targetsOf } from './output-folders';

interface Options extends Omit<ConvertFileOptions, 'animations'> {
    readonly animations?: readonly string[];
    readonly out: string;
    readonly exclude?: readonly string[];
    readonly keepTree?: boolean;
}

export function convertCommand(io: Io): Command {
    const command = new Command('convert')
        .description('convert FBX and BVH files to GLB, and add clips of other files')
        .argument('<inputs...>', INPUTS)
        .requiredOption('-o, --out <path>', 'folder for <name>.glb; for one input also a .glb file');
    return addLibraryOptions(addInputOptions(command), CONVERT_OPTIONS)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane convert hero.fbx -o hero.glb
  $ poselane convert mocap/ -o clips/ --keep-tree
  $ poselane convert walk.bvh -o walk.glb --bvh-scale 0.01
  $ poselane convert hero.glb -o moving.glb --animations 'mixamo/*.fbx' --retarget humanoid

Other commands read FBX and BVH files as they read GLB files. FBX files need @babylonjs/core and @babylonjs/loaders.
Exit codes: 0 done, 1 system error such as a full disk, 2 wrong use, 3 input missing or invalid, or a package missing,
5 of several inputs some failed, or all, 130 interrupted.`,
        )
        .action((inputs: string[], options: Options) => convert(inputs, options, io));
}

async function convert(names: readonly string[], given: Options, io: Io): Promise<void> {
    const { out, exclude, keepTree } = given;
    const animations = given.animations && (await expandInputs(given.animations));
    const options = { ...libraryOptions(CONVERT_OPTIONS, given), animations };
    if (out === '-') throw new UsageError("--out: standard output has the results: name a file or a folder ('./-')");
    const file = /\.glb$/i.test(out) && !(await stat(out).catch(() => null))?.isDirectory() ? basename(out) : null;
    const folder = file === null ? out : dirname(out);
    const inputs = await findInputs(names, { exclude, ...(file === null ? { out } : {}) });
    if (file !== null && (inputs.length > 1 || keepTree))
        throw new UsageError(
            `--out: '${out}' is one file: ${keepTree ? '--keep-tree needs' : 'several inputs need'} a folder`,
        );
    await missingFolders('--out', [folder]);
    const targets = await targetsOf(inputs, folder, keepTree);
    refuseCollisions(targets, 'convert');
    const jobs = targets.map(({ path, folder: below }) => ({
        path,
        output: join(below, file ?? `${stemOf(basename(path))}.glb`),
    }));
    const paths = [...inputs.map(({ path }) => path), ...(animations ?? [])];
    for (const { output } of jobs) await refuseInput('--out', output, paths);
    if (file !== null) await refuseFile('--out', out, folder);
    let failed = 0;
    for (const { path, output } of jobs) {
        io.signal?.throwIfAborted();
        try {
            const { bytes, source, nodes, clips, warnings } = await convertFile(path, options, { signal: io.signal });
            await writeWhole('--out', output, bytes, io.signal);
            const what = `${plural(String(nodes), 'node')}, ${plural(String(clips), 'clip')}, ${roughSizeOf(bytes.length)}`;
            writeLine(io.stdout, bold(path), ` -> ${output}, ${what}${source === null ? '' : `; from ${source}`}`);
            writeWarnings(io, path, warnings, 'poselane inspect --json lists them');
        } catch (error) {
            if (jobs.length === 1 || !(error instanceof InputError)) throw error;
            writeError(io, error.message);
            failed++;
        }
    }
    if (failed > 0) throw new ExitError(EXIT.someFailed, `${failed} of ${jobs.length} files could not be converted`);
}
