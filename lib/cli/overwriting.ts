// SPDX-License-Identifier: MIT

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BakeContainer, Emit } from '../bake';
import { hasArrays } from '../bake/options';
import { findOverlaps, realPlace } from '../bake/output-files';
import { UsageError } from '../errors';
import { isWithin, readReferences } from '../gltf/files';

/** The folder and the files that a run writes. */
export interface RunOutputs {
    readonly out: string;
    readonly emit: ReadonlySet<Emit>;
    readonly container: BakeContainer;
    /** Other files, and the options that name them. */
    readonly named: ReadonlyMap<string, string>;
}

/**
 * Before any work, and for all inputs, whichever of them this process bakes: no output may be a file that an input is or refers
 * to, under whatever name.
 *
 * @param byStem As `refuseCollisions` gives it.
 * @throws UsageError which names both.
 */
export async function refuseOverwriting(
    inputs: readonly string[],
    byStem: ReadonlyMap<string, string>,
    { out, emit, container, named }: RunOutputs,
): Promise<void> {
    const there = await readdir(out).catch(() => []);
    const writer = (path: string) => writerOf(basename(path), byStem, emit, container);
    const outputs = there.filter(writer).map((name) => join(out, name));
    outputs.push(...named.keys());
    const overlapOf = await findOverlaps(outputs);
    const folder = await realPlace(out);
    /** A file that is not there yet must not come into being meanwhile. */
    const awaited = async (path: string) =>
        writer(path) !== undefined && (await realPlace(dirname(path))) === folder
            ? join(out, basename(path))
            : undefined;
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
            `baking '${writer(output)}' would overwrite ${what}${name}: choose another folder by --out`,
        );
    };
    const mayRefer = await referenceFilter(outputs, folder);
    for (const input of inputs) {
        await refuse(input, input, false);
        const references = (await mayRefer(input)) ? await readReferences(input) : [];
        for (const path of references) await refuse(join(dirname(input), path), input, true);
    }
}

/** The input whose bake has a file of that name; of one with several skins, also `hero.skin0.bake.json`. */
function writerOf(
    name: string,
    byStem: ReadonlyMap<string, string>,
    emit: ReadonlySet<Emit>,
    container: BakeContainer,
): string | undefined {
    const [, stem, kind] =
        /^(.*)\.(bake\.json|bake\.bin|bake\.glb|baked\.glb|baked\.vat)$/.exec(name.toLowerCase()) ?? [];
    if (stem === undefined) return undefined;
    if (kind === 'baked.glb') return emit.has('glb') ? byStem.get(stem) : undefined;
    if (kind === 'baked.vat') return emit.has('pvat') ? byStem.get(stem) : undefined;
    if (!hasArrays(emit) || (kind === 'bake.glb') !== (container === 'glb')) return undefined;
    return byStem.get(stem) ?? byStem.get(stem.replace(/\.skin\d+$/, ''));
}

/**
 * Whether an input can refer to any of some files, or to one that a folder does not have yet, which saves reading it: they lie
 * below its own folder, or have further names.
 */
async function referenceFilter(files: readonly string[], out: string): Promise<(input: string) => Promise<boolean>> {
    const folders = new Set([out]);
    let named = false;
    for (const file of files) {
        const found = await stat(file).catch(() => null);
        named ||= found !== null && found.nlink > 1;
        folders.add(dirname(await realPlace(file)));
    }
    return async (input) => {
        if (named) return true;
        try {
            const own = [await realpath(dirname(input)), dirname(await realpath(input))];
            return own.some((folder) => [...folders].some((other) => other === folder || isWithin(folder, other)));
        } catch {
            return false; // it is not there
        }
    };
}
