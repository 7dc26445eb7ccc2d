// SPDX-License-Identifier: MIT

import { checkOptionValues, type OptionTable, usage } from '../base/option-table';
import type { FileBytes } from '../gltf/file-bytes';
import type { Rename } from './match';
import { ROLES } from './roles';

/** How to apply clips of other files: checked options, with defaults. */
export interface ClipRecipe {
    readonly rename: readonly Rename[];
    readonly unmatched: (typeof CLIP_OPTIONS)['unmatched']['choices'][number];
    readonly retarget: (typeof CLIP_OPTIONS)['retarget']['choices'][number];
    readonly feet: (typeof CLIP_OPTIONS)['feet']['choices'][number];
    readonly travel: (typeof CLIP_OPTIONS)['travel']['choices'][number];
    readonly roles: Readonly<Record<string, string>>;
}

/** Clips of other files, and how they are applied to the nodes of this file. */
export interface ClipOptions<Source = string | FileBytes> {
    /**
     * Other files whose clips are added after the file's own: paths, or bytes with a name. Nodes match by name: the same name, else the
     * same name in another namespace (`mixamorig:Hips`, `Hips`). A clip whose name is taken is called `stem:name` after its file, then
     * `stem.2:name` and so on.
     */
    animations?: readonly Source[];
    /**
     * Names of nodes in those files, and the names to use instead. `{ 'mixamorig*': '*' }` changes a prefix of all names. A UsageError
     * without `animations`.
     */
    rename?: Readonly<Record<string, string>>;
    /**
     * Channels whose node matches no node of this file, or several: `'error'` (the default) is an InputError `NODES_UNMATCHED`, `'warn'`
     * a warning. A UsageError without `animations`.
     */
    unmatched?: ClipRecipe['unmatched'];
    /**
     * How to apply their keys. `'none'` (the default): as local transforms, unchanged. `'rotation'`, for skeletons with other rest poses:
     * rotations relative to both rest poses, the translation of the hips scaled by their height, other translations from this file.
     * `'humanoid'`, for other skeletons with two legs: joints match by their role in a body, not by name, and feet that stand do not slide
     * (docs/retarget.md). A UsageError without `animations`.
     */
    retarget?: ClipRecipe['retarget'];
    /**
     * With `retarget: 'humanoid'`: whether feet that stand in the clip also stand in the result (`'hold'`, the default), or legs only turn as in
     * the clip (`'free'`). A UsageError without it.
     */
    feet?: ClipRecipe['feet'];
    /**
     * With `retarget: 'humanoid'`: whether the way over the ground is scaled by the length of the legs (`'scale'`, the default), or kept as
     * it is (`'keep'`), so that feet slide if the legs differ. A UsageError without it.
     */
    travel?: ClipRecipe['travel'];
    /**
     * With `retarget: 'humanoid'`: names of joints by role, such as `{ hips: 'Bip01 Pelvis' }`, in either file. Others are found by a VRM
     * extension, by name, or by the shape of the skeleton. A UsageError without it, and for a role that does not exist.
     */
    roles?: Readonly<Record<string, string>>;
}

/** How to check each option, and its flag. A new option needs an entry here and a member of `ClipOptions`. */
export const CLIP_OPTIONS = {
    animations: {
        kind: 'files',
        value: '<files>',
        help: 'add the clips of other files, for nodes with the same names: a file or a pattern; may repeat',
    },
    rename: {
        kind: 'renames',
        value: '<from=to>',
        help: "names of nodes in --animations, and the names to use instead; 'mixamorig*=*' for prefixes; may repeat",
    },
    unmatched: {
        kind: 'choice',
        choices: ['error', 'warn'],
        value: '<what>',
        help: 'nodes in --animations that match no node, or several',
    },
    retarget: {
        kind: 'choice',
        choices: ['none', 'rotation', 'humanoid'],
        value: '<how>',
        help: 'how to apply keys of --animations: unchanged, relative to both rest poses, or from any humanoid to any other',
    },
    feet: {
        kind: 'choice',
        choices: ['hold', 'free'],
        value: '<how>',
        help: 'with --retarget humanoid: feet that stand do not slide (hold), or legs only turn as in the clip',
    },
    travel: {
        kind: 'choice',
        choices: ['scale', 'keep'],
        value: '<how>',
        help: 'with --retarget humanoid: scale the way over the ground by the length of the legs, or keep it',
    },
    roles: {
        kind: 'roles',
        value: '<role=joint>',
        help: "with --retarget humanoid: joints by role, such as 'hips=Bip01 Pelvis', or a .json file of them; may repeat",
    },
} as const satisfies OptionTable<keyof ClipOptions>;

/** @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError. */
export function checkClipOptions(routine: string, options: object): asserts options is ClipOptions {
    checkOptionValues(routine, CLIP_OPTIONS, options);
}

/** Null if no file is named. Takes options that `checkClipOptions` has checked. Throws UsageError. */
export function clipRecipeOf(options: ClipOptions): ClipRecipe | null {
    const { animations, rename = {}, unmatched = 'error', retarget = 'none' } = options;
    const { feet = 'hold', travel = 'scale', roles = {} } = options;
    const idle = retarget !== 'humanoid' && (['feet', 'travel', 'roles'] as const).find((name) => options[name]);
    if (animations?.length && idle) {
        throw usage(
            (name) => `${name(idle)} has no effect without ${name('retarget')} humanoid; add that or leave it out`,
        );
    }
    checkRoles(roles);
    if (animations?.length) return { rename: renamesOf(rename), unmatched, retarget, feet, travel, roles };
    for (const option of ['rename', 'unmatched', 'retarget', 'feet', 'travel', 'roles'] as const) {
        if (options[option] === undefined) continue;
        throw usage(
            (name) => `${name(option)} has no effect without ${name('animations')}; add files there or leave it out`,
        );
    }
    return null;
}

/** @throws UsageError for a role that does not exist. */
export function checkRoles(given: Readonly<Record<string, string>>): void {
    const unknown = Object.keys(given).find((role) => !(ROLES as readonly string[]).includes(role));
    if (unknown === undefined) return;
    throw usage((name) => `${name('roles')} has '${unknown}'; a role must be one of ${ROLES.join(', ')}`);
}

function renamesOf(rename: Readonly<Record<string, string>>): Rename[] {
    for (const [from, to] of Object.entries(rename)) {
        if (from !== '' && to !== '' && from.endsWith('*') === to.endsWith('*')) continue;
        const rule = 'it must have two names, or two prefixes that end in *';
        throw usage((name) => `${name('rename')} is '${from}' to '${to}'; ${rule}`);
    }
    // Whole names first, then the longest prefix, so that the order of the options does not matter.
    const rank = (from: string) => (from.endsWith('*') ? from.length : Infinity);
    return Object.entries(rename).sort(([a], [b]) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : 0));
}
