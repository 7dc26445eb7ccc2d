// SPDX-License-Identifier: MIT
import { type Judged, judge } from '../support/displacement-judge';
import { type ChannelSpec, GltfBuilder } from '../support/gltf-builder';
import { random, randomRotation, randomVector } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';

/**
 * The semantics table of shared/baking.md, rows on sampling: every file is judged frame by frame (see `judge`), and one
 * or two frames are compared with figures worked out by hand, so that an error common to all judges would show too.
 */
const folder = scratchFolder();
const HALF = Math.SQRT1_2;

/** A root and one joint below it, 1 m up. */
function rig(channels: readonly ChannelSpec[]): GltfBuilder {
    const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
    gltf.skinnedMesh(gltf.skin([0, 1]));
    return gltf.animation('clip', channels);
}

async function judgeRig(name: string, channels: readonly ChannelSpec[], options?: Parameters<typeof judge>[1]) {
    const [judged] = await judge(rig(channels).write(folder(), name), options);
    return judged!;
}

function warningsOf({ baked }: Judged, code: string): string[] {
    return baked.manifest.warnings.filter((warning) => warning.code === code).map(({ message }) => message);
}

function clipOf({ baked }: Judged) {
    return baked.manifest.clips[0]!;
}

/** Each component to float32's precision. */
function expectNear(actual: readonly number[], expected: readonly number[]): void {
    expect(actual).toHaveLength(expected.length);
    for (const [c, x] of expected.entries()) expect(actual[c]).toBeCloseTo(x, 5);
}

describe('frame times', () => {
    test.each([24, 25, 30, 60, 120])('a STEP key stored as fround(i / %d) is never a frame late', async (fps) => {
        const frames = Array.from({ length: 301 }, (_, i) => i);
        const times = frames.map((i) => Math.fround(i / fps));
        // Small enough in space for the yardstick, exact in float32.
        const values = frames.map((i) => [i / 512, 0, 0]);
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times, values, interpolation: 'STEP' }];
        const judged = await judgeRig(`step-${fps}`, channels, { fps });
        expect(clipOf(judged).frameCount).toBe(301);
        expect(frames.map((i) => judged.at(0, i, 0)[0]! * 512)).toEqual(frames);
        expect(warningsOf(judged, 'KEY_OFF_GRID')).toEqual([]);
    });

    test('STEP keys 1 or 2 ulp above the frames follow the specification, with a warning that counts them', async () => {
        const frames = Array.from({ length: 301 }, (_, i) => i);
        const times = frames.map((i) => Math.fround(i * Math.fround(1 / 30)));
        const values = frames.map((i) => [i / 512, 0, 0]);
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times, values, interpolation: 'STEP' }];
        const judged = await judgeRig('step-off-grid', channels, { fps: 30 });
        expect(clipOf(judged).frameCount).toBe(301);
        // The last frame lies at the last key whatever that is; the others at fround(i / 30).
        const late = frames.filter((i) => i < 300 && times[i]! > Math.fround(i / 30));
        expect(late.length).toBeGreaterThan(180);
        expect(frames.filter((i) => judged.at(0, i, 0)[0]! * 512 === i - 1)).toEqual(late);
        const warnings = warningsOf(judged, 'KEY_OFF_GRID');
        expect(warnings).toHaveLength(1);
        expect(warnings[0]).toMatch(new RegExp(`\\b${late.length}\\b`));
    });

    test.each([
        { fps: 30, duration: 0.99, frames: 31 },
        { fps: 24, duration: 1.23, frames: 31 },
        { fps: 30, duration: 1.0000001, frames: 31 },
        { fps: 60, duration: 1 / 3, frames: 21 },
        { fps: 30, duration: 0.01, frames: 2 },
    ])('$duration s at $fps fps are $frames frames, the last one the last key', async ({ fps, duration, frames }) => {
        const times = [0, Math.fround(duration)];
        const values = [
            [0, 0, 0],
            [0, 0, 1],
        ];
        const name = `end-${fps}-${frames}-${duration}`;
        const judged = await judgeRig(name, [{ node: 0, path: 'translation', times, values }], { fps });
        expect(clipOf(judged).frameCount).toBe(frames);
        expect(clipOf(judged).duration).toBe(Math.fround(duration));
        expect(judged.at(0, 0, 0)).toEqual([0, 0, 0]);
        expect(judged.at(0, frames - 1, 0)).toEqual([0, 0, 1]);
        expectNear(judged.at(0, frames - 2, 0), [0, 0, (frames - 2) / fps / duration]);
    });

    // In this range a float32 is 2 ** -14 s from its neighbour, at 40 fps more than the thousandth of a frame.
    test.each([
        { above: 1, frames: 20481 },
        { above: 2, frames: 20482 },
    ])('20,480 frames and $above ulp: whole within what a float32 can tell', async ({ above, frames }) => {
        const times = [0, 512 + above * 2 ** -14];
        const values = [
            [0, 0, 0],
            [0, 0, 1],
        ];
        const judged = await judgeRig(`whole-${above}`, [{ node: 0, path: 'translation', times, values }], { fps: 40 });
        expect(clipOf(judged).frameCount).toBe(frames);
        expect(judged.at(0, frames - 1, 0)).toEqual([0, 0, 1]);
        expect(warningsOf(judged, 'TEXTURE_TOO_TALL')).toHaveLength(1);
    });

    test('a fraction as the rate: i * den / num in that order', async () => {
        const frames = Array.from({ length: 301 }, (_, i) => i);
        const times = frames.map((i) => Math.fround((i * 1001) / 30000));
        const values = frames.map((i) => [i / 512, 0, 0]);
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times, values, interpolation: 'STEP' }];
        const judged = await judgeRig('step-ntsc', channels, { fps: [30000, 1001] });
        expect(judged.baked.manifest.recipe.fps).toEqual([30000, 1001]);
        expect(frames.map((i) => judged.at(0, i, 0)[0]! * 512)).toEqual(frames);
    });

    test('one key at 0: one row, no rate', async () => {
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times: [0], values: [[3, 4, 5]] }];
        const judged = await judgeRig('single-key', channels);
        expect(clipOf(judged)).toMatchObject({ frameCount: 1, duration: 0, fps: null });
        expect(judged.at(0, 0, 0)).toEqual([3, 4, 5]);
    });
});

describe('keys', () => {
    test('outside its keys a channel keeps its nearest one; the time line starts at 0', async () => {
        const channels: ChannelSpec[] = [
            {
                node: 0,
                path: 'translation',
                times: [0.5, 1],
                values: [
                    [2, 0, 0],
                    [4, 0, 0],
                ],
            },
            {
                node: 1,
                path: 'translation',
                times: [0, 0.25],
                values: [
                    [0, 1, 0],
                    [0, 1, 3],
                ],
            },
            // One whose only key lies behind everything else: constant throughout, and it sets the end.
            { node: 1, path: 'scale', times: [1.5], values: [[2, 2, 2]] },
        ];
        const judged = await judgeRig('late-first-key', channels);
        expect(clipOf(judged).frameCount).toBe(91);
        expect(judged.at(0, 0, 0)).toEqual([2, 0, 0]);
        expect(judged.at(0, 29, 0)).toEqual([2, 0, 0]);
        expectNear(judged.at(0, 45, 0), [3, 0, 0]);
        expect(judged.at(0, 90, 1, [1, 0, 0])).toEqual([6, 1, 3]);
        expect(judged.at(0, 0, 1, [1, 0, 0])).toEqual([4, 1, 0]);
    });

    test('of keys at the same time the last one wins, with a warning and a discontinuity', async () => {
        const channels: ChannelSpec[] = [
            {
                node: 0,
                path: 'translation',
                times: [0, 0.5, 0.5, 0.5, 1],
                values: [
                    [0, 0, 0],
                    [1, 0, 0],
                    [9, 9, 9],
                    [3, 0, 0],
                    [4, 0, 0],
                ],
            },
            {
                node: 1,
                path: 'rotation',
                times: [0, 1, 1],
                values: [
                    [0, 0, 0, 1],
                    [0, 0, 1, 0],
                    [1, 0, 0, 0],
                ],
            },
        ];
        const judged = await judgeRig('duplicate-times', channels, { three: false });
        expectNear(judged.at(0, 29, 0), [29 / 30, 0, 0]);
        expect(judged.at(0, 30, 0)).toEqual([3, 0, 0]);
        expect(judged.at(0, 60, 0)).toEqual([4, 0, 0]);
        expect(judged.at(0, 60, 1, [0, 1, 0])).toEqual([4, 0, 0]);
        expect(clipOf(judged).discontinuities).toEqual([30, 60]);
        const pointers = judged.baked.manifest.warnings.map(({ pointer }) => pointer);
        expect(pointers.filter((pointer) => pointer.startsWith('/animations/0')).length).toBeGreaterThan(0);
    });
});

describe('LINEAR rotations', () => {
    test('go the short way round where the keys lie in opposite hemispheres', async () => {
        const channels: ChannelSpec[] = [
            {
                node: 1,
                path: 'rotation',
                times: [0, 1],
                // A quarter turn about z, written the long way round.
                values: [
                    [0, 0, 0, 1],
                    [0, 0, -HALF, -HALF],
                ],
            },
        ];
        const judged = await judgeRig('hemispheres', channels);
        expectNear(judged.at(0, 30, 1, [1, 0, 0]), [HALF, 1 + HALF, 0]);
        expectNear(judged.at(0, 60, 1, [1, 0, 0]), [0, 2, 0]);
    });

    test('slerp and not normalised lerp: constant speed over a wide angle', async () => {
        const channels: ChannelSpec[] = [
            {
                node: 1,
                path: 'rotation',
                times: [0, 1],
                values: [
                    [0, 0, 0, 1],
                    [0, 0, 1, 0],
                ],
            },
        ];
        const judged = await judgeRig('half-turn', channels, { fps: 6 });
        const angle = Math.PI / 6;
        expectNear(judged.at(0, 1, 1, [1, 0, 0]), [Math.cos(angle), 1 + Math.sin(angle), 0]);
    });

    test('random keys, both signs, from tiny steps to opposite ends', async () => {
        const next = random(1);
        const times = Array.from({ length: 200 }, (_, i) => Math.fround(i / 7));
        const anywhere = times.map(() => randomRotation(next));
        let close = randomRotation(next);
        const tiny = times.map(() => {
            const step = randomVector(next, 0.002);
            const moved = close.map((x, c) => x + (step[c] ?? 0));
            const sign = next() < 0.5 ? -1 : 1;
            close = moved.map((x) => (sign * x) / Math.hypot(...moved));
            return close;
        });
        const judged = await judgeRig('random-rotations', [
            { node: 0, path: 'rotation', times, values: anywhere },
            { node: 1, path: 'rotation', times, values: tiny },
        ]);
        expect(clipOf(judged).frameCount).toBe(Math.floor((199 / 7) * 60) + 2);
        expect(warningsOf(judged, 'NON_UNIT_ROTATION')).toEqual([]);
    });

    test.each([0.706, 0.7075])('keys of 2 x %d squared are taken as they are, with a warning', async (c) => {
        const channels: ChannelSpec[] = [
            {
                node: 1,
                path: 'rotation',
                times: [0, 1, 2, 3],
                values: [
                    [0, 0, c, c],
                    [0, 0, c, c],
                    [0, 0, c, c + 0.0001],
                    [0, 0, -c, -c],
                ],
            },
        ];
        const judged = await judgeRig(`non-unit-${c}`, channels, { three: false });
        // At a key, exactly: the matrix of a quaternion that is not unit is no rotation. (0, 1) goes to
        // (-2 c c, 1 - 2 c c) and up by 1.
        const k = Math.fround(c);
        expectNear(judged.at(0, 0, 1, [0, 1, 0]), [-2 * k * k, 2 - 2 * k * k, 0]);
        expect(Math.abs(1 - 2 * k * k)).toBeGreaterThan(2e-4);
        expect(warningsOf(judged, 'NON_UNIT_ROTATION').length).toBeGreaterThan(0);
    });
});

describe('CUBICSPLINE', () => {
    test('tangents count times the key interval', async () => {
        const channels: ChannelSpec[] = [
            {
                node: 0,
                path: 'translation',
                interpolation: 'CUBICSPLINE',
                times: [0, 2],
                values: [
                    [9, 9, 9],
                    [0, 0, 0],
                    [1, 0, 0],
                    [0, -1, 0],
                    [0, 0, 1],
                    [9, 9, 9],
                ],
            },
        ];
        const judged = await judgeRig('cubic-translation', channels);
        // At half: interval * 1/8 of the out-tangent, minus the same of the in-tangent, half of the way.
        expectNear(judged.at(0, 60, 0), [2 / 8, 2 / 8, 0.5]);
        expect(judged.at(0, 120, 0)).toEqual([0, 0, 1]);
    });

    test('rotations are normalised afterwards and change no hemisphere', async () => {
        const zero = [0, 0, 0, 0];
        const channels: ChannelSpec[] = [
            {
                node: 1,
                path: 'rotation',
                interpolation: 'CUBICSPLINE',
                times: [0, 1],
                // -q is the same rotation as q: the spline from q to -q' takes the long way round all the same.
                values: [zero, [0, 0, 0, 1], zero, zero, [0, 0, -HALF, -HALF], zero],
            },
        ];
        const judged = await judgeRig('cubic-rotation', channels);
        // At a quarter the weights are 27/32 and 5/32.
        const z = -HALF * (5 / 32);
        const w = 27 / 32 - HALF * (5 / 32);
        const squared = z * z + w * w;
        expectNear(judged.at(0, 15, 1, [1, 0, 0]), [(w * w - z * z) / squared, 1 + (2 * z * w) / squared, 0]);
    });

    test('random splines of translation, rotation and scale, late first keys among them', async () => {
        const next = random(2);
        const times = Array.from({ length: 40 }, (_, i) => Math.fround(0.3 + i / 3 + next() / 4));
        const triples = (value: () => number[], tangent: () => number[]): number[][] =>
            times.flatMap(() => [tangent(), value(), tangent()]);
        const small = (): number[] => randomVector(next, 1);
        const judged = await judgeRig('cubic-random', [
            {
                node: 0,
                path: 'rotation',
                interpolation: 'CUBICSPLINE',
                times,
                values: triples(
                    () => randomRotation(next),
                    () => [...small(), next()],
                ),
            },
            { node: 1, path: 'translation', interpolation: 'CUBICSPLINE', times, values: triples(small, small) },
            { node: 1, path: 'scale', interpolation: 'CUBICSPLINE', times, values: triples(small, small) },
        ]);
        expect(clipOf(judged).frameCount).toBeGreaterThan(600);
    });
});

test('STEP gives the value of the key at or before the frame, of rotations too', async () => {
    const times = [0, 0.25, 0.5];
    const channels: ChannelSpec[] = [
        {
            node: 1,
            path: 'rotation',
            interpolation: 'STEP',
            times,
            values: [
                [0, 0, 0, 1],
                [0, 0, 1, 0],
                [1, 0, 0, 0],
            ],
        },
        {
            node: 1,
            path: 'scale',
            interpolation: 'STEP',
            times,
            values: [
                [1, 1, 1],
                [2, 2, 2],
                [3, 3, 3],
            ],
        },
    ];
    const judged = await judgeRig('step', channels);
    expect(judged.at(0, 14, 1, [1, 0, 0])).toEqual([1, 1, 0]);
    expect(judged.at(0, 15, 1, [1, 0, 0])).toEqual([-2, 1, 0]);
    expect(judged.at(0, 29, 1, [1, 0, 0])).toEqual([-2, 1, 0]);
    expect(judged.at(0, 30, 1, [1, 1, 0])).toEqual([3, -2, 0]);
    expect(clipOf(judged).discontinuities).toEqual([15, 30]);
});

describe('accessors', () => {
    const times = [0, 0.5, 1, 1.5];
    const turns = [
        [0, 0, 0, 1],
        [0, 0, 1, 0],
        [0, 1, 0, 0],
        [0, 0, 0, 1],
    ];

    test.each(['byte', 'short'] as const)('rotations as normalised %s, negative components too', async (component) => {
        const values = [...turns.slice(0, 3), [0, 0, -HALF, HALF]];
        const channels: ChannelSpec[] = [{ node: 1, path: 'rotation', times, values, storage: { component } }];
        // A rounded key is not unit, which three.js interpolates differently.
        const judged = await judgeRig(`normalised-${component}`, channels, { three: false });
        expect(judged.at(0, 30, 1, [1, 0, 0])).toEqual([-1, 1, 0]);
        // HALF in steps of 1 / greatest, and the exact matrix of that.
        const step = component === 'byte' ? 127 : 32767;
        const q = Math.round(HALF * step) / step;
        expectNear(judged.at(0, 90, 1, [1, 0, 0]), [1 - 2 * q * q, 1 - 2 * q * q, 0]);
    });

    test.each(['ubyte', 'ushort'] as const)('rotations as normalised %s', async (component) => {
        const channels: ChannelSpec[] = [{ node: 1, path: 'rotation', times, values: turns, storage: { component } }];
        const judged = await judgeRig(`normalised-${component}`, channels);
        expect(judged.at(0, 30, 1, [1, 0, 0])).toEqual([-1, 1, 0]);
        expectNear(judged.at(0, 15, 1, [1, 0, 0]), [0, 2, 0]);
    });

    test.each(['zeros', 'over'] as const)('sparse values (%s)', async (sparse) => {
        const values = [
            [0, 0, 0],
            [0, 2, 0],
            [0, 0, 0],
            [4, 0, 0],
        ];
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times, values, storage: { sparse } }];
        const judged = await judgeRig(`sparse-${sparse}`, channels);
        expectNear(judged.at(0, 15, 0), [0, 1, 0]);
        expect(judged.at(0, 60, 0)).toEqual([0, 0, 0]);
        expect(judged.at(0, 90, 0)).toEqual([4, 0, 0]);
    });

    test('strided values', async () => {
        const values = [
            [1, 2, 3],
            [4, 5, 6],
            [7, 8, 9],
            [1, 1, 1],
        ];
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times, values, storage: { stride: 20 } }];
        const judged = await judgeRig('strided', channels);
        expect(judged.at(0, 30, 0)).toEqual([4, 5, 6]);
        expectNear(judged.at(0, 45, 0), [5.5, 6.5, 7.5]);
    });
});
