// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Animation, Document, WebIO } from '@gltf-transform/core';
import { bakeDocument, bakeFile } from '../../lib/bake';
import { CHARACTER, describeModel, FOX, RIGGED_FIGURE, SIMPLE_SKIN } from '../support/models';

const ALL = ['palette', 'hit', 'local', 'bounds', 'root'] as const;

/** Reads a file and its buffers. (NodeIO needs ES modules, which jest does not support.) */
async function read(path: string): Promise<Document> {
    const bytes = readFileSync(path);
    if (path.endsWith('.glb')) return new WebIO().readBinary(new Uint8Array(bytes));
    const json = JSON.parse(bytes.toString());
    const uris: string[] = [...(json.buffers ?? []), ...(json.images ?? [])].flatMap(({ uri }) => uri ?? []);
    const beside = uris.filter((uri) => !uri.startsWith('data:'));
    const resources = beside.map((uri) => [uri, new Uint8Array(readFileSync(join(dirname(path), uri)))]);
    return new WebIO().readJSON({ json, resources: Object.fromEntries(resources) });
}

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, SIMPLE_SKIN]) {
    describeModel(model, () => {
        test('a Document gives the bake of its file, except the checksum of the source', async () => {
            const name = model.path.split('/').at(-1)!;
            const document = await read(model.path);
            const options = { fps: 24, emit: ALL };
            const [fromDocument, fromFile] = [
                await bakeDocument(document, options, { name }),
                await bakeFile(model.path, options),
            ];
            expect(fromDocument.outputs.map(({ stem }) => stem)).toEqual(fromFile.outputs.map(({ stem }) => stem));
            for (const [i, { manifest, bin }] of fromDocument.outputs.entries()) {
                const file = fromFile.outputs[i]!.manifest;
                // A Document decomposes the matrices of its nodes.
                if (model !== RIGGED_FIGURE) {
                    expect(Buffer.compare(bin, fromFile.outputs[i]!.bin)).toBe(0);
                    expect({ ...manifest, source: 0, warnings: 0 }).toEqual({ ...file, source: 0, warnings: 0 });
                }
                expect(manifest.source.name).toBe(name);
                expect(manifest.source.sha256).toMatch(/^[0-9a-f]{64}$/);
                expect(new Set(manifest.warnings.map(({ code }) => code))).toEqual(
                    new Set(file.warnings.map(({ code }) => code)),
                );
            }
        });
    });
}

/** Moves the only node. */
function addChannel(
    document: Document,
    animation: Animation,
    path: 'translation' | 'rotation',
    times: number[],
    values: number[],
): void {
    const floats = (type: 'SCALAR' | 'VEC3' | 'VEC4', numbers: number[]) =>
        document.createAccessor().setType(type).setArray(Float32Array.from(numbers));
    const output = floats(path === 'rotation' ? 'VEC4' : 'VEC3', values);
    const sampler = document.createAnimationSampler().setInput(floats('SCALAR', times)).setOutput(output);
    const node = document.getRoot().listNodes()[0]!;
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
}

function small(height = 1): Document {
    const document = new Document();
    const node = document.createNode('bone');
    document.createScene().addChild(node);
    document.createSkin('skin').addJoint(node);
    addChannel(document, document.createAnimation('rise'), 'translation', [0, 1], [0, 0, 0, 0, height, 0]);
    return document;
}

test('a Document without a file is baked with the name document, or its own', async () => {
    const [output] = (await bakeDocument(small(), { fps: 2 })).outputs;
    expect(output!.stem).toBe('document');
    expect(output!.manifest.source.name).toBe('document.glb');
    const palette = new Float32Array(output!.bin.buffer);
    expect([0, 1, 2].map((row) => palette[row * 16 + 13])).toEqual([0, 0.5, 1]);
    const [named] = (await bakeDocument(small(), { fps: 2 }, { name: 'folder/hero.v2.gltf' })).outputs;
    expect(named!.stem).toBe('hero.v2');
});

test('the checksum is that of the content', async () => {
    const shaOf = async (document: Document) => (await bakeDocument(document)).outputs[0]!.manifest.source.sha256;
    expect(await shaOf(small())).toBe(await shaOf(small()));
    expect(await shaOf(small(2))).not.toBe(await shaOf(small()));
});

test('keys at one time and invalid rotations give warnings', async () => {
    const document = small();
    const [animation] = document.getRoot().listAnimations();
    addChannel(document, animation!, 'rotation', [0, 1, 1], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
    const { warnings } = await bakeDocument(document);
    const pointer = '/animations/0/channels/1';
    expect(warnings).toMatchObject([
        { code: 'DUPLICATE_KEY_TIMES', pointer },
        { code: 'NON_UNIT_ROTATION', pointer },
    ]);
    expect((await bakeDocument(document, { renormalize: true })).warnings.map(({ code }) => code)).toEqual([
        'DUPLICATE_KEY_TIMES',
    ]);
    await expect(bakeDocument(document, { strict: true })).rejects.toMatchObject({ code: 'DUPLICATE_KEY_TIMES' });
});

test('options are checked before the Document is read', async () => {
    const getRoot = jest.fn();
    for (const [options, hooks] of [
        [{ fps: 0 }, {}],
        [{ emit: ['glb'] }, {}],
        [{ clips: [] }, {}],
        [{ skin: -1 }, {}],
        [{}, { onProgress: 3 }],
        [{}, { signal: AbortSignal.abort() }],
    ]) {
        await expect(bakeDocument({ getRoot }, options as never, hooks as never)).rejects.toThrow();
    }
    expect(getRoot).not.toHaveBeenCalled();
});

test('arguments of wrong types, invalid options, an abort', async () => {
    const refused: [unknown, object, object, object][] = [
        ['hero.glb', {}, {}, { code: 'ERR_ARGUMENT_TYPE' }],
        [null, {}, {}, { code: 'ERR_ARGUMENT_TYPE' }],
        [small(), {}, { name: '' }, { code: 'ERR_ARGUMENT_TYPE' }],
        [small(), {}, { signal: 1 }, { message: 'bakeDocument: signal must be an AbortSignal, got 1' }],
        [small(), { fps: 'x' }, {}, { name: 'UsageError' }],
        [small(), { skin: '0' }, {}, { message: expect.stringMatching(/^bakeDocument: options\.skin must be/) }],
    ];
    for (const [document, options, hooks, error] of refused) {
        await expect(bakeDocument(document as never, options, hooks)).rejects.toMatchObject(error);
    }
    await expect(bakeDocument(new Document())).rejects.toMatchObject({ code: 'NO_SKIN' });
    const reason = new Error('enough');
    await expect(bakeDocument(small(), {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('invalid names of an unchecked Document are empty', async () => {
    let nested: unknown = 'name';
    for (let i = 0; i < 20_000; i++) nested = [nested];
    const document = small();
    const root = document.getRoot();
    for (const named of [...root.listNodes(), ...root.listSkins(), ...root.listAnimations()]) {
        named.setName(nested as string);
    }
    const { outputs } = await bakeDocument(document, { emit: ['palette', 'local'] });
    const { skin, clips } = outputs[0]!.manifest;
    expect([skin!.joints[0]!.name, clips[0]!.name]).toEqual(['', '']);
});
