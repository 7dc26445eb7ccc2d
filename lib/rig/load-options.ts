// SPDX-License-Identifier: MIT

import { checkCallback, describe } from '../base/arguments';
import { checkOptions } from '../base/call-arguments';
import { typeError } from '../base/errors';
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
    if (typeof name !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.name must be a string, got ${describe(name)}`);
    }
    checkCallback(routine, 'options.resolve', resolve);
    if (typeof meshes !== 'boolean') {
        const got = describe(meshes);
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.meshes must be true or false, got ${got}`);
    }
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
