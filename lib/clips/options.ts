// SPDX-License-Identifier: MIT

import { describe, isArray } from '../base/arguments';
import { namingOptions, typeError, UsageError } from '../base/errors';
import type { FileBytes } from '../gltf/file-bytes';
import type { Rename } from './match';

/** How clips of other files are applied to a file's nodes. Checked, with all defaults filled in. */
export interface ClipRecipe {
    readonly rename: readonly Rename[];
    readonly unmatched: 'error' | 'warn';
    readonly retarget: 'none' | 'rotation';
}

/** Options for clips of other files. */
export interface ClipOptions<Source = string | FileBytes> {
    /**
     * Files whose clips are added after the file's own: paths, or bytes with a name. Nodes are matched by name:
     * exactly, otherwise in another namespace (`mixamorig:Hips`, `Hips`). A clip whose name another file also has is
     * named `stem:name` after its file, or `stem.2:name` and so on if that is taken too.
     */
    animations?: readonly Source[];
    /**
     * Names of nodes in those files, and the names to use instead. `{ 'mixamorig*': '*' }` replaces the beginning of
     * names.
     */
    rename?: Readonly<Record<string, string>>;
    /**
     * How to treat channels whose node has no match, or several: an InputError `NODES_UNMATCHED` (the default), or a
     * warning.
     */
    unmatched?: 'error' | 'warn';
    /**
     * How keys are applied. `'none'` (the default): local transforms unchanged. `'rotation'`, for skeletons with
     * different rest poses: rotations relative to both rest poses, the translation of the hips in proportion to their
     * height, and all other lengths from this file.
     */
    retarget?: 'none' | 'rotation';
}

/** The requirement on a value in words, and its test. */
export type Check = readonly [needs: string, holds: (value: unknown) => boolean];

const isString = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !isArray(value);

/** Type checks, for callers without TypeScript. */
export const CLIP_TYPES: Readonly<Record<keyof ClipOptions, Check>> = {
    animations: [
        'a list of paths, or of objects with bytes and name',
        (value) => isArray(value) && value.every((one) => isString(one) || isObject(one)),
    ],
    rename: ['an object of strings', (value) => isObject(value) && Object.values(value).every(isString)],
    unmatched: ['a string', isString],
    retarget: ['a string', isString],
};

/** @throws TypeError `ERR_ARGUMENT_TYPE`. */
export function checkClipTypes(routine: string, options: object): asserts options is ClipOptions {
    for (const [key, [needs, holds]] of Object.entries(CLIP_TYPES)) {
        const value = (options as Readonly<Record<string, unknown>>)[key];
        if (value === undefined || holds(value)) continue;
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.${key} must be ${needs}, got ${describe(value)}`);
    }
}

const CHOICES = { unmatched: ['error', 'warn'], retarget: ['none', 'rotation'] } as const;

/**
 * Checks the values of options with the right types.
 *
 * @returns Null if there are no files.
 * @throws UsageError
 */
export function clipRecipeOf(options: ClipOptions): ClipRecipe | null {
    const { animations, rename = {}, unmatched = 'error', retarget = 'none' } = options;
    for (const [option, value] of Object.entries({ unmatched, retarget })) {
        const choices: readonly string[] = CHOICES[option as keyof typeof CHOICES];
        if (choices.includes(value)) continue;
        throw namingOptions(
            (name) => new UsageError(`${name(option)}: there is no '${value}', only ${choices.join(', ')}`),
        );
    }
    if (animations?.length) return { rename: renamesOf(rename), unmatched, retarget };
    for (const option of ['rename', 'unmatched', 'retarget'] as const) {
        if (options[option] === undefined) continue;
        throw namingOptions(
            (name) => new UsageError(`${name(option)}: it decides nothing here: only with ${name('animations')}`),
        );
    }
    return null;
}

function renamesOf(rename: Readonly<Record<string, string>>): Rename[] {
    for (const [from, to] of Object.entries(rename)) {
        if (from !== '' && to !== '' && from.endsWith('*') === to.endsWith('*')) continue;
        const rule = `'${from}' to '${to}' is not a renaming: needs two names, or two beginnings with * after each`;
        throw namingOptions((name) => new UsageError(`${name('rename')}: ${rule}`));
    }
    // Whole names first, then the longest beginning, so that the order of entries does not matter.
    const rank = (from: string) => (from.endsWith('*') ? from.length : Infinity);
    return Object.entries(rename).sort(([a], [b]) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : 0));
}
