// SPDX-License-Identifier: MIT

/** The transform for glTF-Transform, and its extension for KHR_animation_pointer. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document as Imported } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { Document as Required } from '@gltf-transform/core';
import { bakeAnimations, type ChangeableDocument, loadAnimationPointer } from '../../../lib/bake/dense';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { clip, type GltfBuilder, HALF, type LooseJson, skinnedModel } from '../../gltf/support/builder';
import { frameTimes } from '../../support/frame-times';
import { CHARACTER } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
let number = 0;

// biome-ignore lint/suspicious/noExplicitAny: the types of import and require differ, which does not matter here
async function createIo(): Promise<any> {
    const core = await import('@gltf-transform/core');
    return new core.WebIO().setLogger(new core.Logger(core.Logger.Verbosity.SILENT));
}

async function read(model: GltfBuilder) {
    return (await createIo()).readBinary(model.toGlb());
}

/** The file of a Document. */
async function evaluatorOf(document: LooseJson): Promise<DoubleEvaluator> {
    const path = join(folder(), `${number++}.glb`);
    writeFileSync(path, await (await createIo()).writeBinary(document));
    return DoubleEvaluator.load(path);
}

test('document.transform(bakeAnimations()): each frame keeps its pose', async () => {
    const document = await (await createIo()).readBinary(new Uint8Array(readFileSync(CHARACTER.path)));
    const source = await DoubleEvaluator.load(CHARACTER.path);
    await document.transform(bakeAnimations({ fps: 24 }));
    const baked = await evaluatorOf(document);
    expect(baked.animationCount).toBe(source.animationCount);
    for (let animation = 0; animation < source.animationCount; animation++) {
        const times = frameTimes(source.duration(animation), 24);
        const [own, expected] = [baked, source].map((evaluator) => evaluator.palettes(0, animation, times));
        expect(Math.max(...own!.map((x, i) => Math.abs(x - expected![i]!)))).toBeLessThan(2e-5);
        for (const { sampler } of baked.channelsOf(animation)) {
            expect([1, times.length]).toContain(sampler.times.length);
            expect(sampler.interpolation).not.toBe('CUBICSPLINE');
        }
    }
});

test('the types of glTF-Transform accept it as a transform, by require and by import', () => {
    const transform = bakeAnimations();
    const transforms: [(document: Required) => void, (document: Imported) => void] = [transform, transform];
    expect(transforms).toHaveLength(2);
});

test('other clips, meshes, skins and nodes stay unchanged', async () => {
    const model = skinnedModel();
    model.json.animations.push({ ...structuredClone(clip(model)), name: 'other' });
    const document = await read(model);
    const root = document.getRoot();
    const [wave, other] = root.listAnimations();
    const before = other.listSamplers();
    const [mesh, skin, nodes] = [root.listMeshes()[0], root.listSkins()[0], root.listNodes()];
    await document.transform(bakeAnimations({ clips: ['wave'], fps: 10 }));
    expect(other.listSamplers()).toEqual(before);
    expect(other.listSamplers()[0].getInput().getCount()).toBe(3);
    expect(wave.listSamplers()[0].getInput().getCount()).toBe(11);
    expect([root.listMeshes()[0], root.listSkins()[0]]).toEqual([mesh, skin]);
    expect(root.listNodes()).toEqual(nodes);
});

test('a Document without clips stays unchanged', async () => {
    const model = skinnedModel();
    model.json.animations = [];
    const document = await read(model);
    await document.transform(bakeAnimations());
    expect(document.getRoot().listAnimations()).toEqual([]);
});

test.each<[LooseJson, string]>([
    [null, 'ERR_ARGUMENT_TYPE'],
    [{ fps: true }, 'ERR_ARGUMENT_TYPE'],
    [{ fps: 'auto' }, 'USAGE'],
    [{ from: 2, to: 1 }, 'USAGE'],
    [{ emit: ['glb'] }, 'USAGE'],
])('options are checked at once: %j', (options, code) => {
    expect(() => bakeAnimations(options)).toThrow(expect.objectContaining({ code }));
});

test('faults that depend on the Document', async () => {
    const run = (options: LooseJson) => async () => (await read(skinnedModel())).transform(bakeAnimations(options));
    await expect(run({ clips: ['no such clip'] })()).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run({ from: 5 })()).rejects.toMatchObject({ code: 'USAGE' });
    expect(() => bakeAnimations()(7 as unknown as ChangeableDocument)).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT_TYPE' }),
    );
});

describe('KHR_animation_pointer', () => {
    const pointing = (pointer: string) => ({ path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } });

    function pointerModel(): GltfBuilder {
        const model = skinnedModel();
        const shorts = Int16Array.from([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0], (x) => Math.round(x * 32767));
        const { channels, samplers } = clip(model);
        samplers[0].output = model.accessor(shorts, 'VEC4', { normalized: true });
        samplers[1].output = model.accessor(Int8Array.from([0, 0, 0, 0, 0, 2, 0, 0]), 'VEC3', { count: 2 });
        model.json.bufferViews[model.json.accessors[samplers[1].output].bufferView].byteStride = 4;
        model.json.accessors[samplers[1].output].count = 2;
        channels[0].target = pointing('/nodes/2/rotation');
        channels[1].target = pointing('/nodes/1/translation');
        channels.push(
            { sampler: 1, target: pointing('/nodes/99/scale') },
            { sampler: 1, target: pointing('/materials/0/emissiveFactor') },
        );
        model.json.extensionsUsed = model.json.extensionsRequired = ['KHR_animation_pointer'];
        return model;
    }

    test('channels of nodes become ordinary ones; others give a warning', async () => {
        const ignored: string[][] = [];
        const extension = await loadAnimationPointer({ onIgnored: (...told) => ignored.push(told) });
        const io = (await createIo()).registerExtensions([extension]);
        const document = await io.readBinary(pointerModel().toGlb());
        expect(ignored).toEqual([
            ['/animations/0/channels/2', '/nodes/99/scale'],
            ['/animations/0/channels/3', '/materials/0/emissiveFactor'],
        ]);
        expect(document.getRoot().listExtensionsUsed()).toEqual([]);
        const plain = await evaluatorOf(document);
        expect(plain.channelsOf(0).map(({ node, path }) => [node, path])).toEqual([
            [2, 'rotation'],
            [1, 'translation'],
        ]);
        expect(plain.file.json.accessors!.every(({ componentType }) => componentType !== 5120)).toBe(true);
        const path = join(folder(), 'pointer.glb');
        const valid = pointerModel();
        clip(valid).channels.splice(2, 1);
        writeFileSync(path, valid.toGlb());
        const source = await DoubleEvaluator.load(path);
        await document.transform(bakeAnimations({ fps: 10 }));
        const baked = await evaluatorOf(document);
        for (const time of frameTimes(1, 10)) {
            const expected = source.palette(0, 0, time);
            for (const evaluator of [plain, baked]) {
                const own = evaluator.palette(0, 0, time);
                expect(Math.max(...own.map((x, i) => Math.abs(x - expected[i]!)))).toBeLessThan(2e-6);
            }
        }
    });

    test('a file without the extension is read as before', async () => {
        const io = (await createIo()).registerExtensions([await loadAnimationPointer()]);
        const document = await io.readBinary(skinnedModel().toGlb());
        expect(document.getRoot().listAnimations()[0].listChannels()).toHaveLength(2);
    });
});
