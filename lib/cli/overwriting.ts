// SPDX-License-Identifier: MIT

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/errors';
import { findOverlaps, realPlace } from '../files/output-files';
import { readReferences } from '../gltf/files';
import type { Target } from './output-folders';

/** The folders and the files that a run writes. */
export interface RunOutputs {
    readonly targets: readonly Target[];
    /** The input that a file in one of the folders, by its real path, is written for. */
    writerOf(path: string): string | undefined;
    /** What is done with inputs, for messages. */
    readonly doing: string;
    /** Other files, and the options that name them. */
    readonly named: ReadonlyMap<string, string>;
}

/**
 * Before any work, and for all inputs, whichever of them this process works on: no output may be a file that an input is or refers
 * to, under whatever name.
 *
 * @throws UsageError which names both.
 */
export async function refuseOverwriting(
    inputs: readonly string[],
    { targets, writerOf, doing, named }: RunOutputs,
): Promise<void> {
    const folders = new Map(targets.map(({ place, folder }) => [place, folder]));
    /** By output, the input that it is written for. */
    const writers = new Map<string, string>();
    for (const [place, folder] of folders) {
        for (const name of await readdir(folder).catch(() => [])) {
            const writer = writerOf(join(place, name));
            if (writer !== undefined) writers.set(join(folder, name), writer);
        }
    }
    const outputs = [...writers.keys(), ...named.keys()];
    const overlapOf = await findOverlaps(outputs);
    /** A file that is not there yet must not come into being meanwhile. */
    const awaited = async (path: string) => {
        const place = await realPlace(dirname(path));
        const folder = folders.get(place);
        const writer = folder && writerOf(join(place, basename(path)));
        if (writer === undefined) return undefined;
        const output = join(folder!, basename(path));
        writers.set(output, writer);
        return output;
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

/**
 * Whether an input can refer to any of some files, or to one that a folder does not have yet, which saves reading it: they lie
 * below its own folder, or have further names.
 */
async function referenceFilter(
    files: readonly string[],
    places: Iterable<string>,
): Promise<(input: string) => Promise<boolean>> {
    /** Folders, and all that are above them. */
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
