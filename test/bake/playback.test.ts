// SPDX-License-Identifier: MIT

/** The error figures of manifests, against the double evaluator and against what can be worked out by hand. */

import { type BakeOptions, bakeFile } from '../../lib/bake';
import { bakeScene } from '../../lib/bake/bake';
import { framesOf } from '../../lib/bake/playback';
import { HELD } from '../../lib/bake/playback-error';
import { timelineOf } from '../../lib/bake/timeline';
import { decodeAccessor } from '../../lib/verify/accessors';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { channel, node, scene, skin } from '../rig/scenes';
import { type ChannelSpec, GltfBuilder } from '../support/gltf-builder';
import { describeModel, FOX, type Model, RIGGED_FIGURE, SIMPLE_SKIN } from '../support/models';
import { random, randomRotation, randomVector } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';
import { numbersOf } from './baked-scenes';

const folder = scratchFolder();

/** The corners of the box around the vertices of skin 0 as the file has them. */
function cornersOf({ file }: DoubleEvaluator): number[][] {
    const [low, high] = [Array(3).fill(Infinity), Array(3).fill(-Infinity)];
    for (const { mesh, skin: index } of file.json.nodes ?? []) {
        if (mesh === undefined || index !== 0) continue;
        for (const { attributes } of file.json.meshes![mesh]!.primitives) {
            for (const [i, value] of decodeAccessor(file, attributes.POSITION!).entries()) {
                low[i % 3] = Math.min(low[i % 3], value);
                high[i % 3] = Math.max(high[i % 3], value);
            }
        }
    }
    return Array.from({ length: 8 }, (_, c) => [0, 1, 2].map((axis) => (c & (1 << axis) ? high : low)[axis]));
}

/** Playback of the rows in the file against the evaluator, at every eighth of every interval, every joint and corner. */
async function compare(path: string, options: BakeOptions) {
    const output = (await bakeFile(path, options)).outputs[0]!;
    const evaluator = DoubleEvaluator.open(path);
    const corners = cornersOf(evaluator);
    const palette = numbersOf(output, 'palette');
    const joints = output.manifest.skin.joints.length;
    const size = output.manifest.arrays.palette!.shape[2]!;
    const at = (mats: ArrayLike<number>, m: number, row: number, column: number) =>
        size === 12 && mats === palette ? mats[m * 12 + row * 4 + column]! : mats[m * 16 + column * 4 + row]!;
    let intervals = 0;
    for (const clip of output.manifest.clips) {
        const { firstRow, frameCount, fps, duration, start = 0, lastFrameTime, discontinuities, error } = clip;
        const timeOf = (frame: number) =>
            frame === frameCount - 1 ? Math.fround(start + duration) : Math.fround(start + frame / fps!);
        const [lerp, nearest] = [{ worst: 0 }, { worst: 0 }];
        const measure = (worst: { worst: number }, a: number, b: number, share: number, exact: Float64Array) => {
            for (let joint = 0; joint < joints; joint++) {
                for (const point of corners) {
                    let squared = 0;
                    for (let row = 0; row < 3; row++) {
                        let off = 0;
                        for (let column = 0; column < 4; column++) {
                            const [from, to] = [a, b].map((r) => at(palette, r * joints + joint, row, column));
                            const shown = from! * (1 - share) + to! * share;
                            off += (shown - at(exact, joint, row, column)) * (column < 3 ? point[column]! : 1);
                        }
                        squared += off * off;
                    }
                    worst.worst = Math.max(worst.worst, Math.sqrt(squared));
                }
            }
        };
        for (let frame = 0; frame + 1 < frameCount; frame++) {
            intervals++;
            const [a, b] = [firstRow + frame, firstRow + frame + 1];
            const held = discontinuities.includes(frame + 1);
            const short = lastFrameTime !== undefined && frame === frameCount - 2;
            for (let k = 0; k < 8; k++) {
                const share = k / 8;
                const time = timeOf(frame) + (timeOf(frame + 1) - timeOf(frame)) * share;
                const exact = evaluator.palette(0, clip.animation, time);
                const frames = share * (short ? duration * fps! - frame : 1);
                measure(lerp, a, held ? a : b, share, exact);
                const row = !held && frames >= 0.5 ? b : a;
                measure(nearest, row, row, 0, exact);
            }
        }
        const { extent } = output.manifest;
        const close = (told: number, worst: number) => expect(Math.abs(told - worst)).toBeLessThan(2e-6 * extent);
        close(error.maxLerp, lerp.worst);
        close(error.maxNearest, nearest.worst);
        expect(error.maxLerpShare).toBeCloseTo(error.maxLerp / extent, 6);
        expect(error.maxNearestShare).toBeCloseTo(error.maxNearest / extent, 6);
    }
    return { intervals, output };
}

/** A chain with a mesh of its own scale, turned, scaled and moved by keys that keep to no grid; one channel jumps. */
function chain(seed: number, scale: number): string {
    const next = random(seed);
    const turn = (): number[] => randomRotation(next);
    const gltf = new GltfBuilder([
        { children: [1], scale: [scale, scale, scale] },
        { children: [2], translation: randomVector(next, 1 / scale), rotation: turn() },
        { children: [3], translation: randomVector(next, 1 / scale) },
        { translation: randomVector(next, 1 / scale), rotation: turn() },
    ]);
    gltf.skinnedMesh(gltf.skin([1, 2, 3]));
    const times = [0, 0.13, 0.5, 0.77, 1.03];
    const rotations = [1, 2, 3].map((target): ChannelSpec => {
        return { node: target, path: 'rotation', times, values: times.map(turn) };
    });
    const jump: ChannelSpec = {
        node: 2,
        path: 'translation',
        interpolation: 'STEP',
        times: [0, 0.4, 0.9],
        values: [0, 1, 2].map(() => randomVector(next, 1 / scale)),
    };
    gltf.animation('turns', rotations).animation('jumps', [...rotations, jump]);
    return gltf.write(folder(), `chain-${seed}`);
}

describe('figures are those of comparing everything in double precision', () => {
    test.each<[string, number, number, BakeOptions]>([
        ['10 frames a second', 1, 1, { fps: 10 }],
        ['30, a mesh a hundred times as large as the scene', 2, 0.01, { fps: 30 }],
        ['7, fitted', 3, 1, { fps: 7, end: 'fit' }],
        ['a part', 4, 10, { fps: 9, from: 0.21, to: 0.83 }],
        ['half floats', 5, 1, { fps: 12, dtype: 'f16', maxError: 1 }],
        ['3x4', 6, 1, { fps: 12, layout: 'mat3x4' }],
    ])('%s', async (_, seed, scale, options) => {
        const { intervals } = await compare(chain(seed, scale), options);
        expect(intervals).toBeGreaterThan(8);
    });

    for (const model of [SIMPLE_SKIN, RIGGED_FIGURE] satisfies Model[]) {
        // SimpleSkin's rotations are not of unit length.
        describeModel(model, () => {
            test('at 15 frames a second', async () => {
                expect((await compare(model.path, { fps: 15 })).intervals).toBeGreaterThan(10);
            });
        });
    }
});

describe('by hand', () => {
    /** Two vertices a long way out on x, one at the origin. */
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

    test('a turn by 45 degrees in one interval: the chord is off by the sagitta', async () => {
        const { clips, extent } = await of({ fps: 1 }, turn);
        expect(extent).toBe(3);
        // Shown: the mean of the ends; meant: half the angle, on the circle.
        expect(clips[0]!.error.maxLerp).toBeCloseTo(3 * (1 - Math.cos(Math.PI / 8)), 5);
        // Half the angle off, and at half past already the other row.
        expect(clips[0]!.error.maxNearest).toBeCloseTo(2 * 3 * Math.sin(Math.PI / 16), 5);
        expect(clips[0]!.error.maxLerpShare).toBeCloseTo(1 - Math.cos(Math.PI / 8), 6);
    });

    test('steps on the frames are played exactly', async () => {
        const steps = channel(0, 'translation', 'STEP', [0, 0.5, 1], [0, 0, 0, 5, 0, 0, 9, 0, 0]);
        const { clips } = await of({ fps: 4 }, steps);
        expect(clips[0]!.discontinuities).toEqual([2, 4]);
        expect(clips[0]!.error).toEqual({ maxLerp: 0, maxLerpShare: 0, maxNearest: 0, maxNearestShare: 0 });
    });

    test('a step between frames is late by what is left of the interval, and as far off as it is high', async () => {
        const steps = channel(0, 'translation', 'STEP', [0, 0.4, 1], [0, 0, 0, 5, 0, 0, 5, 0, 0]);
        expect((await of({ fps: 4 }, steps)).clips[0]!.error).toMatchObject({ maxLerp: 5, maxNearest: 5 });
    });

    test('clips of one row have nothing between rows', async () => {
        const { clips } = await of({}, channel(0, 'translation', 'STEP', [0], [1, 2, 3]));
        expect(clips[0]!.error).toEqual({ maxLerp: 0, maxLerpShare: 0, maxNearest: 0, maxNearestShare: 0 });
    });

    test('a pose between two frames that is not finite is an error', async () => {
        // Tangents of 3e38 over 1 s: at its ends the spline is 0, between them beyond float32.
        const spline = [0, 0, 0, 0, 0, 0, 3e38, 0, 0, -3e38, 0, 0, 0, 0, 0, 0, 0, 0];
        const wild = channel(0, 'translation', 'CUBICSPLINE', [0, 8], spline);
        await expect(of({ fps: '1/8' }, wild)).rejects.toMatchObject({ code: 'NOT_FINITE', pointer: '/animations/0' });
    });
});

test('which samples are nearer to the first row: time x fps, rounded half up', () => {
    const moving = (duration: number, ...jumps: number[]) => ({
        name: '',
        channels: [
            channel(0, 'translation', 'LINEAR', [0, duration], [0, 0, 0, 1, 0, 0]),
            channel(
                0,
                'scale',
                'STEP',
                [0, ...jumps],
                Array.from({ length: 3 + jumps.length * 3 }, (_, i) => i),
            ),
        ],
    });
    const nearest = (duration: number, ...jumps: number[]) => {
        const animation = moving(duration, ...jumps);
        return [...framesOf(0, timelineOf(animation, [10, 1]), animation.channels).nearest];
    };
    expect(nearest(0.5)).toEqual([3, 3, 3, 3, 3]);
    // The last interval is 0.8 frames long: 4/8 of it is 0.4 of a frame, 5/8 half a frame.
    expect(nearest(0.28)).toEqual([3, 3, 4]);
    expect(nearest(0.24)).toEqual([3, 3, 7]);
    expect(nearest(0.5, 0.25)).toEqual([3, 3, HELD, 3, 3]);
});

describeModel(FOX, () => {
    test('finer rows are nearer: at four times the rate less than half as far off', async () => {
        const clips = async (fps: number) => (await bakeFile(FOX.path, { fps })).outputs[0]!.manifest.clips;
        const [coarse, fine] = [await clips(15), await clips(60)];
        for (const [clip, { error }] of coarse.entries()) {
            expect(error.maxLerp).toBeGreaterThan(0);
            expect(error.maxNearest).toBeGreaterThan(error.maxLerp);
            expect(fine[clip]!.error.maxLerp).toBeLessThan(error.maxLerp / 2);
            expect(fine[clip]!.error.maxNearest).toBeLessThan(error.maxNearest / 2);
        }
    });
});
