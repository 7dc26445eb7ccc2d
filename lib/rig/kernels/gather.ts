// SPDX-License-Identifier: MIT
// Twin: native/rig/gather.h

/** Copies poses from lanes to lists with one pose after another. */

import { lengthOf } from '../../base/arguments';
import {
    blockFloats,
    GLOBAL_FLOATS,
    LANES,
    LOCAL_FLOATS,
    type PaletteFormat,
    type RigTables,
    type SlotList,
    type SlotTables,
} from './contract';

const f = Math.fround;

/** Global x inverse bind of each joint of a skin. `from`: index in `out` of the first pose. */
export function createPalettes(tables: RigTables, slots: SlotTables) {
    const block = blockFloats(slots.slots.length, tables.restWeights.length);
    const globals = slots.slots.length * LOCAL_FLOATS * LANES;
    return (
        data: Float32Array,
        count: number,
        skin: number,
        out: Float32Array,
        format: PaletteFormat,
        from = 0,
    ): void => {
        const { joints, inverseBinds } = tables.skins[skin]!;
        const size = format === 'mat4' ? 16 : 12;
        for (let joint = 0; joint < joints.length; joint++) {
            const at = globals + slots.places[joints[joint]!]! * GLOBAL_FLOATS * LANES;
            for (let pose = 0; pose < count; pose++) {
                const global = (pose >> 4) * block + at + (pose & 15);
                const to = ((from + pose) * joints.length + joint) * size;
                if (size === 16) storeMat4(out, to, data, global, inverseBinds, joint * GLOBAL_FLOATS);
                else storeMat3x4(out, to, data, global, inverseBinds, joint * GLOBAL_FLOATS);
            }
        }
    };
}

/** Column-major 4x4, as in WebGL, three.js and Babylon. */
function storeMat4(
    out: Float32Array,
    to: number,
    data: Float32Array,
    global: number,
    binds: Float32Array,
    bind: number,
): void {
    for (let row = 0; row < 3; row++) {
        const g = global + row * 4 * LANES;
        const g0 = data[g]!;
        const g1 = data[g + LANES]!;
        const g2 = data[g + 2 * LANES]!;
        out[to + row] = f(f(g0 * binds[bind]!) + f(g1 * binds[bind + 4]!)) + f(g2 * binds[bind + 8]!);
        out[to + 4 + row] = f(f(g0 * binds[bind + 1]!) + f(g1 * binds[bind + 5]!)) + f(g2 * binds[bind + 9]!);
        out[to + 8 + row] = f(f(g0 * binds[bind + 2]!) + f(g1 * binds[bind + 6]!)) + f(g2 * binds[bind + 10]!);
        out[to + 12 + row] =
            f(f(f(g0 * binds[bind + 3]!) + f(g1 * binds[bind + 7]!)) + f(g2 * binds[bind + 11]!)) +
            data[g + 3 * LANES]!;
    }
    out[to + 3] = 0;
    out[to + 7] = 0;
    out[to + 11] = 0;
    out[to + 15] = 1;
}

/** Row-major, translation last in each row. */
function storeMat3x4(
    out: Float32Array,
    to: number,
    data: Float32Array,
    global: number,
    binds: Float32Array,
    bind: number,
): void {
    for (let row = 0; row < 3; row++) {
        const g = global + row * 4 * LANES;
        const o = to + row * 4;
        const g0 = data[g]!;
        const g1 = data[g + LANES]!;
        const g2 = data[g + 2 * LANES]!;
        out[o] = f(f(g0 * binds[bind]!) + f(g1 * binds[bind + 4]!)) + f(g2 * binds[bind + 8]!);
        out[o + 1] = f(f(g0 * binds[bind + 1]!) + f(g1 * binds[bind + 5]!)) + f(g2 * binds[bind + 9]!);
        out[o + 2] = f(f(g0 * binds[bind + 2]!) + f(g1 * binds[bind + 6]!)) + f(g2 * binds[bind + 10]!);
        out[o + 3] =
            f(f(f(g0 * binds[bind + 3]!) + f(g1 * binds[bind + 7]!)) + f(g2 * binds[bind + 11]!)) +
            data[g + 3 * LANES]!;
    }
}

/** The globals of some slots. */
export function createJoints(tables: RigTables, slots: SlotTables) {
    const block = blockFloats(slots.slots.length, tables.restWeights.length);
    const globals = slots.slots.length * LOCAL_FLOATS * LANES;
    return (data: Float32Array, count: number, chosen: SlotList, out: Float32Array): void => {
        const length = lengthOf(chosen);
        for (let k = 0; k < length; k++) {
            const at = globals + slots.places[chosen[k]!]! * GLOBAL_FLOATS * LANES;
            for (let pose = 0; pose < count; pose++) {
                const global = (pose >> 4) * block + at + (pose & 15);
                const to = (pose * length + k) * GLOBAL_FLOATS;
                for (let i = 0; i < GLOBAL_FLOATS; i++) out[to + i] = data[global + i * LANES]!;
            }
        }
    };
}
