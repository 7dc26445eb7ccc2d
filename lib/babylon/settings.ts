// SPDX-License-Identifier: MIT

import { checkIndex, checkOptions, checkOut, checkTime, checkTimes } from '../rig/arguments';
import type { BakedTable, SampleOptions } from '../table';
import { checkTable } from '../table/check-table';

/** Name of the attribute of thin instances that says what each of them shows. */
export const SETTINGS_ATTRIBUTE = 'bakedVertexAnimationSettingsInstanced';

/**
 * What thin instances show at a moment, `[instance][4]`: the nearest row of each. Write it into a buffer of
 * {@link SETTINGS_ATTRIBUTE} whenever the time has moved on: exact, whatever the clips.
 *
 * @param table The bake that plays.
 * @param clips One clip for all, or one for each.
 * @param times Seconds.
 * @param out `times.length * 4` floats or more.
 * @param options `loop`: what times outside the clip mean.
 * @returns `out`.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
 * `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has been written then.
 */
export function stillSettings(
    table: BakedTable,
    clips: number | Uint16Array,
    times: Float32Array | Float64Array,
    out: Float32Array,
    options?: Pick<SampleOptions, 'loop'>,
): Float32Array {
    checkTable('stillSettings', table);
    const { loop } = checkOptions('stillSettings', options) as Pick<SampleOptions, 'loop'>;
    checkTimes('stillSettings', times, 0);
    // `rowsAt` needs only three numbers for each.
    checkOut('stillSettings', 'out', out, times.length * 4, 'instances x 4');
    table.rowsAt(clips, times, out, { loop, between: 'nearest' });
    // From the back, so that nothing is overwritten before it was read.
    for (let i = times.length - 1; i >= 0; i--) {
        const row = out[i * 3]!;
        out[i * 4] = row;
        out[i * 4 + 1] = row;
        out[i * 4 + 2] = 0;
        out[i * 4 + 3] = 0;
    }
    return out;
}

/**
 * What makes an instance play a clip over and over by Babylon's own clock, `manager.time` in seconds: first row, last row,
 * frames to be ahead, rows a second. Babylon's shader takes the first row for the last one's double and leaves it out from
 * the second time round; the rate is chosen for each round to take the clip's duration. It can be a frame ahead of
 * {@link stillSettings}.
 *
 * @param table The bake that plays.
 * @param clip Index into `table.clips`.
 * @param out 4 floats at `at`.
 * @param at Where in `out`.
 * @param offset Frames to be ahead.
 * @param speed 1: as fast as in the file.
 * @returns `out`.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`,
 * `ERR_COUNT_RANGE`, `ERR_NOT_FINITE`. Nothing has been written then.
 * @example
 * const settings = new Float32Array(200 * 4);
 * for (let i = 0; i < 200; i++) playSettings(table, table.clipNamed('Walk'), settings, i * 4, Math.random() * 30);
 * mesh.thinInstanceSetBuffer(SETTINGS_ATTRIBUTE, settings, 4);
 */
export function playSettings(
    table: BakedTable,
    clip: number,
    out: Float32Array,
    at = 0,
    offset = 0,
    speed = 1,
): Float32Array {
    checkTable('playSettings', table);
    checkIndex('playSettings', 'clip', clip, table.clips.length, 'clip');
    checkIndex('playSettings', 'at', at, Number.MAX_SAFE_INTEGER, 'place in `out`');
    checkOut('playSettings', 'out', out, at + 4, '4 from `at` on');
    checkTime('playSettings', 'offset', offset);
    checkTime('playSettings', 'speed', speed);
    const { firstRow, frameCount, duration } = table.clips[clip]!;
    out[at] = firstRow;
    out[at + 1] = firstRow + frameCount - 1;
    out[at + 2] = offset;
    out[at + 3] = duration > 0 ? (frameCount / duration) * speed : 0;
    return out;
}
