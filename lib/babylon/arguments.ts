// SPDX-License-Identifier: MIT

import { describe, lengthOf } from '../base/arguments';
import { checkClips, checkTime, checkTimes } from '../base/call-arguments';
import { rangeError, typeError } from '../base/errors';
import type { BakedTable } from '../table';
import { checkPlayable, checkTables } from '../table/poses';
import type { BakedAnimationOptions } from './types';

/**
 * @returns The tables as a list.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`, `ERR_INDEX_RANGE`, `ERR_MODEL_DIFFERS`, `ERR_BAKE_INVALID`.
 */
export function checkAnimation(
    routine: string,
    table: unknown,
    meshes: unknown,
    options: BakedAnimationOptions | undefined,
): readonly BakedTable[] {
    const tables = checkTables(routine, table, options);
    const { root, instances } = options ?? {};
    if (root !== undefined && typeof root !== 'object') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.root must be a node or null, got ${describe(root)}`);
    }
    if (instances !== undefined && typeof instances !== 'number') {
        const got = describe(instances);
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.instances must be a number, got ${got}`);
    }
    if (instances !== undefined && !(Number.isInteger(instances) && instances > 0)) {
        const needs = 'options.instances must be an integer above 0';
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${needs}, got ${instances}`);
    }
    if (!Array.isArray(meshes)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: meshes must be a list, got ${describe(meshes)}`);
    }
    if (meshes.length === 0) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: meshes is empty, needs those of the model`);
    }
    checkPlayable(routine, tables);
    return tables;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`. */
export function checkPlay(
    { clips: known }: BakedTable,
    clips: unknown,
    offsets: unknown,
    speed: unknown,
    count: number,
): void {
    const playing = lengthOf(checkTimes('play', offsets, 0));
    if (playing > count) {
        const holds = `offsets holds ${playing} elements`;
        throw rangeError('ERR_BUFFER_LENGTH', `play: ${holds}, the animation has ${count} instances`);
    }
    checkClips('play', clips, playing, known.length);
    checkTime('play', 'speed', speed);
}
