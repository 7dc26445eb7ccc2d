// SPDX-License-Identifier: MIT

/** Moving meshes without a skin are columns of the palette, baked and proved like joints. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, type BakeOutput, bakeDocument, bakeFile, writeBake } from '../../lib/bake';
import { bakeScene } from '../../lib/bake/bake';
import { readGltf } from '../../lib/gltf/read';
import { verifyBake } from '../../lib/verify';
import { MODEL, skinnedModel } from '../gltf/support/builder';
import { doorFile, knightFile } from '../support/rigid-files';
import { scratchFolder } from '../support/temporary-folder';
import { numbersOf, rowOf } from './baked-scenes';

const ALL: BakeOptions = { fps: 10, emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root'] };
const folder = scratchFolder();
const knight = () => knightFile(folder());

async function bakeOne(path: string, options: BakeOptions = ALL): Promise<BakeOutput> {
    const { outputs } = await bakeFile(path, options);
    return outputs[0]!;
}

test('each belongs to the skin of the nearest joint above it, others to the first skin; skins of one palette share it', async () => {
    const { outputs, warnings, stats } = await bakeFile(knight(), ALL);
    expect(outputs.map(({ stem, skin }) => [stem, skin])).toEqual([
        ['knight.skin0', 0],
        ['knight.skin2', 2],
    ]);
    expect(outputs.map(({ manifest }) => manifest.skin!.indices)).toEqual([[0, 1], [2]]);
    const sword = { node: 4, name: 'sword', mesh: 0, parent: 1, column: 3 };
    expect(outputs[0]!.manifest.attachments).toEqual([
        { node: 3, name: 'hand', mesh: 0, parent: 1, column: 2 },
        sword,
        { node: 5, name: 'gem', mesh: 0, parent: 3, column: 4 },
        { node: 6, name: 'door', mesh: 0, parent: -1, column: 5 },
        { node: 7, name: 'handle', mesh: 1, parent: 5, column: 6 },
    ]);
    expect(outputs[1]!.manifest.attachments).toEqual([{ node: 10, name: 'ribbon', mesh: 0, parent: 0, column: 2 }]);
    expect(outputs[0]!.manifest.arrays.morph!.meshes.map(({ node, count }) => [node, count])).toEqual([[7, 2]]);
    expect(stats).toMatchObject({ joints: [2, 2], attachments: [5, 1] });
    expect(warnings.filter(({ code }) => code === 'PARTS_NOT_BAKED')).toEqual([
        {
            code: 'PARTS_NOT_BAKED',
            pointer: '',
            message: expect.stringMatching(/1 mesh that nothing moves, 1 animated node /),
        },
    ]);
});

test('verify proves them, also with scale 0, and finds faults', async () => {
    const path = knight();
    const written = await writeBake(await bakeFile(path, ALL), folder());
    for (const { json } of written) {
        expect(await verifyBake(path, json)).toMatchObject({ ok: true, problems: [] });
    }
    const { json, bin } = written[0]!;
    const text = readFileSync(json, 'utf8');
    type Change = (manifest: ReturnType<typeof JSON.parse>) => void;
    const at = '/attachments/2';
    const changes: [Change, unknown][] = [
        [(m) => (m.attachments[2].parent = 1), [`ATTACHMENT_DIFFERS ${at}/parent`]],
        [(m) => (m.attachments[2].mesh = 1), [`ATTACHMENT_DIFFERS ${at}/mesh`]],
        [(m) => (m.attachments[2].name = 'x'), [`ATTACHMENT_DIFFERS ${at}/name`]],
        [(m) => m.attachments.pop(), ['ATTACHMENT_DIFFERS /attachments']],
        [(m) => (m.skin.indices = [0]), ['SKIN_DIFFERS /skin/indices']],
        [(m) => (m.skin = null), ['SKIN_DIFFERS /skin/index']],
        [(m) => (m.recipe.attachments = 'none'), expect.arrayContaining(['ATTACHMENT_DIFFERS /attachments'])],
    ];
    for (const [change, expected] of changes) {
        const manifest = JSON.parse(text);
        change(manifest);
        writeFileSync(json, JSON.stringify(manifest));
        const { ok, problems } = await verifyBake(path, json);
        expect(ok).toBe(false);
        expect(problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(expected);
    }
    writeFileSync(json, text);
    const bytes = readFileSync(bin);
    const { byteOffset, shape } = JSON.parse(text).arrays.palette;
    const float = byteOffset + (2 * shape[1] * 16 + 4 * 16 + 13) * 4; // row 2, y of the gem
    bytes.writeFloatLE(bytes.readFloatLE(float) + 0.01, float);
    writeFileSync(bin, bytes);
    const { worst } = await verifyBake(path, json);
    expect(worst).toMatchObject({ ok: false, array: 'palette', joint: 4, what: "mesh 'gem'", frame: 2 });
});

test('a file without a skin bakes its moving meshes', async () => {
    const path = doorFile(folder());
    const result = await bakeFile(path, ALL);
    const { manifest, stem, skin } = result.outputs[0]!;
    expect([stem, skin, manifest.skin, manifest.attachments.length]).toEqual(['door', null, null, 1]);
    expect(manifest.arrays.hit!.joints).toEqual([0]);
    const [written] = await writeBake(result, folder());
    expect(await verifyBake(path, written!.json)).toMatchObject({ ok: true, problems: [] });
    await expect(bakeFile(path, { space: 'skin-root' })).rejects.toThrow("'skin-root' needs a skin");
    await expect(bakeFile(path, { skin: 0 })).rejects.toThrow('no skin 0, has none');
    await expect(bakeFile(path, { attachments: 'none' })).rejects.toMatchObject({ code: 'NO_SKIN' });
});

test('any skin of a group selects its output, whose bytes do not depend on other outputs', async () => {
    const path = knight();
    const { outputs } = await bakeFile(path, ALL);
    for (const [skin, group] of [0, 0, 1].entries()) {
        const alone = await bakeOne(path, { ...ALL, skin });
        expect(alone.stem).toBe('knight');
        expect(Buffer.from(alone.bin).equals(outputs[group]!.bin)).toBe(true);
    }
});

test("attachments 'none' leaves the columns of joints unchanged", async () => {
    const path = knight();
    const [all, none] = [await bakeOne(path), await bakeOne(path, { ...ALL, attachments: 'none' })];
    expect(none.manifest.recipe.attachments).toBe('none');
    expect(all.manifest.recipe.attachments).toBeUndefined();
    expect(none.manifest.attachments).toEqual([]);
    const rows = none.manifest.arrays.palette!.shape[0]!;
    for (let row = 0; row < rows; row++) {
        expect(rowOf(none, 'palette', row)).toEqual(rowOf(all, 'palette', row).slice(0, 2 * 16));
    }
    // The door is as far away as its size, and the skin does not include it.
    const off = ({ manifest: { clips } }: BakeOutput) =>
        clips.map(({ error, animated }) => [error.maxLerp > 0, animated]);
    const [still, moving] = [
        [false, false],
        [true, true],
    ];
    expect([off(none), off(all)]).toEqual([
        [moving, still],
        [moving, moving],
    ]);
    const sides = (output: BakeOutput) => numbersOf(output, 'bounds').slice(0, 6);
    expect(sides(all)[0]).toBeLessThan(sides(none)[0]! - 3);
});

test('a Document bakes to the same bytes', async () => {
    const path = knight();
    const { WebIO } = await import('@gltf-transform/core');
    const json = JSON.parse(readFileSync(path, 'utf8'));
    const document = await new WebIO().readJSON({ json, resources: {} });
    const [fromDocument] = (await bakeDocument(document, ALL)).outputs;
    const fromFile = await bakeOne(path);
    expect(Buffer.from(fromDocument!.bin).equals(fromFile.bin)).toBe(true);
    expect(fromDocument!.manifest.attachments).toEqual(fromFile.manifest.attachments);
});

test('too many nodes that share a mesh are rejected before its vertices are copied', async () => {
    const scene = await readGltf(knight(), { rigid: true });
    const huge = {
        positions: new Float32Array(3 * 2 ** 20),
        influences: 0,
        joints: new Uint16Array(0),
        weights: new Float32Array(0),
    };
    const rigidMeshes = Array.from({ length: 12 }, () => ({ node: 4, mesh: 0, moves: true, primitives: [huge] }));
    await expect(bakeScene({ ...scene, rigidMeshes })).rejects.toMatchObject({
        code: 'GLTF_INVALID',
        message: expect.stringContaining('the meshes of all attachments have'),
    });
});

test("a vertex without weights follows its skin's first joint, whatever that joint's column", async () => {
    const model = skinnedModel();
    const { json } = model;
    json.nodes[2].children = [json.nodes.push({ name: 'far', mesh: 1, scale: [3, 3, 3] }) - 1];
    json.meshes.push({ primitives: [{ attributes: { POSITION: MODEL.position } }] });
    const { attributes } = json.meshes[0].primitives[0];
    attributes.JOINTS_0 = model.accessor(new Uint8Array([2, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]), 'VEC4');
    attributes.WEIGHTS_0 = model.accessor(new Float32Array([0, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]), 'VEC4');
    const path = join(folder(), 'model.glb');
    writeFileSync(path, model.toGlb());
    const [written] = await writeBake(await bakeFile(path, ALL), folder());
    expect(await verifyBake(path, written!.json)).toMatchObject({ ok: true, problems: [] });
});
