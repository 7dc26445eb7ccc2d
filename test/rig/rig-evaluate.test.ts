// SPDX-License-Identifier: MIT

import type { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import { firstDifference } from '../support/bytes';
import { random as randomOf } from '../support/random';
import { globalOf, localOf, paletteOf, randomScene, worstDifference } from './double-reference';
import { channel, globalsOf, localAt, node, posed, scene, skin } from './scenes';

const TIMES = Array.from({ length: 23 }, (_, i) => Math.fround(i / 10));

/** The locals of a pose, including slots with a matrix. */
function localsOf({ data, blockFloats, slots }: Poses, pose: number): Float32Array {
    const first = (pose >> 4) * blockFloats + (pose & 15);
    return Float32Array.from({ length: slots.length * 10 }, (_, i) => data[first + i * 16]!);
}

test('palettes, globals and locals equal those of double precision, for random hierarchies and channels', () => {
    const random = randomOf(1);
    let worst = 0;
    const judge = (actual: ArrayLike<number>, expected: readonly number[]) => {
        const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
        worst = Math.max(worst, worstDifference(actual, expected) / size);
    };
    for (let round = 0; round < 100; round++) {
        const s = randomScene(random);
        const clip = round % 2;
        const animation = s.animations[clip]!;
        const rig = new Rig(s);
        const poses = posed(rig, TIMES, clip);
        const palettes = new Float32Array(TIMES.length * rig.skins[0]!.joints.length * 16);
        rig.palettes(poses, 0, palettes);
        judge(
            palettes,
            TIMES.flatMap((time) => paletteOf(s, animation, time).flat()),
        );
        const slots = [...rig.slots.keys()].reverse();
        for (const [i, global] of globalsOf(rig, poses, slots).entries()) {
            const [pose, slot] = [Math.floor(i / slots.length), slots[i % slots.length]!];
            const { node: index, hasMatrix } = rig.slots[slot]!;
            const m = globalOf(s, animation, index, TIMES[pose]!);
            judge(
                global,
                [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => m[column * 4 + row]!)),
            );
            if (!hasMatrix) judge(localAt(rig, poses, pose, slot), localOf(s, animation, index, TIMES[pose]!));
        }
    }
    // Up to ten matrices in a chain, each rounded to float32 (6e-8).
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(2e-6);
});

describe('a pose depends only on its clip and time', () => {
    const random = randomOf(3);
    const s = randomScene(random, 5);
    const rig = new Rig(s);
    const count = 100;
    const clips = Uint16Array.from({ length: count }, () => Math.floor(random() * 5));
    const times = Float32Array.from({ length: count }, () => random() * 3 - 0.5);
    const single = Array.from(clips, (clip, i) => {
        const poses = rig.createPoses(1);
        rig.evaluate(poses, clip, times.subarray(i, i + 1));
        return localsOf(poses, 0);
    });

    const expectSingle = (poses: Poses) => {
        rig.evaluate(poses, clips, times);
        for (const [pose, expected] of single.entries()) {
            expect(firstDifference(localsOf(poses, pose), expected)).toBe(-1);
        }
    };

    test('not on other poses in its block', () => expectSingle(rig.createPoses(count)));

    test('not on earlier evaluations: forward, backward, at random', () => {
        const poses = rig.createPoses(count);
        for (let round = 0; round < 50; round++) {
            const others = round % 2 ? clips.map(() => Math.floor(random() * 5)) : clips;
            const otherTimes = times.map(() => random() * 3);
            rig.evaluate(poses, others, otherTimes);
        }
        expectSingle(poses);
    });

    test('not on the capacity, the count, or whether memory is shared', () => {
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
            const rig = new Rig(s);
            const clips = Uint16Array.from(TIMES, () => Math.floor(random() * 3));
            const chosen = Array.from({ length: 2 }, () => Math.floor(random() * rig.slots.length));
            const all = posed(rig, TIMES, clips);
            const some = posed(rig, TIMES, clips, { only: round % 2 ? chosen : Uint16Array.from(chosen) });
            const ancestors = new Set<number>();
            for (const slot of chosen) for (let at = slot; at >= 0; at = rig.slots[at]!.parent) ancestors.add(at);
            expect([...some.slots]).toEqual([...ancestors].sort((a, b) => a - b));
            expect(some.blockFloats).toBe(ancestors.size * 22 * 16);
            expect(globalsOf(rig, some, chosen)).toEqual(globalsOf(rig, all, chosen));
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
                    // The end of the clip, later than the end of the channel above.
                    channel(0, 'scale', 'STEP', [0, Math.fround(1.1)], [1, 1, 1, 2, 2, 2]),
                ],
            },
            { name: 'empty', channels: [] },
        ],
    );
    const rig = new Rig(s);
    const D = Math.fround(1.1);
    const trs = new Float32Array(10);
    function at(time: number, loop: 'clamp' | 'wrap', List: typeof Float32Array | typeof Float64Array): number[] {
        const poses = rig.createPoses(1);
        rig.evaluate(poses, 0, List.of(time), { loop });
        rig.getLocal(poses, 0, 0, trs);
        return [trs[0]!, trs[7]!];
    }

    test.each<['clamp' | 'wrap', number, number[]]>([
        // Each channel is clamped at its own ends.
        ['clamp', -1e30, [0, 1]],
        ['clamp', 0.5, [0.5, 1]],
        ['clamp', 1.05, [1, 1]],
        ['clamp', D, [1, 2]],
        ['clamp', 1e30, [1, 2]],
        // To [0, D): the end equals the start, and negative times count from the end.
        ['wrap', D, [0, 1]],
        ['wrap', 0, [0, 1]],
        ['wrap', -0, [0, 1]],
        ['wrap', 3 * D, [0, 1]],
        ['wrap', -D, [0, 1]],
        ['wrap', -0.05, [1, 1]],
    ])('%s %d', (loop, time, expected) => {
        expect([at(time, loop, Float32Array), at(time, loop, Float64Array)]).toEqual([expected, expected]);
    });

    test('wrap: times outside the clip', () => {
        expect(at(D + 0.25, 'wrap', Float64Array)[0]).toBeCloseTo(0.25, 7);
        expect(at(-D + 0.25, 'wrap', Float64Array)[0]).toBeCloseTo(0.25, 7);
    });

    test('times are read in the precision of the array', () => {
        // A float32 has no fractions of a second at 1e6 D: t - D floor(t / D), rounded at each step.
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

    test('a clip of one instant gives that instant for every time', () => {
        const poses = rig.createPoses(3);
        for (const loop of ['clamp', 'wrap'] as const) {
            rig.evaluate(poses, 1, Float64Array.of(-1, 0, 1e9), { loop });
            for (const pose of [0, 1, 2]) expect([...localsOf(poses, pose)]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        }
    });

    test('clips of different lengths in one block wrap at their own durations', () => {
        const clips = [1, 3].map((end) => ({
            name: '',
            channels: [channel(0, 'translation', 'LINEAR', [0, end], [0, 0, 0, end, 0, 0])],
        }));
        const both = new Rig(scene([node(-1)], [], clips));
        const poses = both.createPoses(4);
        both.evaluate(poses, Uint16Array.of(0, 1, 0, 1), Float64Array.of(2.25, 2.25, -0.25, -0.25), { loop: 'wrap' });
        expect([0, 1, 2, 3].map((pose) => both.getLocal(poses, pose, 0, trs)[0])).toEqual([0.25, 2.25, 0.75, 2.75]);
    });
});

test('a list of loop modes: each pose has the bytes of its mode for all', () => {
    const random = randomOf(5);
    for (let round = 0; round < 10; round++) {
        const rig = new Rig(randomScene(random, 3));
        const count = 1 + Math.floor(random() * 40);
        const clips = Uint16Array.from({ length: count }, () => Math.floor(random() * 3));
        const loop = Uint8Array.from({ length: count + 2 }, () => Math.round(random()));
        for (const List of [Float32Array, Float64Array]) {
            const times = new List(Array.from({ length: count }, () => random() * 8 - 4));
            const [mixed, clamped, wrapped] = ([loop, 'clamp', 'wrap'] as const).map((one) => {
                const poses = rig.createPoses(count);
                rig.evaluate(poses, clips, times, { loop: one });
                const palettes = new Float32Array(count * rig.skins[0]!.joints.length * 12);
                rig.bakePalettes(rig.createPoses(16), clips, times, 0, palettes, 'mat3x4', { loop: one });
                const width = palettes.length / count;
                return Array.from({ length: count }, (_, pose) => [
                    ...localsOf(poses, pose),
                    ...palettes.subarray(pose * width, (pose + 1) * width),
                ]);
            });
            expect(mixed).toEqual(Array.from({ length: count }, (_, i) => (loop[i] === 1 ? wrapped : clamped)![i]));
        }
    }
});

test('a chain of 30,000 slots, and a rig without slots', () => {
    const chain = Array.from({ length: 30_000 }, (_, i) => node(i - 1, { translation: [0, 1, 0] }));
    const rig = new Rig(scene(chain, [skin([29_999])], [{ name: '', channels: [] }]));
    const out = new Float32Array(16);
    rig.palettes(posed(rig, [0]), 0, out);
    expect([...out]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 30_000, 0, 1]);

    const empty = new Rig(scene([], [], [{ name: '', channels: [] }]));
    expect(posed(empty, new Float32Array(20)).data.length).toBe(0);
});
