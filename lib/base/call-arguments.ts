// SPDX-License-Identifier: MIT

/** Checks of the Rig's arguments. Each function throws a typed error that names the argument, and writes nothing. */

import {
    bufferOf,
    byteLengthOf,
    byteOffsetOf,
    checkFloat32Array,
    checkNumber,
    describe,
    detached,
    isFloat32Array,
    isGone,
    isInt32Array,
    isUint8Array,
    lengthOf,
    tagOf,
    wrongType,
} from './arguments';
import { rangeError } from './errors';

export function checkLive(routine: string, argument: string, view: ArrayBufferView): void {
    if (lengthOf(view) === 0 && isGone(view)) throw detached(routine, argument);
}

/** An integer from 0 to `limit - 1`; `noun` names the indexed thing. */
export function checkIndex(routine: string, argument: string, value: unknown, limit: number, noun: string): number {
    checkNumber(routine, argument, value);
    if (!Number.isInteger(value) || value < 0 || value >= limit) {
        throw rangeError('ERR_INDEX_RANGE', `${routine}: ${argument} is ${describe(value)}, ${rangeOf(limit, noun)}`);
    }
    return value;
}

function rangeOf(limit: number, noun: string): string {
    return limit === 0 ? `but there is no ${noun}` : `needs a ${noun}, 0 to ${limit - 1}`;
}

function checkLength(routine: string, argument: string, view: ArrayBufferView, count: number): void {
    if (lengthOf(view) >= count) return;
    const holds = `${argument} holds ${lengthOf(view)} elements`;
    throw rangeError('ERR_BUFFER_LENGTH', `${routine}: ${holds}, needs at least ${count} (one for each pose)`);
}

export function checkTime(routine: string, argument: string, time: unknown): void {
    checkNumber(routine, argument, time);
    if (!Number.isFinite(time)) {
        throw rangeError('ERR_NOT_FINITE', `${routine}: ${argument} is ${time}, needs a finite number`);
    }
}

/** One clip for all poses, or one for each. */
export function checkClips(routine: string, clips: unknown, count: number, limit: number): number | Uint16Array {
    if (typeof clips === 'number') return checkIndex(routine, 'clips', clips, limit, 'clip');
    if (tagOf(clips) !== 'Uint16Array') throw wrongType(routine, 'clips', 'a number or a Uint16Array', clips);
    const list = clips as Uint16Array;
    checkLive(routine, 'clips', list);
    checkLength(routine, 'clips', list, count);
    for (let i = 0; i < count; i++) {
        if (list[i]! < limit) continue;
        throw rangeError('ERR_INDEX_RANGE', `${routine}: clips[${i}] is ${list[i]}, ${rangeOf(limit, 'clip')}`);
    }
    return list;
}

/** Finite seconds, one for each of `count` poses. Without `count`, any number of poses. */
export function checkTimes(routine: string, times: unknown, count?: number): Float32Array | Float64Array {
    if (!isFloat32Array(times) && tagOf(times) !== 'Float64Array') {
        throw wrongType(routine, 'times', 'a Float32Array or Float64Array', times);
    }
    const list = times as Float32Array | Float64Array;
    checkLive(routine, 'times', list);
    if (count !== undefined) checkLength(routine, 'times', list, count);
    checkAllFinite(routine, 'times', list, count ?? lengthOf(list));
    return list;
}

export function checkAllFinite(
    routine: string,
    argument: string,
    list: Float32Array | Float64Array,
    count: number,
): void {
    for (let i = 0; i < count; i++) {
        const value = list[i]!;
        if (value - value === 0) continue;
        throw rangeError('ERR_NOT_FINITE', `${routine}: ${argument}[${i}] is ${value}, needs a finite number`);
    }
}

/** Checks `'wrap'` or `'clamp'` (the default). Returns whether it is wrap. */
export function checkLoop(routine: string, loop: unknown, needs = "'clamp' or 'wrap'"): boolean {
    if (loop === undefined || loop === 'clamp') return false;
    if (loop === 'wrap') return true;
    throw wrongType(routine, 'options.loop', needs, loop);
}

/** Whether poses wrap: all of them, or a list with 0 (clamp) or 1 (wrap) for each of `count` poses. */
export type Wrap = boolean | Uint8Array;

/** One for all poses, or one for each. */
export function checkLoops(routine: string, loop: unknown, count: number): Wrap {
    if (!isUint8Array(loop)) return checkLoop(routine, loop, "'clamp', 'wrap' or a Uint8Array");
    checkLive(routine, 'options.loop', loop);
    checkLength(routine, 'options.loop', loop, count);
    for (let i = 0; i < count; i++) {
        if (loop[i]! <= 1) continue;
        const rule = `options.loop[${i}] is ${loop[i]}, needs 0 (clamp) or 1 (wrap)`;
        throw rangeError('ERR_INDEX_RANGE', `${routine}: ${rule}`);
    }
    return loop;
}

/** A number that is finite in float32. */
export function finiteAt(routine: string, argument: string, value: unknown, needs = 'a number'): number {
    if (typeof value !== 'number') throw wrongType(routine, argument, needs, value);
    if (Number.isFinite(Math.fround(value))) return value;
    const rule = 'needs a number that is finite in float32';
    throw rangeError('ERR_NOT_FINITE', `${routine}: ${argument} is ${value}, ${rule}`);
}

/** One weight for all, which kernels round to float32, or one for each pose. */
export function checkWeights(
    routine: string,
    weights: unknown,
    count: number,
    argument = 'weights',
): asserts weights is number | Float32Array {
    if (!isFloat32Array(weights)) {
        finiteAt(routine, argument, weights, 'a number or a Float32Array');
        return;
    }
    checkLive(routine, argument, weights);
    checkLength(routine, argument, weights, count);
    checkAllFinite(routine, argument, weights, count);
}

/** One for each slot of the rig, including slots that the poses lack. */
export function checkMask(routine: string, mask: unknown, slots: number): Float32Array | null {
    if (mask === undefined || mask === null) return null;
    checkFloat32Array(routine, 'options.mask', mask);
    if (lengthOf(mask) !== slots) {
        const holds = `options.mask holds ${lengthOf(mask)} floats`;
        throw rangeError('ERR_BUFFER_LENGTH', `${routine}: ${holds}, needs ${slots} (one for each slot of the rig)`);
    }
    checkAllFinite(routine, 'options.mask', mask, slots);
    return mask;
}

/** A list that a method writes: at least `need` floats. */
export function checkOut(routine: string, argument: string, out: unknown, need: number, why: string): Float32Array {
    checkFloat32Array(routine, argument, out);
    if (lengthOf(out) < need) {
        const holds = `${argument} holds ${lengthOf(out)} floats`;
        throw rangeError('ERR_BUFFER_LENGTH', `${routine}: ${holds}, needs at least ${need} (${why})`);
    }
    return out;
}

export function checkSlotList(
    routine: string,
    slots: unknown,
    limit: number,
): asserts slots is Uint16Array | Int32Array {
    if (tagOf(slots) !== 'Uint16Array' && !isInt32Array(slots)) {
        throw wrongType(routine, 'slots', 'a Uint16Array or Int32Array', slots);
    }
    const list = slots as Uint16Array | Int32Array;
    checkLive(routine, 'slots', list);
    for (let k = 0; k < lengthOf(list); k++) {
        if (list[k]! >= 0 && list[k]! < limit) continue;
        throw rangeError('ERR_INDEX_RANGE', `${routine}: slots[${k}] is ${list[k]}, ${rangeOf(limit, 'slot')}`);
    }
}

const NONE: Readonly<Record<string, unknown>> = {};

/** Reads options once, before any check, because accessors in them could change the buffers. */
export function checkOptions(routine: string, options: unknown): Readonly<Record<string, unknown>> {
    if (options === undefined) return NONE;
    if (typeof options === 'object' && options !== null) return options as Readonly<Record<string, unknown>>;
    throw wrongType(routine, 'options', 'an object', options);
}

/** Throws if a list that a method writes shares memory with one that it reads. `same` allows the same list. */
export function checkApart(
    routine: string,
    argument: string,
    written: ArrayBufferView,
    other: string,
    read: ArrayBufferView,
    same = false,
): void {
    // By the getters of %TypedArray%: a view's own getters could run any code after the checks.
    if (bufferOf(written) !== bufferOf(read)) return;
    const start = byteOffsetOf(written);
    const otherStart = byteOffsetOf(read);
    const length = byteLengthOf(written);
    const otherLength = byteLengthOf(read);
    if (start + length <= otherStart || otherStart + otherLength <= start) return;
    if (same && start === otherStart && length === otherLength) return;
    const needs = same ? 'which is allowed only where they are the same poses' : 'needs separate memory';
    throw rangeError('ERR_BUFFER_OVERLAP', `${routine}: ${argument} and ${other} share memory, ${needs}`);
}
