// SPDX-License-Identifier: MIT

import { describe } from '../arguments';
import { rangeError, typeError } from '../errors';
import { checkTextureOptions } from '../table/texture';

/** @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_COUNT_RANGE`. */
export function checkCrowd(routine: string, meshes: unknown, count: unknown, options: unknown): void {
    checkTextureOptions(routine, options);
    if (!Array.isArray(meshes)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: meshes must be a list, got ${describe(meshes)}`);
    }
    if (typeof count !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: count must be a number, got ${describe(count)}`);
    }
    if (!Number.isInteger(count) || count < 0) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: count must be an integer from 0 on, got ${count}`);
    }
}
