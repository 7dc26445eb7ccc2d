// SPDX-License-Identifier: MIT

/**
 * The checks of the functions on lists, for every routine and implementation. Each check returns the number of elements
 * to process, or throws a typed error. The error names the argument, its value and the rule. Checks do not write or
 * allocate.
 *
 * TypeScript kernels run behind these checks. The addon repeats these checks (native/addon/float_lists.h, selection.h),
 * because it must not trust values that it did not read in the same call. It only refuses; these functions then create
 * the error.
 *
 * A routine has up to four lists, `a` to `d`; lists that it lacks are undefined. `name` is the name of the called
 * function.
 *
 * Separate functions create the errors. This keeps the checks short enough for V8 to inline them, which makes a call
 * for one joint three times as fast.
 */

import { bufferOf, byteOffsetOf, checkFloat32Array, checkInt32Array, describe, lengthOf } from '../base/arguments';
import { rangeError, typeError } from '../base/errors';
import { countName, type ListArgument, type MaxIndex, type RoutineDescription } from './description';
import { changedMeanwhile } from './targets';

/** Counts and indices are 32-bit on the native side. */
const MAX_COUNT = 0x7fffffff;

const NOUNS = { jointQuat: 'joints', jointMat: 'joints', quat: 'quaternions', float: 'numbers' } as const;

function checkLists(name: string, { lists }: RoutineDescription, a: unknown, b: unknown, c: unknown, d: unknown): void {
    const n = lists.length;
    checkFloat32Array(name, lists[0]!.argument, a);
    if (n > 1) checkFloat32Array(name, lists[1]!.argument, b);
    if (n > 2) checkFloat32Array(name, lists[2]!.argument, c);
    if (n > 3) checkFloat32Array(name, lists[3]!.argument, d);
}

/** Checks the routine's parameter, `lerp` or `t`. */
function checkParameter(name: string, { parameter }: RoutineDescription, value: unknown): void {
    if (parameter !== undefined && typeof value !== 'number') refuseInteger(name, parameter, value, 0);
}

/** `undefined` or an integer from `min` to 2^31 - 1. */
export function checkInteger(
    name: string,
    argument: string,
    value: unknown,
    min: number,
): asserts value is number | undefined {
    if (value === undefined || (typeof value === 'number' && value === (value | 0) && value >= min)) return;
    refuseInteger(name, argument, value, min);
}

function refuseInteger(name: string, argument: string, value: unknown, min: number): never {
    if (typeof value !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${name}: ${argument} must be a number, got ${describe(value)}`);
    }
    throw rangeError(
        'ERR_COUNT_RANGE',
        `${name}: ${argument} must be an integer from ${min} to ${MAX_COUNT}, got ${describe(value)}`,
    );
}

/** Throws unless the list holds at least `count` elements. */
export function checkRoom(name: string, list: ListArgument, view: unknown, count: number): void {
    if (lengthOf(view) < count * list.floats) refuseRoom(name, list, view, count);
}

function refuseRoom(name: string, { argument, element, floats }: ListArgument, view: unknown, count: number): never {
    throw rangeError(
        'ERR_BUFFER_LENGTH',
        `${name}: ${argument} holds ${lengthOf(view)} floats, needs at least ${count * floats} ` +
            `(${count} ${NOUNS[element]} of ${floats})`,
    );
}

/** End of a message about lengths: the case in which the rule applies. */
const withoutCount = ({ selection }: RoutineDescription) => (selection === 'lengths' ? '' : ' where no count is given');

/** The number of elements in a list; throws unless it is whole. */
function wholeElements(name: string, routine: RoutineDescription, i: number, view: unknown): number {
    const count = lengthOf(view) / routine.lists[i]!.floats;
    if (count !== (count | 0)) refuseLength(name, routine, i, view);
    return count;
}

function refuseLength(name: string, routine: RoutineDescription, i: number, view: unknown): never {
    const { argument, element, floats } = routine.lists[i]!;
    if (lengthOf(view) % floats === 0) {
        throw rangeError('ERR_COUNT_RANGE', `${name}: ${argument} holds more than ${MAX_COUNT} ${NOUNS[element]}`);
    }
    const rule = `needs a multiple of ${floats}${withoutCount(routine)}`;
    throw rangeError('ERR_BUFFER_LENGTH', `${name}: ${argument} holds ${lengthOf(view)} floats, ${rule}`);
}

/**
 * Checks that a list has as many elements as the first list, or at least `count`. A single list must have exactly one
 * element.
 */
function checkLength(
    name: string,
    routine: RoutineDescription,
    i: number,
    view: unknown,
    count: number,
    given: boolean,
): void {
    const { floats, single } = routine.lists[i]!;
    const length = lengthOf(view);
    if (single ? length !== floats : given ? length < count * floats : length !== count * floats) {
        refuseOther(name, routine, i, view, count, given);
    }
}

function refuseOther(
    name: string,
    routine: RoutineDescription,
    i: number,
    view: unknown,
    count: number,
    given: boolean,
): never {
    const list = routine.lists[i]!;
    const { argument, element, floats, single } = list;
    const noun = NOUNS[element];
    if (single) {
        const rule = `needs ${floats} (one ${noun.slice(0, -1)})`;
        throw rangeError('ERR_BUFFER_LENGTH', `${name}: ${argument} holds ${lengthOf(view)} floats, ${rule}`);
    }
    if (given) refuseRoom(name, list, view, count);
    const elements = wholeElements(name, routine, i, view);
    const rule = `needs ${count} like ${routine.lists[0]!.argument}${withoutCount(routine)}`;
    throw rangeError('ERR_BUFFER_LENGTH', `${name}: ${argument} holds ${elements} ${noun}, ${rule}`);
}

/** Throws if two ranges of 4-byte elements share memory, unless they start at the same byte and that is allowed. */
function checkSeparate(
    name: string,
    argumentA: string,
    a: unknown,
    elementsA: number,
    argumentB: string,
    b: unknown,
    elementsB: number,
    allowSameStart: boolean,
): void {
    if (!overlaps(a, elementsA, b, elementsB)) return;
    if (allowSameStart && byteOffsetOf(a) === byteOffsetOf(b)) return;
    // Read only now: reading `buffer` gives a short array a buffer that it did not have.
    if (a === b || bufferOf(a) === bufferOf(b)) refuseOverlap(name, argumentA, argumentB, allowSameStart);
}

/** Whether two ranges of 4-byte elements would share memory in one buffer. */
function overlaps(a: unknown, elementsA: number, b: unknown, elementsB: number): boolean {
    const startA = byteOffsetOf(a);
    const startB = byteOffsetOf(b);
    return startA < startB + elementsB * 4 && startB < startA + elementsA * 4;
}

function refuseOverlap(name: string, a: string, b: string, allowSameStart: boolean): never {
    const rule = allowSameStart ? 'which is allowed only where both start at the same byte' : 'needs separate memory';
    throw rangeError('ERR_BUFFER_OVERLAP', `${name}: ${a} and ${b} share memory, ${rule}`);
}

/** Checks that the first `count` elements of the destination and of another list overlap only as that list may. */
function checkShared(
    name: string,
    to: ListArgument,
    a: unknown,
    list: ListArgument,
    view: unknown,
    count: number,
): void {
    const { argument, floats, sharing } = list;
    if (sharing === 'any') return;
    checkSeparate(name, to.argument, a, to.floats * count, argument, view, floats * count, sharing === 'same start');
}

function checkSharing(
    name: string,
    { lists }: RoutineDescription,
    a: unknown,
    b: unknown,
    c: unknown,
    d: unknown,
    count: number,
): void {
    const n = lists.length;
    const to = lists[0]!;
    if (n > 1) checkShared(name, to, a, lists[1]!, b, count);
    if (n > 2) checkShared(name, to, a, lists[2]!, c, count);
    if (n > 3) checkShared(name, to, a, lists[3]!, d, count);
}

/**
 * Returns the number of elements to process. Lists may overlap only as allowed. Each list must hold at least `count`
 * elements; without `count`, all must hold the same whole number.
 */
function resolve(
    name: string,
    routine: RoutineDescription,
    a: unknown,
    b: unknown,
    c: unknown,
    d: unknown,
    given: number | undefined,
): number {
    const { lists } = routine;
    const n = lists.length;
    const isGiven = given !== undefined;
    const count = isGiven ? given : wholeElements(name, routine, 0, a);
    if (isGiven) checkRoom(name, lists[0]!, a, count);
    if (n > 1) checkLength(name, routine, 1, b, count, isGiven);
    if (n > 2) checkLength(name, routine, 2, c, count, isGiven);
    if (n > 3) checkLength(name, routine, 3, d, count, isGiven);
    checkSharing(name, routine, a, b, c, d, count);
    return count;
}

/** Routines with `count` or `lengths`. Returns the number of elements. */
export function checkCounted(
    routine: RoutineDescription,
    a: unknown,
    b: unknown,
    c: unknown,
    d: unknown,
    parameter: unknown,
    given: unknown,
    name: string,
): number {
    checkLists(name, routine, a, b, c, d);
    checkParameter(name, routine, parameter);
    checkInteger(name, countName(routine), given, 0);
    return resolve(name, routine, a, b, c, d, given);
}

/** The values of a conversion's `options`, not checked yet. */
export interface GivenOptions {
    readonly numJoints?: unknown;
    readonly convention?: unknown;
}

const NO_OPTIONS: GivenOptions = { numJoints: undefined, convention: undefined };

/**
 * Reads each property of `options` once, before any check, because getters could change the buffers. Null if it is not
 * an object.
 */
export function readOptions(options: unknown): GivenOptions | null {
    if (options === undefined) return NO_OPTIONS;
    if (typeof options !== 'object' || options === null) return null;
    const { numJoints, convention } = options as GivenOptions;
    return { numJoints, convention };
}

/** Routines with `options`, whose values are `given`. Returns the number of joints. */
export function checkConversion(
    routine: RoutineDescription,
    a: unknown,
    b: unknown,
    options: unknown,
    given: GivenOptions | null,
    name: string,
): number {
    checkLists(name, routine, a, b, undefined, undefined);
    if (given === null) return refuseOptions(name, options);
    const { numJoints, convention } = given;
    checkInteger(name, 'options.numJoints', numJoints, 0);
    if (convention !== undefined && convention !== 'id' && convention !== 'gltf') refuseConvention(name, convention);
    return resolve(name, routine, a, b, undefined, undefined, numJoints);
}

function refuseOptions(name: string, options: unknown): never {
    throw typeError('ERR_ARGUMENT_TYPE', `${name}: options must be an object, got ${describe(options)}`);
}

function refuseConvention(name: string, convention: unknown): never {
    throw typeError(
        'ERR_ARGUMENT_TYPE',
        `${name}: options.convention must be 'id' or 'gltf', got ${describe(convention)}`,
    );
}

/** Routines with `index`. Returns the number of joints, or of elements of the index. */
export function checkIndexed(
    routine: RoutineDescription,
    a: unknown,
    b: unknown,
    c: unknown,
    parameter: unknown,
    index: unknown,
    numJoints: unknown,
    name: string,
    maxIndex: MaxIndex,
): number {
    checkLists(name, routine, a, b, c, undefined);
    checkParameter(name, routine, parameter);
    checkInteger(name, 'numJoints', numJoints, 0);
    if (index === null || index === undefined) return resolve(name, routine, a, b, c, undefined, numJoints);
    return checkIndex(name, routine, a, b, c, index, numJoints, maxIndex);
}

/**
 * Checks that every index is a joint of all lists, and that the index shares no memory with them. Returns the number of
 * its elements to process.
 */
function checkIndex(
    name: string,
    routine: RoutineDescription,
    a: unknown,
    b: unknown,
    c: unknown,
    index: unknown,
    numJoints: number | undefined,
    maxIndex: MaxIndex,
): number {
    checkInt32Array(name, 'index', index);
    const length = lengthOf(index);
    const count = numJoints ?? length;
    if (count > length) refuseIndexLength(name, length, count);
    const { lists } = routine;
    const n = lists.length;
    let room = elementsIn(lists[0]!, a);
    if (n > 1) room = Math.min(room, elementsIn(lists[1]!, b));
    if (n > 2) room = Math.min(room, elementsIn(lists[2]!, c));
    /** Only joints below this are touched. */
    const used = maxIndex(index, count) + 1;
    if (used > room) refuseIndex(name, index, count, room);
    const indexBuffer = bufferOf(index);
    checkSeparateFromIndex(name, lists[0]!, a, used, index, count, indexBuffer);
    if (n > 1) checkSeparateFromIndex(name, lists[1]!, b, used, index, count, indexBuffer);
    if (n > 2) checkSeparateFromIndex(name, lists[2]!, c, used, index, count, indexBuffer);
    checkSharing(name, routine, a, b, c, undefined, used);
    return count;
}

const elementsIn = ({ floats }: ListArgument, view: unknown) => Math.floor(lengthOf(view) / floats);

function checkSeparateFromIndex(
    name: string,
    { argument, floats }: ListArgument,
    view: unknown,
    used: number,
    index: Int32Array,
    count: number,
    indexBuffer: ArrayBufferLike,
): void {
    if (overlaps(view, floats * used, index, count) && bufferOf(view) === indexBuffer) {
        refuseOverlap(name, argument, 'index', false);
    }
}

function refuseIndexLength(name: string, length: number, count: number): never {
    const rule = `needs at least ${count} (numJoints)`;
    throw rangeError('ERR_BUFFER_LENGTH', `${name}: index holds ${length} elements, ${rule}`);
}

function refuseIndex(name: string, index: Int32Array, count: number, room: number): never {
    for (let i = 0; i < count; i++) {
        const joint = index[i]!;
        if (joint >= 0 && joint < room) continue;
        const rule = room === 0 ? 'but the shorter list holds no joint' : `needs 0 to ${room - 1}`;
        throw rangeError('ERR_INDEX_RANGE', `${name}: index[${i}] is ${joint}, ${rule}`);
    }
    throw changedMeanwhile(name);
}

/** Routines with `parents`. Returns the last joint; below the first joint if there is nothing to do. */
export function checkSkeleton(
    routine: RoutineDescription,
    jointMats: unknown,
    parents: unknown,
    firstJoint: unknown,
    lastJoint: unknown,
    name: string,
): number {
    const list = routine.lists[0]!;
    checkLists(name, routine, jointMats, undefined, undefined, undefined);
    checkInt32Array(name, 'parents', parents);
    checkInteger(name, 'firstJoint', firstJoint, 0);
    checkInteger(name, 'lastJoint', lastJoint, -1);
    const first = firstJoint ?? 1;
    const last = lastJoint ?? wholeElements(name, routine, 0, jointMats) - 1;
    if (first > last) return last;
    checkRoom(name, list, jointMats, last + 1);
    if (lengthOf(parents) < last + 1) {
        throw rangeError(
            'ERR_BUFFER_LENGTH',
            `${name}: parents holds ${lengthOf(parents)} elements, needs at least ${last + 1} (one for each joint up to ${last})`,
        );
    }
    checkSeparate(name, list.argument, jointMats, list.floats * (last + 1), 'parents', parents, last + 1, false);
    for (let i = first; i <= last; i++) {
        const parent = parents[i]!;
        if (parent < -1 || parent >= i) refuseParent(name, i, parent, last);
    }
    return last;
}

function refuseParent(name: string, i: number, parent: number, last: number): never {
    if (parent < -1 || parent > last) {
        throw rangeError(
            'ERR_PARENT_RANGE',
            `${name}: parents[${i}] is ${parent}, needs -1 (a root) or a joint before ${i}`,
        );
    }
    throw rangeError(
        'ERR_PARENT_ORDER',
        `${name}: parents[${i}] is ${parent}, needs to come before its child (less than ${i}), or -1 for a root`,
    );
}
