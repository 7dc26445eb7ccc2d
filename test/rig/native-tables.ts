// SPDX-License-Identifier: MIT

/** Random tables for `kernels/contract.ts`, and poses for them: all kinds of tracks, and difficult numbers. */

import type { ClipTables, RigTables, SkinTables, SlotTables } from '../../lib/rig/kernels/contract';
import { blockFloats, CUBICSPLINE, GROUP_NUMBERS, LANES, PATHS } from '../../lib/rig/kernels/contract';
import { packKeys } from '../../lib/rig/pack/keys';
import { haveSameBytes } from '../support/bytes';
import { random, randomRotation } from '../support/random';

type Next = () => number;

/** Range of values: realistic, or any float32 whose products do not overflow. */
export type Values = 'usual' | 'extreme';

export interface GeneratedRig {
    readonly tables: RigTables;
    readonly all: SlotTables;
    /** Some slots and their ancestors. */
    readonly some: SlotTables;
    readonly next: Next;
}

const whole = (next: Next, limit: number) => Math.floor(next() * limit);

const AWKWARD = [0, -0, 1, -1, 0.5, 1e-38, -1e-40, 1.5e-45, 1e12, -1e12, 1e-20, 0.99999994];

export function randomFloat(next: Next, values: Values): number {
    if (values === 'extreme' && next() < 0.4) return AWKWARD[whole(next, AWKWARD.length)]!;
    return Math.fround((next() * 2 - 1) * 3);
}

function floats(next: Next, length: number, values: Values): Float32Array {
    return Float32Array.from({ length }, () => randomFloat(next, values));
}

/** T 3, R 4, S 3. */
function locals(next: Next, slots: number, values: Values): Float32Array {
    const list = floats(next, slots * 10, values);
    for (let slot = 0; slot < slots; slot++) {
        if (values === 'usual' || next() < 0.5) list.set(randomRotation(next), slot * 10 + 3);
        for (let c = 7; c < 10; c++) if (list[slot * 10 + c] === 0) list[slot * 10 + c] = 1;
    }
    return list;
}

interface Target {
    readonly width: number;
    set(group: number, kind: number, first: number): void;
}

function randomClip(next: Next, slots: number, morphs: Int32Array, weights: number, values: Values): ClipTables {
    // Sometimes more than an implementation remembers at once.
    const groupCount = whole(next, next() < 0.1 ? 60 : 5);
    const groups = new Uint32Array(groupCount * GROUP_NUMBERS);
    const tracks = new Int32Array(slots * PATHS * 3).fill(0);
    const morphTracks = new Int32Array((morphs.length / 2) * 3).fill(0);
    const targets: Target[] = [];
    const targetAt = (list: Int32Array, at: number, width: number) => {
        list[at] = -1;
        targets.push({ width, set: (group, kind, first) => list.set([group, kind, first], at) });
    };
    for (let i = 0; i < slots * PATHS; i++) targetAt(tracks, i * 3, i % PATHS === 1 ? 4 : 3);
    for (let i = 0; i * 2 < morphs.length; i++) targetAt(morphTracks, i * 3, morphs[i * 2 + 1]!);
    const strides = new Array<number>(groupCount).fill(0);
    for (const target of targets) {
        if (groupCount === 0 || next() < 0.3) continue;
        const group = whole(next, groupCount);
        const kind = next() < 0.5 ? 1 : whole(next, 3);
        target.set(group, kind, strides[group]!);
        strides[group]! += target.width * (kind === CUBICSPLINE ? 3 : 1);
    }
    const lists: Float32Array[] = [];
    let firstFloat = 0;
    let duration = 0;
    for (let group = 0; group < groupCount; group++) {
        const keys = 2 + whole(next, next() < 0.2 ? 400 : 20);
        const times: number[] = [];
        let time = next() < 0.5 ? 0 : Math.fround(next());
        for (let key = 0; key < keys; key++) {
            times.push(time);
            // Some equal neighbors; steps from tiny to large.
            if (next() < 0.9) time = Math.fround(time + next() * (next() < 0.1 ? 1e-4 : 0.1));
        }
        duration = Math.max(duration, times[times.length - 1]!);
        groups.set([0, keys, firstFloat, strides[group]!], group * GROUP_NUMBERS);
        lists.push(Float32Array.from(times));
        firstFloat += keys * strides[group]!;
    }
    const { keys, places } = packKeys(lists);
    for (const [group, { firstKey, firstStart, cellShift }] of places.entries()) {
        groups[group * GROUP_NUMBERS] = firstKey;
        groups.set([firstStart, cellShift], group * GROUP_NUMBERS + 4);
    }
    return {
        duration,
        groups,
        ...keys,
        values: floats(next, firstFloat, values),
        tracks,
        morphTracks,
        base: locals(next, slots, values),
        baseWeights: floats(next, weights, values),
    };
}

function select(rig: { slots: number; parents: Int32Array; matrices: Int32Array }, wanted: (slot: number) => boolean) {
    const chosen = new Uint8Array(rig.slots);
    for (let slot = 0; slot < rig.slots; slot++) {
        if (!wanted(slot)) continue;
        for (let s = slot; s >= 0; s = rig.parents[s]!) chosen[s] = 1;
    }
    const places = new Int32Array(rig.slots).fill(-1);
    const slots: number[] = [];
    for (let slot = 0; slot < rig.slots; slot++) if (chosen[slot]) places[slot] = slots.push(slot) - 1;
    return {
        slots: Int32Array.from(slots),
        places,
        parents: Int32Array.from(slots, (slot) => (rig.parents[slot]! < 0 ? -1 : places[rig.parents[slot]!]!)),
        matrices: Int32Array.from(slots, (slot) => rig.matrices[slot]!),
    };
}

export function randomRig(seed: number, values: Values): GeneratedRig {
    const next = random(seed);
    const slots = 1 + whole(next, 40);
    const parents = Int32Array.from({ length: slots }, (_, i) => (i === 0 || next() < 0.1 ? -1 : whole(next, i)));
    let matrixCount = 0;
    const matrices = Int32Array.from({ length: slots }, () => (next() < 0.1 ? matrixCount++ : -1));
    const morphRanges: number[] = [];
    let weights = 0;
    for (let morph = whole(next, 3); morph > 0; morph--) {
        const width = 1 + whole(next, 7);
        morphRanges.push(weights, width);
        weights += width;
    }
    const morphs = Int32Array.from(morphRanges);
    const skins = Array.from({ length: 1 + whole(next, 2) }, (): SkinTables => {
        const joints = Int32Array.from({ length: 1 + whole(next, slots) }, () => whole(next, slots));
        return { joints, inverseBinds: floats(next, joints.length * 12, values) };
    });
    const clips = Array.from({ length: 1 + whole(next, 4) }, () => randomClip(next, slots, morphs, weights, values));
    const tables: RigTables = {
        slots,
        rest: locals(next, slots, values),
        restWeights: floats(next, weights, values),
        matrices: floats(next, matrixCount * 12, values),
        morphs,
        skins,
        clips,
    };
    const rig = { slots, parents, matrices };
    return {
        tables,
        next,
        all: select(rig, () => true),
        some: select(rig, (slot) => slot === slots - 1 || next() < 0.2),
    };
}

interface PosesMemory {
    readonly data: Float32Array;
}

export function posesFor(tables: RigTables, slots: SlotTables, capacity: number): PosesMemory {
    const blocks = Math.ceil(capacity / LANES);
    return {
        data: new Float32Array(blocks * blockFloats(slots.slots.length, tables.restWeights.length)),
    };
}

/** The specified output: locals and weights, or globals, of the first `count` poses. */
export function posesOf(
    tables: RigTables,
    slots: SlotTables,
    data: Float32Array,
    count: number,
    part: 'locals' | 'globals',
): Float32Array {
    const places = slots.slots.length;
    const block = blockFloats(places, tables.restWeights.length);
    const ranges =
        part === 'locals'
            ? [
                  [0, places * 10],
                  [places * 22, places * 22 + tables.restWeights.length],
              ]
            : [[places * 10, places * 22]];
    const out = new Float32Array(count * ranges.reduce((sum, [from, to]) => sum + to! - from!, 0));
    let at = 0;
    for (let pose = 0; pose < count; pose++) {
        const first = (pose >> 4) * block + (pose & 15);
        for (const [from, to] of ranges) {
            const end = first + to! * LANES;
            for (let i = first + from! * LANES; i < end; i += LANES) out[at++] = data[i]!;
        }
    }
    return out;
}

/** The first bit difference of two lists, with all NaN equal; null if there is none. */
export function firstDifference(a: Float32Array, b: Float32Array): string | null {
    if (a.length !== b.length) return `lengths ${a.length} and ${b.length}`;
    if (haveSameBytes(a, b)) return null;
    for (let i = 0; i < a.length; i++) {
        if (!Object.is(a[i], b[i])) return `[${i}]: ${a[i]} and ${b[i]}`;
    }
    return null;
}
