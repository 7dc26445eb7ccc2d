// SPDX-License-Identifier: MIT

import { isArray, lengthOf, wrongType } from '../base/arguments';
import { checkIndex, checkLive } from '../base/call-arguments';
import { rangeError } from '../base/errors';
import type { RigTables, SlotTables } from './kernels/contract';

/** All slots of a rig. */
export function allSlots(tables: RigTables, parents: Int32Array, matrixOfSlot: Int32Array): SlotTables {
    const slots = Int32Array.from({ length: tables.slots }, (_, slot) => slot);
    return { slots, places: slots, parents, matrices: matrixOfSlot };
}

/** `only` and its ancestors. */
export function chosenSlots(
    tables: RigTables,
    parents: Int32Array,
    matrixOfSlot: Int32Array,
    only: unknown,
): SlotTables {
    const places = new Int32Array(tables.slots).fill(-1);
    for (const slot of slotsAt(only, tables.slots)) {
        for (let s = slot; s >= 0 && places[s] === -1; s = parents[s]!) places[s] = 0;
    }
    const slots: number[] = [];
    for (let slot = 0; slot < places.length; slot++) {
        if (places[slot] === 0) places[slot] = slots.push(slot) - 1;
    }
    return {
        slots: Int32Array.from(slots),
        places,
        parents: Int32Array.from(slots, (slot) => (parents[slot]! < 0 ? -1 : places[parents[slot]!]!)),
        matrices: Int32Array.from(slots, (slot) => matrixOfSlot[slot]!),
    };
}

function slotsAt(only: unknown, limit: number): number[] {
    const isView = ArrayBuffer.isView(only) && !(only instanceof DataView);
    if (!isView && !isArray(only)) throw wrongType('createPoses', 'options.only', 'a list of slots', only);
    if (isView) checkLive('createPoses', 'options.only', only);
    const list = only as ArrayLike<unknown>;
    const length = isView ? lengthOf(only) : list.length;
    if (length === 0) throw rangeError('ERR_INDEX_RANGE', 'createPoses: options.only names no slot');
    const slots: number[] = [];
    // By index: a subclass may have changed the iterator.
    for (let i = 0; i < length; i++) {
        slots.push(checkIndex('createPoses', `options.only[${i}]`, list[i], limit, 'slot'));
    }
    return slots;
}
