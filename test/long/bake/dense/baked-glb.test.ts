// SPDX-License-Identifier: MIT

/** The GLB of dense keys: valid, and at its frames what the input is there, to the specification and to three.js. */

import { createHash } from 'node:crypto';
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
    INTERPOLATION_TEST,
    KNIGHT,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../../support/models';
import { rounds } from '../../../support/rounds';
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
    const path = join(folder(), `${number++}.resampled.glb`);
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

/** Every frame of every clip, of what plays the GLB, against the input in double precision. */
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
        test('valid, and three.js plays what the input has at the frames', async () => {
            const glb = await glbOf(model.path, { fps: 30 });
            // The matrices of keys that are not of unit length are the same; three.js brings them to it.
            await expectSamePoses(model.path, glb, 30, glb.warnings.length === 0);
        });
    });
}

describeModel(INTERPOLATION_TEST, () => {
    test('clips of nodes, without a skin; STEP stays STEP, splines become LINEAR', async () => {
        const glb = await glbOf(INTERPOLATION_TEST.path, { fps: 24 });
        expect(glb.warnings).toEqual(['IMAGE_LEFT_OUT']);
        const source = await DoubleEvaluator.load(INTERPOLATION_TEST.path);
        for (let animation = 0; animation < source.animationCount; animation++) {
            const { samplers, channels } = source.file.json.animations![animation]!;
            const before = channels!.map(({ sampler }) => samplers![sampler]!.interpolation ?? 'LINEAR');
            const after = glb.evaluator.channelsOf(animation).map(({ sampler }) => sampler.interpolation);
            expect(after).toEqual(before.map((name) => (name === 'STEP' ? 'STEP' : 'LINEAR')));
            for (const time of frameTimes(source.duration(animation), 24)) {
                const [expected, own] = [source, glb.evaluator].map((e) => Array.from(e.globals(animation, time)));
                const off = own!.map((x, i) => Math.abs(x - expected![i]!));
                expect(Math.max(...off)).toBeLessThan(1e-5 * 20);
            }
        }
    });
});

describe('a STEP clip stays STEP, without a late frame', () => {
    const FPS = [24, 25, 30, 60, 120];
    const FRAMES = 300;
    const timesAt = (fps: number) => Float32Array.from({ length: FRAMES }, (_, i) => i / fps);
    let glbs: Glb[];
    let shown: Float64Array[][];

    beforeAll(async () => {
        glbs = [];
        for (const fps of FPS) {
            const model = skinnedModel();
            const moves = Float32Array.from({ length: FRAMES * 3 }, (_, i) => (i % 3 === 1 ? Math.floor(i / 3) : 0));
            const [input, output] = [model.accessor(timesAt(fps), 'SCALAR'), model.accessor(moves, 'VEC3')];
            model.json.animations[0] = {
                samplers: [{ input, output, interpolation: 'STEP' }],
                channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
            };
            glbs.push(await glbOf(written(model), { fps }));
        }
        // All of them by one process of three.js.
        const requests = glbs.map(({ path: file }, i) => {
            return { file, skin: 0, clips: [{ animation: 0, times: [...timesAt(FPS[i]!)] }] };
        });
        shown = threePalettes(
            requests,
            glbs.map(() => 2),
        );
    });

    test.each(FPS)('at %i fps', (fps) => {
        const which = FPS.indexOf(fps);
        const [channel] = glbs[which]!.evaluator.channelsOf(0);
        expect(channel!.sampler.interpolation).toBe('STEP');
        expect(channel!.sampler.times.length).toBe(FRAMES);
        const late = [...timesAt(fps)].filter((_, i) => shown[which]![0]![i * 32 + 13] !== i);
        expect(late).toEqual([]);
    });
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
    // A clip of constants alone lasts as long as before.
    expect([...glb.evaluator.channelsOf(1)[0]!.sampler.times]).toEqual([0, 1]);
    const { json } = glb;
    expect(json.animations.map(({ name }: LooseJson) => name)).toEqual(['wave', 'still']);
    expect(json.animations[0].channels[2].extras).toEqual({ kept: true });
    expect(json.nodes.map(({ name }: LooseJson) => name)).toEqual(['root', 'hip', 'knee', 'body']);
    expect(json.nodes[2].extras).toEqual({ tag: 7 });
    // Nothing of the old keys is left: bind matrices, three attributes, a target, three inputs and five outputs.
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

test('turns of more than half a circle keep their hemisphere', async () => {
    const model = skinnedModel();
    const turns = [0, 0, 0, 1, 0, 0, -HALF, -HALF, 0, 0, 1, 0];
    clip(model).samplers[0].output = model.accessor(Float32Array.from(turns), 'VEC4');
    const { evaluator } = await glbOf(written(model), { fps: 10 });
    const { values } = evaluator.channelsOf(0)[0]!.sampler;
    for (let at = 4; at < values.length; at += 4) {
        const dot = [0, 1, 2, 3].reduce((sum, c) => sum + values[at + c]! * values[at + c - 4]!, 0);
        expect(dot).toBeGreaterThan(0.9);
    }
});

test('rotation keys at unit length, where that is asked for', async () => {
    const model = skinnedModel();
    const long = Float32Array.from([0, 0, 0, 2, 0, 0, 1, 1, 0, 0, 1, 0]);
    clip(model).samplers[0].output = model.accessor(long, 'VEC4');
    const { evaluator } = await glbOf(written(model), { fps: 10, renormalize: true });
    const { values } = evaluator.channelsOf(0)[0]!.sampler;
    for (let at = 0; at < values.length; at += 4) {
        expect(Math.hypot(...values.subarray(at, at + 4))).toBeCloseTo(1, 6);
    }
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

test('channels by KHR_animation_pointer become ordinary ones, others are warned of', async () => {
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

test('extensions that a glb cannot keep', async () => {
    const model = skinnedModel();
    model.json.extensionsUsed = ['VENDOR_sparkles', 'KHR_node_hoverability'];
    expect((await glbOf(written(model))).warnings).toEqual(['EXTENSION_LEFT_OUT', 'EXTENSION_LEFT_OUT']);
    model.json.extensionsRequired = ['KHR_node_hoverability'];
    await expect(bakedGlb(written(model))).rejects.toMatchObject({
        code: 'EXTENSION_UNSUPPORTED',
        pointer: '/extensionsUsed/1',
    });
});

test("emit: 'glb' of a bake gives the same file, each time the same bytes", async () => {
    const bake = () => bakeFile(CHARACTER.path, { emit: ['palette', 'glb'], fps: 24 });
    const [{ files, outputs }, again] = [await bake(), await bake()];
    expect(outputs).toHaveLength(1);
    expect(files.map(({ name }) => name)).toEqual(['character.resampled.glb']);
    const own = await bakedGlb(CHARACTER.path, { fps: 24 });
    expect(Buffer.compare(files[0]!.bytes, own)).toBe(0);
    expect(Buffer.compare(files[0]!.bytes, again.files[0]!.bytes)).toBe(0);
});

test("the warnings of emit: 'glb', and strict", async () => {
    const model = skinnedModel();
    model.json.extensionsUsed = ['VENDOR_sparkles'];
    const input = written(model);
    const { warnings, outputs } = await bakeFile(input, { emit: ['glb'] });
    expect(outputs).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['EXTENSION_LEFT_OUT']);
    await expect(bakeFile(input, { emit: ['glb'], strict: true })).rejects.toMatchObject({
        code: 'EXTENSION_LEFT_OUT',
    });
});

test('morph weights are in the GLB: no bake that writes one says that they are not baked', async () => {
    const model = skinnedModel();
    const { json } = model;
    json.meshes[0].primitives[0].targets = [{ POSITION: model.accessor(new Float32Array(9), 'VEC3') }];
    const { input } = json.animations[0].samplers[0];
    const output = model.accessor(Float32Array.of(0, 1, 0), 'SCALAR');
    json.animations[0].channels.push({
        sampler: json.animations[0].samplers.push({ input, output }) - 1,
        target: { node: 3, path: 'weights' },
    });
    const path = written(model);
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
    const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

    test.each(['glb', 'gltf'])('.%s: the GLB is made of what the clips were', async (kind) => {
        const bake = async (version: number, meanwhile = () => {}) => {
            const input = place(version, kind);
            let looks = 0;
            // It is looked at before the file is read, and again afterwards.
            const signal = Object.assign(new AbortController().signal, {
                throwIfAborted: () => ++looks === 2 && meanwhile(),
            });
            const { files, warnings } = await bakeFile(input, { emit: ['glb'] }, { signal });
            expect(warnings.map(({ code }) => code)).toEqual(['NON_UNIT_ROTATION']);
            expect(looks).toBeGreaterThanOrEqual(2);
            return hashOf(files[0]!.bytes);
        };
        const expected = await bake(2);
        expect(await bake(3)).not.toBe(expected);
        expect(await bake(2, () => place(3, kind))).toBe(expected);
    });

    test('again and again: each GLB is of one version', async () => {
        const versions: string[] = [];
        for (const version of [2, 3]) versions.push(hashOf(await bakedGlb(place(version, 'glb'))));
        const input = place(2, 'glb');
        let placed = 0;
        for (let round = 0; round < rounds(10); round++) {
            const replacing = setInterval(() => place(2 + (placed++ % 2), 'glb'), 1);
            const made = hashOf(await bakedGlb(input).finally(() => clearInterval(replacing)));
            expect(versions).toContain(made);
        }
    }, 600_000);
});

test('an image of a name that every object inherits is one as any other, also where it is missing', async () => {
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

test('arguments', async () => {
    await expect(bakedGlb(7 as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    await expect(bakedGlb(CHARACTER.path, null as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    await expect(bakedGlb(CHARACTER.path, { fps: 'auto' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(bakedGlb(CHARACTER.path, { clips: ['no such clip'] })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(bakedGlb(CHARACTER.path, { skin: 0 } as never)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(bakedGlb(join(folder(), 'no.glb'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});

describe('what no pose depends on and glTF-Transform cannot take is refused', () => {
    const faults: [what: string, change: (json: LooseJson) => void, pointer: string, rule: RegExp][] = [
        ['extensionsUsed is no list', (json) => (json.extensionsUsed = 'a'), '/extensionsUsed', /must be an array/],
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
    ];
    test.each(faults)('%s', async (_, change, pointer, rule) => {
        const model = skinnedModel();
        change(model.json);
        const refused = { name: 'InputError', code: 'GLTF_INVALID', pointer, rule: expect.stringMatching(rule) };
        await expect(bakedGlb(written(model))).rejects.toMatchObject(refused);
    });
});
