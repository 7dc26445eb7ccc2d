// SPDX-License-Identifier: MIT

/** Whatever a clip is made of, no vertex goes further off than allowed, at any time; and what has to stay stays. */

import { join } from 'node:path';
import { WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { type ReduceOptions, type ReduceResult, reduceDocument, reduceFile } from '../../lib/reduce';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import type { LooseJson } from '../gltf/support/builder';
import { random, randomRotation } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';
import { channelsOffUnitLength, type Displacement, denseTimes, displacementOf, evaluatorOf } from './judge';
import { type Keys, type Rig, RigBuilder } from './rigs';

/** Threads run what was built. */
const compiled = require('../../dist') as { reduceFile: typeof reduceFile };

const folder = scratchFolder();

interface Reduced {
    readonly result: ReduceResult;
    /** The file before, and after. */
    readonly evaluators: readonly [DoubleEvaluator, DoubleEvaluator];
    /** By clip. */
    readonly off: readonly Displacement[];
}

/** Reduces a rig's file, and expects every clip to keep to the bound at 16 times between any two keys. */
async function reduced(rig: Rig, options: ReduceOptions = {}): Promise<Reduced> {
    const bytes = rig.builder.toGlb();
    const result = await reduceFile({ bytes, name: 'rig.glb' }, options);
    const evaluators = [
        await evaluatorOf(join(folder(), 'source.glb'), bytes),
        await evaluatorOf(join(folder(), 'reduced.glb'), result.bytes),
    ] as const;
    const off = result.clips.map(({ animation }) =>
        displacementOf(rig, evaluators, animation, denseTimes(evaluators, animation, 16)),
    );
    for (const [i, { error, animation, kept }] of result.clips.entries()) {
        expect(off[i]!.vertices).toBeLessThanOrEqual(result.maxError * (1 + 1e-6));
        // Float32, which the values of integers are rounded to where they play.
        expect(off[i]!.vertices).toBeLessThanOrEqual(error + 1e-7 * Math.max(result.extent, result.maxError));
        expect(error).toBeLessThanOrEqual(result.maxError);
        expect(rangeOf(evaluators[1], animation)).toEqual(rangeOf(evaluators[0], animation));
        const [before, after] = evaluators.map((one) => channelsOffUnitLength(one, animation)) as [string[], string[]];
        expect(after.filter((channel) => !before.includes(channel))).toEqual([]);
        for (const { sampler } of evaluators[1].channelsOf(animation)) {
            expect([...sampler.times, ...sampler.values].every(Number.isFinite)).toBe(true);
            expect(sampler.times.every((time, k) => k === 0 || time > sampler.times[k - 1]! || kept)).toBe(true);
        }
    }
    return { result, evaluators, off };
}

/** When an animation begins and ends. */
function rangeOf(evaluator: DoubleEvaluator, animation: number): [number, number] {
    const times = evaluator.channelsOf(animation).flatMap(({ sampler }) => Array.from(sampler.times));
    return [Math.min(...times), Math.max(...times)];
}

const BOX = [-1, 1].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.25, 0.25].flatMap((z) => [x, y, z])));

const frames = (count: number, fps = 30) => Array.from({ length: count }, (_, i) => i / fps);

/** About an axis, in radians. */
function turn(axis: 0 | 1 | 2, angle: number): number[] {
    const q = [0, 0, 0, Math.cos(angle / 2)];
    q[axis] = Math.sin(angle / 2);
    return q;
}

/** Keys whose values follow from their times. */
const keyed = (
    node: number,
    path: Keys['path'],
    times: readonly number[],
    valueAt: (time: number, key: number) => number[],
    interpolation: Keys['interpolation'] = 'LINEAR',
): Keys => ({ node, path, interpolation, times, values: times.flatMap(valueAt) });

const swing = (node: number, count = 40, axis: 0 | 1 | 2 = 2, size = 0.5) =>
    keyed(node, 'rotation', frames(count), (t) => turn(axis, size * Math.sin(4 * t + node)));

const slide = (node: number, count = 40, x = 0) =>
    keyed(node, 'translation', frames(count), (t) => [x + Math.sin(3 * t + node), 0.2 * t, 0]);

/** One node with a box, and its clip. */
function lone(channels: readonly Keys[], place: LooseJson = {}): Rig {
    const rig = new RigBuilder();
    rig.node(-1, place);
    rig.mesh(0, BOX);
    rig.clip(channels);
    return rig.done();
}

/** Joints below each other, a box on each, all of which `channels` moves. */
function limb(
    count: number,
    channels: (node: number) => readonly Keys[],
    place: (node: number) => LooseJson = () => ({}),
): Rig {
    const rig = new RigBuilder();
    for (let node = 0; node < count; node++)
        rig.node(node - 1, { translation: [0, node === 0 ? 0 : 1, 0], ...place(node) });
    const joints = Array.from({ length: count }, (_, node) => node);
    const binds = joints.flatMap((node) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -node, 0, 1]);
    const skin = rig.skin(joints, binds);
    const own = joints.flatMap((node) => BOX.map((x, i) => (i % 3 === 1 ? x + node : x)));
    const influences = joints.flatMap((node) =>
        Array.from({ length: 8 }, () => [node, Math.max(0, node - 1), 0, 0]).flat(),
    );
    const weights = joints.flatMap(() => Array.from({ length: 8 }, () => [0.75, 0.25, 0, 0]).flat());
    rig.mesh(rig.node(), own, { skin, joints: influences, weights });
    rig.clip(joints.flatMap(channels));
    return rig.done();
}

const keysOf = (evaluator: DoubleEvaluator, animation = 0) =>
    evaluator.channelsOf(animation).reduce((sum, { sampler }) => sum + sampler.times.length, 0);

const channelOf = (evaluator: DoubleEvaluator, node: number, path: string, animation = 0) =>
    evaluator.channelsOf(animation).find((channel) => channel.node === node && channel.path === path)?.sampler;

describe('hierarchies', () => {
    test('a chain of 30 joints', async () => {
        const { result, evaluators } = await reduced(
            limb(30, (node) => [swing(node, 20, 2, 0.05)]),
            { maxError: '1%' },
        );
        expect(result.clips[0]!.kept).toBe(false);
        expect(keysOf(evaluators[1])).toBeLessThan(0.6 * keysOf(evaluators[0]));
    });

    test.each([
        [
            'sheared by a matrix',
            { matrix: [1, 0.5, 0, 0, 0.25, 2, 0, 0, 0, 0, 1, 0, 3, 0, -1, 1], translation: undefined },
        ],
        ['with uneven scale', { scale: [3, 0.25, 1] }],
        ['mirrored', { scale: [1, -1, 1] }],
        ['with a scale of 0 along one axis', { scale: [1, 0, 1] }],
        ['off unit length at rest', { rotation: [0.1, 0.2, 0.6, 0.9] }],
        ['tiny', { scale: [1e-3, 1e-3, 1e-3] }],
        ['huge', { scale: [1e3, 1e3, 1e3] }],
    ])('a limb whose first node is %s', async (_, place) => {
        const { result } = await reduced(
            limb(
                4,
                (node) => (node === 0 ? [] : [swing(node), slide(node)]),
                (node) => (node === 0 ? place : {}),
            ),
        );
        expect(result.clips[0]!.kept).toBe(false);
    });

    test('a joint with a scale of 0, and what hangs below it', async () => {
        const place = (node: number) => (node === 1 ? { scale: [0, 0, 0] } : {});
        const { result } = await reduced(limb(4, (node) => [swing(node)], place));
        expect(result.clips[0]!.kept).toBe(false);
    });

    test.each([
        ['0', [0, 0, 0]],
        ['0 along one axis', [1, 0, 1]],
    ] as const)('a scale of %s at rest that a clip shows', async (_, scale) => {
        const show = (interpolation: 'LINEAR' | 'STEP') => keyed(0, 'scale', [0, 2], () => [1, 1, 1], interpolation);
        const move = keyed(0, 'translation', frames(61), (t) => [t / 2, 0, 0]);
        for (const interpolation of ['LINEAR', 'STEP'] as const) {
            const { evaluators } = await reduced(lone([show(interpolation), move], { scale }), { maxError: 1e-3 });
            expect(keysOf(evaluators[1])).toBeLessThanOrEqual(4);
        }
        const below = limb(
            3,
            (node) => [swing(node, 61), ...(node === 0 ? [show('LINEAR')] : [])],
            (node) => (node === 0 ? { scale } : {}),
        );
        const { result, evaluators } = await reduced(below, { maxError: 1e-2 });
        expect(result.clips[0]!.kept).toBe(false);
        expect(keysOf(evaluators[1])).toBeLessThan(0.5 * keysOf(evaluators[0]));
    });

    test('a scale that goes through 0 in the clip', async () => {
        const through = (node: number) => keyed(node, 'scale', frames(61), (t) => [1 - t, 1 - t, 1]);
        const rig = limb(2, (node) => [swing(node, 61), through(node)]);
        const { result, evaluators } = await reduced(rig, { maxError: 1e-2 });
        expect(result.clips[0]!.kept).toBe(false);
        expect(keysOf(evaluators[1])).toBeLessThan(0.5 * keysOf(evaluators[0]));
    });

    test('scales that move, through 0 and below, where others turn', async () => {
        const grow = (node: number) =>
            keyed(node, 'scale', frames(30), (t) => [1 + Math.sin(5 * t), Math.cos(4 * t), 1 - t]);
        await reduced(limb(4, (node) => [swing(node, 30, 0), grow(node)]));
    });

    test('1e5 units away, with an extent of a few', async () => {
        const rig = limb(
            3,
            (node) => [swing(node), slide(node, 40, node === 0 ? 1e5 : 0)],
            (node) => (node === 0 ? { translation: [1e5, 0, 0] } : {}),
        );
        const { result } = await reduced(rig, { maxError: 0.5 });
        expect(result.maxError).toBe(0.5);
        expect(result.clips[0]!.kept).toBe(false);
    });

    test('skins that share joints, a rigid mesh on one, and a mesh that nothing moves', async () => {
        const rig = new RigBuilder();
        for (let node = 0; node < 3; node++) rig.node(node - 1, { translation: [0, 1, 0] });
        rig.mesh(2, BOX);
        const weights = BOX.slice(0, 8).flatMap(() => [0.5, 0.5, 0, 0]);
        const joints = BOX.slice(0, 8).flatMap(() => [0, 1, 0, 0]);
        rig.mesh(rig.node(), BOX, { skin: rig.skin([0, 1]), joints, weights });
        rig.mesh(rig.node(), BOX, { skin: rig.skin([2, 1]), joints, weights });
        rig.mesh(rig.node(), BOX);
        rig.clip([swing(0), swing(1, 40, 0), swing(2, 40, 1)]);
        rig.clip([slide(1)]);
        const { result } = await reduced(rig.done());
        expect(result.clips.map(({ kept }) => kept)).toEqual([false, false]);
    });
});

describe('meshes', () => {
    test('drawn many times (EXT_mesh_gpu_instancing): each of them stays within the bound', async () => {
        const rig = new RigBuilder();
        rig.node();
        rig.mesh(0, BOX);
        rig.instances([
            [0, 0, 0, ...turn(0, 1), 1, 1, 1],
            [40, 0, 0, ...turn(1, 2), 2, 2, 2],
            [0, -3, 25, ...turn(2, 3), 1, -1, 3],
        ]);
        rig.clip([swing(0)]);
        const { result, off } = await reduced(rig.done(), { maxError: 0.05 });
        expect(result.clips[0]!.kept).toBe(false);
        expect(off[0]!.vertices).toBeGreaterThan(0.01);
        // Of a Document, too.
        const io = new WebIO().registerExtensions(ALL_EXTENSIONS);
        const document = await io.readBinary(rig.builder.toGlb());
        const { extent } = await reduceDocument(document as never, { maxError: 0.05 });
        expect(extent).toBeCloseTo(result.extent, 5);
        const written = await evaluatorOf(join(folder(), 'document.glb'), await io.writeBinary(document));
        const both = [await evaluatorOf(join(folder(), 'source.glb'), rig.builder.toGlb()), written] as const;
        const times = denseTimes(both, 0, 16);
        expect(displacementOf(rig, both, 0, times).vertices).toBeLessThanOrEqual(0.05 * (1 + 1e-6));
    });

    test.each([
        ['one below 0', [2.5, -1.5, 0, 0]],
        ['a sum of 3', [1.5, 1.5, 0, 0]],
    ])('skinned by weights that players use as they are: %s', async (_, weights) => {
        const rig = new RigBuilder();
        for (let node = 0; node < 2; node++) rig.node(-1, { translation: [0, node, 0] });
        const own = BOX.slice(0, 8);
        const joints = own.flatMap(() => [0, 1, 0, 0]);
        rig.mesh(rig.node(), BOX, { skin: rig.skin([0, 1]), joints, weights: own.flatMap(() => weights) });
        rig.clip([swing(0), swing(1, 40, 0)]);
        const { result, off } = await reduced(rig.done(), { maxError: '1%' });
        expect(result.clips[0]!.kept).toBe(false);
        expect(off[0]!.vertices).toBeGreaterThan(0.2 * result.maxError);
    });
});

describe('keys', () => {
    test.each([
        ['one key', [0.5], [...turn(2, 1)]],
        ['two keys', [0, 1], [...turn(2, 0), ...turn(2, 1)]],
        ['half a turn', [0, 1], [0, 0, 0, 1, 0, 0, 1, 0]],
        ['half turns one after another', [0, 1, 2], [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0]],
        ['keys that are the same', [0, 1, 2], [...turn(0, 1), ...turn(0, 1), ...turn(0, 1)]],
        ['signs that alternate', [0, 1, 2], [...turn(0, 0.1), ...turn(0, 0.2).map((x) => -x), ...turn(0, 0.3)]],
    ])('%s', async (_, times, values) => {
        await reduced(lone([{ node: 0, path: 'rotation', times, values }]));
        await reduced(lone([{ node: 0, path: 'rotation', times, values, interpolation: 'STEP' }]));
    });

    test('at one time: a jump stays where it is, or the clip as it is', async () => {
        const values = [0, 0, 0, 1, 0, 0, -5, 0, 0, -4, 0, 0];
        await reduced(lone([{ node: 0, path: 'translation', times: [0, 1, 1, 2], values }, swing(0, 60)]));
    });

    test('at times that differ for each track, some of which begin late', async () => {
        const next = random(2209);
        const own = (node: number): Keys => {
            let time = 0.3 * node;
            const times = Array.from({ length: 30 }, () => {
                time += 0.005 + 0.05 * next();
                return Math.fround(time);
            });
            return keyed(node, 'rotation', times, (t) => turn(2, 0.4 * Math.sin(4 * t) + 0.002 * next()));
        };
        const rig = limb(5, (node) => [own(node)]);
        const { result, evaluators } = await reduced(rig, { maxError: '1%' });
        expect(result.clips[0]!.kept).toBe(false);
        expect(keysOf(evaluators[1])).toBeLessThan(keysOf(evaluators[0]));
    });

    test('off unit length', async () => {
        const next = random(2210);
        const loose = (node: number): Keys => ({
            ...swing(node),
            values: swing(node).values.map((x) => x * (1 + 0.002 * next())),
        });
        const rig = limb(3, (node) => [loose(node)]);
        const { result } = await reduced(rig, { maxError: '1%' });
        expect(result.clips[0]!.kept).toBe(false);
    });

    test.each([
        ['rotation', 4],
        ['translation', 3],
        ['scale', 3],
    ] as const)('splines of %s', async (path, width) => {
        const tangent = Array.from({ length: width }, (_, c) => (c === 0 ? 0.2 : 0));
        const value = (t: number) => (path === 'rotation' ? turn(1, Math.sin(t)) : [1 + 0.3 * Math.sin(2 * t), 1, 1]);
        const spline = keyed(0, path, frames(6, 5), (t) => [...tangent, ...value(t), ...tangent], 'CUBICSPLINE');
        const { result } = await reduced(lone([spline]), { maxError: '1%' });
        expect(result.clips[0]!.kept).toBe(false);
    });

    test('STEP: jumps stay on their keys, beside what moves and below it', async () => {
        const times = [0, 0.31, 0.62, 1.3];
        const jump = keyed(1, 'rotation', times, (_, k) => turn(1, [0, 2, 2, 1][k]!), 'STEP');
        const { evaluators } = await reduced(limb(3, (node) => (node === 1 ? [jump] : [swing(node)])));
        const after = channelOf(evaluators[1], 1, 'rotation')!;
        expect(after.interpolation).toBe('STEP');
        expect(Array.from(after.times)).toEqual([0, 1, 3].map((k) => Math.fround(times[k]!)));
    });

    test('a loop stays closed: the last value is the first one, to the bit', async () => {
        const times = frames(61);
        const phase = (k: number, node: number) => (2 * Math.PI * (k % 60)) / 60 + node;
        const loop = (node: number) => [
            keyed(node, 'rotation', times, (_, k) => turn(0, 0.7 * Math.sin(phase(k, node)))),
            keyed(node, 'translation', times, (_, k) => [Math.cos(phase(k, node)), node, 0.1]),
        ];
        for (const quantize of [true, false]) {
            const { evaluators, result } = await reduced(limb(3, loop), { quantize });
            expect(result.clips[0]!.kept).toBe(false);
            for (const { sampler } of evaluators[1].channelsOf(0)) {
                const { values, width } = sampler;
                expect(Array.from(values.slice(-width))).toEqual(Array.from(values.slice(0, width)));
            }
        }
    });
});

describe('morph weights', () => {
    const smile = (node: number) => keyed(node, 'weights', frames(40), (t) => [0.5 + 0.5 * Math.sin(3 * t), t]);
    const targets = [BOX.map((x) => 0.3 * x), BOX.map((_, i) => (i % 3 === 0 ? 0.5 : 0))];

    test('of a rigid mesh that turns', async () => {
        const rig = new RigBuilder();
        rig.node(-1, { scale: [2, 2, 2] });
        rig.mesh(0, BOX, null, targets, [0.5, 0.25]);
        rig.clip([swing(0), smile(0)]);
        const { evaluators } = await reduced(rig.done(), { maxError: '1%' });
        expect(channelOf(evaluators[1], 0, 'weights')!.times.length).toBeLessThan(40);
    });

    test('of a skinned mesh, and of one in a clip that moves nothing else', async () => {
        const rig = new RigBuilder();
        for (let node = 0; node < 2; node++) rig.node(node - 1, { translation: [0, 1, 0] });
        const joints = BOX.slice(0, 8).flatMap(() => [0, 1, 0, 0]);
        const weights = BOX.slice(0, 8).flatMap(() => [0.25, 0.75, 0, 0]);
        rig.mesh(rig.node(), BOX, { skin: rig.skin([0, 1]), joints, weights }, targets, [0, 0]);
        rig.clip([swing(0), swing(1), smile(2)]);
        rig.clip([smile(2)]);
        rig.clip([{ ...smile(2), interpolation: 'STEP' }, slide(0)]);
        const { evaluators } = await reduced(rig.done(), { maxError: '1%' });
        expect(channelOf(evaluators[1], 2, 'weights', 1)!.times.length).toBeLessThan(40);
        expect(channelOf(evaluators[1], 2, 'weights', 2)!.interpolation).toBe('STEP');
    });

    test('below scales that stretch most between keys', async () => {
        const rig = new RigBuilder();
        rig.node(-1, { scale: [100, 1, 1] });
        rig.node(0);
        rig.node(1, { scale: [100, 1, 1] });
        rig.mesh(2, BOX, null, [BOX.map((_, i) => (i % 3 === 0 ? 1 : 0))], [0]);
        // At 180 degrees, which are at three quarters: neither on a key nor halfway.
        const values = [...turn(2, Math.PI / 4), ...turn(2, (5 * Math.PI) / 4 - 1e-3)];
        const bump = { times: [0, 0.7, 0.75, 0.8, 1], values: [0, 0, 0.0009, 0, 0] };
        rig.clip([
            { node: 1, path: 'rotation', times: [0, 1], values },
            { node: 2, path: 'weights', ...bump },
        ]);
        rig.done();
        for (const maxError of [50, 65, 80, 100, 120]) await reduced(rig, { maxError, maxSlide: Infinity });
    });

    test.each(['0.0001%', '0.1%', 0.01])(
        'of feet that stand, where hardly any way is theirs to slide: %s',
        async (maxSlide) => {
            const rig = new RigBuilder();
            rig.node(-1);
            rig.node(0, { translation: [3, 0, 0] });
            rig.mesh(0, BOX, null, targets, [0, 0]);
            rig.mesh(1, BOX);
            const still = { node: 0, path: 'translation', times: [0, 1.3], values: [0, 0, 0, 1e-7, 0, 0] } as const;
            rig.clip([still, swing(1), smile(0)]);
            await reduced(rig.done(), { maxError: '1%', maxSlide });
        },
    );
});

describe('what carries no vertex', () => {
    test('keeps where it is, and turns by at most the angle that is allowed', async () => {
        const next = random(2211);
        const wobble = keyed(1, 'rotation', frames(40), (t) => {
            const q = [0.2 * Math.sin(3 * t), 0.2 * Math.sin(4 * t + 1), 0.2 * Math.cos(5 * t), 1];
            const noisy = q.map((x) => x + 0.01 * (next() - 0.5));
            return noisy.map((x) => x / Math.hypot(...noisy));
        });
        const rig = new RigBuilder();
        rig.node(-1);
        rig.node(0, { translation: [0, 1, 0], name: 'socket' });
        rig.node(0, { translation: [0, 1, 0], name: 'box' });
        rig.mesh(2, BOX);
        rig.clip([wobble, swing(2)]);
        rig.done();
        for (const maxAngle of [0.1, 1, 5]) {
            const { off, result } = await reduced(rig, { maxAngle, maxError: '1%' });
            expect(result.clips[0]!.kept).toBe(false);
            expect((off[0]!.angles[1]! * 180) / Math.PI).toBeLessThanOrEqual(maxAngle);
        }
    });

    test.each(['1 1 1', '1 0 0', '1 1 0', '-1 1 -1'])('keeps to the angle about the axis %s', async (text) => {
        const axis = text.split(' ').map(Number);
        const length = Math.hypot(...axis);
        const at = (degrees: number) => {
            const half = (degrees * Math.PI) / 360;
            return [...axis.map((x) => (x * Math.sin(half)) / length), Math.cos(half)];
        };
        for (const share of [0.8, 1.05, 1.15, 1.5]) {
            const rig = new RigBuilder();
            rig.node();
            rig.node(0);
            rig.mesh(0, BOX);
            // One key halfway would be off by this share of the angle.
            rig.clip([{ node: 1, path: 'rotation', times: [0, 1], values: [...at(0), ...at(4 * share)] }]);
            const { off } = await reduced(rig.done(), { maxAngle: 2, maxError: 0.01 });
            expect((off[0]!.angles[1]! * 180) / Math.PI).toBeLessThanOrEqual(2);
        }
    });

    test.each([
        [1, 0.25],
        [0.25, 1],
        [0, 1],
    ])('keeps to the angle below a scale of %d at rest that becomes %d', async (rest, size) => {
        const times = frames(40);
        const rig = new RigBuilder();
        rig.node(-1, { scale: [rest, rest, rest] });
        rig.node(0);
        rig.node();
        rig.mesh(2, BOX);
        const scaleAt = (k: number) => rest + (size - rest) * Math.min(1, Math.abs(k - 20) / 15);
        rig.clip([
            keyed(0, 'scale', times, (_, k) => Array(3).fill(scaleAt(k))),
            keyed(1, 'rotation', times, (t, k) => turn(1, Math.sin(3 * t) + 0.01 * Math.sin(k * 17))),
            swing(2),
        ]);
        const { off, result } = await reduced(rig.done(), { maxAngle: 1, maxError: '1%' });
        expect(result.clips[0]!.kept).toBe(false);
        expect((off[0]!.angles[1]! * 180) / Math.PI).toBeLessThanOrEqual(1);
    });

    test('cameras and lights move on, in a file without a mesh', async () => {
        const rig = new RigBuilder();
        rig.builder.json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
        rig.node(-1, { translation: [0, 2, 5] });
        rig.node(0, { camera: 0 });
        rig.clip([swing(1), slide(0)]);
        const { result, evaluators } = await reduced(rig.done());
        expect(result.clips[0]!.kept).toBe(false);
        expect(keysOf(evaluators[1])).toBeLessThan(keysOf(evaluators[0]));
    });
});

describe('clips', () => {
    test('that move nothing that places, or begin late, keep their length', async () => {
        const rig = new RigBuilder();
        rig.node(-1);
        rig.node(0, { translation: [0, 1, 0] });
        rig.mesh(1, BOX);
        const late = { ...swing(1, 20), times: frames(20).map((t) => t + 2) };
        rig.clip([late]);
        rig.clip([{ node: 1, path: 'rotation', times: [0.5, 3], values: [0, 0, 0, 1, 0, 0, 0, 1] }]);
        rig.clip([
            { node: 1, path: 'translation', times: [0, 3], values: [0, 1, 0, 0, 1, 0] },
            { ...late, times: late.times.slice(0, 1), values: late.values.slice(0, 4) },
        ]);
        const { result } = await reduced(rig.done());
        // The second one has no keys to lose.
        expect(result.clips.map(({ kept }) => kept)).toEqual([false, true, false]);
    });

    test('channels that equal the rest pose keep one key; with dropRest they go, and only they', async () => {
        const rest = turn(2, 0.3);
        const times = frames(20);
        const channels = [
            keyed(0, 'rotation', times, () => rest),
            keyed(0, 'scale', times, () => [1.0000001, 1, 1]),
            slide(0, 20),
        ];
        const { result, evaluators } = await reduced(lone(channels, { rotation: rest }));
        const keysBy = Object.fromEntries(
            evaluators[1].channelsOf(0).map(({ path, sampler }) => [path, sampler.times.length]),
        );
        expect(keysBy).toMatchObject({ rotation: 1, scale: 1 });
        expect(result.clips[0]!.dropped).toBe(0);
        const without = await reduced(lone(channels, { rotation: rest }), { dropRest: true });
        expect(without.evaluators[1].channelsOf(0).map(({ path }) => path)).toEqual(['translation']);
        expect(without.result.clips[0]!.dropped).toBe(2);
    });

    test('play the same on a model with another rest pose, morph weights included', async () => {
        const own = turn(2, 0.7);
        const times = frames(40);
        const rig = new RigBuilder();
        rig.node();
        rig.node(0, { translation: [0, 1, 0], rotation: own });
        rig.node(1, { translation: [0.7, 0, 0], scale: [1, 1, 1] });
        const at = BOX.map((x) => x * 0.3);
        for (const node of [0, 1, 2]) rig.mesh(node, at, null, node === 2 ? [at] : [], node === 2 ? [0.5] : []);
        rig.clip([
            { node: 1, path: 'rotation', times: [0, 2], values: [...own, ...own] },
            { node: 1, path: 'translation', times, values: times.flatMap((t) => [0, 1 + 1e-4 * Math.sin(9 * t), 0]) },
            { node: 2, path: 'scale', times: [0, 2], values: [1, 1, 1, 1, 1, 1] },
            { node: 2, path: 'weights', times: [0, 2], values: [0.5, 0.5] },
            swing(2),
        ]);
        const { result, evaluators } = await reduced(rig.done(), { maxError: 0.001 });
        const elsewhere = evaluators.map(({ file }) => {
            // All that the clip moves, and the root, which turns and moves all alike.
            const place = { translation: [0.5, -2, 1], rotation: turn(0, 1.2) };
            const changes = [place, place, { scale: [2, 2, 2], weights: [0] }];
            const nodes = file.json.nodes!.map((node, i) => ({ ...node, ...changes[i] }));
            return new DoubleEvaluator({ ...file, json: { ...file.json, nodes } });
        }) as [DoubleEvaluator, DoubleEvaluator];
        const off = displacementOf(rig, elsewhere, 0, denseTimes(elsewhere, 0, 16));
        expect(off.vertices).toBeLessThanOrEqual(result.maxError * (1 + 1e-6));
        for (const time of denseTimes(elsewhere, 0, 2)) {
            const [before, after] = elsewhere.map((one) => one.weights(2, 0, time));
            expect(after).toEqual(before);
        }
    });

    /** From `size` on one side of the rest value to `size` on the other. */
    const drift = (path: 'translation' | 'rotation' | 'scale', size: number, node = 0, count = 2): Keys => {
        return keyed(node, path, frames(count, count - 1), (t) => {
            const x = size * (2 * t - 1);
            return path === 'rotation' ? turn(2, x) : path === 'scale' ? [1, 1 + x, 1] : [0, x, 0];
        });
    };
    /** The same line as a spline with two keys. */
    const cubic = ({ path, times, values, node }: Keys): Keys => {
        const width = values.length / 2;
        const [first, last] = [values.slice(0, width), values.slice(width)];
        const slope = first.map((x, c) => (last[c]! - x) / (times[1]! - times[0]!));
        return keyed(node, path, times, (_, k) => [...slope, ...[first, last][k]!, ...slope], 'CUBICSPLINE');
    };

    test.each([
        ['translation', 0.9e-3],
        ['rotation', 0.8e-3],
        ['scale', 1.7e-3],
    ] as const)('a %s within the bound of the rest value goes; the last one is written at rest', async (path, size) => {
        const rest = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }[path];
        for (const channel of [drift(path, size), cubic(drift(path, size)), drift(path, size, 0, 40)]) {
            const { evaluators } = await reduced(lone([channel]), { maxError: 1e-3 });
            const [only, ...others] = evaluators[1].channelsOf(0).map(({ sampler }) => sampler);
            expect(others).toEqual([]);
            expect([...only!.times]).toEqual([0, 1]);
            expect([...only!.values]).toEqual([...rest, ...rest]);
        }
        await reduced(lone([{ ...drift(path, size), interpolation: 'STEP' }]), { maxError: 1e-3 });
    });

    test('several channels that could go, in clips of which a part begins late', async () => {
        const all = (node: number) => [drift('translation', 1e-4, node), drift('rotation', 1e-4, node, 30)];
        await reduced(limb(3, all), { maxError: 1e-3 });
        const late = ({ times, ...keys }: Keys): Keys => ({ ...keys, times: times.map((t) => t + 1.5) });
        await reduced(
            limb(3, (node) => (node === 1 ? all(node).map(late) : all(node))),
            { maxError: 1e-3 },
        );
        const still: Keys = { node: 2, path: 'translation', times: [0.25], values: [0.5, 1, 0] };
        await reduced(
            limb(3, (node) => (node === 2 ? [still] : all(node).slice(0, 1))),
            { maxError: 1e-3 },
        );
    });

    test('a coarse rotation with one key keeps its pose between both ends of the clip', async () => {
        const still: Keys = { node: 0, path: 'rotation', times: [0, 2], values: [...turn(2, 1), ...turn(2, 1)] };
        const weights: Keys = { node: 0, path: 'weights', times: [0, 8], values: [0, 0] };
        const rig = new RigBuilder();
        rig.node();
        rig.mesh(0, BOX, null, [BOX]);
        rig.clip([still, weights]);
        rig.done();
        for (const maxError of ['0.1%', '1%', '5%']) await reduced(rig, { maxError });
    });

    test('a file without animations comes back with what it has', async () => {
        const rig = new RigBuilder();
        rig.node(-1);
        rig.mesh(0, BOX);
        const { result, evaluators } = await reduced(rig.done());
        expect(result.clips).toEqual([]);
        expect(evaluators[1].nodes).toEqual(evaluators[0].nodes);
    });

    test('a model without an extent has no share of it, and stays as it is; a length is another matter', async () => {
        const rig = new RigBuilder();
        rig.node();
        rig.clip([swing(0)]);
        const { result, evaluators } = await reduced(rig.done());
        expect(result.clips).toEqual([]);
        expect(keysOf(evaluators[1])).toBe(keysOf(evaluators[0]));
        const other = await reduced(rig, { maxError: '1mm' });
        expect(keysOf(other.evaluators[1])).toBeLessThan(keysOf(evaluators[0]));
    });
});

describe('feet', () => {
    test('that stand where parts of a long clip join slide no more than others', async () => {
        const times = frames(2000);
        // Of 150 nodes a part has 1747 times at most, so that the second one begins at 999.
        const still = (k: number) => Math.max(0, Math.abs(k - 999) - 2);
        const rig = new RigBuilder();
        rig.node();
        rig.mesh(0, BOX);
        for (let node = 1; node < 150; node++) rig.mesh(rig.node(0), [0, 0.001 * node, 0]);
        const values = times.flatMap((_, k) => [Math.sign(k - 999) * (1 - Math.cos(0.08 * still(k))), 0, 0]);
        rig.clip([{ node: 0, path: 'translation', times, values }]);
        const bytes = rig.done().builder.toGlb();
        const maxSlide = 1e-3;
        const result = await reduceFile({ bytes, name: 'long.glb' }, { maxError: '1%', maxSlide });
        expect(result.clips[0]!.kept).toBe(false);
        const evaluator = await evaluatorOf(join(folder(), 'reduced.glb'), result.bytes);
        const places = Array.from({ length: 41 }, (_, i) =>
            evaluator.globals(0, Math.fround(997 / 30) + (i / 40) * (4 / 30 - 1e-6)).slice(12, 15),
        );
        for (const a of places)
            for (const b of places)
                expect(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!)).toBeLessThan(maxSlide);
    });
});

describe('bytes', () => {
    test('are no more than in the source, whatever the bound; nor are keys, of straight tracks at times of their own', async () => {
        const next = random(2212);
        const own = (node: number): Keys => {
            const times = Array.from({ length: 12 }, () => Math.fround(next() * 2)).sort((a, b) => a - b);
            return { node, path: 'rotation', times, values: times.flatMap(() => randomRotation(next)) };
        };
        const rig = limb(8, (node) => [own(node)]);
        for (const maxError of ['5%', '1%', '0.1%', '0.01%', '0.001%']) {
            const { before, after } = (await reduced(rig, { maxError })).result;
            expect(after.keys).toBeLessThanOrEqual(before.keys);
            expect(after.bytes).toBeLessThanOrEqual(before.bytes);
            expect(after.gzip).toBeLessThanOrEqual(before.gzip);
        }
    });

    test('of splines that few straight keys come near: they stay', async () => {
        const times = [0, 1, 2, 3];
        const spline = keyed(0, 'translation', times, (k) => [3, 0, 0, k % 2, 0, 0, 3, 0, 0], 'CUBICSPLINE');
        const rig = lone([spline]);
        const { result, evaluators } = await reduced(rig, { maxError: '2%' });
        expect(result.after).toEqual(result.before);
        expect(channelOf(evaluators[1], 0, 'translation')!.interpolation).toBe('CUBICSPLINE');
    });
});

describe('a bound that float32 cannot keep', () => {
    test('is refused where a clip goes far, and named', async () => {
        const rig = new RigBuilder();
        rig.node();
        rig.mesh(0, BOX);
        rig.clip([slide(0)], 'near');
        rig.clip([slide(0, 40, 1e5)], 'far');
        const bytes = rig.done().builder.toGlb();
        const reduce = (maxError: number, clips = ['far', 'near']) =>
            reduceFile({ bytes, name: 'far.glb' }, { maxError, clips });
        await expect(reduce(1e-3)).rejects.toThrow(
            expect.objectContaining({
                code: 'ERR_TOLERANCE',
                message: expect.stringMatching(
                    /^far\.glb: .* clip #1 'far' is 100000 from the origin: needs 0\.095 or more$/,
                ),
            }),
        );
        expect((await reduce(1e-3, ['near'])).clips[0]!.kept).toBe(false);
        expect((await reduce(0.2)).clips.map(({ kept }) => kept)).toEqual([false, false]);
    });
});

describe('a signal', () => {
    test.each([1, 2])('ends long clips soon; threads: %d', async (threads) => {
        const next = random(2213);
        const rig = limb(60, (node) => {
            const keys = swing(node, 600, 2, 0.05);
            return [{ ...keys, values: keys.values.map((x) => x + 1e-4 * next()) }];
        });
        for (let clip = 1; clip < threads; clip++) rig.builder.json.animations.push(rig.builder.json.animations[0]);
        const controller = new AbortController();
        const hooks = { threads, signal: controller.signal };
        const running = compiled.reduceFile({ bytes: rig.builder.toGlb(), name: 'a.glb' }, {}, hooks);
        let aborted = Infinity;
        setTimeout(() => {
            aborted = performance.now();
            controller.abort(new Error('enough'));
        }, 500);
        await expect(running).rejects.toThrow('enough');
        expect(performance.now() - aborted).toBeLessThan(1000);
    });
});

describe('the file', () => {
    const full = () => limb(4, (node) => [swing(node, 40, 0), slide(node)]);

    test('is the same each time', async () => {
        const bytes = full().builder.toGlb();
        const [a, b] = await Promise.all([0, 1].map(() => reduceFile({ bytes, name: 'a.glb' })));
        expect(Buffer.compare(a!.bytes, b!.bytes)).toBe(0);
    });

    test('is the same in threads', async () => {
        const rig = full();
        const many = new RigBuilder();
        for (let node = 0; node < 3; node++) many.node(node - 1, { translation: [0, 1, 0] });
        many.mesh(2, BOX);
        for (let clip = 0; clip < 6; clip++) many.clip([swing(0, 20 + clip, 0), swing(1, 30), slide(2, 10 + clip)]);
        const done: number[] = [];
        for (const bytes of [rig.builder.toGlb(), many.done().builder.toGlb()]) {
            const alone = await compiled.reduceFile({ bytes, name: 'a.glb' });
            const hooks = { threads: 2, onProgress: (count: number) => done.push(count) };
            const together = await compiled.reduceFile({ bytes, name: 'a.glb' }, {}, hooks);
            expect(Buffer.compare(alone.bytes, together.bytes)).toBe(0);
            expect(together.clips).toEqual(alone.clips);
        }
        expect(done).toEqual([1, 1, 2, 3, 4, 5, 6]);
    });

    test.each(['none', 'meshopt'] as const)('is what glTF-Validator accepts, compressed: %s', async (compress) => {
        const before = await require('gltf-validator').validateBytes(full().builder.toGlb());
        const known = new Set(before.issues.messages.map(({ code }: { code: string }) => code));
        for (const [maxError, quantize] of [
            ['0.01%', true],
            ['10%', true],
            ['30%', false],
        ] as const) {
            const { result } = await reduced(full(), { maxError, compress, quantize });
            const { issues } = await require('gltf-validator').validateBytes(result.bytes);
            const fresh = issues.messages.filter(
                ({ code, severity }: { code: string; severity: number }) => severity < 2 && !known.has(code),
            );
            expect(fresh).toEqual([]);
        }
    });
});
