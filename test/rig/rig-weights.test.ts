// SPDX-License-Identifier: MIT

/** Channels of morph weights in `Rig.create`: shapes, results, rejected values. */

import { Rig } from '../../lib/rig/rig';
import type { ChannelParts, RigParts } from '../../lib/rig/source/from-parts';
import { posed, refusal, rested } from './scenes';

const VERTICES = [0, 0, 0, 1, 0, 0];
const mesh = (node: number, targets: number, targetWeights?: number[]) => ({
    node,
    skin: 0,
    positions: VERTICES,
    joints: [0, 0, 0, 0, 0, 0, 0, 0],
    weights: [1, 0, 0, 0, 1, 0, 0, 0],
    targets: Array.from({ length: targets }, (_, t) => ({ positions: VERTICES.map((x) => (x + 1) * (t + 1)) })),
    ...(targetWeights ? { targetWeights } : {}),
});

/** Node 0 is the joint; nodes 1 and 2 have meshes with two and three targets, node 3 has one without targets. */
const parts = (...clips: ChannelParts[][]): RigParts => ({
    parents: [-1, -1, 0, 0],
    rest: rested(4),
    skins: [{ joints: [0] }],
    meshes: [mesh(1, 2, [0.5, 0.25]), mesh(2, 3), mesh(3, 0)],
    clips: clips.map((channels) => ({ channels })),
});

const channel = (changes: object): ChannelParts =>
    ({ node: 1, path: 'weights', times: [0, 1], values: [0, 1, 1, 0], ...changes }) as ChannelParts;

/** The weights of all meshes at a time of a clip, in a pose between others. */
function weightsAt(rig: Rig, time: number, clip = 0): number[] {
    const clips = Uint16Array.from({ length: 18 }, (_, i) => (i + clip) % rig.clips.length);
    const { data, blockFloats, weightsOffset } = posed(rig, new Float64Array(18).fill(time), clips);
    const [first, second] = [0, blockFloats].map((block) =>
        Array.from(rig.rest.weights, (_, i) => data[block + weightsOffset + i * 16]!),
    );
    if (clips[16] === clip) expect(second).toEqual(first);
    return first!;
}

test('LINEAR by default, one number for each target and key; unmoved weights are at rest', () => {
    const rig = Rig.create(parts([channel({})], []));
    expect(rig.meshes.map(({ firstWeight, weightCount }) => [firstWeight, weightCount])).toEqual([
        [0, 2],
        [2, 3],
        [0, 0],
    ]);
    expect(weightsAt(rig, 0)).toEqual([0, 1, 0, 0, 0]);
    expect(weightsAt(rig, 0.25)).toEqual([0.25, 0.75, 0, 0, 0]);
    expect(weightsAt(rig, 9)).toEqual([1, 0, 0, 0, 0]);
    expect(weightsAt(rig, 0.25, 1)).toEqual([0.5, 0.25, 0, 0, 0]);
    expect(rig.clips[0]).toMatchObject({ duration: 1, tracks: 1 });
});

test('STEP, and typed arrays, which are copied', () => {
    const values = Float32Array.of(1, 2, 3, 4, 5, 6);
    const times = Float32Array.of(0.5, 2);
    const rig = Rig.create(parts([channel({ node: 2, interpolation: 'STEP', times, values })]));
    values.fill(9);
    times.fill(9);
    expect(weightsAt(rig, 1.99)).toEqual([0.5, 0.25, 1, 2, 3]);
    expect(weightsAt(rig, 2)).toEqual([0.5, 0.25, 4, 5, 6]);
});

test('CUBICSPLINE: for each key the in-tangents of all targets, their values, their out-tangents', () => {
    const key = (values: number[], out: number[]) => [9, 9, ...values, ...out];
    const rig = Rig.create(
        parts([
            channel({
                interpolation: 'CUBICSPLINE',
                times: [0, 2],
                // The last in-tangents, those of the second key, are 0.
                values: [...key([0, 1], [1, 0]), 0, 0, 1, 3, 7, 7],
            }),
        ]),
    );
    // Hermite at s = 0.5: (p0 + p1) / 2 + d (b0 - a1) / 8.
    expect(weightsAt(rig, 1)).toEqual([0.5 + 2 / 8, 2, 0, 0, 0]);
    expect(weightsAt(rig, 0)).toEqual([0, 1, 0, 0, 0]);
    expect(weightsAt(rig, 2)).toEqual([1, 3, 0, 0, 0]);
});

test('channels of weights move the vertices', () => {
    const rig = Rig.create(parts([channel({})]));
    const out = new Float32Array(6);
    rig.skinVertices(posed(rig, [0.25]), 0, 0, out);
    // 0.25 of the first target, 0.75 of the second, which is twice as large.
    expect([...out]).toEqual(VERTICES.map((x) => x + (x + 1) * (0.25 + 1.5)));
});

test.each([
    [{ node: 0 }, /^Rig\.create: clips\[0\]\.channels\[0\] node 0 has no morph targets that weights could move$/],
    [{ node: 3 }, /^Rig\.create: clips\[0\]\.channels\[0\] node 3 has no morph targets that weights could move$/],
    [{ node: 4 }, /channels\[0\]\.node is 4, must be a node, 0 to 3/],
    [
        { values: [0, 1] },
        /channels\[0\]\.values has 2 numbers, must have 2 keys x 2 for weights with LINEAR = 4 \(node 1\)/,
    ],
    [{ node: 2 }, /must have 2 keys x 3 for weights with LINEAR = 6 \(node 2\)/],
    [{ interpolation: 'CUBICSPLINE' }, /must have 2 keys x 6 for weights with CUBICSPLINE = 12/],
    [{ values: [0, 1, NaN, 0] }, /channels\[0\]\.values\[2\] is NaN, must be finite \(weights of node 1\)/],
    [
        { times: [1, 0] },
        /channels\[0\]\.times\[1\] is 0, 1 less than the one before; times must ascend \(weights of node 1\)/,
    ],
])('rejects %j', (changes, message) => {
    expect(() => Rig.create(parts([channel(changes)]))).toThrow(refusal('ERR_RIG_INVALID', message));
});

test('rejects two channels for the weights of a node', () => {
    expect(() => Rig.create(parts([channel({}), channel({})]))).toThrow(
        /clips\[0\]\.channels\[1\] moves the weights of node 1, like channel 0/,
    );
});
