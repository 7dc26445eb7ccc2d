// SPDX-License-Identifier: MIT

/** Documents of glTF-Transform with reduced keys: they have these keys, and nothing else changes. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGltf } from '../../../lib/gltf/read';
import type { GltfScene } from '../../../lib/gltf/scene';
import { reduceAnimations, reduceDocument } from '../../../lib/reduce/reduce-document';
import type { ReducedAnimation } from '../../../lib/reduce/types';
import { applyReduced } from '../../../lib/reduce/write/document';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { clip, type GltfBuilder, type LooseJson, skinnedModel } from '../../gltf/support/builder';
import { CHARACTER } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { everythingElse } from '../support/everything-else';
import { decoded, fewerKeys } from '../support/fewer-keys';

// The choice of keys is not tested here.
jest.mock('../../../lib/reduce/options', () => ({
    reduceRecipeOf: (_: string, options: object) => ({ compress: 'none', ...options }),
}));
jest.mock(
    '../../../lib/reduce/reduce-scene',
    () => ({
        reduceScene: async (scene: GltfScene) => {
            const { fewerKeys: fewer } = jest.requireActual('../support/fewer-keys');
            return { animations: fewer(scene), clips: [], extent: 1, maxError: 0.001 };
        },
    }),
    { virtual: true },
);

const folder = scratchFolder();
let number = 0;

// biome-ignore lint/suspicious/noExplicitAny: the types of import and require differ, which does not matter here
async function createIo(): Promise<any> {
    const core = await import('@gltf-transform/core');
    return new core.WebIO().setLogger(new core.Logger(core.Logger.Verbosity.SILENT));
}

async function fileOf(document: LooseJson): Promise<string> {
    const path = join(folder(), `${number++}.glb`);
    writeFileSync(path, await (await createIo()).writeBinary(document));
    return path;
}

async function documentOf(bytes: Uint8Array) {
    return (await createIo()).readBinary(new Uint8Array(bytes));
}

async function sceneOf(model: GltfBuilder): Promise<GltfScene> {
    const path = join(folder(), `${number++}.glb`);
    writeFileSync(path, model.toGlb());
    return readGltf(path);
}

async function expectKeys(path: string, animations: readonly ReducedAnimation[]): Promise<void> {
    const evaluator = await DoubleEvaluator.load(path);
    for (const { animation, channels } of animations) {
        for (const [i, channel] of channels.entries()) {
            const { sampler } = evaluator.channelsOf(animation)[i]!;
            expect(sampler.interpolation).toBe(channel.interpolation);
            expect(Float32Array.from(sampler.times)).toEqual(channel.times);
            expect(Float32Array.from(sampler.values)).toEqual(Float32Array.from(decoded(channel)));
        }
    }
}

test.each([false, true])('a Document has the keys, and its other content; integers: %p', async (integers) => {
    const document = await documentOf(readFileSync(CHARACTER.path));
    const before = await fileOf(document);
    const animations = fewerKeys(await readGltf(CHARACTER.path), integers);
    applyReduced(document, animations);
    const path = await fileOf(document);
    await expectKeys(path, animations);
    const keys = new Set(animations.flatMap(({ channels }) => channels.map(({ pointer }) => pointer)));
    expect(everythingElse(path, keys)).toEqual(everythingElse(before, keys));
});

test('equal lists are one accessor, in all clips; unused ones are removed', async () => {
    const model = skinnedModel();
    model.json.animations.push({ ...structuredClone(clip(model)), name: 'other' });
    const document = await documentOf(model.toGlb());
    const count = document.getRoot().listAccessors().length;
    applyReduced(document, fewerKeys(await sceneOf(model)));
    const [wave, other] = document.getRoot().listAnimations();
    for (const [i, sampler] of wave.listSamplers().entries()) {
        expect(other.listSamplers()[i].getInput()).toBe(sampler.getInput());
        expect(other.listSamplers()[i].getOutput()).toBe(sampler.getOutput());
    }
    expect(document.getRoot().listAccessors()).toHaveLength(count);
});

test('other clips and extras stay; removed channels disappear, but the last one must stay', async () => {
    const model = skinnedModel();
    clip(model).samplers[1].extras = { of: 'sampler' };
    clip(model).channels[1].extras = { of: 'channel' };
    model.json.animations.push({ ...structuredClone(clip(model)), name: 'other' });
    const document = await documentOf(model.toGlb());
    const [wave, other] = document.getRoot().listAnimations();
    const samplers = other.listSamplers();
    const [reduced] = fewerKeys(await sceneOf(model));
    const [first, second] = reduced!.channels;
    applyReduced(document, [{ animation: 0, channels: [second!], removed: [first!.pointer] }]);
    expect(wave.listChannels().map((channel: LooseJson) => channel.getTargetPath())).toEqual(['translation']);
    expect(wave.listChannels()[0].getExtras()).toEqual({ of: 'channel' });
    expect(wave.listSamplers().map((sampler: LooseJson) => sampler.getExtras())).toEqual([{ of: 'sampler' }]);
    expect(other.listSamplers()).toEqual(samplers);
    expect(samplers[0].getOutput().getCount()).toBe(3);
    const pointer = '/animations/0/channels/0';
    const all = { animation: 0, channels: [], removed: [pointer] };
    expect(() => applyReduced(document, [all])).toThrow('must keep a channel');
});

test('document.transform(reduceAnimations()) and reduceDocument() write the chosen keys to it', async () => {
    const animations = fewerKeys(await readGltf(CHARACTER.path));
    const documents = [0, 1].map(() => documentOf(readFileSync(CHARACTER.path)));
    const [transformed, reduced] = await Promise.all(documents);
    await transformed.transform(reduceAnimations());
    await expectKeys(await fileOf(transformed), animations);
    expect(await reduceDocument(reduced)).toEqual({ clips: [], extent: 1, maxError: 0.001 });
    await expectKeys(await fileOf(reduced), animations);
});

test('rejects other values than Documents, and options that are only for files', async () => {
    await expect(reduceDocument(7 as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    expect(() => reduceAnimations({ compress: 'meshopt' })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
