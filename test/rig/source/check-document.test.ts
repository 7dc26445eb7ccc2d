// SPDX-License-Identifier: MIT

/** All functions that take Documents reject other values with a special error; messages name only files that exist. */

import { Document } from '@gltf-transform/core';
import { bakeDocument } from '../../../lib/bake';
import { bakeAnimations } from '../../../lib/bake/dense';
import { Rig as BrowserRig } from '../../../lib/browser/rig';
import { Rig } from '../../../lib/rig/rig';

type Taker = (document: never) => unknown;

const TAKERS: [string, Taker][] = [
    ['Rig.fromDocument', (document) => Rig.fromDocument(document)],
    ['Rig.fromDocument', (document) => BrowserRig.fromDocument(document)],
    ['bakeDocument', (document) => bakeDocument(document)],
    ['bakeAnimations', (document) => bakeAnimations()(document)],
];

const lists = { listNodes: () => [], listMeshes: () => [], listSkins: () => [], listAnimations: () => [] };
const withRoot = (root: unknown) => ({
    getRoot: () => root,
    createBuffer() {},
    createAccessor() {},
    createAnimationSampler() {},
});

describe.each(TAKERS)('%s', (routine, take) => {
    test.each<[unknown, string]>([
        [undefined, 'got undefined'],
        [null, 'got null'],
        ['hero.glb', 'got "hero.glb"'],
        [[], 'got an Array'],
        [{}, 'got an object'],
        [{ getRoot: 3 }, 'got an object'],
        [withRoot(undefined), 'its root has no listNodes()'],
        [withRoot({}), 'its root has no listNodes()'],
        [withRoot({ ...lists, listSkins: 7 }), 'its root has no listSkins()'],
        [withRoot({ ...lists, listMeshes: () => null }), 'listMeshes() of its root gives null, not a list'],
        [withRoot({ ...lists, listNodes: () => [{}] }), 'listNodes()[0] of its root has no getName()'],
        [withRoot({ ...lists, listAnimations: () => [null] }), 'listAnimations()[0] of its root has no getName()'],
    ])('rejects %p', async (document, what) => {
        const start = `${routine}: document must be a glTF-Transform Document`;
        await expect((async () => take(document as never))()).rejects.toMatchObject({
            name: 'TypeError',
            code: 'ERR_ARGUMENT_TYPE',
            message: expect.stringMatching(new RegExp(`^${start}.*${what.replace(/[()[\]]/g, '\\$&')}$`)),
        });
    });
});

test('bakeAnimations: values that can be read but not changed', () => {
    const document = { getRoot: () => lists };
    expect(() => bakeAnimations()(document as never)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT_TYPE' }));
    expect(Rig.fromDocument(document).slots).toEqual([]);
});

/** A skinned moving bone, with one key too many in its times. */
function faulty(times = [0, 1, 2]): Document {
    const document = new Document();
    const bone = document.createNode('bone');
    document.createSkin('skin').addJoint(bone);
    const floats = (type: 'SCALAR' | 'VEC3', numbers: number[]) =>
        document.createAccessor().setType(type).setArray(Float32Array.from(numbers));
    const sampler = document.createAnimationSampler().setInput(floats('SCALAR', times));
    sampler.setOutput(floats('VEC3', [0, 0, 0, 0, 1, 0]));
    const channel = document.createAnimationChannel().setTargetNode(bone).setTargetPath('translation');
    document.createAnimation('rise').addSampler(sampler).addChannel(channel.setSampler(sampler));
    return document;
}

describe('a Document in memory has no file, and messages name none', () => {
    test.each(TAKERS)('%s: content that no file may have', async (_, take) => {
        await expect((async () => take(faulty() as never))()).rejects.toMatchObject({
            code: 'GLTF_INVALID',
            file: '',
            pointer: '/animations/0/channels/0/values',
            message: expect.stringMatching(/^the Document at \/animations\/0\/channels\/0\/values: has 6 numbers/),
        });
    });

    test.each(TAKERS)('%s: a rotation of five numbers', async (_, take) => {
        const document = faulty([0, 1]);
        const [bone] = document.getRoot().listNodes();
        bone!.setRotation([0, 0, 0, 1, 0] as never);
        await expect((async () => take(document as never))()).rejects.toMatchObject({
            code: 'GLTF_INVALID',
            message: 'the Document at /nodes/0/rotation: has 5 numbers, must have 4',
        });
    });

    test('missing things', async () => {
        await expect(bakeDocument(new Document())).rejects.toMatchObject({
            file: '',
            message: 'the Document at /skins: there is nothing to bake: no skin, and no mesh that joints or clips move',
        });
    });

    test.each([
        [{ clips: ['jump'] }, "the Document: no clip 'jump', has 'rise'"],
        [{ clips: ['#1'] }, 'the Document: no clip #1, has only #0'],
        [{ from: 5 }, "the Document: clip #0 'rise' ends at 1 s"],
    ])('%j', async (options, message) => {
        const expected = { name: 'UsageError', message: expect.stringContaining(message) };
        await expect(bakeDocument(faulty([0, 1]), options)).rejects.toMatchObject(expected);
        await expect((async () => bakeAnimations(options)(faulty([0, 1])))()).rejects.toMatchObject(expected);
    });

    test('a Document with a name is reported as that file', async () => {
        await expect(bakeDocument(faulty(), {}, { name: 'models/hero.glb' })).rejects.toMatchObject({
            file: 'models/hero.glb',
            message: expect.stringMatching(/^models\/hero\.glb#\/animations\/0/),
        });
        await expect(bakeDocument(new Document(), {}, { name: 'hero.glb' })).rejects.toMatchObject({
            message: 'hero.glb#/skins: there is nothing to bake: no skin, and no mesh that joints or clips move',
        });
    });
});
