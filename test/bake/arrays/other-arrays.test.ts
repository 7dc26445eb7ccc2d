// SPDX-License-Identifier: MIT

/** The arrays hit, local, morph, bounds and root, against poses of a rig that are asked for one at a time. */

import type { BakeOptions, BakeOutput } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import type { GltfScene } from '../../../lib/gltf/scene';
import { Rig } from '../../../lib/rig/rig';
import { typescriptRig } from '../../../lib/rig/typescript';
import { frameTimes } from '../../support/frame-times';
import { creature, MORPHS, numbersOf, rowOf } from '../baked-scenes';

const FPS = 24;
const s = creature(5);
const rig = new Rig(s, new Uint8Array(s.nodes.length).fill(1), typescriptRig);

async function bakeOne(options: BakeOptions, of: GltfScene = s): Promise<BakeOutput> {
    return (await bakeScene(of, { fps: FPS, ...options })).outputs[0]!;
}

/** Every row with its clip and time. */
function* rowsIn({ manifest }: BakeOutput): Generator<{ row: number; clip: number; time: number; frame: number }> {
    for (const { animation, firstRow, duration } of manifest.clips) {
        for (const [frame, time] of frameTimes(duration, FPS).entries()) {
            yield { row: firstRow + frame, clip: animation, time, frame };
        }
    }
}

function poseAt(clip: number, time: number) {
    const poses = rig.createPoses(1);
    rig.evaluate(poses, clip, Float32Array.of(time));
    rig.toGlobal(poses);
    return poses;
}

describe('hit', () => {
    test('has the global matrices of all joints, in the order of the skin', async () => {
        const output = await bakeOne({ emit: ['hit'] });
        expect(Object.keys(output.manifest.arrays)).toEqual(['hit']);
        expect(output.manifest.arrays.hit).toMatchObject({
            layout: 'mat3x4',
            shape: [51, 4, 12],
            joints: [0, 1, 2, 3],
        });
        const slots = Uint16Array.from(s.skins[0]!.joints, (node) => rig.slotOf(node));
        const expected = new Float32Array(4 * 12);
        for (const { row, clip, time } of rowsIn(output)) {
            rig.joints(poseAt(clip, time), slots, expected);
            expect(rowOf(output, 'hit', row)).toEqual([...expected]);
        }
    });

    test.each([
        ['^hand', [2, 3]],
        [/HAND\.r/i, [2]],
        [/hand/g, [2, 3]],
        [/h/y, [0, 1, 2, 3]],
    ])('of the joints whose name matches %p', async (hitJoints, joints) => {
        const [some, all] = [await bakeOne({ emit: ['hit'], hitJoints }), await bakeOne({ emit: ['hit'] })];
        expect(some.manifest.arrays.hit!.joints).toEqual(joints);
        const expected = joints.flatMap((joint) => rowOf(all, 'hit', 7).slice(joint * 12, joint * 12 + 12));
        expect(rowOf(some, 'hit', 7)).toEqual(expected);
    });

    test('no match in any skin is a usage error, in one of several a warning', async () => {
        await expect(bakeOne({ emit: ['hit'], hitJoints: 'tail' })).rejects.toMatchObject({ name: 'UsageError' });
        const two = {
            ...s,
            skins: [...s.skins, { ...s.skins[0]!, joints: [8], inverseBindMatrices: new Float32Array(16) }],
        };
        const { outputs } = await bakeScene(two, { emit: ['hit', 'bounds'], hitJoints: 'head' });
        expect(outputs.map(({ manifest }) => Object.keys(manifest.arrays))).toEqual([['hit', 'bounds'], ['bounds']]);
        expect(outputs[1]!.manifest.warnings.map(({ code }) => code)).toContain('NO_HIT_JOINT');
        await expect(bakeScene(two, { emit: ['hit'], hitJoints: 'head', strict: true })).rejects.toMatchObject({
            code: expect.any(String),
        });
    });
});

test('local has translation, rotation and scale of the joints and all above them', async () => {
    const output = await bakeOne({ emit: ['local'] });
    const { slots, ...about } = output.manifest.arrays.local!;
    expect(about).toMatchObject({ layout: 'trs', shape: [51, 7, 10] });
    // By depth, then by node; neither the mesh's own node nor what is far away.
    expect(slots.map(({ node, parent }) => [node, parent])).toEqual([
        [0, -1],
        [1, 0],
        [2, 1],
        [3, 2],
        [6, 2],
        [7, 2],
        [4, 5],
    ]);
    expect(slots.map(({ name }) => name)).toEqual(slots.map(({ node }) => s.nodes[node]!.name));
    expect(slots.map(({ matrix }) => matrix)).toEqual([
        ...Array(5).fill(undefined),
        [1, 0.25, 0, 0, 0, 1, 0.5, 1, 0, 0, 2, 0],
        undefined,
    ]);
    const trs = new Float32Array(10);
    for (const { row, clip, time } of rowsIn(output)) {
        const poses = poseAt(clip, time);
        const expected = slots.flatMap(({ node, matrix }) =>
            matrix ? [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] : [...rig.getLocal(poses, 0, rig.slotOf(node), trs)],
        );
        expect(rowOf(output, 'local', row)).toEqual(expected);
    }
});

describe('morph', () => {
    test("has the weights of the skin's meshes", async () => {
        const output = await bakeOne({ emit: ['morph'] });
        expect(output.manifest.arrays.morph).toMatchObject({
            layout: 'weights',
            shape: [51, MORPHS],
            meshes: [{ node: 5, name: 'body', first: 0, count: MORPHS }],
        });
        expect(output.manifest.warnings).toEqual([]);
        for (const { row, clip, time } of rowsIn(output)) {
            // In the clip without a channel for it: the rest.
            const expected = clip === 0 ? [time, 1 - 0.5 * time] : [0.25, 0];
            for (const [i, weight] of rowOf(output, 'morph', row).entries()) {
                expect(weight).toBeCloseTo(expected[i]!, 6);
            }
        }
    });

    test('a skin without is warned of and has no array', async () => {
        const bare = { ...s, skinnedMeshes: [] };
        const { outputs, warnings } = await bakeScene(bare, { emit: ['morph', 'root'] });
        expect(Object.keys(outputs[0]!.manifest.arrays)).toEqual(['root']);
        expect(warnings.map(({ code }) => code)).toEqual(['MORPH_WEIGHTS_NOT_BAKED', 'NO_MORPH']);
    });

    test('what is not of this skin stays a warning; where morphs are not asked for, all of it', async () => {
        const codes = async (options: BakeOptions) => (await bakeScene(s, options)).warnings.map(({ code }) => code);
        expect(await codes({})).toEqual(['MORPH_WEIGHTS_NOT_BAKED']);
        expect(await codes({ emit: ['morph'] })).toEqual([]);
    });

    test('a clip that only morphs is animated where morphs are baked, and its STEP keys are discontinuities', async () => {
        const weights = { ...s.animations[0]!.channels.at(-1)!, interpolation: 'STEP' as const };
        const face = { ...s, animations: [{ name: 'face', channels: [weights] }] };
        const without = await bakeOne({}, face);
        expect(without.manifest.clips[0]).toMatchObject({ animated: false, discontinuities: [] });
        const output = await bakeOne({ emit: ['palette', 'morph'] }, face);
        expect(output.manifest.clips[0]).toMatchObject({ animated: true, discontinuities: [FPS] });
        expect(rowOf(output, 'morph', FPS - 1)).toEqual([0, 1]);
        expect(rowOf(output, 'morph', FPS)).toEqual([1, 0.5]);
    });
});

describe('bounds', () => {
    test('of a clip of one row are those of the clip, and those of a clip are all of its rows', async () => {
        const output = await bakeOne({ emit: ['palette', 'bounds'] });
        expect(output.manifest.arrays.bounds).toMatchObject({ layout: 'minmax', shape: [51, 6] });
        for (const { firstRow, frameCount, bounds } of output.manifest.clips) {
            const rows = Array.from({ length: frameCount }, (_, frame) => rowOf(output, 'bounds', firstRow + frame));
            expect(bounds).toEqual([
                ...[0, 1, 2].map((axis) => Math.min(...rows.map((row) => row[axis]!))),
                ...[3, 4, 5].map((axis) => Math.max(...rows.map((row) => row[axis]!))),
            ]);
        }
    });

    test('hold every vertex of their row, and no more', async () => {
        const output = await bakeOne({ emit: ['palette', 'bounds'] });
        const { positions, joints, weights } = s.skinnedMeshes[0]!.primitives[0]!;
        for (const row of [0, 11, 24, 25, 26, 40]) {
            const palette = rowOf(output, 'palette', row);
            const places = [0, 1, 2].map((axis) =>
                Array.from({ length: positions.length / 3 }, (_, v) =>
                    [0, 1, 2, 3].reduce((sum, i) => {
                        const m = joints[v * 4 + i]! * 16 + axis;
                        const at = [0, 1, 2].reduce(
                            (total, c) => total + palette[m + c * 4]! * positions[v * 3 + c]!,
                            palette[m + 12]!,
                        );
                        return sum + weights[v * 4 + i]! * at;
                    }, 0),
                ),
            );
            const expected = [...places.map((list) => Math.min(...list)), ...places.map((list) => Math.max(...list))];
            for (const [side, value] of rowOf(output, 'bounds', row).entries()) {
                expect(value).toBeCloseTo(expected[side]!, 5);
            }
        }
    });

    test("without a mesh: of the joints' origins, a zero +0", async () => {
        const bare = { ...s, skinnedMeshes: [] };
        const output = await bakeOne({ emit: ['hit', 'bounds'] }, bare);
        for (const { row } of rowsIn(output)) {
            const hit = rowOf(output, 'hit', row);
            const origins = [3, 7, 11].map((at) => [0, 1, 2, 3].map((joint) => hit[joint * 12 + at]!));
            const expected = [...origins.map((list) => Math.min(...list)), ...origins.map((list) => Math.max(...list))];
            expect(rowOf(output, 'bounds', row)).toEqual(expected.map((value) => value + 0));
        }
    });
});

test('root is what rootDelta gives of the first joint without one above it', async () => {
    const output = await bakeOne({ emit: ['root'] });
    expect(output.manifest.arrays.root).toMatchObject({ layout: 'tr', shape: [51, 7], joint: 1 });
    const slot = rig.slotOf(2);
    const delta = new Float32Array(7);
    for (const { row, clip, time } of rowsIn(output)) {
        expect(rowOf(output, 'root', row)).toEqual([...rig.rootDelta(delta, clip, 0, time, { slot })]);
    }
    // By the middle of the jump it is 3 up; whatever it stands in, at the first frame there is no motion yet.
    expect(rowOf(output, 'root', 0)).toEqual([0, 0, 0, 0, 0, 0, 1]);
});

test('all of them at once: the order and places in the bin, zeros between', async () => {
    const emit = ['root', 'bounds', 'morph', 'local', 'hit', 'palette'] as const;
    const output = await bakeOne({ emit });
    const { arrays, binary } = output.manifest;
    const names = ['palette', 'hit', 'local', 'morph', 'bounds', 'root'] as const;
    let end = 0;
    for (const name of names) {
        const { byteOffset, byteLength, shape, dtype } = arrays[name]!;
        expect(dtype).toBe('f32');
        expect(byteOffset % 256).toBe(0);
        expect(byteOffset - end).toBeGreaterThanOrEqual(0);
        expect(byteOffset - end).toBeLessThan(256);
        expect(output.bin.subarray(end, byteOffset).every((byte) => byte === 0)).toBe(true);
        expect(byteLength).toBe(shape.reduce((product, length) => product * length, 4));
        end = byteOffset + byteLength;
        const [alone] = (await bakeScene(s, { fps: FPS, emit: [name] })).outputs;
        expect(numbersOf(output, name)).toEqual(numbersOf(alone!, name));
    }
    expect(binary.byteLength).toBe(end);
    expect(output.bin.byteLength).toBe(end);
});
