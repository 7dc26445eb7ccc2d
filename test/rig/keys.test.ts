// SPDX-License-Identifier: MIT

/** Every implementation finds the same keys as a linear search, in key times of all kinds. */

import { typescriptRig } from '../../lib/rig/kernels';
import { blockFloats, LANES } from '../../lib/rig/kernels/contract';
import type { RigImplementation } from '../../lib/rig/kernels/table';
import { findMorphs } from '../../lib/rig/pack/morphs';
import { packRig } from '../../lib/rig/pack/rig';
import { allSlots } from '../../lib/rig/select-slots';
import { buildSkeleton } from '../../lib/rig/skeleton';
import { random as randomOf } from '../support/random';
import { describeRigs } from './native-tiers';
import { channel, node, scene } from './scenes';

const f = Math.fround;
const next = randomOf(7);
const list = (length: number, time: (k: number) => number) =>
    Array.from({ length }, (_, k) => f(time(k))).sort((a, b) => a - b);

/** Key times in seconds, ascending. */
const LISTS = [
    list(2, (k) => k),
    list(2, () => 3),
    list(3, (k) => -k),
    list(61, (k) => k / 30),
    list(61, (k) => (k + 0.4) / 30),
    // Many at one time, some at each of several, denormal distances, adjacent floats.
    list(40, (k) => (k < 35 ? 1 : k)),
    list(500, () => Math.floor(next() * 100) / 50),
    list(200, (k) => k * 2 ** -149),
    list(200, (k) => 1 + k * 2 ** -23),
    // All but one in a single cell.
    list(3000, (k) => (k === 0 ? 1000 : k * 1e-6)),
    list(3000, (k) => (k === 0 ? -1000 : 5 + k * 1e-6)),
    list(5000, () => next() ** 8 * 60),
    list(200, (k) => 1.7 ** k / 1e20),
    list(300, (k) => (k - 150) * 2e36),
    // More than 16 bits can count.
    list(70_000, (k) => (k < 66_000 ? k / 1e6 : k)),
    ...Array.from({ length: 20 }, (_, i) => list(2 + i * 3, () => next() * 2)),
];

/** Times between keys, at them, next to them, and outside. */
const timesOf = (keys: readonly number[]) => [
    ...Array.from({ length: 40 }, () => keys[Math.floor(next() * keys.length)]!).flatMap((time) => [
        time,
        time + Math.abs(time) * 2 ** -52,
        time - Math.abs(time) * 2 ** -52,
        time - Number.MIN_VALUE,
        time + (next() - 0.5) * 1e-3,
    ]),
    ...Array.from({ length: 40 }, () => keys[0]! + next() * (keys.at(-1)! - keys[0]!)),
    ...[0, -0, -1, 1e9, 3.5e38, 1e300, -1e300],
];

/** The fraction from the nearer end: docs/rig.md. */
const mixed = (a: number, b: number, s: number) => {
    const t = s > 0.5 ? f(1 - s) : s;
    return s > 0.5 ? f(b + f(f(t * a) - f(t * b))) : f(a + f(f(t * b) - f(t * a)));
};

/** A fraction of -0 would give the other zero. */
const toAndFro = (key: number) => (key % 2 === 0 ? -0 : 1);

/** Each list of keys moves a node along x in steps that count them, and scales it up and down. */
function clipOf(lists: readonly number[][]) {
    const channels = lists.flatMap((keys, i) => {
        const counted = keys.flatMap((_, k) => [k, 0, 0]);
        const stretched = keys.flatMap((_, k) => [1, toAndFro(k), 1]);
        return [channel(i, 'translation', 'STEP', keys, counted), channel(i, 'scale', 'LINEAR', keys, stretched)];
    });
    return { name: '', channels };
}

const all = scene(
    LISTS.map(() => node(-1)),
    [],
    [clipOf(LISTS), ...LISTS.map((keys) => clipOf([keys]))],
);
const skeleton = buildSkeleton(all.nodes, new Uint8Array(LISTS.length).fill(1));
const tables = packRig(all, skeleton, findMorphs(all.nodes));
const slots = allSlots(tables, skeleton.parents, skeleton.matrixOfSlot);

function check({ load }: RigImplementation): void {
    const kernels = load(tables).select(slots);
    const floats = blockFloats(LISTS.length, 0);
    const wrong: number[][] = [];
    for (const [i, keys] of LISTS.entries()) {
        const times = Float64Array.from(timesOf(keys));
        const data = new Float32Array(Math.ceil(times.length / LANES) * floats);
        // All groups at once, a clip of one group, and a block with one pose, which has its own code path.
        const clips = Uint16Array.from(times, (_, pose) => (pose % 64 < 32 || pose % 16 === 5 ? 0 : 1 + i));
        kernels.evaluate(data, times.length, clips, times, false);
        for (const [pose, time] of times.entries()) {
            const slot = clips[pose] === 0 ? i : 0;
            const component = (c: number) => data[(pose >> 4) * floats + (slot * 10 + c) * LANES + (pose & 15)];
            const last = keys.findLastIndex((at) => at <= time);
            const key = Math.max(0, last);
            const [from, to] = [keys[key]!, keys[key + 1]];
            const s = to === undefined || time <= from ? 0 : f((time - from) / (to - from));
            const expected = [key, mixed(toAndFro(key), toAndFro(to === undefined ? key : key + 1), s)];
            const made = [component(0), component(8)];
            if (!made.every((x, k) => Object.is(x, expected[k]))) wrong.push([i, time, ...made, ...expected]);
        }
    }
    expect(wrong).toEqual([]);
}

describe('strict/typescript', () => {
    test('keys around every time', () => check(typescriptRig));
});

describeRigs((implementation) => {
    test('keys around every time', () => check(implementation));
});

test('search tables take no more memory than the key times', () => {
    for (const { starts, times } of tables.clips) expect(starts.byteLength).toBeLessThanOrEqual(times.byteLength);
});
