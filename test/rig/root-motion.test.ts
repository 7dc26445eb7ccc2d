// SPDX-License-Identifier: MIT

import { Rig } from '../../lib/rig/rig';
import { random as randomOf, randomRotation, randomVector } from '../support/random';
import { compose, localOf, multiply, worstDifference } from './double-reference';
import { channel, node, refusal, scene } from './scenes';

const D = 2;

/** A slot that moves, with a scale that has no effect. */
function wandering(seed: number) {
    const random = randomOf(seed);
    const times = [0, 0.5, 1.25, D];
    const moved = (path: 'translation' | 'rotation' | 'scale', value: () => number[]) =>
        channel(1, path, 'LINEAR', times, times.flatMap(value));
    const channels = [
        moved('translation', () => randomVector(random, 3)),
        moved('rotation', () => randomRotation(random)),
        moved('scale', () => randomVector(random, 1)),
    ];
    const clips = [
        { name: '', channels },
        { name: 'still', channels: [] },
    ];
    return scene([node(-1, { translation: [5, 5, 5] }), node(0)], [], clips);
}

const IDENTITY = compose([0, 0, 0], [0, 0, 0, 1], [1, 1, 1]);

/** The inverse of a rotation and translation. */
function inverse(m: number[]): number[] {
    const dot = (row: number) => [0, 1, 2].reduce((sum, k) => sum + m[row * 4 + k]! * m[12 + k]!, 0);
    return [m[0]!, m[4]!, m[8]!, 0, m[1]!, m[5]!, m[9]!, 0, m[2]!, m[6]!, m[10]!, 0, -dot(0), -dot(1), -dot(2), 1];
}

const matrixOf = (delta: ArrayLike<number>) =>
    compose([delta[0]!, delta[1]!, delta[2]!], [delta[3]!, delta[4]!, delta[5]!, delta[6]!], [1, 1, 1]);

/** The motion in double precision, one cycle at a time. */
function expected(s: ReturnType<typeof wandering>, t0: number, t1: number): number[] {
    const poseAt = (time: number) => {
        const trs = localOf(s, s.animations[0]!, 1, time);
        const rotation = trs.slice(3, 7);
        const unit = rotation.map((x) => x / Math.hypot(...rotation));
        return compose(trs.slice(0, 3), unit, [1, 1, 1]);
    };
    if (t1 < t0) return inverse(expected(s, t1, t0));
    const within = (t: number) => t - D * Math.floor(t / D);
    let cycles = Math.floor(t1 / D) - Math.floor(t0 / D);
    let total = inverse(poseAt(within(t0)));
    for (; cycles > 0; cycles--) total = multiply(multiply(total, poseAt(D)), inverse(poseAt(0)));
    return multiply(total, poseAt(within(t1)));
}

describe('rootDelta', () => {
    const s = wandering(1);
    const rig = new Rig(s);
    const out = new Float32Array(7);
    const delta = (t0: number, t1: number, loop: 'clamp' | 'wrap' = 'wrap') => [
        ...rig.rootDelta(out, 0, t0, t1, { slot: rig.slotOf(1), loop }),
    ];

    test('is the inverse of the first transform times the second, without scale and ancestors', () => {
        for (const [t0, t1] of [
            [0, 2],
            [0.1, 1.7],
            [0.3, 0.3],
            [1.9, 0.2],
        ] as const) {
            // Within one period, wrapping only affects the end itself.
            const clamped = matrixOf(delta(t0, t1, 'clamp'));
            const reference = t1 === 2 ? multiply(expected(s, 0, 1.9999999), IDENTITY) : expected(s, t0, t1);
            expect(worstDifference(clamped, reference)).toBeLessThan(3e-6);
        }
    });

    test.each([
        [0.5, 2.5],
        [0, 2],
        [1.5, 9.25],
        [-0.5, 0.5],
        [-7.75, -3.5],
        [-7.75, 3.5],
        [0.25, 100.5],
    ])('wraps count from %d to %d, and back', (t0, t1) => {
        const size = Math.max(1, ...expected(s, t0, t1).map(Math.abs));
        expect(worstDifference(matrixOf(delta(t0, t1)), expected(s, t0, t1)) / size).toBeLessThan(2e-6);
        expect(worstDifference(matrixOf(delta(t1, t0)), expected(s, t1, t0)) / size).toBeLessThan(2e-6);
    });

    test('steps add up to the whole motion', () => {
        let walked = IDENTITY;
        for (let i = 0; i < 40; i++) walked = multiply(walked, matrixOf(delta(i * 0.37 - 5, (i + 1) * 0.37 - 5)));
        expect(worstDifference(walked, matrixOf(delta(-5, 40 * 0.37 - 5)))).toBeLessThan(2e-5);
    });

    test('clamp: nothing moves outside the clip', () => {
        expect(delta(-5, -1, 'clamp')).toEqual(delta(7, 9, 'clamp'));
        expect(worstDifference(matrixOf(delta(7, 9, 'clamp')), IDENTITY)).toBeLessThan(1e-12);
        expect(delta(-3, 1, 'clamp')).toEqual(delta(0, 1, 'clamp'));
    });

    const walk = channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 0, 0, 0.5]);
    const straight = new Rig(scene([node(-1)], [], [{ name: '', channels: [walk] }]));

    test('a straight walk of a billion periods is exact', () => {
        straight.rootDelta(out, 0, 0.25, 2 ** 30 + 0.75, { slot: 0, loop: 'wrap' });
        expect([...out]).toEqual([0, 0, 2 ** 29 + 0.25, 0, 0, 0, 1].map(Math.fround));
        straight.rootDelta(out, 0, 0.25, -(2 ** 30), { slot: 0, loop: 'wrap' });
        expect([...out].map((x) => x + 0)).toEqual([0, 0, -(2 ** 29) - 0.125, 0, 0, 0, 1].map(Math.fround));
    });

    test('a motion beyond float32 is rejected, and nothing is written', () => {
        out.fill(7);
        expect(() => straight.rootDelta(out, 0, 0, 1e300, { slot: 0, loop: 'wrap' })).toThrow(
            refusal('ERR_NOT_FINITE', /^rootDelta: the motion from 0 to 1e\+300 s leaves the range of float32$/),
        );
        expect([...out]).toEqual(Array(7).fill(7));
    });

    test('a clip of one instant, and a slot without channels, do not move', () => {
        for (const [clip, node] of [
            [1, 1],
            [0, 0],
        ] as const) {
            rig.rootDelta(out, clip, -3, 17, { slot: rig.slotOf(node), loop: 'wrap' });
            expect([...out].map((x) => x + 0)).toEqual([0, 0, 0, 0, 0, 0, 1]);
        }
    });
});
