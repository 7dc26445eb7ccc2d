// SPDX-License-Identifier: MIT

/** The GLB of dense keys is valid, and at its frames equal to the input, by the specification and by three.js. */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, type Emit } from '../../../../lib/bake';
import { bakedGlb, type GlbOptions } from '../../../../lib/bake/dense';
import { DoubleEvaluator } from '../../../../lib/verify/evaluator';
import {
    clip,
    type GltfBuilder,
    HALF,
    type LooseJson,
    MODEL,
    setOutput,
    skinnedModel,
} from '../../../gltf/support/builder';
import { compressedView } from '../../../gltf/support/meshopt';
import { worstDisplacement, yardstick } from '../../../support/displacement';
import { frameTimes } from '../../../support/frame-times';
import {
    CHARACTER,
    describeModel,
    FOX,
    KNIGHT,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../../support/models';
import { scratchFolder } from '../../../support/temporary-folder';
import { threePalettes } from '../../../support/three-oracle';

const validator = require('gltf-validator') as {
    validateBytes(bytes: Uint8Array): Promise<{ issues: { messages: { severity: number; code: string }[] } }>;
};

const folder = scratchFolder();
/** In extents. */
const LIMIT = 1e-5;
let number = 0;

async function errorsIn(bytes: Uint8Array): Promise<string[]> {
    const { issues } = await validator.validateBytes(bytes);
    return issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code);
}

interface Glb {
    readonly bytes: Uint8Array;
    readonly path: string;
    readonly warnings: string[];
    readonly evaluator: DoubleEvaluator;
    readonly json: LooseJson;
}

async function glbOf(input: string, options: GlbOptions = {}): Promise<Glb> {
    const warnings: string[] = [];
    const bytes = await bakedGlb(input, { ...options, onWarning: ({ code }) => warnings.push(code) });
    expect(await errorsIn(bytes)).toEqual([]);
    const path = join(folder(), `${number++}.baked.glb`);
    writeFileSync(path, bytes);
    const evaluator = await DoubleEvaluator.load(path);
    return { bytes, path, warnings, evaluator, json: evaluator.file.json };
}

function written(model: GltfBuilder): string {
    const path = join(folder(), `${number++}.glb`);
    model.json.scenes ??= [{ nodes: [0] }];
    model.json.scene = 0;
    writeFileSync(path, model.toGlb());
    return path;
}

/** Compares every frame of every clip of the GLB with the input in double precision. */
async function expectSamePoses(input: string, glb: Glb, fps: number, three: boolean): Promise<void> {
    const source = await DoubleEvaluator.load(input);
    expect(glb.evaluator.animationCount).toBe(source.animationCount);
    const clips = Array.from({ length: source.animationCount }, (_, animation) => ({
        animation,
        times: frameTimes(source.duration(animation), fps),
    }));
    const counts = Array.from({ length: source.skinCount }, (_, skin) => source.joints(skin).length);
    const requests = counts.map((_, skin) => ({ file: glb.path, skin, clips }));
    const byThree = three ? threePalettes(requests, counts) : [];
    for (const [skin, joints] of counts.entries()) {
        const yard = yardstick(source, skin);
        const shown = byThree[skin];
        for (const { animation, times } of clips) {
            expect(glb.evaluator.duration(animation)).toBe(source.duration(animation));
            const expected = source.palettes(skin, animation, times);
            const own = worstDisplacement(glb.evaluator.palettes(skin, animation, times), expected, joints, yard);
            expect(own.compared).toBe(times.length * joints);
            expect(own.error / yard.extent).toBeLessThan(LIMIT);
            if (shown === undefined) continue;
            const played = worstDisplacement(shown[animation]!, expected, joints, yard);
            expect(played.error / yard.extent).toBeLessThan(LIMIT);
        }
    }
}

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT, SIMPLE_SKIN, SIMPLE_SKIN_TWICE]) {
    describeModel(model, () => {
        test('valid, and three.js plays the poses of the input at the frames', async () => {
            const glb = await glbOf(model.path, { fps: 30 });
            // Keys that are not of unit length keep their matrices; three.js normalizes them.
            await expectSamePoses(model.path, glb, 30, glb.warnings.length === 0);
        });
    });
}

test('a STEP clip stays STEP, without a late frame', async () => {
    const FRAMES = 300;
    const rates = [24, 25, 30, 60, 120];
    const moves = Float32Array.from({ length: FRAMES * 3 }, (_, i) => (i % 3 === 1 ? Math.floor(i / 3) : 0));
    const made = await Promise.all(
        rates.map(async (fps) => {
            const times = Float32Array.from({ length: FRAMES }, (_, i) => i / fps);
            const model = skinnedModel();
            const [input, output] = [model.accessor(times, 'SCALAR'), model.accessor(moves, 'VEC3')];
            model.json.animations[0] = {
                samplers: [{ input, output, interpolation: 'STEP' }],
                channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
            };
            return { times, glb: await glbOf(written(model), { fps }) };
        }),
    );
    const requests = made.map(({ times, glb }) => {
        return { file: glb.path, skin: 0, clips: [{ animation: 0, times: [...times] }] };
    });
    // All of them by one process of three.js.
    const shown = threePalettes(
        requests,
        rates.map(() => 2),
    );
    for (const [which, { times, glb }] of made.entries()) {
        const { interpolation, times: keys } = glb.evaluator.channelsOf(0)[0]!.sampler;
        const late = [...times.keys()].filter((i) => shown[which]![0]![i * 32 + 13] !== i);
        expect([rates[which], interpolation, keys.length, late]).toEqual([rates[which], 'STEP', FRAMES, []]);
    }
});

/** Splines, morph targets, a constant channel, a second clip, names and extras. */
function rich(): GltfBuilder {
    const model = skinnedModel();
    const { json } = model;
    const target = model.accessor(Float32Array.from([0, 0, 0, 0.25, -0.5, 1, 0, 0, 0]), 'VEC3');
    Object.assign(json.accessors[target], { min: [0, -0.5, 0], max: [0.25, 0, 1] });
    Object.assign(json.accessors[1], { min: [0, 0, 0], max: [0.5, 2, 0] });
    json.meshes[0].primitives[0].targets = [{ POSITION: target }];
    const [animation] = json.animations;
    const { input } = animation.samplers[0];
    const weights = model.accessor(Float32Array.of(0, 0, 0, 1, 2, 0, -0.25, 0, 0), 'SCALAR');
    const still = model.accessor(Float32Array.of(2, 2, 2, 2, 2, 2, 2, 2, 2), 'VEC3');
    animation.samplers.push({ input, output: weights, interpolation: 'CUBICSPLINE' }, { input, output: still });
    animation.channels.push(
        { sampler: 2, target: { node: 3, path: 'weights' }, extras: { kept: true } },
        { sampler: 3, target: { node: 1, path: 'scale' } },
    );
    json.animations.push({
        name: 'still',
        samplers: [{ input, output: still }],
        channels: [{ sampler: 0, target: { node: 2, path: 'scale' } }],
    });
    json.extras = { owner: 'test' };
    json.nodes[2].extras = { tag: 7 };
    return model;
}

test('splines and morph weights become dense, constant channels keep one key, all else stays', async () => {
    const input = written(rich());
    const glb = await glbOf(input, { fps: 20 });
    const source = await DoubleEvaluator.load(input);
    const kinds = glb.evaluator
        .channelsOf(0)
        .map(({ path, sampler: { interpolation, times } }) => [path, interpolation, times.length]);
    expect(kinds).toEqual([
        ['rotation', 'LINEAR', 21],
        ['translation', 'STEP', 21],
        ['weights', 'LINEAR', 21],
        ['scale', 'LINEAR', 1],
    ]);
    for (const time of frameTimes(1, 20)) {
        expect(glb.evaluator.weights(3, 0, time)[0]).toBeCloseTo(source.weights(3, 0, time)[0]!, 6);
    }
    await expectSamePoses(input, glb, 20, true);
    // A clip with only constants keeps its duration.
    expect([...glb.evaluator.channelsOf(1)[0]!.sampler.times]).toEqual([0, 1]);
    const { json } = glb;
    expect(json.animations.map(({ name }: LooseJson) => name)).toEqual(['wave', 'still']);
    expect(json.animations[0].channels[2].extras).toEqual({ kept: true });
    expect(json.nodes.map(({ name }: LooseJson) => name)).toEqual(['root', 'hip', 'knee', 'body']);
    expect(json.nodes[2].extras).toEqual({ tag: 7 });
    // No old keys are left: only bind matrices, three attributes, a target, three inputs and five outputs.
    expect(json.accessors).toHaveLength(13);
    expect(json.buffers).toHaveLength(1);
});

test('clips that are not chosen are left out; a part of a clip begins at 0', async () => {
    const input = written(rich());
    const { json, evaluator } = await glbOf(input, { fps: 20, clips: ['wave'], from: 0.25, to: 0.5 });
    expect(json.animations).toHaveLength(1);
    const source = await DoubleEvaluator.load(input);
    const [channel] = evaluator.channelsOf(0);
    expect([...channel!.sampler.times]).toEqual([0, 0.05, 0.1, 0.15, 0.2, 0.25].map(Math.fround));
    for (const time of channel!.sampler.times) {
        const [own, expected] = [evaluator.palette(0, 0, time), source.palette(0, 0, Math.fround(0.25 + time))];
        expect(Math.max(...own.map((x, i) => Math.abs(x - expected[i]!)))).toBeLessThan(1e-6);
    }
});

/** The values of rotation keys, ten a second, for three such keys of a clip. */
async function rotationsOf(keys: readonly number[], options: GlbOptions = {}): Promise<Float64Array[]> {
    const model = skinnedModel();
    clip(model).samplers[0].output = model.accessor(Float32Array.from(keys), 'VEC4');
    const { evaluator } = await glbOf(written(model), { fps: 10, ...options });
    const { values } = evaluator.channelsOf(0)[0]!.sampler;
    return Array.from({ length: values.length / 4 }, (_, i) => Float64Array.from(values.subarray(i * 4, i * 4 + 4)));
}

test('turns of more than half a circle keep their hemisphere', async () => {
    const rotations = await rotationsOf([0, 0, 0, 1, 0, 0, -HALF, -HALF, 0, 0, 1, 0]);
    for (const [i, before] of rotations.slice(0, -1).entries()) {
        expect(rotations[i + 1]!.reduce((sum, x, c) => sum + x * before[c]!, 0)).toBeGreaterThan(0.9);
    }
});

test('rotation keys are normalized on request', async () => {
    const rotations = await rotationsOf([0, 0, 0, 2, 0, 0, 1, 1, 0, 0, 1, 0], { renormalize: true });
    for (const rotation of rotations) expect(Math.hypot(...rotation)).toBeCloseTo(1, 6);
});

test.each([
    ['shear', [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
    ['no volume', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
])('a matrix with %s is refused: it would be another', async (_, matrix) => {
    const model = skinnedModel();
    model.json.nodes[0].matrix = matrix;
    await expect(bakedGlb(written(model))).rejects.toMatchObject({
        name: 'InputError',
        code: 'MATRIX_NOT_TRS',
        pointer: '/nodes/0/matrix',
        rule: expect.stringContaining("node 0 'root'"),
    });
});

test('a matrix that is translation, rotation and scale is kept', async () => {
    const model = skinnedModel();
    model.json.nodes[0].matrix = [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, -1, 0, 5, 6, 7, 1];
    const input = written(model);
    await expectSamePoses(input, await glbOf(input), 30, true);
});

test('a skeleton that is not above all joints is left out, one that is stays', async () => {
    const model = skinnedModel();
    model.json.skins[0].skeleton = 0;
    expect((await glbOf(written(model))).json.skins[0].skeleton).toBe(0);
    model.json.skins[0].skeleton = 2;
    const { json, warnings } = await glbOf(written(model));
    expect(json.skins[0].skeleton).toBeUndefined();
    expect(warnings).toEqual(['SKELETON_LEFT_OUT']);
});

test('channels by KHR_animation_pointer become ordinary ones, or get a warning', async () => {
    const model = skinnedModel();
    const { channels, samplers } = clip(model);
    const pointing = (pointer: string) => ({ path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } });
    channels[0].target = pointing('/nodes/2/rotation');
    channels.push({ sampler: 1, target: pointing('/materials/0/emissiveFactor') });
    channels.push({ sampler: 1, target: { path: 'translation' } });
    samplers[1].output = model.accessor(new Float32Array([0, 0, 0, 0, 2, 0]), 'VEC3');
    model.json.extensionsUsed = ['KHR_animation_pointer'];
    model.json.extensionsRequired = ['KHR_animation_pointer'];
    const input = written(model);
    const glb = await glbOf(input);
    expect(glb.warnings).toEqual(['ANIMATION_POINTER_IGNORED', 'CHANNEL_IGNORED']);
    expect(glb.json.extensionsUsed).toBeUndefined();
    expect(glb.json.animations[0].channels.map(({ target }: LooseJson) => target)).toEqual([
        { node: 2, path: 'rotation' },
        { node: 1, path: 'translation' },
    ]);
    await expectSamePoses(input, glb, 30, true);
});

test.each(['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const)('%s is decoded', async (extension) => {
    const model = skinnedModel();
    const turns = new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]);
    const bufferView = compressedView(model, turns, { extension, count: 3, stride: 16 });
    const accessor = { bufferView, componentType: 5126, type: 'VEC4', count: 3 };
    clip(model).samplers[0].output = model.json.accessors.push(accessor) - 1;
    const glb = await glbOf(written(model));
    expect(glb.json.extensionsUsed).toBeUndefined();
    const plain = await glbOf(written(skinnedModel()));
    const palettes = [glb, plain].map(({ evaluator }) => evaluator.palettes(0, 0, frameTimes(1, 30)));
    expect(palettes[0]).toEqual(palettes[1]);
});

test('extensions that a glb cannot keep: warnings, errors with strict and where they are required', async () => {
    const model = skinnedModel();
    model.json.extensionsUsed = ['VENDOR_sparkles', 'KHR_node_hoverability'];
    const input = written(model);
    expect((await glbOf(input)).warnings).toEqual(['EXTENSION_LEFT_OUT', 'EXTENSION_LEFT_OUT']);
    const { warnings, outputs } = await bakeFile(input, { emit: ['glb'] });
    expect(outputs).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['EXTENSION_LEFT_OUT', 'EXTENSION_LEFT_OUT']);
    const strict = bakeFile(input, { emit: ['glb'], strict: true });
    await expect(strict).rejects.toMatchObject({ code: 'EXTENSION_LEFT_OUT' });
    model.json.extensionsRequired = ['KHR_node_hoverability'];
    const refused = { code: 'EXTENSION_UNSUPPORTED', pointer: '/extensionsUsed/1' };
    await expect(bakedGlb(written(model))).rejects.toMatchObject(refused);
});

test("emit: 'glb' of a bake gives the same file, each time the same bytes", async () => {
    const bake = () => bakeFile(CHARACTER.path, { emit: ['palette', 'glb'], fps: 24 });
    const [{ files, outputs }, again] = [await bake(), await bake()];
    expect(outputs).toHaveLength(1);
    expect(files.map(({ name }) => name)).toEqual(['character.baked.glb']);
    const own = await bakedGlb(CHARACTER.path, { fps: 24 });
    expect(Buffer.compare(files[0]!.bytes, own)).toBe(0);
    expect(Buffer.compare(files[0]!.bytes, again.files[0]!.bytes)).toBe(0);
});

test('morph weights are in the GLB: a bake that writes one does not warn that they are not baked', async () => {
    const path = written(rich());
    const codes = async (...emit: Emit[]) => {
        const { warnings, outputs } = await bakeFile(path, { emit });
        return [...warnings, ...outputs.flatMap(({ manifest }) => manifest.warnings)].map(({ code }) => code);
    };
    expect(await codes('palette')).toEqual(['MORPH_WEIGHTS_NOT_BAKED', 'MORPH_WEIGHTS_NOT_BAKED']);
    expect(await codes('glb')).toEqual([]);
    expect(await codes('palette', 'glb')).toEqual([]);
    expect(await codes('palette', 'morph')).toEqual([]);
    expect(await codes('morph', 'glb')).toEqual([]);
});

describe('a file that is replaced meanwhile', () => {
    /** All three files, or the one; each appears whole. */
    function place(version: number, kind: string): string {
        const model = skinnedModel();
        const { json } = model;
        json.scenes = [{ nodes: [0] }];
        json.nodes[0].translation = [version, 0, 0];
        setOutput(model, new Float32Array([0, 0, 0, 1, 0, 0, version, HALF, 0, 0, 1, version]), 'VEC4');
        const put = (name: string, bytes: Uint8Array) => {
            writeFileSync(join(folder(), 'new'), bytes);
            renameSync(join(folder(), 'new'), join(folder(), name));
        };
        if (kind === 'gltf') {
            json.images = [{ uri: 'replaced%20image.png' }];
            json.textures = [{ source: 0 }];
            put('replaced.bin', model.bin());
            put('replaced image.png', Uint8Array.of(version));
        }
        put(`replaced.${kind}`, kind === 'gltf' ? model.toGltf('replaced.bin') : model.toGlb());
        return join(folder(), `replaced.${kind}`);
    }
    test.each(['glb', 'gltf'])('.%s: the GLB has the clips from before', async (kind) => {
        const bake = async (version: number, meanwhile = () => {}) => {
            const input = place(version, kind);
            let looks = 0;
            // The baker checks the file before and after it reads it.
            const signal = Object.assign(new AbortController().signal, {
                throwIfAborted: () => ++looks === 2 && meanwhile(),
            });
            const { files, warnings } = await bakeFile(input, { emit: ['glb'] }, { signal });
            expect(warnings.map(({ code }) => code)).toEqual(['NON_UNIT_ROTATION']);
            expect(looks).toBeGreaterThanOrEqual(2);
            return Buffer.from(files[0]!.bytes);
        };
        const expected = await bake(2);
        expect(await bake(3)).not.toEqual(expected);
        expect(await bake(2, () => place(3, kind))).toEqual(expected);
    });
});

test('an image whose name every object inherits is like any other, also if it is missing', async () => {
    for (const uri of ['constructor', '__proto__', '/0', '0']) {
        const model = skinnedModel();
        model.json.scenes = [{ nodes: [0] }];
        model.json.images = [{ uri, mimeType: 'image/png' }];
        const path = join(folder(), 'inherited.gltf');
        writeFileSync(path, model.toGltf());
        const without = await glbOf(path);
        expect(without.warnings).toEqual(['IMAGE_LEFT_OUT']);
        expect(without.json.images ?? []).toEqual([]);
        if (uri === '/0') continue;
        writeFileSync(join(folder(), uri), 'PNG');
        const { warnings, json, bytes } = await glbOf(path);
        expect(warnings).toEqual([]);
        expect(json.images).toHaveLength(1);
        expect(Buffer.from(bytes).includes('PNG')).toBe(true);
    }
});

test.each<[unknown, unknown, string]>([
    [7, {}, 'ERR_ARGUMENT_TYPE'],
    [CHARACTER.path, null, 'ERR_ARGUMENT_TYPE'],
    [CHARACTER.path, { fps: 'auto' }, 'USAGE'],
    [CHARACTER.path, { clips: ['no such clip'] }, 'USAGE'],
    [CHARACTER.path, { skin: 0 }, 'USAGE'],
    ['no.glb', {}, 'FILE_UNREADABLE'],
])('arguments: %p, %p', async (input, options, code) => {
    await expect(bakedGlb(input as never, options as never)).rejects.toMatchObject({ code });
});

test.each<[what: string, change: (json: LooseJson) => void, pointer: string, rule: RegExp]>([
    ['extensionsUsed is not a list', (json) => (json.extensionsUsed = 'a'), '/extensionsUsed', /must be an array/],
    ['a scene has no such node', (json) => (json.scenes = [{ nodes: [99] }]), '', /glTF-Transform cannot/],
    [
        'an accessor that nothing uses claims 2^31 sparse elements',
        (json) => {
            const indices = { bufferView: 0, componentType: 5123 };
            const sparse = { count: 2 ** 31, indices, values: { bufferView: 0 } };
            json.accessors.push({ ...json.accessors[MODEL.position], sparse });
        },
        '/accessors/8/sparse/count',
        /must be an integer from 1 to 3/,
    ],
])('what no pose depends on and glTF-Transform cannot take is refused: %s', async (_, change, pointer, rule) => {
    const model = skinnedModel();
    change(model.json);
    const refused = { name: 'InputError', code: 'GLTF_INVALID', pointer, rule: expect.stringMatching(rule) };
    await expect(bakedGlb(written(model))).rejects.toMatchObject(refused);
});
