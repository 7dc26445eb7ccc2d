// SPDX-License-Identifier: MIT

import { describe, lengthOf } from '../base/arguments';
import { checkClips, checkTime, checkTimes } from '../base/call-arguments';
import { rangeError, typeError } from '../base/errors';
import type { BakedTable } from '../table';
import { checkPlayable, checkTables } from '../table/poses';
import { checkTextureOptions } from '../table/texture';
import type { BakedAnimationOptions, LiveCrowdOptions } from './types';

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
    const { instances = 1 } = options ?? {};
    checkMeshes(routine, meshes, instances, 'options.instances', options);
    checkPlayable(routine, tables);
    return tables;
}

/**
 * @param count Number of instances, by its name in messages.
 * @returns The options with defaults filled in.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`.
 */
export function checkMeshes(
    routine: string,
    meshes: unknown,
    count: unknown,
    name: string,
    options: LiveCrowdOptions | undefined,
): Pick<LiveCrowdOptions, 'root'> & { readonly maxSize: number } {
    const { maxSize } = checkTextureOptions(routine, options);
    const { root } = options ?? {};
    if (root !== undefined && typeof root !== 'object') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.root must be a node or null, got ${describe(root)}`);
    }
    if (typeof count !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${name} must be a number, got ${describe(count)}`);
    }
    if (!(Number.isInteger(count) && count > 0)) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${name} must be an integer above 0, got ${count}`);
    }
    if (count > maxSize) {
        const needs = `${name} is ${count}, options.maxSize ${maxSize}`;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${needs}: each needs a row of the texture`);
    }
    if (!Array.isArray(meshes)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: meshes must be a list, got ${describe(meshes)}`);
    }
    if (meshes.length === 0) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: meshes is empty, needs those of the model`);
    }
    return { maxSize, root };
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
