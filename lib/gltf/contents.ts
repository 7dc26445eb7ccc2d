// SPDX-License-Identifier: MIT

import { significant } from '../base/messages';
import { invalid, type Report, warn } from './reading';
import { type AccessorInfo, FLOAT } from './validate/accessors';
import type { CheckedChannel } from './validate/animations';
import { lengthError, unitTolerance } from './validate/transforms';

/** Rules for decoded values. Errors point at the property of the JSON that refers to the accessor. */

/** Names the channel whose sampler has the faulty values. */
function channelName({ pointer, node, path }: Pick<CheckedChannel, 'pointer' | 'node' | 'path'>): string {
    return `; ${pointer} moves the ${path} of node ${node} by it`;
}

/** glTF 2.0, 3.6.2.2: no NaN, no infinities. The message names the channel, if there is one. */
export function checkFinite(
    values: Float32Array,
    info: AccessorInfo,
    pointer: string,
    report: Report,
    channel?: CheckedChannel,
): void {
    for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        if (value - value === 0) continue;
        const element = Math.floor(i / info.width);
        const where = info.width === 1 ? '' : `, component ${i % info.width},`;
        const rule = `element ${element}${where} is ${values[i]} (3.6.2.2)${channel ? channelName(channel) : ''}`;
        invalid(report, pointer, `accessor ${info.index}: ${rule}`);
    }
}

/** glTF 2.0, 5.7.1: times start at 0 or above and increase. Repeated times are common: only a warning. */
export function checkTimes(times: Float32Array, channel: CheckedChannel, report: Report): void {
    const { input } = channel.sampler;
    const pointer = `${channel.sampler.pointer}/input`;
    checkFinite(times, input, pointer, report, channel);
    if (times[0]! < 0) {
        const rule = `element 0 is ${significant(times[0]!)}; times must be 0 or more (5.7.1)${channelName(channel)}`;
        invalid(report, pointer, `accessor ${input.index}: ${rule}`);
    }
    let duplicates = 0;
    let first = 0;
    for (let i = 1; i < times.length; i++) {
        if (times[i]! > times[i - 1]!) continue;
        if (times[i]! < times[i - 1]!) {
            const less = `${significant(times[i]!)}, ${significant(times[i - 1]! - times[i]!)} less than the one before`;
            const rule = `element ${i} is ${less}; times must increase (5.7.1)${channelName(channel)}`;
            invalid(report, pointer, `accessor ${input.index}: ${rule}`);
        }
        if (duplicates++ === 0) first = i;
    }
    if (duplicates > 0) {
        const where = `accessor ${input.index}: ${duplicates} of ${times.length} keys repeat the time before them`;
        const message = `${where}, first element ${first} at ${times[first]} s; the last one wins (5.7.1); export one key for each time`;
        warn(report, 'DUPLICATE_KEY_TIMES', pointer, message);
    }
}

/** The first key with a rotation that is not of unit length, ignoring tangents of CUBICSPLINE; -1 if there is none. */
export function findNonUnitKey(values: Float32Array, output: AccessorInfo, cubic: boolean): number {
    const tolerance = unitTolerance(output.normalized ? output.componentType : FLOAT);
    const stride = cubic ? 12 : 4;
    for (let key = 0, at = cubic ? 4 : 0; at < values.length; key++, at += stride) {
        if (lengthError(values, at) > tolerance) return key;
    }
    return -1;
}

export function warnNonUnit(channel: CheckedChannel, values: Float32Array, key: number, report: Report): void {
    const { interpolation, output } = channel.sampler;
    const error = lengthError(values, interpolation === 'CUBICSPLINE' ? key * 12 + 4 : key * 4);
    const where = `accessor ${output.index}: the length of the rotation of key ${key} differs from 1`;
    warn(
        report,
        'NON_UNIT_ROTATION',
        channel.pointer,
        `${where} by ${error.toPrecision(2)} (3.5.3); a bake uses it as it is, or unit length with renormalize`,
    );
}
