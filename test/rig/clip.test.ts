// SPDX-License-Identifier: MIT

import { packClip } from '../../lib/rig/clip';
import { buildSlots } from '../../lib/rig/slots';
import { channel, IDENTITY, node } from './scenes';

// 0 - 1 (joint), 2 outside
const nodes = [node(-1, { translation: [1, 2, 3], scale: [2, 2, 2] }), node(0), node(-1)];
const slots = buildSlots(nodes, [1]);

const pack = (...channels: Parameters<typeof packClip>[0]['channels'][number][]) =>
    packClip({ name: '', channels }, slots);

test('without channels a clip is the rest pose', () => {
    const clip = pack();
    expect(clip.baseQuats).toEqual(slots.restQuats);
    expect(clip.baseScales).toEqual(slots.restScales);
    expect(clip.groups).toEqual([]);
    expect([...clip.scaledSlots]).toEqual([0]);
});

test('channels of nodes outside the slots and of weights are left out', () => {
    const clip = pack(
        channel(2, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 1, 1]),
        channel(1, 'weights', 'LINEAR', [0, 1], [0, 1]),
    );
    expect(clip.channels).toEqual([]);
    expect(clip.groups).toEqual([]);
});

test('channels that never change become part of the base pose, in a copy', () => {
    const before = slots.restQuats.slice();
    const clip = pack(
        channel(1, 'translation', 'LINEAR', [0, 1], [4, 5, 6, 4, 5, 6]),
        channel(0, 'scale', 'STEP', [0, 1], [1, 1, 1, 1, 1, 1]),
        channel(1, 'rotation', 'LINEAR', [0.5], [1, 0, 0, 0]),
    );
    expect(clip.groups).toEqual([]);
    expect([...clip.baseQuats.subarray(8)]).toEqual([1, 0, 0, 0, 4, 5, 6, 0]);
    expect([...clip.baseScales]).toEqual([1, 1, 1, 1, 1, 1]);
    expect(clip.scaledSlots.length).toBe(0);
    expect(clip.channels.length).toBe(3);
    expect(slots.restQuats).toEqual(before);
});

test('equal values are not taken for constant where sampling may leave them', () => {
    const clip = pack(
        // Tangents lead away from the keys.
        channel(1, 'translation', 'CUBICSPLINE', [0, 1], [0, 0, 0, 1, 1, 1, 9, 9, 9, 0, 0, 0, 1, 1, 1, 0, 0, 0]),
        // Slerp between equal keys of length 0.7 is longer than the keys.
        channel(1, 'rotation', 'LINEAR', [0, 1], [0.7, 0, 0, 0, 0.7, 0, 0, 0]),
    );
    expect(clip.groups.flatMap(({ tracks }) => tracks.map(({ kind }) => kind))).toEqual(['cubic', 'slerp']);
});

test('channels with the same key times are one group', () => {
    const times = [0, 1];
    const first = channel(1, 'translation', 'LINEAR', times, [0, 0, 0, 1, 1, 1]);
    const second = { ...channel(1, 'scale', 'STEP', times, [0, 0, 0, 1, 1, 1]), times: first.times };
    const clip = pack(first, second, channel(0, 'translation', 'LINEAR', times, [0, 0, 0, 1, 1, 1]));
    expect(clip.groups.map(({ tracks }) => tracks.length)).toEqual([2, 1]);
});

test('of two channels with one target the later one counts', () => {
    const moving = channel(1, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 1, 1]);
    const still = channel(1, 'translation', 'LINEAR', [0, 1], [7, 7, 7, 7, 7, 7]);
    expect(pack(moving, still).groups).toEqual([]);
    expect(pack(still, moving).groups.length).toBe(1);
});

test('a scale that moves through 1 is applied in every frame', () => {
    const clip = pack(channel(1, 'scale', 'LINEAR', [0, 1], [1, 1, 1, 2, 2, 2]));
    expect([...clip.scaledSlots]).toEqual([0, 1]);
});

test('a node with a matrix is not animated (glTF 2.0, 3.5.3)', () => {
    const withMatrix = buildSlots([node(-1, { matrix: IDENTITY })], [0]);
    const moving = channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 1, 1]);
    expect(packClip({ name: '', channels: [moving] }, withMatrix).channels).toEqual([]);
});
