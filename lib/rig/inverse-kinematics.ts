// SPDX-License-Identifier: MIT

import { checkNumber, isArray, isUint8Array, lengthOf, wrongType } from '../base/arguments';
import {
    checkAllFinite,
    checkApart,
    checkIndex,
    checkLive,
    checkOptions,
    checkOut,
    checkWeights,
    finiteAt,
} from '../base/call-arguments';
import { rangeError } from '../base/errors';
import type { RigSlot } from './describe-rig';
import { AIM_PATH, type SlotTables } from './kernels/contract';
import { hasMatrix, notThere } from './pose-checks';
import { checkGlobals, type Poses, type PosesState, posesAt } from './poses';
import type { AimIkOptions, LimbSlots, TwoBoneIkOptions } from './rig-options';

const FORWARD = [0, 0, 1];
const UP = [0, 1, 0];
const NONE = [0, 0, 0];

/**
 * The arguments of `twoBoneIk` and `aimIk`, as kernels take them. Numbers in arrays of the caller are read first:
 * accessors could change buffers. Kept from call to call, which therefore allocate nothing.
 */
export class IkArguments {
    readonly #owner: object;
    readonly #slots: readonly RigSlot[];
    /** Places of a limb. */
    readonly chain = new Int32Array(3);
    /** Softness, cosine and sine of the twist, hinged (0, 1), axis 3. */
    readonly limb = new Float32Array(7);
    /** Places of an aim, each the parent of the next, and the part of the turn that each has completed. */
    readonly path = new Int32Array(AIM_PATH);
    readonly until = new Float32Array(AIM_PATH);
    length = 0;
    /** Forward 3, up 3, offset 3, pole 3. */
    readonly aim = new Float32Array(12);
    weights: number | Float32Array = 1;
    poles: Float32Array | null = null;
    reached: Uint8Array | null = null;
    readonly #turning = new Float64Array(AIM_PATH);
    readonly #shares = new Float64Array(AIM_PATH);

    /** @param slots The rig's slots, for messages: the caller may have changed them. */
    constructor(owner: object, slots: readonly RigSlot[]) {
        this.#owner = owner;
        this.#slots = slots;
    }

    /** Checks a call of `twoBoneIk`. */
    readTwoBone(
        poses: Poses,
        slots: LimbSlots,
        targets: Float32Array,
        options: TwoBoneIkOptions | undefined,
    ): PosesState {
        const routine = 'twoBoneIk';
        const { poles, weights = 1, soften = 1, twist = 0, axis, reached } = checkOptions(routine, options);
        if (typeof slots !== 'object' || slots === null) {
            throw wrongType(routine, 'slots', 'an object with start, mid and end', slots);
        }
        const { start, mid, end } = slots;
        const { limb, chain } = this;
        limb[0] = Math.min(Math.max(finiteAt(routine, 'options.soften', soften), 0), 1);
        writeTurn(finiteAt(routine, 'options.twist', twist), limb, 1);
        limb[3] = axis === undefined || axis === null ? 0 : 1;
        readNumbers(routine, 'options.axis', axis ?? NONE, 3, limb, 4);
        const state = posesAt(routine, 'poses', poses, this.#owner);
        this.#readShared(routine, state, targets, weights);
        const { count, data } = state;
        this.poles = poles === undefined || poles === null ? null : vectorsAt(routine, 'options.poles', poles, state);
        this.reached = reached === undefined || reached === null ? null : reachedAt(routine, reached, count);
        if (this.reached !== null) {
            checkApart(routine, 'options.reached', this.reached, 'poses', data);
            checkApart(routine, 'options.reached', this.reached, 'targets', targets);
            if (this.poles !== null) checkApart(routine, 'options.reached', this.reached, 'options.poles', this.poles);
            if (typeof weights === 'object') {
                checkApart(routine, 'options.reached', this.reached, 'options.weights', weights as Float32Array);
            }
        }
        chain[0] = this.#placeOf(routine, 'slots.start', state.slots, start, true);
        chain[1] = this.#placeOf(routine, 'slots.mid', state.slots, mid, true);
        chain[2] = this.#placeOf(routine, 'slots.end', state.slots, end, false);
        checkBelow(routine, state.slots, 'slots.mid', mid, 'slots.start', start);
        checkBelow(routine, state.slots, 'slots.end', end, 'slots.mid', mid);
        checkGlobals(routine, state);
        return state;
    }

    /** Checks a call of `aimIk`. */
    readAim(
        poses: Poses,
        slot: number | readonly number[],
        targets: Float32Array,
        options: AimIkOptions | undefined,
    ): PosesState {
        const routine = 'aimIk';
        const { forward, up, pole, offset, weights = 1, shares } = checkOptions(routine, options);
        const { aim } = this;
        readNumbers(routine, 'options.forward', forward ?? FORWARD, 3, aim, 0);
        readNumbers(routine, 'options.up', up ?? UP, 3, aim, 3);
        readNumbers(routine, 'options.offset', offset ?? NONE, 3, aim, 6);
        readNumbers(routine, 'options.pole', pole ?? UP, 3, aim, 9);
        const count = this.#readSlots(routine, slot);
        const total = this.#readShares(routine, shares, count);
        const state = posesAt(routine, 'poses', poses, this.#owner);
        this.#readShared(routine, state, targets, weights);
        for (let i = 0; i < count; i++) this.#checkTurning(routine, state.slots, isArray(slot), i);
        this.#findPath(routine, state.slots, count, total);
        checkGlobals(routine, state);
        return state;
    }

    #readShared(routine: string, state: PosesState, targets: unknown, weights: unknown): void {
        vectorsAt(routine, 'targets', targets, state);
        checkWeights(routine, weights, state.count, 'options.weights');
        if (typeof weights !== 'number') checkApart(routine, 'poses', state.data, 'options.weights', weights);
        this.weights = weights;
    }

    /** Reads the slots that turn into `#turning`. Returns how many there are. */
    #readSlots(routine: string, slot: unknown): number {
        if (!isArray(slot)) {
            checkNumber(routine, 'slot', slot);
            this.#turning[0] = slot;
            return 1;
        }
        const { length } = slot;
        if (length < 1 || length > AIM_PATH) {
            throw rangeError('ERR_COUNT_RANGE', `${routine}: slot has ${length} slots, needs 1 to ${AIM_PATH}`);
        }
        for (let i = 0; i < length; i++) {
            const value: unknown = slot[i];
            if (typeof value !== 'number') throw wrongType(routine, `slot[${i}]`, 'a number', value);
            this.#turning[i] = value;
        }
        return length;
    }

    /** Reads shares of the turn into `#shares`. Returns their sum. */
    #readShares(routine: string, shares: unknown, count: number): number {
        if (shares === undefined || shares === null) {
            this.#shares.fill(1, 0, count);
            return count;
        }
        readNumbers(routine, 'options.shares', shares, count, this.#shares, 0);
        let total = 0;
        for (let i = 0; i < count; i++) {
            const share = this.#shares[i]!;
            if (share < 0) {
                const rule = `options.shares[${i}] is ${share}, needs a number from 0 on`;
                throw rangeError('ERR_COUNT_RANGE', `${routine}: ${rule}`);
            }
            total += share;
        }
        if (total > 0) return total;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: options.shares are 0, needs one above 0`);
    }

    /** Writes the path from the first slot that turns to the last one. All are below one another. */
    #findPath(routine: string, { places, parents }: SlotTables, count: number, total: number): void {
        const first = places[this.#turning[0]!]!;
        const last = places[this.#turning[count - 1]!]!;
        let length = 1;
        for (let place = last; place !== first; place = parents[place]!) length++;
        if (length > AIM_PATH) {
            const has = `slot has ${length} slots from the first to the last`;
            throw rangeError('ERR_COUNT_RANGE', `${routine}: ${has}, needs at most ${AIM_PATH}`);
        }
        this.length = length;
        // Sums from the front, so that the last one is `total`.
        let sum = 0;
        for (let i = 0; i < count; i++) {
            sum += this.#shares[i]!;
            this.#shares[i] = sum;
        }
        let i = count - 1;
        for (let k = length - 1, place = last; k >= 0; k--, place = parents[place]!) {
            this.path[k] = place;
            this.until[k] = this.#shares[i]! / total;
            if (place === places[this.#turning[i]!]) i--;
        }
    }

    /** Makes texts only for errors. */
    #checkTurning(routine: string, slots: SlotTables, isList: boolean, i: number): void {
        const [slot, above] = [this.#turning[i]!, this.#turning[i - 1] ?? -1];
        const place = slots.places[slot] ?? -1;
        if (place >= 0 && slots.matrices[place]! < 0 && (i === 0 || isBelow(slots, slot, above))) return;
        const argument = isList ? `slot[${i}]` : 'slot';
        this.#placeOf(routine, argument, slots, slot, true);
        checkBelow(routine, slots, argument, slot, `slot[${i - 1}]`, above);
    }

    #placeOf(routine: string, argument: string, { places, matrices }: SlotTables, slot: unknown, turns: boolean) {
        checkIndex(routine, argument, slot, places.length, 'slot');
        const place = places[slot as number]!;
        if (place < 0) throw notThere(routine, argument, slot as number);
        if (turns && matrices[place]! >= 0) throw hasMatrix(routine, this.#slots, slot as number);
        return place;
    }
}

/** Whether the poses' slot is below another of their slots. */
function isBelow({ places, parents }: SlotTables, slot: number, above: number): boolean {
    const end = places[above]!;
    let place = parents[places[slot]!]!;
    while (place > end) place = parents[place]!;
    return place === end;
}

function checkBelow(
    routine: string,
    slots: SlotTables,
    argument: string,
    slot: number,
    other: string,
    above: number,
): void {
    if (isBelow(slots, slot, above)) return;
    const rule = `${argument} is ${slot}, needs a slot below ${other}, ${above}`;
    throw rangeError('ERR_INDEX_RANGE', `${routine}: ${rule}`);
}

/** `[pose][3]`, finite. */
function vectorsAt(routine: string, argument: string, value: unknown, { count, data }: PosesState): Float32Array {
    const list = checkOut(routine, argument, value, count * 3, 'poses x 3');
    checkAllFinite(routine, argument, list, count * 3);
    checkApart(routine, 'poses', data, argument, list);
    return list;
}

function reachedAt(routine: string, value: unknown, count: number): Uint8Array {
    if (!isUint8Array(value)) throw wrongType(routine, 'options.reached', 'a Uint8Array', value);
    checkLive(routine, 'options.reached', value);
    if (lengthOf(value) >= count) return value;
    const holds = `options.reached holds ${lengthOf(value)} elements`;
    throw rangeError('ERR_BUFFER_LENGTH', `${routine}: ${holds}, needs at least ${count} (one for each pose)`);
}

/** Reads an array of finite numbers. */
function readNumbers(
    routine: string,
    argument: string,
    value: unknown,
    count: number,
    out: Float32Array | Float64Array,
    at: number,
): void {
    if (!isArray(value) || value.length !== count) {
        throw wrongType(routine, argument, `an array of ${count} numbers`, value);
    }
    for (let i = 0; i < count; i++) {
        const number: unknown = value[i];
        const isGood = typeof number === 'number' && Number.isFinite(Math.fround(number));
        out[at + i] = isGood ? number : finiteAt(routine, `${argument}[${i}]`, number);
    }
}

const TURN = 2 * Math.PI;

/** Writes cosine and sine of an angle: by Taylor's series, because `Math.cos` differs between engines. */
function writeTurn(angle: number, out: Float32Array, at: number): void {
    const x = angle - TURN * Math.round(angle / TURN);
    let cosine = 1;
    let sine = 1;
    for (let k = 30; k > 0; k -= 2) {
        cosine = 1 - (cosine * x * x) / (k * (k - 1));
        sine = 1 - (sine * x * x) / (k * (k + 1));
    }
    out[at] = cosine;
    out[at + 1] = sine * x;
}
