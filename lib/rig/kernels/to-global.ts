// SPDX-License-Identifier: MIT
// Twin: native/rig/to_global.h

import { GLOBAL_FLOATS, LANES, poseOffsets, type RigTables, type SlotTables } from './contract';

const f = Math.fround;

/** Locals to globals: T x R x S (glTF 2.0, section 3.5.3), then parent x local, parents first. */
export function createToGlobal(tables: RigTables, slots: SlotTables) {
    const { length } = slots.slots;
    const globalLanes = createGlobalLanes(tables, slots);
    return (data: Float32Array, count: number, from: number): void => {
        for (let first = 0; first < count; first += LANES) {
            const lanes = Math.min(LANES, count - first);
            for (let place = Math.max(from, 0); place < length; place++) {
                if (from < 0 || isFrom(slots, from, place)) globalLanes(data, first, place, lanes);
            }
        }
    };
}

/** Computes the globals of a place, of `lanes` poses from `pose` on, all of the same block. */
export function createGlobalLanes(tables: RigTables, slots: SlotTables) {
    const { localAt, globalAt } = poseOffsets(slots, tables.restWeights.length);
    const local = new Float32Array(GLOBAL_FLOATS * LANES);
    return (data: Float32Array, pose: number, place: number, lanes: number): void => {
        const global = globalAt(pose, place);
        const parent = slots.parents[place]!;
        const to = parent < 0 ? data : local;
        const at = parent < 0 ? global : 0;
        const matrix = slots.matrices[place]!;
        if (matrix < 0) composeLanes(to, at, data, localAt(pose, place), lanes);
        else spreadMatrix(to, at, tables.matrices, matrix * GLOBAL_FLOATS, lanes);
        if (parent >= 0) transformLanes(data, global, globalAt(pose, parent), local, lanes);
    };
}

/** Whether a place is `from` or below it. Parents have lower places. */
function isFrom({ parents }: SlotTables, from: number, place: number): boolean {
    let at = place;
    while (at > from) at = parents[at]!;
    return at === from;
}

/** The rotation's matrix in glTF's convention, its columns times the scale, and the translation. */
function composeLanes(to: Float32Array, at: number, data: Float32Array, from: number, lanes: number): void {
    for (let lane = 0; lane < lanes; lane++) {
        const l = from + lane;
        const x = data[l + 3 * LANES]!;
        const y = data[l + 4 * LANES]!;
        const z = data[l + 5 * LANES]!;
        const w = -data[l + 6 * LANES]!;
        const sx = data[l + 7 * LANES]!;
        const sy = data[l + 8 * LANES]!;
        const sz = data[l + 9 * LANES]!;
        const x2 = f(x + x);
        const y2 = f(y + y);
        const z2 = f(z + z);
        const xx2 = f(x * x2);
        const xy2 = f(x * y2);
        const xz2 = f(x * z2);
        const yy2 = f(y * y2);
        const yz2 = f(y * z2);
        const zz2 = f(z * z2);
        const wx2 = f(w * x2);
        const wy2 = f(w * y2);
        const wz2 = f(w * z2);
        const o = at + lane;
        to[o] = f(f(1 - zz2) - yy2) * sx;
        to[o + LANES] = f(xy2 + wz2) * sy;
        to[o + 2 * LANES] = f(xz2 - wy2) * sz;
        to[o + 3 * LANES] = data[l]!;
        to[o + 4 * LANES] = f(xy2 - wz2) * sx;
        to[o + 5 * LANES] = f(f(1 - zz2) - xx2) * sy;
        to[o + 6 * LANES] = f(yz2 + wx2) * sz;
        to[o + 7 * LANES] = data[l + LANES]!;
        to[o + 8 * LANES] = f(xz2 + wy2) * sx;
        to[o + 9 * LANES] = f(yz2 - wx2) * sy;
        to[o + 10 * LANES] = f(f(1 - xx2) - yy2) * sz;
        to[o + 11 * LANES] = data[l + 2 * LANES]!;
    }
}

function spreadMatrix(to: Float32Array, at: number, matrices: Float32Array, from: number, lanes: number): void {
    for (let k = 0; k < GLOBAL_FLOATS; k++) {
        for (let lane = 0; lane < lanes; lane++) to[at + k * LANES + lane] = matrices[from + k]!;
    }
}

/** global = parent x local. */
function transformLanes(data: Float32Array, global: number, parent: number, local: Float32Array, lanes: number): void {
    for (let row = 0; row < 12 * LANES; row += 4 * LANES) {
        for (let lane = 0; lane < lanes; lane++) {
            const p = parent + row + lane;
            const p0 = data[p]!;
            const p1 = data[p + LANES]!;
            const p2 = data[p + 2 * LANES]!;
            const p3 = data[p + 3 * LANES]!;
            const o = global + row + lane;
            data[o] = f(f(p0 * local[lane]!) + f(p1 * local[4 * LANES + lane]!)) + f(p2 * local[8 * LANES + lane]!);
            data[o + LANES] =
                f(f(p0 * local[LANES + lane]!) + f(p1 * local[5 * LANES + lane]!)) + f(p2 * local[9 * LANES + lane]!);
            data[o + 2 * LANES] =
                f(f(p0 * local[2 * LANES + lane]!) + f(p1 * local[6 * LANES + lane]!)) +
                f(p2 * local[10 * LANES + lane]!);
            const moved =
                f(f(p0 * local[3 * LANES + lane]!) + f(p1 * local[7 * LANES + lane]!)) +
                f(p2 * local[11 * LANES + lane]!);
            data[o + 3 * LANES] = f(moved) + p3;
        }
    }
}
