// SPDX-License-Identifier: MIT

import { describe } from '../arguments';
import { rangeError, typeError } from '../errors';
import { checkTextureOptions } from '../table/texture';

/** @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_COUNT_RANGE`. */
export function checkAnimation(routine: string, meshes: unknown, options: { root?: unknown } | undefined): void {
    checkTextureOptions(routine, options);
    const root = options?.root;
    if (root !== undefined && typeof root !== 'object') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.root must be a node or null, got ${describe(root)}`);
    }
    if (!Array.isArray(meshes)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: meshes must be a list, got ${describe(meshes)}`);
    }
    if (meshes.length === 0) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: meshes is empty, needs one mesh at least`);
    }
}
