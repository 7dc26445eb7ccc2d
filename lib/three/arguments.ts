// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { rangeError, typeError } from '../base/errors';
import type { BakedTable } from '../table';
import { checkPlayable, checkTables } from '../table/poses';

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
    const tables = checkTables(routine, table, options);
    checkModel(routine, model, count);
    checkPlayable(routine, tables);
    return tables;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`. */
export function checkModel(routine: string, model: unknown, count: unknown): void {
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
}
