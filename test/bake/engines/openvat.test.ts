// SPDX-License-Identifier: MIT

/** `emit: 'openvat'`, read by other decoders: every vertex is within the stated error of double precision. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transform } from '@gltf-transform/extensions';
import { type BakeOptions, bakeFile } from '../../../lib/bake';
import type { ManifestClip } from '../../../lib/format/manifest';
import { type GltfBuilder, skinnedModel } from '../../gltf/support/builder';
import { CHARACTER } from '../../support/models';
import { compareFolder, decode, readFolder } from '../../support/openvat';
import { scratchFolder } from '../../support/temporary-folder';
import { wholeScene } from '../../support/whole-scene';

const folder = scratchFolder();

function written(model: GltfBuilder, name = 'model.glb'): string {
    const path = join(folder(), name);
    writeFileSync(path, model.toGlb());
    return path;
}

async function bakeVat(path: string, options: BakeOptions = {}) {
    const { files, outputs, warnings } = await bakeFile(path, { emit: ['openvat'], fps: 10, ...options });
    return { ...(await readFolder(files)), glb: files[0]!.bytes, outputs, codes: warnings.map(({ code }) => code) };
}

test('skins, parts, morph targets, mirrored parts, scale 0: all vertices and normals within the stated error', async () => {
    const path = written(wholeScene(), 'whole.glb');
    for (const options of [{}, { openvat: 'png' }, { fps: 'auto', maxError: '0.05%' }] as BakeOptions[]) {
        const vat = await bakeVat(path, options);
        const { error, extent } = vat.info.poselane;
        const { worst, cosine, frames, vertices } = await compareFolder(path, vat);
        expect(worst).toBeLessThanOrEqual(error.frames);
        // The stated error is close to the actual one.
        expect(worst + 2e-5 * extent).toBeGreaterThan(error.frames / 4);
        expect(cosine).toBeGreaterThan(1 - 1e-5);
        expect([frames, vertices]).toEqual([vat.info['os-remap'].Frames, 24 * 10]);
        expect(vat.texture.height).toBe(2 * frames);
    }
});

test('one mesh with the materials, without skins and clips', async () => {
    const { document, names, glb, outputs } = await bakeVat(written(wholeScene(), 'whole.glb'));
    expect(names).toEqual(['whole_vat/whole.glb', 'whole_vat/whole_vat.exr', 'whole_vat/whole-remap_info.json']);
    expect(outputs).toEqual([]);
    const root = document.getRoot();
    expect([root.listMeshes(), root.listNodes(), root.listScenes()].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect([root.listSkins(), root.listAnimations()]).toEqual([[], []]);
    const source = wholeScene().json.materials.map((one: { pbrMetallicRoughness: { baseColorFactor: number[] } }) =>
        one.pbrMetallicRoughness.baseColorFactor.slice(0, 3),
    );
    const primitives = root.listMeshes()[0]!.listPrimitives();
    // The floor does not move.
    expect(primitives.map((one) => one.getMaterial()!.getBaseColorFactor().slice(0, 3))).toEqual(source.slice(0, 3));
    const { issues } = await require('gltf-validator').validateBytes(new Uint8Array(glb));
    // The validator does not know the shader's texture coordinates.
    expect(issues.messages.filter(({ code }: { code: string }) => code !== 'UNUSED_OBJECT')).toEqual([]);
});

test('further texture coordinates get the next number, also in KHR_texture_transform', async () => {
    const model = wholeScene();
    const uri = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;
    model.json.images = [{ uri }];
    model.json.textures = [{ source: 0 }];
    model.json.extensionsUsed = ['KHR_texture_transform'];
    const { attributes } = model.json.meshes[0].primitives[0];
    const { count } = model.json.accessors[attributes.POSITION];
    for (const set of [0, 1, 2]) {
        const uvs = new Float32Array(count * 2).fill(set / 4);
        attributes[`TEXCOORD_${set}`] = model.accessor(uvs, 'VEC2');
    }
    const extensions = { KHR_texture_transform: { texCoord: 2 } };
    model.json.materials[0].emissiveTexture = { index: 0, texCoord: 1, extensions };
    const scaled = { KHR_texture_transform: { scale: [2, 2] } };
    model.json.materials[0].occlusionTexture = { index: 0, texCoord: 2, extensions: scaled };
    const { document } = await bakeVat(written(model));
    const primitive = document.getRoot().listMeshes()[0]!.listPrimitives()[0]!;
    const info = primitive.getMaterial()!.getEmissiveTextureInfo()!;
    const transform = info.getExtension<Transform>('KHR_texture_transform')!;
    const valuesOf = (set: number | null) => primitive.getAttribute(`TEXCOORD_${set}`)!.getElement(0, []);
    expect(valuesOf(info.getTexCoord())).toEqual([0.25, 0.25]);
    expect(valuesOf(transform.getTexCoord())).toEqual([0.5, 0.5]);
    expect([info.getTexCoord(), transform.getTexCoord()]).toEqual([2, 3]);
    const other = primitive.getMaterial()!.getOcclusionTextureInfo()!;
    expect([other.getTexCoord(), other.getExtension<Transform>('KHR_texture_transform')!.getTexCoord()]).toEqual([
        3,
        null,
    ]);
});

test('clips: whole frames from 1, a last frame that closes a loop, rates, repeated names', async () => {
    const model = wholeScene();
    model.json.animations[0].name = 'Same';
    model.json.animations[1].name = 'Same';
    const { info } = await bakeVat(written(model), { fps: 10 });
    const { loop } = (await bakeFile(written(model), { fps: 10 })).outputs[0]!.manifest.clips[0]!;
    expect(info.animations).toEqual({
        Same: { startFrame: 1, endFrame: 11, framerate: 10, looping: loop },
        'Same 2': { startFrame: 12, endFrame: 22, framerate: 10, looping: expect.any(Boolean) },
    });
    const character = await bakeVat(CHARACTER.path, { clips: ['Walk'] });
    const { startFrame, endFrame, looping } = character.info.animations.Walk;
    expect([startFrame, looping]).toEqual([1, true]);
    const [first, last] = [decode(character, 0), decode(character, endFrame - 1)].map(({ positions }) =>
        positions.flat(),
    );
    expect(Math.max(...first!.map((x, i) => Math.abs(x - last![i]!)))).toBeLessThan(
        3 * character.info.poselane.error.frames,
    );
});

test('by default the errors of rate and rounding add up to less than 1%', async () => {
    const { info } = await bakeVat(CHARACTER.path, { fps: 'auto' });
    const { error, extent } = info.poselane;
    expect(error.between).toBeLessThanOrEqual(0.01 * extent);
    expect(error.between).toBeGreaterThan(error.frames);
});

test('between frames, the errors of matrices and morph weights add up; the rate keeps their sum within the bound', async () => {
    const model = wholeScene();
    const [bend] = model.json.animations;
    // Keys of weights that no frame meets.
    const times = model.accessor(new Float32Array([0, 0.27, 1]), 'SCALAR', { min: [0], max: [1] });
    for (const { sampler, target } of bend.channels)
        if (target.path === 'weights') bend.samplers[sampler].input = times;
    const path = written(model, 'both.glb');
    const options = { clips: ['bend'], fps: 'auto', minFps: 1, maxError: 0.01 } as const;
    const { files, outputs } = await bakeFile(path, { emit: ['openvat', 'palette'], ...options });
    const [{ error }] = outputs[0]!.manifest.clips as [ManifestClip];
    const { frames, between } = (await readFolder(files)).info.poselane.error;
    expect(Math.min(error.maxLerp, error.maxMorph!)).toBeGreaterThan(0.001);
    expect(between).toBeCloseTo(error.maxLerp + error.maxMorph! + frames, 12);
    expect(between).toBeLessThanOrEqual(0.01);
});

/** A strip of triangles with `count` different vertices. */
function manyVertices(count: number): GltfBuilder {
    const model = skinnedModel();
    const positions = Float32Array.from({ length: count * 3 }, (_, i) =>
        i % 3 === 0 ? i / 3e4 : i % 3 === 1 ? (i % 2) / 9 : 0,
    );
    const joints = new Uint8Array(count * 4);
    const weights = Float32Array.from({ length: count * 4 }, (_, i) => (i % 4 === 0 ? 1 : 0));
    model.json.meshes[0].primitives[0] = {
        mode: 5,
        attributes: {
            POSITION: model.accessor(positions, 'VEC3'),
            JOINTS_0: model.accessor(joints, 'VEC4'),
            WEIGHTS_0: model.accessor(weights, 'VEC4'),
        },
    };
    return model;
}

test('8,191 vertices fit in a line; more get further lines, up to 4,095 frames', async () => {
    const one = await bakeVat(written(manyVertices(8191)));
    expect([one.texture.width, one.texture.height]).toEqual([8191, 22]);
    const path = written(manyVertices(8192));
    const two = await bakeVat(path);
    expect([two.texture.width, two.texture.height]).toEqual([4096, 44]);
    expect((await compareFolder(path, two)).worst).toBeLessThanOrEqual(two.info.poselane.error.frames);
    await expect(bakeVat(path, { fps: 2047 })).rejects.toMatchObject({
        name: 'InputError',
        code: 'OUTPUT_TOO_LARGE',
        message: expect.stringMatching(/8192 different vertices x 2048 frames.*2047 frames of 8192 vertices/),
    });
});

test('equal vertices share a column', async () => {
    const model = manyVertices(300);
    const primitive = model.json.meshes[0].primitives[0];
    model.json.materials = [{}, {}];
    model.json.meshes[0].primitives = [primitive, { ...primitive, material: 1 }];
    const { texture, document } = await bakeVat(written(model));
    expect(texture.width).toBe(300);
    const [mesh] = document.getRoot().listMeshes();
    expect(mesh!.listPrimitives().map((one) => one.getAttribute('POSITION')!.getCount())).toEqual([300, 300]);
});

test('floats if half floats are too coarse; an error if floats are, too, or the rate is too low', async () => {
    const path = written(wholeScene(), 'whole.glb');
    const sizes: number[] = [];
    for (const maxError of ['1%', '0.05%']) {
        const { files } = await bakeFile(path, { emit: ['openvat'], maxError });
        // The type of the first channel: 1 is half float, 2 float.
        sizes.push(Buffer.from(files[1]!.bytes).readInt32LE(8 + 'channels\0chlist\0'.length + 4 + 'B\0'.length));
    }
    expect(sizes).toEqual([1, 2]);
    const low = bakeFile(path, { emit: ['openvat'], fps: 3, maxError: '0.1%' });
    await expect(low).rejects.toThrow(/off by up to .* between frames, more than the .* of maxError: leave out fps/);
    const coarse = bakeFile(path, { emit: ['openvat'], openvat: 'png', fps: 10, maxError: 1e-6 });
    await expect(coarse).rejects.toThrow(
        /offsets are off by .*, more than the .* of maxError for rounding: exr is finer/,
    );
});

test.each<[BakeOptions, RegExp]>([
    [{ emit: ['palette'], openvat: 'png' }, /openvat has no effect without emit 'openvat'/],
    [{ emit: ['openvat'], godot: '3' }, /godot has no effect without emit 'godot'/],
    [{ emit: ['openvat'], space: 'skin-root' }, /emit 'openvat' needs 'scene'/],
    [{ emit: ['godot'], end: 'clamp' }, /emit 'godot' needs 'fit'/],
    [
        { emit: ['palette', 'openvat'], layout: 'qts16' },
        /layout is 'qts16', but emit 'openvat' needs rows that are mixed/,
    ],
    [{ emit: ['palette', 'godot'], layout: 'qts16' }, /layout is 'qts16', but emit 'godot' needs rows that are mixed/],
    [{ emit: ['openvat'], root: 'extract' }, /emit 'openvat' needs 'keep'/],
])('%j is rejected', async (options, message) => {
    await expect(bakeFile(CHARACTER.path, options)).rejects.toThrow(message);
});

test('a file without moving triangles has no folder', async () => {
    const model = skinnedModel();
    model.json.meshes[0].primitives[0].mode = 0;
    await expect(bakeVat(written(model))).rejects.toMatchObject({ code: 'NO_MESH' });
});
