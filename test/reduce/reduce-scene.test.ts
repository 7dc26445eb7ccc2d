// SPDX-License-Identifier: MIT

/** For all kinds of clips, the error of every vertex keeps the bound at any time, and fixed parts stay. */

import { WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { type ReduceOptions, reduceDocument, reduceFile } from '../../lib/reduce';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import type { LooseJson } from '../gltf/support/builder';
import { random, randomRotation } from '../support/random';
import { denseTimes, displacementOf, evaluatorOf, judged } from './judge';
import { BOX, frames, type Keys, keyed, limb, lone, type Rig, RigBuilder, slide, swing, turn } from './rigs';

/** Threads run the built files. */
const compiled = require('../../dist') as { reduceFile: typeof reduceFile };

const keysOf = (evaluator: DoubleEvaluator) =>
    evaluator.channelsOf(0).reduce((sum, { sampler }) => sum + sampler.times.length, 0);

const channelOf = (evaluator: DoubleEvaluator, node: number, path: string, animation = 0) =>
    evaluator.channelsOf(animation).find((channel) => channel.node === node && channel.path === path)!.sampler;

/** Reduces a rig's file, and expects every clip to keep the bound. */
async function bounded(rig: Rig, options: ReduceOptions = {}) {
    const { result, evaluators, off, faults } = await judged(rig, options);
    expect(faults).toEqual([]);
    for (const [i, { error }] of result.clips.entries()) {
        expect(off[i]!.vertices).toBeLessThanOrEqual(result.maxError * (1 + 1e-6));
        // Integers are decoded to float32 during playback.
        expect(off[i]!.vertices).toBeLessThanOrEqual(error + 1e-7 * Math.max(result.extent, result.maxError));
    }
    return { result, evaluators, after: evaluators[1], off };
}

/** The same, for clips that must be reduced. */
async function reduced(rig: Rig, options: ReduceOptions = {}) {
    const found = await bounded(rig, options);
    expect(found.result.clips.filter(({ kept }) => kept)).toEqual([]);
    return found;
}

/** The same, for a clip that must keep less than this share of its keys. */
async function shortened(rig: Rig, share: number, options: ReduceOptions = {}) {
    const found = await reduced(rig, options);
    expect(keysOf(found.after)).toBeLessThan(share * keysOf(found.evaluators[0]));
    return found;
}

describe('hierarchies', () => {
    test('a chain of 30 joints', async () => {
        const chain = limb(30, (node) => [swing(node, 20, 2, 0.05)]);
        await shortened(chain, 0.6, { maxError: '1%' });
    });

    test.each<[string, number, LooseJson]>([
        ['sheared', 0, { matrix: [1, 0.5, 0, 0, 0.25, 2, 0, 0, 0, 0, 1, 0, 3, 0, -1, 1], translation: undefined }],
        ['with an uneven scale', 0, { scale: [3, 0.25, 1] }],
        ['mirrored', 0, { scale: [1, -1, 1] }],
        ['with scale 0 along one axis', 0, { scale: [1, 0, 1] }],
        ['with scale 0', 1, { scale: [0, 0, 0] }],
        ['with a rest rotation off unit length', 0, { rotation: [0.1, 0.2, 0.6, 0.9] }],
        ['tiny', 0, { scale: [1e-3, 1e-3, 1e-3] }],
        ['huge', 0, { scale: [1e3, 1e3, 1e3] }],
    ])('a joint that is %s, and its children', async (_, odd, place) => {
        const moves = (node: number) => (node === 0 ? [] : [swing(node), slide(node)]);
        await reduced(limb(4, moves, (node) => (node === odd ? place : {})));
    });

    test.each([
        ['0', [0, 0, 0]],
        ['0 along one axis', [1, 0, 1]],
    ] as const)('a scale of %s at rest that a clip shows', async (_, scale) => {
        const show = (interpolation: 'LINEAR' | 'STEP') => keyed(0, 'scale', [0, 2], () => [1, 1, 1], interpolation);
        const move = keyed(0, 'translation', frames(61), (t) => [t / 2, 0, 0]);
        for (const interpolation of ['LINEAR', 'STEP'] as const) {
            const { after } = await bounded(lone([show(interpolation), move], { scale }), { maxError: 1e-3 });
            expect(keysOf(after)).toBeLessThanOrEqual(4);
        }
        const moves = (node: number) => [swing(node, 61), ...(node === 0 ? [show('LINEAR')] : [])];
        const below = limb(3, moves, (node) => (node === 0 ? { scale } : {}));
        await shortened(below, 0.5, { maxError: 1e-2 });
    });

    test('a scale that goes through 0 in the clip', async () => {
        const through = (node: number) => keyed(node, 'scale', frames(61), (t) => [1 - t, 1 - t, 1]);
        await shortened(
            limb(2, (node) => [swing(node, 61), through(node)]),
            0.5,
            { maxError: 1e-2 },
        );
    });
});

describe('meshes', () => {
    test('drawn many times (EXT_mesh_gpu_instancing): each instance stays within the bound', async () => {
        const rig = new RigBuilder();
        rig.node();
        rig.mesh(0, BOX);
        rig.instances([
            [0, 0, 0, ...turn(0, 1), 1, 1, 1],
            [40, 0, 0, ...turn(1, 2), 2, 2, 2],
            [0, -3, 25, ...turn(2, 3), 1, -1, 3],
        ]);
        rig.clip([swing(0)]);
        const { result, off, evaluators } = await reduced(rig.done(), { maxError: 0.05 });
        expect(off[0]!.vertices).toBeGreaterThan(0.01);
        // Also for a Document.
        const io = new WebIO().registerExtensions(ALL_EXTENSIONS);
        const document = await io.readBinary(rig.builder.toGlb());
        const { extent } = await reduceDocument(document as never, { maxError: 0.05 });
        expect(extent).toBeCloseTo(result.extent, 5);
        const both = [evaluators[0], await evaluatorOf(await io.writeBinary(document))] as const;
        const times = denseTimes(both, 0, 16);
        expect(displacementOf(rig, both, 0, times).vertices).toBeLessThanOrEqual(0.05 * (1 + 1e-6));
    });

    test.each([
        ['one below 0', [2.5, -1.5, 0, 0]],
        ['a sum of 3', [1.5, 1.5, 0, 0]],
    ])('skinned by weights that players do not normalize: %s', async (_, weights) => {
        const rig = new RigBuilder();
        for (let node = 0; node < 2; node++) rig.node(-1, { translation: [0, node, 0] });
        rig.skinned(BOX, [0, 1], weights);
        rig.clip([swing(0), swing(1, 40, 0)]);
        const { result, off } = await reduced(rig.done(), { maxError: '1%' });
        expect(off[0]!.vertices).toBeGreaterThan(0.2 * result.maxError);
    });
});

describe('keys', () => {
    test.each([
        ['one key', [0.5], [...turn(2, 1)]],
        ['two keys', [0, 1], [...turn(2, 0), ...turn(2, 1)]],
        ['half a turn', [0, 1], [0, 0, 0, 1, 0, 0, 1, 0]],
        ['half turns one after another', [0, 1, 2], [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0]],
        ['equal keys', [0, 1, 2], [...turn(0, 1), ...turn(0, 1), ...turn(0, 1)]],
        ['alternating signs', [0, 1, 2], [...turn(0, 0.1), ...turn(0, 0.2).map((x) => -x), ...turn(0, 0.3)]],
    ])('%s', async (_, times, values) => {
        await bounded(lone([{ node: 0, path: 'rotation', times, values }]));
        await bounded(lone([{ node: 0, path: 'rotation', times, values, interpolation: 'STEP' }]));
    });

    test('at one time: a jump stays, or the whole clip', async () => {
        const values = [0, 0, 0, 1, 0, 0, -5, 0, 0, -4, 0, 0];
        await bounded(lone([{ node: 0, path: 'translation', times: [0, 1, 1, 2], values }, swing(0, 60)]));
    });

    test.each([
        ['rotation', 4],
        ['translation', 3],
        ['scale', 3],
    ] as const)('splines of %s', async (path, width) => {
        const tangent = Array.from({ length: width }, (_, c) => (c === 0 ? 0.2 : 0));
        const value = (t: number) => (path === 'rotation' ? turn(1, Math.sin(t)) : [1 + 0.3 * Math.sin(2 * t), 1, 1]);
        const spline = keyed(0, path, frames(6, 5), (t) => [...tangent, ...value(t), ...tangent], 'CUBICSPLINE');
        await reduced(lone([spline]), { maxError: '1%' });
    });

    test('STEP: jumps stay on their keys, next to moving nodes and below them', async () => {
        const times = [0, 0.31, 0.62, 1.3];
        const jump = keyed(1, 'rotation', times, (_, k) => turn(1, [0, 2, 2, 1][k]!), 'STEP');
        const { after } = await bounded(limb(3, (node) => (node === 1 ? [jump] : [swing(node)])));
        const left = channelOf(after, 1, 'rotation');
        expect(left.interpolation).toBe('STEP');
        expect(Array.from(left.times)).toEqual([0, 1, 3].map((k) => Math.fround(times[k]!)));
    });

    test('a loop stays closed: the last value equals the first, bit for bit', async () => {
        const phase = (k: number, node: number) => (2 * Math.PI * (k % 60)) / 60 + node;
        const loop = (node: number) => [
            keyed(node, 'rotation', frames(61), (_, k) => turn(0, 0.7 * Math.sin(phase(k, node)))),
            keyed(node, 'translation', frames(61), (_, k) => [Math.cos(phase(k, node)), node, 0.1]),
        ];
        for (const quantize of [true, false]) {
            const { after } = await reduced(limb(3, loop), { quantize });
            for (const { sampler } of after.channelsOf(0)) {
                const { values, width } = sampler;
                expect(Array.from(values.slice(-width))).toEqual(Array.from(values.slice(0, width)));
            }
        }
    });
});

describe('morph weights', () => {
    const smile = (node: number) => keyed(node, 'weights', frames(40), (t) => [0.5 + 0.5 * Math.sin(3 * t), t]);
    const targets = [BOX.map((x) => 0.3 * x), BOX.map((_, i) => (i % 3 === 0 ? 0.5 : 0))];

    test('of a skinned mesh, and of one in a clip that moves nothing else', async () => {
        const rig = new RigBuilder();
        for (let node = 0; node < 2; node++) rig.node(node - 1, { translation: [0, 1, 0] });
        rig.skinned(BOX, [0, 1], [0.25, 0.75, 0, 0], targets);
        rig.clip([swing(0), swing(1), smile(2)]);
        rig.clip([smile(2)]);
        rig.clip([{ ...smile(2), interpolation: 'STEP' }, slide(0)]);
        const { after } = await reduced(rig.done(), { maxError: '1%' });
        for (const clip of [0, 1]) expect(channelOf(after, 2, 'weights', clip).times.length).toBeLessThan(40);
        expect(channelOf(after, 2, 'weights', 2).interpolation).toBe('STEP');
    });

    test('below scales with a max between keys', async () => {
        const rig = new RigBuilder();
        rig.node(-1, { scale: [100, 1, 1] });
        rig.node(0);
        rig.node(1, { scale: [100, 1, 1] });
        rig.mesh(2, BOX, null, [BOX.map((_, i) => (i % 3 === 0 ? 1 : 0))], [0]);
        // At 180 degrees, at three quarters: neither on a key nor halfway.
        const values = [...turn(2, Math.PI / 4), ...turn(2, (5 * Math.PI) / 4 - 1e-3)];
        const bump = { times: [0, 0.7, 0.75, 0.8, 1], values: [0, 0, 0.0009, 0, 0] };
        rig.clip([
            { node: 1, path: 'rotation', times: [0, 1], values },
            { node: 2, path: 'weights', ...bump },
        ]);
        rig.done();
        for (const maxError of [50, 65, 80, 100, 120]) await bounded(rig, { maxError, maxSlide: Infinity });
    });

    test.each(['0.0001%', '0.1%', 0.01])('of standing feet with a small slide limit: %s', async (maxSlide) => {
        const rig = new RigBuilder();
        rig.node(-1);
        rig.node(0, { translation: [3, 0, 0] });
        rig.mesh(0, BOX, null, targets, [0, 0]);
        rig.mesh(1, BOX);
        const still = { node: 0, path: 'translation', times: [0, 1.3], values: [0, 0, 0, 1e-7, 0, 0] } as const;
        rig.clip([still, swing(1), smile(0)]);
        await bounded(rig.done(), { maxError: '1%', maxSlide });
    });
});

describe('nodes without vertices', () => {
    /** Moves node 1, without vertices, next to a box, and expects it to turn by at most the angle. */
    async function turnsWithin(maxAngle: number, channels: readonly Keys[], place: LooseJson = {}, box = -1) {
        const rig = new RigBuilder();
        rig.node(-1, place);
        rig.node(0, { translation: [0, 1, 0] });
        rig.node(box);
        rig.mesh(2, BOX);
        rig.clip([...channels, swing(2)]);
        const { off } = await reduced(rig.done(), { maxAngle, maxError: '1%' });
        expect((off[0]!.angles[1]! * 180) / Math.PI).toBeLessThanOrEqual(maxAngle);
    }

    test.each([0.1, 1, 5])('keep their position, and turn by at most %s degrees', async (maxAngle) => {
        const next = random(2211);
        const wobble = keyed(1, 'rotation', frames(40), (t) => {
            const q = [0.2 * Math.sin(3 * t), 0.2 * Math.sin(4 * t + 1), 0.2 * Math.cos(5 * t), 1];
            const noisy = q.map((x) => x + 0.01 * (next() - 0.5));
            return noisy.map((x) => x / Math.hypot(...noisy));
        });
        await turnsWithin(maxAngle, [wobble], {}, 0);
    });

    test.each(['1 1 1', '1 0 0', '1 1 0', '-1 1 -1'])('keep the angle about the axis %s', async (text) => {
        const axis = text.split(' ').map(Number);
        const length = Math.hypot(...axis);
        const at = (degrees: number) => {
            const half = (degrees * Math.PI) / 360;
            return [...axis.map((x) => (x * Math.sin(half)) / length), Math.cos(half)];
        };
        for (const share of [0.8, 1.05, 1.15, 1.5]) {
            // With one key halfway, the error would be this share of the angle.
            await turnsWithin(2, [keyed(1, 'rotation', [0, 1], (t) => at(4 * share * t))]);
        }
    });

    test.each([
        [1, 0.25],
        [0.25, 1],
        [0, 1],
    ])('keep the angle below a scale of %d at rest that becomes %d', async (rest, size) => {
        const scaleAt = (k: number) => rest + (size - rest) * Math.min(1, Math.abs(k - 20) / 15);
        const channels = [
            keyed(0, 'scale', frames(40), (_, k) => Array(3).fill(scaleAt(k))),
            keyed(1, 'rotation', frames(40), (t, k) => turn(1, Math.sin(3 * t) + 0.01 * Math.sin(k * 17))),
        ];
        await turnsWithin(1, channels, { scale: [rest, rest, rest] });
    });

    test('cameras and lights still move, in a file without a mesh', async () => {
        const rig = new RigBuilder();
        rig.builder.json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
        rig.node(-1, { translation: [0, 2, 5] });
        rig.node(0, { camera: 0 });
        rig.clip([swing(1), slide(0)]);
        await shortened(rig.done(), 1);
    });
});

describe('clips', () => {
    test('that move no positions, or start late, keep their duration', async () => {
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
        const { result } = await bounded(rig.done());
        // The second one has no keys to lose.
        expect(result.clips.map(({ kept }) => kept)).toEqual([false, true, false]);
    });

    test('channels equal to the rest pose keep one key; dropRest drops them, and only them', async () => {
        const rest = turn(2, 0.3);
        const channels = [
            keyed(0, 'rotation', frames(20), () => rest),
            keyed(0, 'scale', frames(20), () => [1.0000001, 1, 1]),
            slide(0, 20),
        ];
        const { result, after } = await bounded(lone(channels, { rotation: rest }));
        const left = ['rotation', 'scale'].map((path) => channelOf(after, 0, path).times.length);
        expect([left, result.clips[0]!.dropped]).toEqual([[1, 1], 0]);
        const without = await bounded(lone(channels, { rotation: rest }), { dropRest: true });
        expect(without.after.channelsOf(0).map(({ path }) => path)).toEqual(['translation']);
        expect(without.result.clips[0]!.dropped).toBe(2);
    });

    test('look the same on a model with another rest pose, including morph weights', async () => {
        const own = turn(2, 0.7);
        const rig = new RigBuilder();
        rig.node();
        rig.node(0, { translation: [0, 1, 0], rotation: own });
        rig.node(1, { translation: [0.7, 0, 0], scale: [1, 1, 1] });
        const at = BOX.map((x) => x * 0.3);
        for (const node of [0, 1, 2]) rig.mesh(node, at, null, node === 2 ? [at] : [], node === 2 ? [0.5] : []);
        rig.clip([
            { node: 1, path: 'rotation', times: [0, 2], values: [...own, ...own] },
            keyed(1, 'translation', frames(40), (t) => [0, 1 + 1e-4 * Math.sin(9 * t), 0]),
            { node: 2, path: 'scale', times: [0, 2], values: [1, 1, 1, 1, 1, 1] },
            { node: 2, path: 'weights', times: [0, 2], values: [0.5, 0.5] },
            swing(2),
        ]);
        const { result, evaluators } = await bounded(rig.done(), { maxError: 0.001 });
        const elsewhere = evaluators.map(({ file }) => {
            // All paths that the clip moves, and the root, which moves everything equally.
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
    const drift = (path: 'translation' | 'rotation' | 'scale', size: number, count = 2): Keys =>
        keyed(0, path, frames(count, count - 1), (t) => {
            const x = size * (2 * t - 1);
            return path === 'rotation' ? turn(2, x) : path === 'scale' ? [1, 1 + x, 1] : [0, x, 0];
        });
    /** The same line as a spline with two keys. */
    const cubic = ({ path, times, values, node }: Keys): Keys => {
        const width = values.length / 2;
        const [first, last] = [values.slice(0, width), values.slice(width)];
        const slope = first.map((x, c) => (last[c]! - x) / (times[1]! - times[0]!));
        return keyed(node, path, times, (_, k) => [...slope, ...[first, last][k]!, ...slope], 'CUBICSPLINE');
    };

    test.each([
        ['translation', 0.9e-3, [0, 0, 0]],
        ['rotation', 0.8e-3, [0, 0, 0, 1]],
        ['scale', 1.7e-3, [1, 1, 1]],
    ] as const)('a %s near the rest value goes; the last one is written at rest', async (path, size, rest) => {
        for (const channel of [drift(path, size), cubic(drift(path, size)), drift(path, size, 40)]) {
            const { after } = await bounded(lone([channel]), { maxError: 1e-3 });
            const left = after.channelsOf(0).map(({ sampler: { times, values } }) => [[...times], [...values]]);
            expect(left).toEqual([
                [
                    [0, 1],
                    [...rest, ...rest],
                ],
            ]);
        }
        await bounded(lone([{ ...drift(path, size), interpolation: 'STEP' }]), { maxError: 1e-3 });
    });

    test('a coarse rotation with one key keeps a pose between both ends of the clip', async () => {
        const still: Keys = { node: 0, path: 'rotation', times: [0, 2], values: [...turn(2, 1), ...turn(2, 1)] };
        const weights: Keys = { node: 0, path: 'weights', times: [0, 8], values: [0, 0] };
        const rig = new RigBuilder();
        rig.node();
        rig.mesh(0, BOX, null, [BOX]);
        rig.clip([still, weights]);
        rig.done();
        for (const maxError of ['0.1%', '1%', '5%']) await bounded(rig, { maxError });
    });

    test('a file without animations keeps its content', async () => {
        const { result, evaluators } = await bounded(lone());
        expect(result.clips).toEqual([]);
        expect(evaluators[1].nodes).toEqual(evaluators[0].nodes);
    });

    test('a model without an extent allows no share of it, and stays unchanged; a length works', async () => {
        const rig = new RigBuilder();
        rig.node();
        rig.clip([swing(0)]);
        const { result, evaluators } = await bounded(rig.done());
        expect(result.clips).toEqual([]);
        expect(keysOf(evaluators[1])).toBe(keysOf(evaluators[0]));
        await shortened(rig, 1, { maxError: '1mm' });
    });
});

test('joins of a long clip keep the bound and closed loops, and standing feet slide no more than elsewhere', async () => {
    // With 150 nodes a part has at most 1747 times, so the second part starts at 999.
    const still = (k: number) => Math.max(0, Math.abs(k - 999) - 2);
    const rig = new RigBuilder();
    rig.node();
    rig.mesh(0, BOX);
    for (let node = 1; node < 150; node++) rig.mesh(rig.node(0), [0.1, 0.001 * node, 0]);
    const away = (k: number) => Math.sign(k - 999) * (1 - Math.cos(0.08 * still(k)));
    const wave = (phase: number) => 0.4 * Math.sin(80 * Math.PI * phase) * (phase < 0.5 ? 1 : 0.02);
    const loop = (node: number) => keyed(node, 'rotation', frames(2000), (_, k) => turn(2, wave((k % 1999) / 1999)));
    rig.clip([keyed(0, 'translation', frames(2000), (_, k) => [away(k), 0, 0]), loop(148), loop(149)]);
    const bytes = rig.done().builder.toGlb();
    const maxSlide = 1e-3;
    const result = await reduceFile({ bytes, name: 'long.glb' }, { maxError: '1%', maxSlide });
    expect(result.clips[0]!.kept).toBe(false);
    const evaluators = [await evaluatorOf(bytes), await evaluatorOf(result.bytes)] as const;
    const [before, after] = evaluators;
    // At every eighth key, and halfway between two others.
    const looked = Float64Array.from({ length: 500 }, (_, i) => (i * 4) / 30 + (i % 2 === 0 ? 0 : 1 / 60));
    const { vertices } = displacementOf({ meshes: rig.meshes.slice(-2) }, evaluators, 0, looked);
    expect(vertices).toBeLessThanOrEqual(result.maxError * (1 + 1e-6));
    for (const node of [148, 149]) {
        const { values, width } = channelOf(after, node, 'rotation');
        expect(Array.from(values.slice(-width))).toEqual(Array.from(values.slice(0, width)));
    }
    expect(keysOf(after)).toBeLessThan(0.5 * keysOf(before));
    const places = Array.from({ length: 41 }, (_, i) =>
        after.globals(0, Math.fround(997 / 30) + (i / 40) * (4 / 30 - 1e-6)).slice(12, 15),
    );
    for (const a of places)
        for (const b of places) expect(Math.hypot(...a.map((x, c) => x - b[c]!))).toBeLessThan(maxSlide);
});

describe('bytes', () => {
    test('are no more than in the source, for any bound; the same goes for keys of straight tracks with separate times', async () => {
        const next = random(2212);
        const own = (node: number): Keys => {
            const times = Array.from({ length: 12 }, () => Math.fround(next() * 2)).sort((a, b) => a - b);
            return keyed(node, 'rotation', times, () => randomRotation(next));
        };
        const rig = limb(8, (node) => [own(node)]);
        for (const maxError of ['5%', '1%', '0.1%', '0.01%', '0.001%']) {
            const { before, after } = (await bounded(rig, { maxError })).result;
            for (const what of ['keys', 'bytes', 'gzip'] as const)
                expect(after[what]).toBeLessThanOrEqual(before[what]);
        }
    });

    test('of splines that few straight keys can fit: they stay', async () => {
        const spline = keyed(0, 'translation', [0, 1, 2, 3], (k) => [3, 0, 0, k % 2, 0, 0, 3, 0, 0], 'CUBICSPLINE');
        const { result, after } = await bounded(lone([spline]), { maxError: '2%' });
        expect(result.after).toEqual(result.before);
        expect(channelOf(after, 0, 'translation').interpolation).toBe('CUBICSPLINE');
    });
});

test('a bound below the rounding of float32 is rejected, and the error names a possible one', async () => {
    const rig = lone([slide(0)]);
    rig.clip([slide(0, 40, 1e5)], 'far');
    const reduce = (maxError: number, clips = ['far', 'clip 0']) =>
        reduceFile({ bytes: rig.builder.toGlb(), name: 'far.glb' }, { maxError, clips });
    await expect(reduce(1e-3)).rejects.toMatchObject({
        code: 'ERR_TOLERANCE',
        message: expect.stringMatching(/^far\.glb: .* clip #1 'far' is 100000 from the origin: needs 0\.095 or more$/),
    });
    expect((await reduce(1e-3, ['clip 0'])).clips[0]!.kept).toBe(false);
    expect((await reduce(0.2)).clips.map(({ kept }) => kept)).toEqual([false, false]);
});

test.each([1, 2])('a signal stops long clips soon; threads: %d', async (threads) => {
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
    }, 250);
    await expect(running).rejects.toThrow('enough');
    expect(performance.now() - aborted).toBeLessThan(1000);
});

describe('the file', () => {
    const full = () => limb(4, (node) => [swing(node, 40, 0), slide(node)]);

    test('is equal each time, and with threads', async () => {
        const many = new RigBuilder();
        for (let node = 0; node < 3; node++) many.node(node - 1, { translation: [0, 1, 0] });
        many.mesh(2, BOX);
        for (let clip = 0; clip < 6; clip++) many.clip([swing(0, 20 + clip, 0), swing(1, 30), slide(2, 10 + clip)]);
        const done: number[] = [];
        for (const bytes of [full().builder.toGlb(), many.done().builder.toGlb()]) {
            const alone = await compiled.reduceFile({ bytes, name: 'a.glb' });
            const hooks = { threads: 2, onProgress: (count: number) => done.push(count) };
            const together = await compiled.reduceFile({ bytes, name: 'a.glb' }, {}, hooks);
            expect(Buffer.compare(alone.bytes, together.bytes)).toBe(0);
            expect(together.clips).toEqual(alone.clips);
        }
        expect(done).toEqual([1, 1, 2, 3, 4, 5, 6]);
    });

    test.each(['none', 'meshopt'] as const)('passes glTF-Validator, compressed: %s', async (compress) => {
        const messagesOf = async (bytes: Uint8Array): Promise<{ code: string; severity: number }[]> =>
            (await require('gltf-validator').validateBytes(bytes)).issues.messages;
        const known = new Set((await messagesOf(full().builder.toGlb())).map(({ code }) => code));
        for (const [maxError, quantize] of [
            ['0.01%', true],
            ['10%', true],
            ['30%', false],
        ] as const) {
            const { result } = await bounded(full(), { maxError, compress, quantize });
            const fresh = (await messagesOf(result.bytes)).filter((one) => one.severity < 2 && !known.has(one.code));
            expect(fresh).toEqual([]);
        }
    });
});
