// SPDX-License-Identifier: MIT

import { checkFloat32Array, describe, isFloat32Array, lengthOf } from '../arguments';
import { rangeError, typeError } from '../errors';
import { checkAllFinite, checkOptions, checkTime, checkTimes } from '../rig/arguments';
import type { BakedTable } from '../table';
import { checkTable } from '../table/check-table';
import { checkTextureOptions } from '../table/texture';
import type { FadeTo } from './types';

/**
 * @returns The tables as a list.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`, `ERR_INDEX_RANGE`, `ERR_MODEL_DIFFERS`.
 */
export function checkCrowd(
    routine: string,
    table: unknown,
    model: unknown,
    count: unknown,
    options: unknown,
): readonly BakedTable[] {
    checkTextureOptions(routine, options);
    const tables = (Array.isArray(table) ? table : [table]) as BakedTable[];
    if (tables.length === 0)
        throw rangeError('ERR_COUNT_RANGE', `${routine}: table is an empty list, needs one at least`);
    for (const one of tables) checkTable(routine, one);
    if (typeof count !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: count must be a number, got ${describe(count)}`);
    }
    if (!Number.isInteger(count) || count < 0) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: count must be an integer from 0 on, got ${count}`);
    }
    const { scene = model, parser } = (model ?? {}) as { scene?: unknown; parser?: { associations?: unknown } };
    if (!(scene as { isObject3D?: boolean } | null)?.isObject3D || (scene !== model && !parser?.associations)) {
        const needs = 'must be the gltf of GLTFLoader or its scene';
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: model ${needs}, got ${describe(model)}`);
    }
    for (const one of tables) {
        if (one.arrays.palette === undefined)
            throw rangeError('ERR_INDEX_RANGE', `${routine}: the bake has no palette`);
        const clipsOf = ({ clips }: BakedTable) => clips.map(({ name }) => `'${name}'`).join(', ');
        if (clipsOf(one) !== clipsOf(tables[0]!)) {
            const other = `of one table are ${clipsOf(tables[0]!)}, of another ${clipsOf(one)}`;
            throw rangeError('ERR_MODEL_DIFFERS', `${routine}: the clips ${other}: needs tables of one bake`);
        }
        const without = one.clips.findIndex(({ bounds }) => bounds === undefined);
        if (without >= 0) throw rangeError('ERR_BAKE_INVALID', `${routine}: clip ${without} of the bake has no bounds`);
    }
    return tables;
}

/**
 * @returns How many instances are posed.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_NOT_FINITE`.
 */
export function checkPose(times: unknown, to: FadeTo | undefined, count: number): number {
    const poses = lengthOf(checkTimes('pose', times, 0));
    if (poses > count) {
        throw rangeError('ERR_BUFFER_LENGTH', `pose: times holds ${poses} elements, the crowd has ${count} instances`);
    }
    if (to === undefined) return poses;
    const { times: others, weight } = checkOptions('pose', to) as unknown as FadeTo;
    const fading = lengthOf(checkTimes('pose', others, 0));
    if (fading !== poses) {
        const holds = `options.to.times holds ${fading} elements`;
        throw rangeError('ERR_BUFFER_LENGTH', `pose: ${holds}, needs as many as times, ${poses}`);
    }
    if (!isFloat32Array(weight)) {
        checkTime('pose', 'options.to.weight', weight);
        return poses;
    }
    checkFloat32Array('pose', 'options.to.weight', weight);
    if (lengthOf(weight) < poses) {
        const holds = `options.to.weight holds ${lengthOf(weight)} elements`;
        throw rangeError('ERR_BUFFER_LENGTH', `pose: ${holds}, needs at least ${poses} (one for each pose)`);
    }
    checkAllFinite('pose', 'options.to.weight', weight, poses);
    return poses;
}
