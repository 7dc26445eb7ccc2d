// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../../../lib/gltf/scene';
import { CUBICSPLINE, GROUP_NUMBERS, LINEAR, STEP } from '../../../lib/rig/kernels/contract';
import { packClip } from '../../../lib/rig/pack/clip';
import { findMorphs } from '../../../lib/rig/pack/morphs';
import { movableOf } from '../../../lib/rig/pack/movable';
import { buildSkeleton, nodesToEvaluate } from '../../../lib/rig/skeleton';
import { random as randomOf } from '../../support/random';
import { channel, IDENTITY, node, rested, scene, skin } from '../scenes';

// 0 - 1 (joint) - 3 (matrix); 2 outside, with morph targets
const nodes = [
    node(-1, { translation: [1, 2, 3], scale: [2, 2, 2] }),
    node(0),
    { ...node(-1), weights: Float32Array.of(0.5, 0.25) },
    node(1, { matrix: IDENTITY }),
];
const s = scene(nodes, [skin([1])], []);
const skeleton = buildSkeleton(nodes, nodesToEvaluate(s));
const morphs = findMorphs(nodes);
const movable = movableOf({ slots: skeleton.nodes.length, morphs: morphs.ranges });
const packed = (channels: SceneChannel[], room: number) =>
    packClip({ name: '', channels } as SceneAnimation, skeleton, morphs, movable, room);
const pack = (...channels: SceneChannel[]) => packed(channels, 1e6)!;

const STILL = [-1, -1, -1];

test('a clip without channels is the rest pose', () => {
    const clip = pack();
    expect(clip.duration).toBe(0);
    expect([clip.groups.length, clip.times.length, clip.values.length]).toEqual([0, 0, 0]);
    expect([...clip.tracks]).toEqual(Array(9).fill(STILL).flat());
    expect([...clip.morphTracks]).toEqual(STILL);
    expect([...clip.base]).toEqual([1, 2, 3, 0, 0, 0, 1, 2, 2, 2, ...rested(2)]);
    expect([...clip.baseWeights]).toEqual([0.5, 0.25]);
});

test('key times with equal content share a group; tracks are ordered by slot, path, then weights', () => {
    const later = channel(1, 'translation', 'LINEAR', [0, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const cubic = Array.from({ length: 24 }, (_, i) => 30 + i);
    const clip = pack(
        channel(2, 'weights', 'LINEAR', [0, 1], [10, 11, 12, 13]),
        channel(1, 'scale', 'STEP', [0, 1], [20, 21, 22, 23, 24, 25]),
        later,
        channel(0, 'rotation', 'CUBICSPLINE', [0, 1], cubic),
    );
    expect(clip.duration).toBe(3);
    // Group 0 belongs to the first track in slot order.
    expect([...clip.groups]).toEqual([...[0, 2, 0, 12 + 3 + 2, 0, 15], ...[5, 3, 34, 3, 2, 14]]);
    expect([...clip.times]).toEqual([0, 1, ...Array(3).fill(Infinity), 0, 2, 3, ...Array(3).fill(Infinity)]);
    // Cells of 1.5 s, which start after the second key, and of 0.75 s.
    expect([...clip.starts]).toEqual([0, 1, 0, 0, 0, 1]);
    const row = (k: number) => [
        ...Array.from({ length: 12 }, (_, i) => 30 + k * 12 + i),
        ...[20, 21, 22].map((x) => x + 3 * k),
        ...[10, 11].map((x) => x + 2 * k),
    ];
    expect([...clip.values]).toEqual([...row(0), ...row(1), 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([...clip.tracks]).toEqual(
        [STILL, [0, CUBICSPLINE, 0], STILL, [1, LINEAR, 0], STILL, [0, STEP, 12], ...Array(3).fill(STILL)].flat(),
    );
    expect([...clip.morphTracks]).toEqual([0, LINEAR, 15]);
});

test('constant channels become part of a copy of the base pose', () => {
    const before = skeleton.rest.slice();
    const clip = pack(
        channel(1, 'translation', 'LINEAR', [0, 1], [4, 5, 6, 4, 5, 6]),
        channel(0, 'scale', 'STEP', [0, 1], [1, 1, 1, 1, 1, 1]),
        channel(1, 'rotation', 'LINEAR', [0, 0.5, 9], Array(3).fill([0.6, 0, 0, 0.8]).flat()),
        channel(0, 'rotation', 'CUBICSPLINE', [0.5], [9, 9, 9, 9, 3, 0, 0, 4, 9, 9, 9, 9]),
        channel(0, 'translation', 'CUBICSPLINE', [0, 1], [0, 0, 0, 7, 8, 9, 0, 0, 0, 0, 0, 0, 7, 8, 9, 0, 0, 0]),
        channel(2, 'weights', 'STEP', [0, 1], [3, 4, 3, 4]),
    );
    expect(clip.groups.length).toBe(0);
    expect(clip.duration).toBe(9);
    expect([...clip.base.subarray(0, 20)]).toEqual(
        [7, 8, 9, 0.6, 0, 0, 0.8, 1, 1, 1, 4, 5, 6, 0.6, 0, 0, 0.8, 1, 1, 1].map(Math.fround),
    );
    expect([...clip.baseWeights]).toEqual([3, 4]);
    expect(skeleton.rest).toEqual(before);
});

test('equal values are not constant if sampling can leave them', () => {
    const clip = pack(
        // Tangents lead away from the keys.
        channel(1, 'translation', 'CUBICSPLINE', [0, 1], [0, 0, 0, 1, 1, 1, 9, 9, 9, 0, 0, 0, 1, 1, 1, 0, 0, 0]),
        // Slerp between equal keys of length 0.7 is longer than the keys.
        channel(1, 'rotation', 'LINEAR', [0, 1], [0.7, 0, 0, 0, 0.7, 0, 0, 0]),
        // The bytes differ.
        channel(1, 'scale', 'LINEAR', [0, 1], [0, 1, 1, -0, 1, 1]),
    );
    expect([3, 4, 5].map((entry) => clip.tracks[entry * 3])).toEqual([0, 0, 0]);
});

test('nodes that are not slots, nodes with a matrix, and weights without targets are left out; their keys still set the duration', () => {
    const clip = pack(
        channel(2, 'translation', 'LINEAR', [0, 4], [0, 0, 0, 1, 1, 1]),
        channel(3, 'scale', 'LINEAR', [0, 5], [0, 0, 0, 1, 1, 1]),
        channel(1, 'weights', 'LINEAR', [0, 6], [0, 1]),
    );
    expect(clip.groups.length).toBe(0);
    expect(clip.duration).toBe(6);
});

test('the later of two channels with one target is used', () => {
    const moving = channel(1, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 1, 1]);
    const still = channel(1, 'translation', 'LINEAR', [0, 1], [7, 7, 7, 7, 7, 7]);
    expect(pack(moving, still).groups.length).toBe(0);
    expect(pack(still, moving).groups.length).toBe(GROUP_NUMBERS);
});

test('keys beyond the limit are rejected before allocation', () => {
    const channels = [channel(1, 'translation', 'LINEAR', [0, 1, 2], [0, 0, 0, 1, 1, 1, 2, 2, 2])];
    expect(packed(channels, 9)!.values.length).toBe(9);
    expect(packed(channels, 8)).toBeNull();
});

describe('the nodes of a rig', () => {
    test('joints, moving nodes, their descendants, and all ancestors', () => {
        const random = randomOf(1);
        for (let round = 0; round < 200; round++) {
            const count = 1 + Math.floor(random() * 30);
            const numbers = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
            const parents: number[] = [];
            numbers.forEach((number, i) => {
                parents[number] = i > 0 && random() < 0.8 ? numbers[Math.floor(random() * i)]! : -1;
            });
            const all = parents.map((parent) => node(parent));
            const joints = numbers.filter(() => random() < 0.1);
            const movers = numbers.filter(() => random() < 0.1);
            const channels = movers.map((mover) => channel(mover, 'scale', 'STEP', [0], [1, 1, 1]));
            const lineOf = (start: number) => {
                const line = [];
                for (let at = start; at >= 0; at = parents[at]!) line.push(at);
                return line;
            };
            const expected = new Set([...joints, ...movers].flatMap(lineOf));
            for (const number of numbers) {
                if (lineOf(number).some((above) => joints.includes(above) || movers.includes(above)))
                    expected.add(number);
            }
            const source = scene(all, joints.length > 0 ? [skin(joints)] : [], [{ name: '', channels }]);
            const { nodes: order, parents: slotParents } = buildSkeleton(all, nodesToEvaluate(source));
            expect([...order].sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
            const depth = (at: number) => lineOf(at).length;
            for (let slot = 0; slot < order.length; slot++) {
                const parent = slotParents[slot]!;
                expect(parent < 0 ? -1 : order[parent]).toBe(parents[order[slot]!]);
                if (slot === 0) continue;
                const [a, b] = [order[slot - 1]!, order[slot]!];
                expect(depth(a) < depth(b) || (depth(a) === depth(b) && a < b)).toBe(true);
            }
        }
    });

    test('a chain of a million nodes does not recurse', () => {
        const one = node(-1);
        const chain = Array.from({ length: 1_000_000 }, (_, i) => ({ ...one, parent: i - 1 }));
        const wanted = nodesToEvaluate({ ...scene(chain, [skin([0])], []), name: '' });
        const { nodes: order, parents } = buildSkeleton(chain, wanted);
        expect(order.length).toBe(1_000_000);
        expect(parents[999_999]).toBe(999_998);
    });
});
