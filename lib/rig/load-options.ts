// SPDX-License-Identifier: MIT

import { checkCallback, wrongType } from '../base/arguments';
import { checkOptions } from '../base/call-arguments';
import { type ClipOptions, type ClipRecipe, checkClipOptions, clipRecipeOf } from '../clips/options';
import type { Resolve } from '../gltf/buffers';
import type { Warning } from '../gltf/scene';

/** The options of `Rig.load`, in Node and in browsers, with defaults filled in. */
export interface CheckedLoadOptions {
    readonly name: string;
    readonly resolve: Resolve | undefined;
    readonly meshes: boolean;
    readonly animations: NonNullable<ClipOptions['animations']>;
    /** Null without clips of other files. */
    readonly clipRecipe: ClipRecipe | null;
    readonly onWarning: ((warning: Warning) => void) | undefined;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError. */
export function checkLoadOptions(routine: string, options: unknown): CheckedLoadOptions {
    const given = checkOptions(routine, options);
    const { name = 'bytes', resolve, meshes = true, onWarning } = given;
    if (typeof name !== 'string') throw wrongType(routine, 'options.name', 'a string', name);
    checkCallback(routine, 'options.resolve', resolve);
    if (typeof meshes !== 'boolean') throw wrongType(routine, 'options.meshes', 'true or false', meshes);
    checkCallback(routine, 'options.onWarning', onWarning);
    checkClipOptions(routine, given);
    const clips: ClipOptions = given;
    return {
        name,
        resolve: resolve as Resolve | undefined,
        meshes,
        animations: clips.animations ?? [],
        clipRecipe: clipRecipeOf(clips),
        onWarning: onWarning as CheckedLoadOptions['onWarning'],
    };
}
