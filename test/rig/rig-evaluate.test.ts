// SPDX-License-Identifier: MIT

import type { GltfScene } from '../../lib/gltf/scene';
import type { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import { firstDifference } from '../support/bytes';
import { random as randomOf } from '../support/random';
import { globalOf, localOf, paletteOf, randomScene, sample, worstDifference } from './double-reference';
import { channel, node, scene, skin } from './scenes';

const rigOf = (s: GltfScene) => new Rig(s);
const TIMES = Array.from({ length: 23 }, (_, i) => Math.fround(i / 10));

/** The locals and weights of a pose, without what lies between poses. */
function localsOf(poses: Poses, pose: number): Float32Array {
    const { data, blockFloats, weightsOffset, slots } = poses;
    const block = (pose >> 4) * blockFloats;
    const weights = blockFloats - weightsOffset;
    return Float32Array.from({ length: slots.length * 10 + weights / 16 }, (_, i) =>
        i < slots.length * 10
            ? data[block + i * 16 + (pose & 15)]!
            : data[block + weightsOffset + (i - slots.length * 10) * 16 + (pose & 15)]!,
    );
}

function palettesOf(rig: Rig, clips: number | Uint16Array, times: Float32Array | Float64Array, poses?: Poses) {
    const made = poses ?? rig.createPoses(times.length);
    made.count = times.length;
    rig.evaluate(made, clips, times);
    rig.toGlobal(made);
    const out = new Float32Array(times.length * rig.skins[0]!.joints.length * 16);
    rig.palettes(made, 0, out);
    return out;
}

test('palettes are those of a double-precision evaluation, for random hierarchies and channels', () => {
    const random = randomOf(1);
    let worst = 0;
    for (let round = 0; round < 100; round++) {
        const s = randomScene(random);
        const rig = rigOf(s);
        const actual = palettesOf(rig, 0, Float32Array.from(TIMES));
        const expected = TIMES.flatMap((time) => paletteOf(s, s.animations[0]!, time).flat());
        const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
        worst = Math.max(worst, worstDifference(actual, expected) / size);
    }
    // Up to ten matrices in a chain, each rounded to float32 (6e-8).
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(2e-6);
});

test('globals and locals of every slot, by joints and getLocal', () => {
    const random = randomOf(2);
    let worst = 0;
    for (let round = 0; round < 30; round++) {
        const s = randomScene(random);
        const rig = rigOf(s);
        const poses = rig.createPoses(TIMES.length);
        rig.evaluate(poses, 1, Float32Array.from(TIMES));
        rig.toGlobal(poses);
        const slots = Uint16Array.from(rig.slots.keys()).reverse();
        const globals = new Float32Array(TIMES.length * slots.length * 12);
        rig.joints(poses, slots, globals);
        const trs = new Float32Array(10);
        for (const [pose, time] of TIMES.entries()) {
            for (const [k, slot] of slots.entries()) {
                const { node: index, hasMatrix } = rig.slots[slot]!;
                const m = globalOf(s, s.animations[1]!, index, time);
                const expected = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => m[column * 4 + row]!));
                const at = (pose * slots.length + k) * 12;
                const size = Math.max(1, ...expected.map(Math.abs));
                worst = Math.max(worst, worstDifference(globals.subarray(at, at + 12), expected) / size);
                if (hasMatrix) continue;
                rig.getLocal(poses, pose, slot, trs);
                worst = Math.max(worst, worstDifference(trs, localOf(s, s.animations[1]!, index, time)) / 3);
            }
        }
    }
    expect(worst).toBeLessThan(2e-6);
});

describe('a pose depends on its clip and time alone', () => {
    const random = randomOf(3);
    const s = randomScene(random, 5);
    const rig = rigOf(s);
    const count = 100;
    const clips = Uint16Array.from({ length: count }, () => Math.floor(random() * 5));
    const times = Float32Array.from({ length: count }, () => random() * 3 - 0.5);
    const single = Array.from(clips, (clip, i) => {
        const poses = rig.createPoses(1);
        rig.evaluate(poses, clip, times.subarray(i, i + 1));
        return localsOf(poses, 0);
    });

    test('not on the others in its block', () => {
        const poses = rig.createPoses(count);
        rig.evaluate(poses, clips, times);
        for (const [pose, expected] of single.entries()) {
            expect(firstDifference(localsOf(poses, pose), expected)).toBe(-1);
        }
    });

    test('not on what was evaluated before: forward, backward, anywhere', () => {
        const poses = rig.createPoses(count);
        for (let round = 0; round < 50; round++) {
            const otherClips = Uint16Array.from({ length: count }, () => Math.floor(random() * 5));
            rig.evaluate(
                poses,
                round % 2 ? otherClips : clips,
                times.map(() => random() * 3),
            );
        }
        rig.evaluate(poses, clips, times);
        for (const [pose, expected] of single.entries()) {
            expect(firstDifference(localsOf(poses, pose), expected)).toBe(-1);
        }
    });

    test('not on the capacity, the count, or whether the memory is shared', () => {
        for (const capacity of [count, count + 1, 1000]) {
            const poses = rig.createPoses(capacity, { shared: capacity === 1000 });
            poses.count = count;
            const before = localsOf(poses, capacity - 1);
            rig.evaluate(poses, clips, times);
            expect(firstDifference(localsOf(poses, 99), single[99]!)).toBe(-1);
            if (capacity === 1000) expect(localsOf(poses, capacity - 1)).toEqual(before);
        }
    });
});

describe('only', () => {
    test('evaluates the chosen slots and their ancestors, with the same bits', () => {
        const random = randomOf(4);
        for (let round = 0; round < 50; round++) {
            const s = randomScene(random, 3);
            const rig = rigOf(s);
            const clips = Uint16Array.from(TIMES, () => Math.floor(random() * 3));
            const all = rig.createPoses(TIMES.length);
            const chosen = Array.from({ length: 2 }, () => Math.floor(random() * rig.slots.length));
            const some = rig.createPoses(TIMES.length, { only: round % 2 ? chosen : Uint16Array.from(chosen) });
            const ancestors = new Set<number>();
            for (const slot of chosen) for (let at = slot; at >= 0; at = rig.slots[at]!.parent) ancestors.add(at);
            expect([...some.slots]).toEqual([...ancestors].sort((a, b) => a - b));
            expect(some.blockFloats).toBe(ancestors.size * 22 * 16);
            const outs = [all, some].map((poses) => {
                rig.evaluate(poses, clips, Float32Array.from(TIMES));
                rig.toGlobal(poses);
                const out = new Float32Array(TIMES.length * 2 * 12);
                rig.joints(poses, Uint16Array.from(chosen), out);
                return out;
            });
            expect(firstDifference(outs[1]!, outs[0]!)).toBe(-1);
        }
    });
});

describe('times', () => {
    const s = scene(
        [node(-1)],
        [skin([0])],
        [
            {
                name: '',
                channels: [
                    channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 0, 0]),
                    // The end of the clip, and not of the channel above.
                    channel(0, 'scale', 'STEP', [0, Math.fround(1.1)], [1, 1, 1, 2, 2, 2]),
                ],
            },
            { name: 'empty', channels: [] },
        ],
    );
    const rig = rigOf(s);
    const D = Math.fround(1.1);
    const trs = new Float32Array(10);
    function at(time: number, loop: 'clamp' | 'wrap', List: typeof Float32Array | typeof Float64Array): number[] {
        const poses = rig.createPoses(1);
        rig.evaluate(poses, 0, List.of(time), { loop });
        rig.getLocal(poses, 0, 0, trs);
        return [trs[0]!, trs[7]!];
    }

    test('clamp: each channel keeps its own ends, whatever the time', () => {
        for (const List of [Float32Array, Float64Array]) {
            expect(at(-1e30, 'clamp', List)).toEqual([0, 1]);
            expect(at(0.5, 'clamp', List)).toEqual([0.5, 1]);
            expect(at(1.05, 'clamp', List)).toEqual([1, 1]);
            expect(at(D, 'clamp', List)).toEqual([1, 2]);
            expect(at(1e30, 'clamp', List)).toEqual([1, 2]);
        }
    });

    test('wrap maps to [0, D): the end is the start again, negative times count from the end', () => {
        for (const List of [Float32Array, Float64Array]) {
            expect(at(D, 'wrap', List)).toEqual([0, 1]);
            expect(at(0, 'wrap', List)).toEqual([0, 1]);
            expect(at(-0, 'wrap', List)).toEqual([0, 1]);
            expect(at(3 * D, 'wrap', List)).toEqual([0, 1]);
            expect(at(-D, 'wrap', List)).toEqual([0, 1]);
            expect(at(-0.05, 'wrap', List)).toEqual([1, 1]);
        }
        expect(at(D + 0.25, 'wrap', Float64Array)[0]).toBeCloseTo(0.25, 7);
        expect(at(-D + 0.25, 'wrap', Float64Array)[0]).toBeCloseTo(0.25, 7);
    });

    test("in the array's own precision", () => {
        // 1e6 D is far beyond a float32's fractions of a second: t - D floor(t / D), rounded each time.
        const time = Math.fround(1e6 * D + 0.4);
        const f = Math.fround;
        const expected = f(time - f(D * Math.floor(f(time / D))));
        expect(expected >= 0 && expected < D).toBe(true);
        expect(at(time, 'wrap', Float32Array)[0]).toBe(Math.min(expected, 1));
        const exact = 1e6 * D + 0.4;
        expect(at(exact, 'wrap', Float64Array)[0]).toBe(f(exact - D * Math.floor(exact / D)));
    });

    test('huge times of either sign give a pose of the clip', () => {
        for (const time of [1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -Number.MIN_VALUE]) {
            const [x, scale] = at(time, 'wrap', Float64Array);
            expect(x).toBeGreaterThanOrEqual(0);
            expect(x).toBeLessThanOrEqual(1);
            expect([1, 2]).toContain(scale);
        }
        for (const time of [3.4e38, -3.4e38, 1e-45, -1e-45]) {
            const [x] = at(time, 'wrap', Float32Array);
            expect(x).toBeGreaterThanOrEqual(0);
            expect(x).toBeLessThanOrEqual(1);
        }
    });

    test('a clip of one instant: every time is that instant', () => {
        const poses = rig.createPoses(3);
        for (const loop of ['clamp', 'wrap'] as const) {
            rig.evaluate(poses, 1, Float64Array.of(-1, 0, 1e9), { loop });
            for (const pose of [0, 1, 2]) expect([...localsOf(poses, pose)]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        }
    });

    test('clips of different lengths in one block wrap at their own ends', () => {
        const both = rigOf(
            scene(
                [node(-1)],
                [],
                [1, 3].map((end) => ({
                    name: '',
                    channels: [channel(0, 'translation', 'LINEAR', [0, end], [0, 0, 0, end, 0, 0])],
                })),
            ),
        );
        const poses = both.createPoses(4);
        both.evaluate(poses, Uint16Array.of(0, 1, 0, 1), Float64Array.of(2.25, 2.25, -0.25, -0.25), { loop: 'wrap' });
        expect([0, 1, 2, 3].map((pose) => both.getLocal(poses, pose, 0, trs)[0])).toEqual([0.25, 2.25, 0.75, 2.75]);
    });
});

test('morph weights: step, linear and cubic, rest where a clip has none', () => {
    const morphing = (weights: number[]) => ({ ...node(-1), weights: Float32Array.from(weights) });
    const s = scene(
        [morphing([0.5, 0.25]), node(-1), morphing([1, 2, 3])],
        [skin([1])],
        [
            {
                name: '',
                channels: [
                    channel(0, 'weights', 'LINEAR', [0, 1], [0, 1, 1, 0]),
                    channel(2, 'weights', 'STEP', [0, 1], [1, 2, 3, 4, 5, 6]),
                ],
            },
            {
                name: '',
                channels: [
                    channel(0, 'weights', 'CUBICSPLINE', [0, 1], [0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0]),
                    channel(2, 'weights', 'LINEAR', [0, 1], [7, 8, 9, 7, 8, 9]),
                ],
            },
            { name: '', channels: [] },
        ],
    );
    const rig = rigOf(s);
    expect(rig.slots.map(({ node: index }) => index)).toEqual([1]);
    expect(rig.meshes.map(({ node: index, firstWeight, weightCount }) => [index, firstWeight, weightCount])).toEqual([
        [0, 0, 2],
        [2, 2, 3],
    ]);
    expect([...rig.rest.weights]).toEqual([0.5, 0.25, 1, 2, 3]);
    const poses = rig.createPoses(18);
    expect([...localsOf(poses, 17).subarray(10)]).toEqual([0.5, 0.25, 1, 2, 3]);
    const clips = Uint16Array.from({ length: 18 }, (_, i) => i % 3);
    rig.evaluate(poses, clips, new Float32Array(18).fill(0.25));
    expect([...localsOf(poses, 15).subarray(10)]).toEqual([0.25, 0.75, 1, 2, 3]);
    const cubic = sample(s.animations[1]!.channels[0]!, 0.25);
    expect(worstDifference(localsOf(poses, 16).subarray(10), [...cubic, 7, 8, 9])).toBeLessThan(2e-7);
    expect([...localsOf(poses, 17).subarray(10)]).toEqual([0.5, 0.25, 1, 2, 3]);
});

test('a chain of 30,000 slots, and a rig of none', () => {
    const chain = Array.from({ length: 30_000 }, (_, i) => node(i - 1, { translation: [0, 1, 0] }));
    const rig = rigOf(scene(chain, [skin([29_999])], [{ name: '', channels: [] }]));
    const out = palettesOf(rig, 0, new Float32Array(1));
    expect([...out]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 30_000, 0, 1]);

    const empty = rigOf(scene([], [], [{ name: '', channels: [] }]));
    const poses = empty.createPoses(20);
    empty.evaluate(poses, 0, new Float32Array(20));
    empty.toGlobal(poses);
    expect(poses.data.length).toBe(0);
});
