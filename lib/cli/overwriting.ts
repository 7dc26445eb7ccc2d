// SPDX-License-Identifier: MIT

import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/errors';
import { fileSystem, waitForFiles } from '../files/file-system';
import { findOverlaps, realPlace } from '../files/output-files';
import { readReferences } from '../gltf/files';
import type { Target } from './output-folders';

export interface RunOutputs {
    readonly targets: readonly Target[];
    /** The input that writes a file, given by its real path, in one of the folders. */
    writerOf(path: string): string | undefined;
    /** The activity, for messages: `baking`. */
    readonly doing: string;
    /** Other output files, and the options that name them. */
    readonly named: ReadonlyMap<string, string>;
}

/**
 * Checks all inputs, of every shard, before any work: no output may be an input, or a file that an input refers to, under any name.
 *
 * @throws UsageError that names both.
 */
export async function refuseOverwriting(
    inputs: readonly string[],
    { targets, writerOf, doing, named }: RunOutputs,
): Promise<void> {
    waitForFiles(); // nothing else can run before these checks
    const folders = new Map(targets.map(({ place, folder }) => [place, folder]));
    /** Inputs by the outputs that they write. */
    const writers = new Map<string, string>();
    for (const [place, folder] of folders) {
        for (const name of await readdir(folder).catch(() => [])) {
            const writer = writerOf(join(place, name));
            if (writer !== undefined) writers.set(join(folder, name), writer);
        }
    }
    const outputs = [...writers.keys(), ...named.keys()];
    const overlapOf = await findOverlaps(outputs);
    /** Catches outputs that do not exist yet. */
    const awaited = async (path: string) => {
        // Some outputs have a folder of their own in the output folder.
        for (const [parent, name] of [
            [dirname(path), basename(path)],
            [dirname(dirname(path)), join(basename(dirname(path)), basename(path))],
        ] as const) {
            const place = await realPlace(parent);
            const folder = folders.get(place);
            const writer = folder && writerOf(join(place, name));
            if (writer === undefined) continue;
            const output = join(folder!, name);
            writers.set(output, writer);
            return output;
        }
        return undefined;
    };
    const refuse = async (path: string, input: string, reference: boolean) => {
        const output = (await overlapOf(path)) ?? (await awaited(path));
        if (output === undefined) return;
        const option = named.get(output);
        if (option !== undefined) {
            const what = reference ? `a file that the input '${input}' refers to` : `the input '${input}'`;
            throw new UsageError(`${option}: '${output}' is ${what}`);
        }
        const what = reference ? `'${path}', which the input '${input}' refers to` : `the input '${input}'`;
        const name = resolve(output) === resolve(path) ? '' : ` (the same file as '${output}')`;
        throw new UsageError(
            `${doing} '${writers.get(output)}' would overwrite ${what}${name}: choose another folder by --out`,
        );
    };
    const mayRefer = await referenceFilter(outputs, folders.keys());
    for (const input of inputs) {
        await refuse(input, input, false);
        const references = (await mayRefer(input)) ? await readReferences(input) : [];
        for (const path of references) await refuse(join(dirname(input), path), input, true);
    }
}

/** Whether an input can refer to an output. If not, it is not read. Outputs must be below its folder, or have several names. */
async function referenceFilter(
    files: readonly string[],
    places: Iterable<string>,
): Promise<(input: string) => Promise<boolean>> {
    const { realpath, stat } = fileSystem();
    const above = new Set<string>();
    const add = (folder: string) => {
        for (let at = folder; !above.has(at); at = dirname(at)) above.add(at);
    };
    for (const place of places) add(place);
    let named = false;
    for (const file of files) {
        const found = await stat(file).catch(() => null);
        named ||= found !== null && found.nlink > 1;
        add(dirname(await realPlace(file)));
    }
    return async (input) => {
        if (named) return true;
        try {
            return above.has(await realpath(dirname(input))) || above.has(dirname(await realpath(input)));
        } catch {
            return false; // it is not there
        }
    };
}
