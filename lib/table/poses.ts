// SPDX-License-Identifier: MIT

/** Checks of the arguments that pose instances, for all loaders. */

import { checkFloat32Array, isFloat32Array, lengthOf } from '../base/arguments';
import { checkAllFinite, checkOptions, checkTime, checkTimes } from '../base/call-arguments';
import { rangeError } from '../base/errors';
import type { SampleOptions } from './sample-options';
import type { BakedTable } from './table';
import { checkTable, checkTextureOptions } from './texture';

/** The clips that instances fade to, and the progress of the fade. `loop` and `between` apply to these clips. */
export interface FadeTo extends SampleOptions {
    /** One clip for all, or one for each. */
    clips: number | Uint16Array;
    /** Seconds in these clips, one for each posed instance. */
    times: Float32Array | Float64Array;
    /** For all, or one for each. At most 0: only the first clip. At least 1: only this clip. */
    weight: number | Float32Array;
}

/** Options of `pose`, for three.js crowds and Babylon.js animations. */
export interface PoseOptions extends SampleOptions {
    /** A second clip for each instance, mixed with the first. */
    to?: FadeTo;
}

/** The tables as a list. Throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_COUNT_RANGE`. */
export function checkTables(routine: string, table: unknown, options: unknown): readonly BakedTable[] {
    checkTextureOptions(routine, options);
    const tables = (Array.isArray(table) ? table : [table]) as BakedTable[];
    if (tables.length === 0)
        throw rangeError('ERR_COUNT_RANGE', `${routine}: table is an empty list, needs at least one`);
    for (const one of tables) checkTable(routine, one);
    return tables;
}

/** Throws unless the tables are of one bake with palettes and bounds: `ERR_INDEX_RANGE`, `ERR_MODEL_DIFFERS`. */
export function checkPlayable(routine: string, tables: readonly BakedTable[]): void {
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
}

/** Number of posed instances. Throws `ERR_DETACHED_BUFFER`, `ERR_BUFFER_LENGTH`, `ERR_NOT_FINITE` and others. */
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

/**
 * The options of `rowsAt` for all tables of a model, whose parts must not separate: by default a clip repeats where it
 * does in all of them.
 */
export function loopsOf(tables: readonly BakedTable[], count: number) {
    const all = Uint8Array.from(tables[0]!.clips, (_, clip) => Number(tables.every((one) => one.clips[clip]!.loop)));
    const loop = new Uint8Array(count);
    const common: SampleOptions = { loop };
    return (
        clips: number | Uint16Array,
        poses: number,
        given: SampleOptions | undefined,
    ): SampleOptions | undefined => {
        if (tables.length === 1 || given?.loop !== undefined) return given;
        for (let i = 0; i < poses; i++) loop[i] = all[typeof clips === 'number' ? clips : clips[i]!]!;
        common.between = given?.between;
        return common;
    };
}

export function weightAt(fade: { weight: number | Float32Array } | undefined, instance: number): number {
    if (fade === undefined) return 0;
    return typeof fade.weight === 'number' ? fade.weight : fade.weight[instance]!;
}
