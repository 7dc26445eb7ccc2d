// SPDX-License-Identifier: MIT

/** A file with other keys has these keys, and nothing else changes. Other readers: test/long/reduce/engines. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openInput } from '../../../lib/gltf/files';
import { readGltf } from '../../../lib/gltf/read';
import { reduceFile } from '../../../lib/reduce/reduce-file';
import type { ReducedAnimation, ReducedChannel } from '../../../lib/reduce/types';
import { writeReduced } from '../../../lib/reduce/write/write';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { clip, type GltfBuilder, HALF, type LooseJson, lift, MODEL, skinnedModel } from '../../gltf/support/builder';
import { dracoModel, encodeVertices } from '../../gltf/support/draco';
import { compressedView } from '../../gltf/support/meshopt';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    RIGGED_FIGURE,
    ROBOT,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { describeScenes } from '../../support/torture';
import { everythingElse, partsOf } from '../support/everything-else';
import { decoded, fewer, fewerKeys } from '../support/fewer-keys';

const validator = require('gltf-validator') as {
    validateBytes(bytes: Uint8Array): Promise<{ issues: { messages: { severity: number; code: string }[] } }>;
};

const folder = scratchFolder();
let number = 0;

async function errorsIn(path: string): Promise<string[]> {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)));
    const errors = issues.messages.filter(({ severity, code }) => severity === 0 && code !== 'IO_ERROR');
    return [...new Set(errors.map(({ code }) => code))];
}

interface Written extends Awaited<ReturnType<typeof writeReduced>> {
    readonly path: string;
    readonly json: LooseJson;
    readonly bin: Buffer;
}

/** Writes it twice, and checks the rules for any file. */
async function written(
    source: string,
    reduced: readonly ReducedAnimation[],
    compress: 'none' | 'meshopt' = 'none',
): Promise<Written> {
    const result = await writeReduced(openInput(source), reduced, { compress });
    const again = await writeReduced(openInput(source), structuredClone(reduced), { compress });
    expect(Buffer.compare(result.bytes, again.bytes)).toBe(0);
    const path = join(folder(), `${number++}.reduced.glb`);
    writeFileSync(path, result.bytes);
    const { json, buffers } = partsOf(path);
    const bin = buffers[0]!;

    const channels = new Map(reduced.flatMap((one) => one.channels.map((channel) => [channel.pointer, channel])));
    const removed = new Set(reduced.flatMap((one) => one.removed));
    const [own, expected] = [
        everythingElse(path, new Set([...channels.keys()].map((pointer) => after(pointer, removed)))),
        everythingElse(source, new Set(channels.keys()), removed),
    ];
    expect(own).toEqual(expected);
    await expectKeys(source, path, channels, removed);
    // Some sources have faults: the weights of Robot do not add up to 1, which glTF-Validator reports.
    const faults = await errorsIn(path);
    if (faults.length > 0) expect(await errorsIn(source)).toEqual(expect.arrayContaining(faults));
    expect(json.buffers[0].byteLength).toBe(bin.length);
    for (const pointer of channels.keys()) {
        const [, , animation, , channel] = after(pointer, removed).split('/').map(Number);
        const { samplers, channels: own } = json.animations[animation!];
        const bounds = { min: [expect.any(Number)], max: [expect.any(Number)] };
        expect(json.accessors[samplers[own[channel!].sampler].input]).toMatchObject(bounds);
    }
    return { ...result, path, json, bin };
}

/** The pointer of a channel after the removal of earlier ones. */
function after(pointer: string, removed: ReadonlySet<string>): string {
    const [, , animation, , channel] = pointer.split('/');
    const gone = Array.from({ length: Number(channel) }, (_, c) => `/animations/${animation}/channels/${c}`);
    return `/animations/${animation}/channels/${Number(channel) - gone.filter((one) => removed.has(one)).length}`;
}

/** By the reader and the verifier: reduced channels have the given keys, and all others those of the source. */
async function expectKeys(
    source: string,
    path: string,
    reduced: ReadonlyMap<string, ReducedChannel>,
    removed: ReadonlySet<string>,
): Promise<void> {
    const [before, own] = [await readGltf(source), await readGltf(path)];
    const evaluator = await DoubleEvaluator.load(path);
    for (const [animation, { channels }] of before.animations.entries()) {
        const kept = channels.filter(({ pointer }) => !removed.has(pointer));
        expect(own.animations[animation]!.channels).toHaveLength(kept.length);
        for (const [i, channel] of kept.entries()) {
            const keys = reduced.get(channel.pointer);
            const read = own.animations[animation]!.channels[i]!;
            expect(read.interpolation).toBe((keys ?? channel).interpolation);
            expect(read.times).toEqual((keys ?? channel).times);
            const values = keys === undefined ? channel.values : Float32Array.from(decoded(keys));
            expect(read.values).toEqual(values);
            const { sampler } = evaluator.channelsOf(animation)[i]!;
            expect(sampler.interpolation).toBe(read.interpolation);
            expect(sampler.times).toEqual(Float64Array.from(read.times));
            expect(Float32Array.from(sampler.values)).toEqual(values);
        }
    }
}

function fileOf(model: GltfBuilder): string {
    const path = join(folder(), `${number++}.glb`);
    model.json.scenes ??= [{ nodes: [0] }];
    model.json.scene = 0;
    writeFileSync(path, model.toGlb());
    return path;
}

const keysOf = (animations: readonly { channels: readonly { times: ArrayLike<number> }[] }[]) =>
    animations.flatMap(({ channels }) => channels).reduce((sum, { times }) => sum + times.length, 0);

/** All clips of a model, with fewer keys. */
async function reduced(model: GltfBuilder, compress: 'none' | 'meshopt' = 'none'): Promise<Written> {
    const path = fileOf(model);
    return written(path, fewerKeys(await readGltf(path)), compress);
}

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, ROBOT, SIMPLE_SKIN, SIMPLE_SKIN_TWICE, INTERPOLATION_TEST]) {
    describeModel(model, () => {
        test.each([false, true])('valid, and only keys change; integers: %p', async (integers) => {
            const scene = await readGltf(model.path);
            const animations = fewerKeys(scene, integers);
            const { before, after } = await written(model.path, animations);
            expect(after.keys).toBe(keysOf(animations));
            expect(before.keys).toBe(keysOf(scene.animations));
            expect(after.bytes).toBeLessThanOrEqual(before.bytes);
        });

        test('compressed by meshopt: the same keys, in fewer bytes or uncompressed', async () => {
            const animations = fewerKeys(await readGltf(model.path), true);
            const plain = await writeReduced(openInput(model.path), animations, { compress: 'none' });
            const packed = await written(model.path, animations, 'meshopt');
            expect(packed.bytes.length).toBeLessThanOrEqual(plain.bytes.length);
            expect(packed.after).toEqual(plain.after);
            const used = packed.json.extensionsUsed?.includes('EXT_meshopt_compression') ?? false;
            expect(used).toBe(packed.bytes.length < plain.bytes.length);
            expect(packed.json.extensionsRequired?.includes('EXT_meshopt_compression') ?? false).toBe(used);
        });
    });
}

describeScenes(async (scene) => {
    const { path } = scene.write(folder());
    await written(path, fewerKeys(await readGltf(path)));
});

const bytesOf = ({ byteOffset, byteLength }: LooseJson, bin: Uint8Array) =>
    Array.from(bin.subarray(byteOffset, byteOffset + byteLength));

/** The model with its clip twice. */
function twoClips(): GltfBuilder {
    const model = skinnedModel();
    model.json.animations.push({ ...structuredClone(clip(model)), name: 'other' });
    return model;
}

describe('removed and kept parts', () => {
    test('a view of animations and other data keeps the other data, with its alignment', async () => {
        const model = skinnedModel();
        const { accessors } = model.json;
        // As written by glTF-Transform: inverse bind matrices between keys, after a surplus byte.
        const floats = (list: number[]) => new Uint8Array(Float32Array.from(list).buffer);
        const turns = floats([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]);
        const binds = floats([...lift(0), ...lift(-1)]);
        const bufferView = model.view(Uint8Array.from([...turns, ...binds, ...floats([0, 0.5, 1]), ...turns, 1, 2, 3]));
        Object.assign(accessors[MODEL.rotations], { bufferView });
        Object.assign(accessors[MODEL.inverseBind], { bufferView, byteOffset: 48 });
        Object.assign(accessors[MODEL.times], { bufferView, byteOffset: 48 + 128 });
        const { json, bin } = await reduced(model);
        expect(json.bufferViews[bufferView]).toMatchObject({ byteLength: 128 });
        expect(json.accessors[MODEL.inverseBind].byteOffset ?? 0).toBe(0);
        expect(bin.length).toBeLessThan(model.bin().length);
    });

    test('interleaved with kept data: the bytes between stay, too', async () => {
        const model = skinnedModel();
        const { accessors } = model.json;
        const rows = [0, 0, 0, 0, 0, 1, 0, 0.5, 0.5, 2, 0, 1];
        const bufferView = model.view(Float32Array.from([9, 9, 9, 9, ...rows, 9, 9, 9, 9]), { byteStride: 16 });
        Object.assign(accessors[MODEL.position], { bufferView, byteOffset: 16 });
        Object.assign(accessors[MODEL.times], { bufferView, byteOffset: 28 });
        const { json } = await reduced(model);
        expect(json.bufferViews[bufferView].byteLength).toBe(2 * 16 + 12);
        expect(json.accessors[MODEL.position].byteOffset ?? 0).toBe(0);
    });

    test('overlapping views are not written twice; unused ones stay', async () => {
        const model = skinnedModel();
        const { bufferViews, accessors } = model.json;
        bufferViews.push({ ...bufferViews[accessors[MODEL.position].bufferView], name: 'the same bytes' });
        const { byteOffset } = bufferViews[accessors[MODEL.position].bufferView];
        bufferViews.push({ buffer: 0, byteOffset: byteOffset + 4, byteLength: 4, name: 'within' });
        model.view(Uint8Array.from([1, 2, 3]), { name: 'unused' });
        const { json, bin } = await reduced(model);
        const [same, unused] = ['the same bytes', 'unused'].map((name) =>
            json.bufferViews.find((view: LooseJson) => view.name === name),
        );
        expect(same.byteOffset).toBe(json.bufferViews[json.accessors[MODEL.position].bufferView].byteOffset);
        expect(bytesOf(unused, bin)).toEqual([1, 2, 3]);
    });

    test.each([false, true])('sparse accessors of the mesh and of the keys; in one view: %p', async (one) => {
        const model = skinnedModel();
        const { accessors } = model.json;
        const floats = Float32Array.of(0, 0, 0, 1, 7, 7, 7);
        const bytes = new Uint8Array([...new Uint8Array(floats.buffer), 1, 0, 0, 0, 2]);
        const [keys, mesh] = one ? Array(2).fill(model.view(bytes)) : [model.view(bytes), model.view(bytes)];
        const sparse = (bufferView: number, at: number, from: number) => {
            const indices = { bufferView, byteOffset: at, componentType: 5121 };
            return { count: 1, indices, values: { bufferView, byteOffset: from } };
        };
        accessors[MODEL.rotations].sparse = sparse(keys, 28, 0);
        accessors[MODEL.position].sparse = sparse(mesh, 32, 16);
        const { json } = await reduced(model);
        const { values } = json.accessors[MODEL.position].sparse;
        expect(json.bufferViews[values.bufferView].byteLength).toBe(one ? 17 : bytes.length);
    });

    test('keys shared with the mesh, or with a channel that stays, stay', async () => {
        const model = skinnedModel();
        clip(model).channels.push({ sampler: 0, target: { node: 1, path: 'rotation' } });
        model.json.meshes[0].primitives[0].attributes._TIME = MODEL.times;
        const path = fileOf(model);
        const [wave] = fewerKeys(await readGltf(path));
        const { json } = await written(path, [{ ...wave!, channels: wave!.channels.slice(0, 2) }]);
        expect(json.animations[0].samplers).toHaveLength(3);
        expect(json.animations[0].samplers[2]).toEqual({ input: MODEL.times, output: MODEL.rotations });
        expect(json.meshes[0].primitives[0].attributes._TIME).toBe(MODEL.times);
    });

    test('a sampler of several channels stays one if they have the same keys; extras and names stay', async () => {
        const model = skinnedModel();
        const { channels, samplers } = clip(model);
        Object.assign(samplers[0], { extras: { of: 'sampler' }, name: 'turns' });
        Object.assign(channels[0], { extras: { of: 'channel' }, extensions: {} });
        channels[0].target.extras = { of: 'target' };
        channels.push({ sampler: 0, target: { node: 1, path: 'rotation' } });
        const { json } = await reduced(model);
        expect(json.animations[0].samplers).toHaveLength(2);
        expect(json.animations[0].channels.map(({ sampler }: LooseJson) => sampler)).toEqual([0, 1, 0]);
        expect(json.animations[0].samplers[0]).toMatchObject({ extras: { of: 'sampler' }, name: 'turns' });
    });

    test('channels are removed with their samplers and keys; the last one must stay', async () => {
        const path = fileOf(skinnedModel());
        const [wave] = fewerKeys(await readGltf(path));
        const [first, second] = wave!.channels as [ReducedChannel, ReducedChannel];
        const { json } = await written(path, [{ animation: 0, channels: [second], removed: [first.pointer] }]);
        expect(json.animations[0].samplers).toHaveLength(1);
        expect(json.accessors).toHaveLength(MODEL.translations - 1);
        const all = { animation: 0, channels: [], removed: [first.pointer, second.pointer] };
        await expect(writeReduced(openInput(path), [all], { compress: 'none' })).rejects.toThrow('must keep a channel');
    });

    test('other clips stay unchanged; with none to reduce, all stay', async () => {
        const model = twoClips();
        const path = fileOf(model);
        const [wave] = fewerKeys(await readGltf(path));
        const { json } = await written(path, [wave!]);
        expect(json.animations[1]).toEqual(model.json.animations[1]);
        expect((await written(path, [])).json).toEqual(partsOf(path).json);
    });

    test('equal keys are stored once, from any clip', async () => {
        const model = twoClips();
        const { json } = await reduced(model);
        expect(json.animations[1].samplers).toEqual(json.animations[0].samplers);
    });

    test.each<[string, Int8Array | Int16Array | Uint8Array | Uint16Array, number]>([
        ['bytes', Int8Array.of(0, 0, 0, 127), 5120],
        ['unsigned bytes', Uint8Array.of(0, 0, 0, 255), 5121],
        ['shorts', Int16Array.of(0, 0, 0, 32767), 5122],
        ['unsigned shorts', Uint16Array.of(0, 0, 0, 65535), 5123],
    ])('rotations in normalized %s', async (_name, values, componentType) => {
        const path = fileOf(skinnedModel());
        const { pointer } = (await readGltf(path)).animations[0]!.channels[0]!;
        const keys = { path: 'rotation', interpolation: 'LINEAR', times: Float32Array.of(0) } as const;
        const still = { ...keys, pointer, values };
        const { json } = await written(path, [{ animation: 0, channels: [still], removed: [] }]);
        const { output } = json.animations[0].samplers[0];
        expect(json.accessors[output]).toMatchObject({ componentType, normalized: true, count: 1, type: 'VEC4' });
    });

    test('channels by KHR_animation_pointer keep their targets', async () => {
        const model = skinnedModel();
        const extensions = { KHR_animation_pointer: { pointer: '/nodes/2/rotation' } };
        clip(model).channels[0].target = { path: 'pointer', extensions };
        model.json.extensionsUsed = ['KHR_animation_pointer'];
        const { json } = await reduced(model);
        expect(json.animations[0].channels[0].target).toEqual({ path: 'pointer', extensions });
        expect(json.extensionsUsed).toEqual(['KHR_animation_pointer']);
    });
});

describe('numbers', () => {
    /** Keys at the start of the file, so that later data can move. */
    function keysFirst(): GltfBuilder {
        const model = skinnedModel();
        const { accessors, animations, meshes, skins } = model.json;
        accessors.push(...accessors.splice(MODEL.inverseBind, MODEL.times));
        const moved = (index: number) => (index < MODEL.times ? index + 4 : index - 4);
        for (const sampler of animations[0].samplers) {
            Object.assign(sampler, { input: moved(sampler.input), output: moved(sampler.output) });
        }
        skins[0].inverseBindMatrices = moved(MODEL.inverseBind);
        const { attributes } = meshes[0].primitives[0];
        for (const key of Object.keys(attributes)) attributes[key] = moved(attributes[key]);
        return model;
    }

    /** One key at 0 for both channels: four accessors become three. */
    async function stills(path: string, removed: readonly string[] = []): Promise<ReducedAnimation[]> {
        const [wave] = (await readGltf(path)).animations;
        const channels = wave!.channels.map((channel) => {
            const values = channel.values.slice(0, channel.path === 'rotation' ? 4 : 3);
            return fewer({ ...channel, times: Float32Array.of(0), values });
        });
        return [{ animation: 0, channels: channels.filter(({ pointer }) => !removed.includes(pointer)), removed }];
    }

    test('without a hole, no index changes', async () => {
        const model = keysFirst();
        const { json } = await reduced(model);
        expect(json.skins).toEqual(model.json.skins);
        expect(json.meshes).toEqual(model.json.meshes);
    });

    test('holes are closed, and all index references of extensions follow', async () => {
        const model = keysFirst();
        const { json } = model;
        json.meshes[0].primitives[0].targets = [{ POSITION: json.meshes[0].primitives[0].attributes.POSITION }];
        const TRANSLATION = model.accessor(Float32Array.of(1, 2, 3), 'VEC3');
        json.nodes.push({ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION } } } });
        const values = model.view(Uint8Array.of(5, 6, 7, 8), { name: 'metadata' });
        json.extensions = {
            EXT_structural_metadata: { propertyTables: [{ count: 4, properties: { id: { values } } }] },
        };
        json.images = [{ mimeType: 'image/png', bufferView: model.view(Uint8Array.of(0x89, 0x50), { name: 'image' }) }];
        json.extensionsUsed = ['EXT_mesh_gpu_instancing', 'EXT_structural_metadata'];
        const path = fileOf(model);
        const own = await written(path, await stills(path));
        expect(own.json.accessors).toHaveLength(json.accessors.length - 1);
        expect(own.json.skins[0].inverseBindMatrices).toBe(json.skins[0].inverseBindMatrices - 1);
    });

    test('an unknown extension can have any index: none changes, and holes get content', async () => {
        const model = keysFirst();
        const { json } = model;
        json.extensionsUsed = ['ACME_rows'];
        json.nodes[0].extensions = { ACME_rows: { list: json.skins[0].inverseBindMatrices } };
        const path = fileOf(model);
        const own = await written(path, await stills(path));
        expect(own.json.skins).toEqual(json.skins);
        expect(own.json.accessors).toHaveLength(json.accessors.length);
        // An index in it can be that of keys and of their view.
        const view = json.accessors[clip(model).samplers[0].output].bufferView;
        json.nodes[0].extensions.ACME_rows = { list: clip(model).samplers[0].input, view: { of: [view] } };
        const again = fileOf(model);
        const held = await written(again, await stills(again));
        const { input } = clip(model).samplers[0];
        expect(held.json.accessors[input]).toMatchObject({ componentType: 5126, count: 3, type: 'SCALAR' });
        expect(bytesOf(held.json.bufferViews[view], held.bin)).toEqual(bytesOf(json.bufferViews[view], model.bin()));
    });
});

test.each<[string, (json: LooseJson) => LooseJson]>([
    ['the file', (json) => json],
    ['a sampler', (json) => json.animations[0].samplers[0]],
    ['an accessor', (json) => json.accessors[0]],
])('JSON of %s that nests too deeply is rejected', async (_, ownerOf) => {
    const path = join(folder(), 'deep.gltf');
    const model = JSON.parse(Buffer.from(skinnedModel().toGltf()).toString());
    ownerOf(model).extras = 'HERE';
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    writeFileSync(path, JSON.stringify(model).replace('"HERE"', deep));
    const refused = reduceFile(path, { maxError: '1%' });
    await expect(refused).rejects.toMatchObject({ code: 'GLTF_INVALID' });
});

describe('buffers', () => {
    test.each(['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const)(
        '%s: kept data is still compressed',
        async (extension) => {
            const model = skinnedModel();
            const turns = new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]);
            const keys = compressedView(model, turns, { extension, count: 3, stride: 16 });
            model.json.accessors[MODEL.rotations].bufferView = keys;
            const alone = await reduced(model);
            expect(alone.json.extensionsUsed).toBeUndefined();
            expect(alone.json.buffers).toHaveLength(1);

            const binds = new Float32Array([...lift(0), ...lift(-1)]);
            const matrices = compressedView(model, binds, { extension, count: 2, stride: 64 });
            model.json.accessors[MODEL.inverseBind].bufferView = matrices;
            const both = await reduced(model);
            expect(both.json.extensionsRequired).toEqual([extension]);
            expect(both.json.buffers[1]).toEqual(model.json.buffers[1]);
        },
    );

    test('Draco: kept data is still compressed', async () => {
        const { json } = await reduced(dracoModel(encodeVertices(), false));
        expect(json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression).toBeDefined();
    });

    test('a .gltf, its buffers and images, external and embedded: a single GLB', async () => {
        const model = skinnedModel();
        const beside = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1);
        const more = Float32Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2);
        const data = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64');
        model.json.images = [
            { uri: 'a%20picture.png', name: 'beside' },
            { uri: `data:image/jpeg;base64,${data}` },
            { uri: 'missing.png' },
            { uri: 'a%20picture.png' },
        ];
        model.json.buffers[0].name = 'first';
        const buffer = model.json.buffers.push({ uri: 'more.bin', byteLength: 36, extras: { of: 'somebody' } }) - 1;
        const bufferView = model.json.bufferViews.push({ buffer, byteLength: 36 }) - 1;
        model.json.accessors[MODEL.position].bufferView = bufferView;
        model.json.scenes = [{ nodes: [0] }];
        const files = {
            'model.gltf': model.toGltf('first.bin'),
            'first.bin': model.bin(),
            'more.bin': Buffer.from(more.buffer),
            'a picture.png': beside,
        };
        for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder(), name), bytes);
        const path = join(folder(), 'model.gltf');
        const { json, warnings } = await written(path, fewerKeys(await readGltf(path)));
        expect(json.buffers).toEqual([{ name: 'first', byteLength: expect.any(Number) }]);
        expect(warnings).toEqual([
            { code: 'BUFFERS_MERGED', pointer: `/buffers/${buffer}`, message: expect.stringMatching(/: extras$/) },
        ]);
        const bufferViews = json.images.map(({ bufferView: view }: LooseJson) => view);
        expect(json.images).toEqual([
            { name: 'beside', mimeType: 'image/png', bufferView: bufferViews[0] },
            { mimeType: 'image/jpeg', bufferView: bufferViews[1] },
            { uri: 'missing.png' },
            { mimeType: 'image/png', bufferView: bufferViews[0] },
        ]);
    });
});
