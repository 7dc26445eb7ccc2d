// SPDX-License-Identifier: MIT

/** Error figures of manifests, compared with hand calculation. `verifyBake` proves the figures of every bake that it judges. */

import type { BakeOptions } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import { timelineOf } from '../../../lib/bake/plan/frames';
import { framesOf } from '../../../lib/bake/playback/playback';
import { HELD } from '../../../lib/bake/playback/playback-error';
import { channel, node, scene, skin } from '../../rig/scenes';

const NOTHING = { maxLate: 0, maxLerp: 0, maxLerpShare: 0, maxNearest: 0, maxNearestShare: 0 };

describe('by hand', () => {
    /** Two vertices far out on x, one at the origin. */
    const lever = (length: number) => ({
        node: 0,
        mesh: 0,
        skin: 0,
        primitives: [
            {
                positions: Float32Array.of(0, 0, 0, length, 0, 0),
                influences: 4,
                joints: new Uint16Array(8),
                weights: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0),
            },
        ],
    });
    const half = Math.PI / 8;
    const quarter = [0, 0, 0, 1, 0, 0, Math.sin(half), Math.cos(half)];
    const turn = channel(0, 'rotation', 'LINEAR', [0, 1], quarter);
    const of = async (options: BakeOptions, ...channels: (typeof turn)[]) => {
        const s = { ...scene([node(-1)], [skin([0])], [{ name: '', channels }]), skinnedMeshes: [lever(3)] };
        return (await bakeScene(s, options)).outputs[0]!.manifest;
    };

    test('a turn by 45 degrees in one interval: the error of the chord is the sagitta', async () => {
        const { clips, extent } = await of({ fps: 1 }, turn);
        expect(extent).toBe(3);
        // Shown: the mean of the ends; exact: half the angle, on the circle.
        expect(clips[0]!.error.maxLerp).toBeCloseTo(3 * (1 - Math.cos(Math.PI / 8)), 5);
        // An error of half the angle; halfway the other row is nearer.
        expect(clips[0]!.error.maxNearest).toBeCloseTo(2 * 3 * Math.sin(Math.PI / 16), 5);
        expect(clips[0]!.error.maxLerpShare).toBeCloseTo(1 - Math.cos(Math.PI / 8), 6);
    });

    test('steps on frames are played exactly', async () => {
        const steps = channel(0, 'translation', 'STEP', [0, 0.5, 1], [0, 0, 0, 5, 0, 0, 9, 0, 0]);
        const { clips } = await of({ fps: 4 }, steps);
        expect(clips[0]!.discontinuities).toEqual([2, 4]);
        expect(clips[0]!.error).toEqual(NOTHING);
    });

    test('a step between frames is late by the rest of the interval, and has no other error', async () => {
        const steps = channel(0, 'translation', 'STEP', [0, 0.375, 0.875, 1], [0, 0, 0, 5, 0, 0, 5, 0, 0, 7, 0, 0]);
        const { clips } = await of({ fps: 4 }, steps);
        // At 0.5 instead of 0.375; at 0.875 the value stays, so no jump is late.
        expect(clips[0]!.error).toEqual({ ...NOTHING, maxLate: 0.125 });
        expect(clips[0]!.discontinuities).toEqual([2, 4]);
    });

    test('the later of two jumps, one of them by two keys at one time', async () => {
        const twice = channel(0, 'translation', 'LINEAR', [0, 0.3, 0.3, 1], [0, 0, 0, 0, 0, 0, 5, 0, 0, 5, 0, 0]);
        const steps = channel(0, 'scale', 'STEP', [0, 0.45], [1, 1, 1, 2, 2, 2]);
        const both = (await of({ fps: 4 }, twice, steps)).clips[0]!;
        expect(both.error).toEqual({ ...NOTHING, maxLate: Math.fround(0.5 - Math.fround(0.3)) });
        expect(both.discontinuities).toEqual([2]);
    });

    test('motion is measured only in intervals that do not lead into a jump', async () => {
        const steps = channel(0, 'scale', 'STEP', [0, 0.6], [1, 1, 1, 2, 2, 2]);
        const { clips } = await of({ fps: 2 }, turn, steps);
        // Each of the two intervals has half of the turn by 45 degrees; the second one is held.
        expect(clips[0]!.error.maxLerp).toBeCloseTo(3 * (1 - Math.cos(Math.PI / 16)), 5);
        expect(clips[0]!.error.maxNearest).toBeCloseTo(2 * 3 * Math.sin(Math.PI / 32), 5);
        expect(clips[0]!.error.maxLate).toBe(Math.fround(1 - Math.fround(0.6)));
        expect((await of({ fps: 1 }, turn, steps)).clips[0]!.error).toMatchObject({ maxLerp: 0, maxNearest: 0 });
    });

    test('joints are measured at the vertices that they move, and not without vertices', async () => {
        // The second joint also turns, ten units away, first without a vertex, then with one at its own position.
        const nodes = [node(-1), node(-1, { translation: [10, 0, 0] })];
        const away = channel(1, 'rotation', 'LINEAR', [0, 1], quarter);
        const bind = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1];
        const both = skin([0, 1], [...bind(0), ...bind(10)]);
        const primitive = lever(3).primitives[0]!;
        const errorWith = async (more: number[], which: number[], weights: number[]) => {
            const mesh = {
                ...lever(3),
                primitives: [
                    {
                        ...primitive,
                        positions: Float32Array.of(...primitive.positions, ...more),
                        joints: Uint16Array.of(...primitive.joints, ...which),
                        weights: Float32Array.of(...primitive.weights, ...weights),
                    },
                ],
            };
            const s = { ...scene(nodes, [both], [{ name: '', channels: [turn, away] }]), skinnedMeshes: [mesh] };
            return (await bakeScene(s, { fps: 1 })).outputs[0]!.manifest.clips[0]!.error.maxLerp;
        };
        const sagitta = 1 - Math.cos(Math.PI / 8);
        expect(await errorWith([], [], [])).toBeCloseTo(3 * sagitta, 5);
        expect(await errorWith([10, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0])).toBeCloseTo(3 * sagitta, 5);
        expect(await errorWith([10, 7, 0], [1, 0, 0, 0], [1, 0, 0, 0])).toBeCloseTo(7 * sagitta, 5);
        // The smallest weight counts in full, a weight of 0 not at all.
        expect(await errorWith([0, 5, 0], [0, 1, 0, 0], [1, 1e-6, 0, 0])).toBeCloseTo(Math.sqrt(125) * sagitta, 5);
        expect(await errorWith([0, 5, 0], [0, 1, 0, 0], [1, 0, 0, 0])).toBeCloseTo(Math.sqrt(34) * sagitta, 5);
    });

    test('clips of one row have no playback error', async () => {
        const { clips } = await of({}, channel(0, 'translation', 'STEP', [0], [1, 2, 3]));
        expect(clips[0]!.error).toEqual(NOTHING);
    });

    test('a pose between two frames that is not finite is an error', async () => {
        // Tangents of 3e38 over 1 s: the spline is 0 at its ends, and beyond float32 between them.
        const spline = [0, 0, 0, 0, 0, 0, 3e38, 0, 0, -3e38, 0, 0, 0, 0, 0, 0, 0, 0];
        const wild = channel(0, 'translation', 'CUBICSPLINE', [0, 8], spline);
        await expect(of({ fps: '1/8' }, wild)).rejects.toMatchObject({ code: 'NOT_FINITE', pointer: '/animations/0' });
    });
});

test('samples nearer to the first row: time x fps, rounded half up', () => {
    const nearest = (duration: number, ...jumps: number[]) => {
        const move = channel(0, 'translation', 'LINEAR', [0, duration], [0, 0, 0, 1, 0, 0]);
        const sizes = Array.from({ length: 3 + jumps.length * 3 }, (_, i) => i);
        const channels = [move, channel(0, 'scale', 'STEP', [0, ...jumps], sizes)];
        return [...framesOf(0, timelineOf({ name: '', channels }, [10, 1]), channels).nearest];
    };
    expect(nearest(0.5)).toEqual([3, 3, 3, 3, 3]);
    // The last interval is 0.8 frames long: 4/8 of it is 0.4 of a frame, 5/8 half a frame.
    expect(nearest(0.28)).toEqual([3, 3, 4]);
    expect(nearest(0.24)).toEqual([3, 3, 7]);
    expect(nearest(0.5, 0.25)).toEqual([3, 3, HELD, 3, 3]);
});
