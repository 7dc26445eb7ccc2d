// SPDX-License-Identifier: MIT

import { checkCallback, describe } from '../arguments';
import { typeError } from '../errors';
import type { Resolve } from '../gltf/buffers';
import { checkOptions } from './arguments';

/** The options of `Rig.load`, in Node and in browsers, with defaults filled in. */
export interface CheckedLoadOptions {
    readonly name: string;
    readonly resolve: Resolve | undefined;
    readonly meshes: boolean;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE`. */
export function checkLoadOptions(routine: string, options: unknown): CheckedLoadOptions {
    const { name = 'bytes', resolve, meshes = true } = checkOptions(routine, options);
    if (typeof name !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.name must be a string, got ${describe(name)}`);
    }
    checkCallback(routine, 'options.resolve', resolve);
    if (typeof meshes !== 'boolean') {
        const got = describe(meshes);
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.meshes must be true or false, got ${got}`);
    }
    return { name, resolve: resolve as Resolve | undefined, meshes };
}
