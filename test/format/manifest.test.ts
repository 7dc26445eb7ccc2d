// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { bakeScene } from '../../lib/bake/bake';
import { type BakePlan, refuseTooLarge } from '../../lib/bake/plan/plan';
import type { Manifest } from '../../lib/format/manifest';
import type { GltfScene, SceneAnimation, SceneChannel } from '../../lib/gltf/scene';
import { channel, node, scene, skin } from '../rig/scenes';

/** Two joints, the second 1 above the first, whose parent is not a joint. */
const NODES = [node(-1, { name: 'root' }), node(0, { name: 'hip' }), node(1, { name: 'knee', translation: [0, 1, 0] })];
const BIND = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const SKIN = skin([2, 1], [...BIND, 0, -1, 0, 1, ...BIND, 0, 0, 0, 1]);

const clip = (name: string, ...channels: SceneChannel[]): SceneAnimation => ({ name, channels });
const rise = (seconds: number, height: number, target = 1) =>
    channel(target, 'translation', 'LINEAR', [0, seconds], [0, 0, 0, 0, height, 0]);

const rig = (...animations: SceneAnimation[]) => scene(NODES, [SKIN], animations);

type Options = Parameters<typeof bakeScene>[1];

async function manifestOf(s: GltfScene, options?: Options): Promise<Manifest> {
    return (await bakeScene(s, options)).outputs[0]!.manifest;
}

describe('a complete manifest', () => {
    const s = rig(clip('Rise', rise(0.25, 2)), clip('Still'));

    test('describes the file', async () => {
        const { outputs, warnings } = await bakeScene(s, { fps: 10 });
        const { stem, manifest, json, bin } = outputs[0]!;
        expect(stem).toBe('test');
        const sha256 = createHash('sha256').update(bin).digest('hex');
        expect(JSON.parse(json)).toEqual({
            format: 'poselane-bake',
            version: 1,
            source: { name: 'test.glb', sha256: s.sha256 },
            recipe: { fps: [10, 1], end: 'clamp', space: 'scene', kernel: 'strict@1' },
            binary: { uri: 'test.bake.bin', byteLength: 5 * 2 * 64, sha256 },
            extent: 1,
            attachments: [],
            skin: {
                index: 0,
                indices: [0],
                root: 1,
                joints: [
                    { node: 2, name: 'knee', parent: 1 },
                    { node: 1, name: 'hip', parent: -1 },
                ],
            },
            clips: [
                {
                    name: 'Rise',
                    animation: 0,
                    firstRow: 0,
                    frameCount: 4,
                    duration: 0.25,
                    fps: 10,
                    lastFrameTime: 0.25,
                    loop: false,
                    animated: true,
                    discontinuities: [],
                    bounds: [0, 0, 0, 0, 3, 0],
                    // Linear motion, so only float32 adds an error; half a frame is 0.4 of the distance.
                    error: {
                        maxLate: 0,
                        maxLerp: expect.closeTo(0, 6),
                        maxLerpShare: expect.closeTo(0, 6),
                        maxNearest: Math.fround(0.4),
                        maxNearestShare: Math.fround(0.4),
                    },
                },
                {
                    name: 'Still',
                    animation: 1,
                    firstRow: 4,
                    frameCount: 1,
                    duration: 0,
                    fps: null,
                    loop: true,
                    animated: false,
                    discontinuities: [],
                    bounds: [0, 0, 0, 0, 1, 0],
                    error: { maxLate: 0, maxLerp: 0, maxLerpShare: 0, maxNearest: 0, maxNearestShare: 0 },
                },
            ],
            arrays: {
                palette: { byteOffset: 0, byteLength: 640, dtype: 'f32', shape: [5, 2, 16], layout: 'mat4' },
            },
            warnings,
        });
        expect(JSON.parse(JSON.stringify(manifest))).toEqual(JSON.parse(json));
        expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([['CLIP_NOT_ANIMATED', '/animations/1']]);
    });

    test('the uri is percent-encoded, as URI references require', async () => {
        const manifest = await manifestOf({ ...s, name: 'a hero #1.v2.glb' });
        expect(manifest.binary.uri).toBe('a%20hero%20%231.v2.bake.bin');
    });
});

describe('clips', () => {
    const s = rig(clip('a', rise(1, 1)), clip('b', rise(2, 1)), clip('', rise(1, 1)), clip('b', rise(1, 1)));

    test('are baked in file order, each once, for any order of the selection', async () => {
        const { clips } = await manifestOf(s, { clips: ['#3', 'a', '#1', '#3', '', 'a'], fps: 2 });
        expect(clips.map(({ animation, firstRow, frameCount }) => [animation, firstRow, frameCount])).toEqual([
            [0, 0, 3],
            [1, 3, 5],
            [2, 8, 3],
            [3, 11, 3],
        ]);
        expect((await manifestOf(s, { clips: ['#2'] })).clips.map(({ animation }) => animation)).toEqual([2]);
    });

    test.each([
        [['c'], "no clip 'c', has 'a', 'b', #2, 'b'"],
        [['#4'], 'no clip #4, has #0 to #3'],
        [['b'], "clips #1 and #3 are all called 'b'"],
        [[], 'empty'],
    ])('%p is a usage error', async (clips, message) => {
        await expect(bakeScene(s, { clips })).rejects.toMatchObject({
            name: 'UsageError',
            message: expect.stringContaining(message),
        });
    });
});

describe('skins', () => {
    const s = { ...rig(clip('a', rise(1, 1))), skins: [SKIN, skin([0])] };

    test('several: an output each, in file order', async () => {
        const { outputs, stats } = await bakeScene(s, { fps: 30 });
        expect(outputs.map(({ stem, skin: index }) => [stem, index])).toEqual([
            ['test.skin0', 0],
            ['test.skin1', 1],
        ]);
        expect(stats).toMatchObject({ clips: 1, frames: 31, joints: [2, 1], jointFrames: 93 });
        // The second has one node, which does not move.
        expect(outputs.map(({ manifest }) => manifest.clips[0]!.animated)).toEqual([true, false]);
    });

    test('one of several: no number in the name, the same contents', async () => {
        const { outputs } = await bakeScene(s, { skin: 1 });
        expect(outputs.map(({ stem, skin: index }) => [stem, index])).toEqual([['test', 1]]);
        expect(outputs[0]!.bin).toEqual((await bakeScene(s)).outputs[1]!.bin);
    });

    test.each([2, -1, 0.5])('skin %p is a usage error', async (index) => {
        await expect(bakeScene(s, { skin: index })).rejects.toMatchObject({ name: 'UsageError' });
    });
});

test('no skin and no animation are input errors', async () => {
    await expect(bakeScene(scene(NODES, [], [clip('a')]))).rejects.toMatchObject({ code: 'NO_SKIN' });
    await expect(bakeScene(rig())).rejects.toMatchObject({ code: 'NO_ANIMATION' });
});

describe('loop', () => {
    const turn = (seconds: number, ...angles: number[]) =>
        channel(
            1,
            'rotation',
            'LINEAR',
            angles.map((_, i) => (i * seconds) / (angles.length - 1)),
            angles.flatMap((angle) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]),
        );

    // The box is the segment from 0 to 1, so its far corner moves by the angle, and the extent is 1.
    test.each([
        [0, true],
        [0.9e-4, true],
        [1.1e-4, false],
        [1, false],
    ])('ends turned by %p: %p', async (angle, loop) => {
        const { clips } = await manifestOf(rig(clip('a', turn(1, 0, 1, angle))));
        expect(clips[0]!.loop).toBe(loop);
    });

    test('does not depend on the distance from the origin', async () => {
        const far = [node(-1, { translation: [0, 0, 100] }), ...NODES.slice(1)];
        const { clips } = await manifestOf(scene(far, [SKIN], [clip('a', turn(1, 0, 1, 1e-3))]));
        expect(clips[0]!.loop).toBe(false);
    });
});

// Random meshes and motions: test/rig/measure/skin-box.test.ts, and verifyBake.
describe('bounds', () => {
    test('contain joint origins if the skin has no mesh; a zero is +0', async () => {
        const s = rig(clip('a', channel(1, 'translation', 'LINEAR', [0, 1], [-0, -3, 0, -0, -1, 0])));
        const { bounds } = (await manifestOf(s)).clips[0]!;
        expect(bounds).toEqual([0, -3, 0, 0, 0, 0]); // toEqual distinguishes -0 from 0
    });

    test('beyond float32 are an error', async () => {
        const grow = channel(1, 'scale', 'LINEAR', [0, 1], [1, 1, 1, 3e37, 3e37, 3e37]);
        const far = {
            positions: Float32Array.of(0, 20, 0),
            influences: 4,
            joints: Uint16Array.of(1, 0, 0, 0),
            weights: Float32Array.of(1, 0, 0, 0),
        };
        const s = { ...rig(clip('a', grow)), skinnedMeshes: [{ node: 0, mesh: 0, skin: 0, primitives: [far] }] };
        await expect(bakeScene(s)).rejects.toMatchObject({
            code: 'NOT_FINITE',
            message: expect.stringMatching(/clip #0 'a': the extent is .+, more than float32 can hold$/),
        });
    });
});

describe('warnings', () => {
    const codes = async (s: GltfScene, options?: Options) =>
        (await bakeScene(s, options)).warnings.map(({ code, message }) => [code, message]);

    test('dropped morph weights give a warning', async () => {
        const weights = channel(1, 'weights', 'LINEAR', [0, 1], [0, 1]);
        expect(await codes(rig(clip('a', rise(1, 1), weights, weights)))).toEqual([
            [
                'MORPH_WEIGHTS_NOT_BAKED',
                "morph weights of 1 mesh are animated (2 channels) and not baked: emit 'morph' has them",
            ],
        ]);
    });

    test('STEP keys just above the frames are counted', async () => {
        const times = Array.from({ length: 301 }, (_, i) => Math.fround(i * Math.fround(1 / 30)));
        const steps = channel(1, 'scale', 'STEP', times, Array(903).fill(1));
        const [warning] = await codes(rig(clip('a', steps, rise(11, 1))), { fps: 30 });
        expect(warning![0]).toBe('KEY_OFF_GRID');
        expect(warning![1]).toContain('186 STEP key times');
    });

    test('clips equal to others, with the bytes that they take', async () => {
        const other = channel(1, 'translation', 'LINEAR', [0, 9], [0, 0, 0, 0, 1, 0.5]);
        const s = rig(clip('a', rise(9, 1)), clip('b', other), clip('c', rise(9, 1)), clip('a', rise(9, 1)));
        // 901 rows of two matrices.
        const message =
            "clip #2 'c' is clip #0 'a', clip #3 'a' is clip #0 'a': without them (clips) the palettes take ";
        expect(await codes(s, { fps: 100 })).toEqual([['SHARED_CLIP', `${message}225 KiB (230656 bytes) less`]]);
        expect(await codes(s, { fps: 100, clips: ['b', 'c'] })).toEqual([]);
        expect(await codes(s, { fps: 100, emit: ['local'] })).toEqual([]);
        expect(await codes(s, { fps: 1 })).toEqual([]);
    });

    test('more rows than a texture can have', async () => {
        // 1/30 s x 8191 = 273.03 s: 8,192 rows.
        const seconds = Math.fround(8191 / 30);
        const options = { fps: 30 };
        expect(await codes(rig(clip('a', rise(seconds, 1))), options)).toEqual([]);
        const [warning] = await codes(
            rig(clip('a', rise(seconds, 1)), clip('b', channel(1, 'scale', 'STEP', [0], [1, 1, 1]))),
            options,
        );
        expect(warning![0]).toBe('TEXTURE_TOO_TALL');
        expect(warning![1]).toContain('8193 rows');
    });

    test('palettes of more than 256 MiB: their size, not the height of a texture', async () => {
        // Rows of one joint, 64 bytes each; strict rejects them before the bake.
        const refusal = (rows: number) =>
            bakeScene(scene(NODES, [skin([1])], [clip('a', rise(rows - 1, 1))]), { fps: 1, strict: true });
        await expect(refusal(2 ** 22)).rejects.toMatchObject({ code: 'TEXTURE_TOO_TALL' });
        await expect(refusal(2 ** 22 + 1)).rejects.toMatchObject({
            code: 'OUTPUT_LARGE',
            message: expect.stringContaining(
                '4194305 rows of 1 matrix take 256 MiB (268435520 bytes): bake fewer clips',
            ),
        });
    });

    test('warnings of the scene come first; a warning for several skins is reported once, and is in each manifest', async () => {
        const own = { code: 'NON_UNIT_ROTATION', pointer: '/x', message: 'm' };
        const weights = channel(1, 'weights', 'LINEAR', [0, 1], [0, 1]);
        const s = {
            ...rig(clip('a', rise(1, 1), weights)),
            skins: [SKIN, skin([...SKIN.joints].reverse())],
            warnings: [own],
        };
        const { outputs, warnings } = await bakeScene(s);
        expect(warnings.map(({ code }) => code)).toEqual(['NON_UNIT_ROTATION', 'MORPH_WEIGHTS_NOT_BAKED']);
        for (const { manifest } of outputs) expect(manifest.warnings).toEqual(warnings);
    });
});

describe('rejected', () => {
    test('more than 2 GiB, before allocation', async () => {
        // 2^25 rows of one joint are 2 GiB exactly; the last frame is one more.
        const seconds = 2 ** 25;
        const s = scene(NODES, [skin([1])], [clip('a', rise(seconds, 1))]);
        await expect(bakeScene(s, { fps: 1 })).rejects.toMatchObject({
            code: 'OUTPUT_TOO_LARGE',
            message: expect.stringContaining(`${2 ** 25 + 1} rows`),
        });
        await expect(bakeScene(s, { fps: 60_000_000 })).rejects.toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    });

    test('palettes of several skins with more than 2 GiB together', async () => {
        const rows = 2 ** 24 + 1;
        const s = scene(NODES, [skin([1]), skin([2])], [clip('a', rise(rows - 1, 1))]);
        await expect(bakeScene(s, { fps: 1 })).rejects.toMatchObject({
            code: 'OUTPUT_TOO_LARGE',
            message: expect.stringContaining(`${rows} rows of 2 matrices would take 2 GiB (${rows * 128} bytes)`),
        });
    });

    test('a skin whose arrays do not fit in addition to earlier skins', async () => {
        const plan = { file: 'model', rows: 31 } as BakePlan;
        expect(() => refuseTooLarge(plan, 1, 64, 2 ** 31 - plan.rows * 64)).not.toThrow();
        expect(() => refuseTooLarge(plan, 1, 64, 2 ** 31 - plan.rows * 64 + 1)).toThrow(/with the skins before/);
    });

    test('a value that is not finite, with its clip, joint and time', async () => {
        // 1e38 x 10: beyond float32 from the second key.
        const scale = channel(1, 'scale', 'STEP', [0, 1], [1, 1, 1, 1e38, 1e38, 1e38]);
        const nodes = [NODES[0]!, NODES[1]!, node(1, { name: 'knee', translation: [0, 10, 0] })];
        const s = scene(nodes, [skin([1, 2])], [clip('fine', rise(1, 1)), clip('grows', scale)]);
        await expect(bakeScene(s, { fps: 100 })).rejects.toMatchObject({
            name: 'InputError',
            code: 'NOT_FINITE',
            pointer: '/animations/1',
            message: expect.stringMatching(
                /clip #1 'grows', joint 1 'knee' \(node 2\): the matrix at 1 s is not finite/,
            ),
        });
    });
});

describe('hooks', () => {
    const s = rig(clip('a', rise(100, 1)), clip('b', rise(100, 1)));

    test('progress ascends to the total', async () => {
        const seen: [number, number][] = [];
        await bakeScene(s, { fps: 30 }, { onProgress: (done, total) => seen.push([done, total]) });
        expect(seen[seen.length - 1]).toEqual([6002, 6002]);
        expect(seen.every(([done], i) => i === 0 || done > seen[i - 1]![0])).toBe(true);
    });

    test('an aborted signal ends the bake with its reason', async () => {
        const reason = new Error('enough');
        await expect(bakeScene(s, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
        const controller = new AbortController();
        const hooks = { signal: controller.signal, onProgress: () => controller.abort(reason) };
        await expect(bakeScene(s, {}, hooks)).rejects.toBe(reason);
    });
});
