// SPDX-License-Identifier: MIT

/** `emit: 'pvat'`: compares every vertex of every row with double precision, and PlayCanvas's reader with ours. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, WebIO } from '@gltf-transform/core';
import { KHRTextureTransform } from '@gltf-transform/extensions';
import { type BakeOptions, bakeDocument, bakeFile } from '../../../lib/bake';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { skinnedModel } from '../../gltf/support/builder';
import { readDocument } from '../../rig/double-skinning';
import { BACKENDS } from '../../support/baked';
import { drawnNodes } from '../../support/drawn-nodes';
import { CHARACTER, describeModel, FOX, type Model, ROBOT } from '../../support/models';
import { outputOfNode, runNode } from '../../support/processes';
import { knightFile } from '../../support/rigid-files';
import { scratchFolder } from '../../support/temporary-folder';
import { readVat, type Vat } from '../../support/vat';
import { wholeScene } from '../../support/whole-scene';

/** The byte of sRGB for a linear value. */
const encoded = (linear: number) =>
    Math.round(255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055));

const ROOT = join(__dirname, '../../..');
const folder = scratchFolder();

function written(bytes: Uint8Array, name = 'model.glb'): string {
    const path = join(folder(), name);
    writeFileSync(path, bytes);
    return path;
}

async function bakeVat(path: string, options: BakeOptions = {}) {
    const { files, outputs, warnings } = await bakeFile(path, { emit: ['pvat'], fps: 10, ...options });
    const bytes = files[0]!.bytes;
    return { name: files[0]!.name, bytes, vat: readVat(bytes), outputs, codes: warnings.map(({ code }) => code) };
}

/** The time of a row of an animation. */
const timeOf = ({ frameCount, duration }: { frameCount: number; duration: number }, frame: number) =>
    frame === frameCount ? duration : (frame * duration) / frameCount;

/**
 * Every vertex of some rows, those of skinned meshes first, each in the order of nodes.
 *
 * @returns How many vertices and normals were compared.
 */
async function expectVertices(path: string, { json, position, normal }: Vat, everyRow = 1): Promise<[number, number]> {
    const evaluator = await DoubleEvaluator.load(path);
    const drawn = drawnNodes(await readDocument(path), evaluator);
    const total = drawn.reduce((sum, { geometry }) => sum + geometry.positions.length / 3, 0);
    expect(json.vertexCount).toBe(total);
    const size = [0, 1, 2].map((axis) => json.bounds.max[axis] - json.bounds.min[axis]);
    // Half a step, and the rounding of float32 before.
    const limits = size.map((side) => side / 65535 / 2 + 2e-6 * json.extras.extent);
    const compared: [number, number] = [0, 0];
    let worst = 0;
    let minCosine = 1;
    const beyond: unknown[] = [];
    for (const [animation, clip] of json.animations.entries()) {
        for (let frame = 0; frame <= clip.frameCount; frame += frame === 0 ? 1 : everyRow) {
            const time = Math.fround(timeOf(clip, frame));
            let first = 0;
            for (const { index, at } of drawn) {
                const expected = at(animation, time);
                const count = expected.positions.length / 3;
                for (let v = 0; v < count; v++) {
                    const row = clip.frameStart + frame;
                    const [place, direction] = [position(first + v, row), normal(first + v, row)];
                    const off = place.map((x, axis) => Math.abs(x - expected.positions[v * 3 + axis]!));
                    worst = Math.max(worst, Math.hypot(...off));
                    if (off.some((distance, axis) => distance > limits[axis]!)) beyond.push({ index, v, frame, off });
                    compared[0]++;
                    const cosine = direction.reduce((sum, x, k) => sum + x * expected.normals[v * 3 + k]!, 0);
                    if (!Number.isFinite(cosine)) continue; // without normals, or of a part that has no size
                    minCosine = Math.min(minCosine, cosine);
                    compared[1]++;
                }
                first += count;
            }
        }
    }
    expect(beyond.slice(0, 5)).toEqual([]);
    expect(worst).toBeLessThanOrEqual(json.extras.error.position + 2e-6 * json.extras.extent);
    // The stated error must not be much larger than the real one.
    expect(worst).toBeGreaterThan(json.extras.error.position / 4);
    if (compared[1] > 0) expect((Math.acos(minCosine) * 180) / Math.PI).toBeLessThan(1);
    return compared;
}

test('skins, parts, morph targets, mirrored parts, scale 0: all vertices and normals', async () => {
    const path = written(wholeScene().toGlb(), 'whole.glb');
    const { name, vat, outputs } = await bakeVat(path);
    expect([name, outputs]).toEqual(['whole.baked.vat', []]);
    const [vertices, normals] = await expectVertices(path, vat);
    expect(vertices).toBe(24 * 10 * 22);
    expect(normals).toBeGreaterThan(24 * 10 * 20);
    expect(normals).toBeLessThan(vertices); // the sword vanishes
});

for (const [model, everyRow] of [
    [CHARACTER, 4],
    [ROBOT, 40],
    [FOX, 4],
] as [Model, number][]) {
    describeModel(model, () => {
        test('all vertices and normals', async () => {
            const { vat } = await bakeVat(model.path);
            const [vertices, normals] = await expectVertices(model.path, vat, everyRow);
            expect(vertices).toBeGreaterThan(20_000);
            expect(normals).toBe(model === FOX ? 0 : vertices);
        });
    });
}

test("PlayCanvas's own reader finds the same", async () => {
    const { bytes, vat, codes, outputs } = await bakeVat(CHARACTER.path);
    // Also without a palette, a warning has the error of interpolation.
    expect([codes, outputs]).toEqual([['JUMPS_BLENDED', 'PLAYBACK_ERROR_LARGE'], []]);
    const path = written(bytes, 'character.vat');
    const program = `
        import { readFileSync } from 'node:fs';
        import { createHash } from 'node:crypto';
        import { octDecode, parseVat, vatTextureSize } from 'playcanvas/scripts/esm/vat/vat-data.mjs';
        import { Vec3 } from 'playcanvas';
        const data = parseVat(new Uint8Array(readFileSync(${JSON.stringify(path)})).buffer);
        const { fps, vertexCount, frameCount, width, height, animations, bounds, vat, indices, uvs, albedo } = data;
        const [min, max] = [bounds.getMin(), bounds.getMax()];
        const at = (7 * frameCount + 5) * 4;
        const n = octDecode(((vat[at + 3] & 255) / 255) * 2 - 1, ((vat[at + 3] >> 8) / 255) * 2 - 1, new Vec3());
        const position = ['x', 'y', 'z'].map((c, i) => min[c] + (vat[at + i] / 65535) * (max[c] - min[c]));
        console.log(JSON.stringify({
            fps, vertexCount, frameCount, size: { width, height }, wanted: vatTextureSize(vertexCount, frameCount), animations,
            position, normal: [n.x, n.y, n.z], indices: [...indices], uvs: [...uvs],
            albedo: albedo.mimeType + createHash('sha256').update(albedo.data).digest('hex'),
        }));
    `;
    const { stdout, stderr } = runNode(['--input-type=module', '-e', program], { cwd: ROOT });
    expect(stderr).toBe('');
    const { position, normal, ...found } = JSON.parse(stdout);
    const { json } = vat;
    const { width, height } = json.texture;
    expect(found).toEqual({
        fps: 10,
        vertexCount: json.vertexCount,
        frameCount: json.frameCount,
        size: { width, height },
        wanted: { width, height },
        animations: json.animations,
        indices: vat.indices,
        uvs: vat.uvs,
        albedo: json.albedo.mimeType + createHash('sha256').update(vat.image!).digest('hex'),
    });
    for (const axis of [0, 1, 2]) {
        expect(position[axis]).toBeCloseTo(vat.position(7, 5)[axis]!, 12);
        expect(normal[axis]).toBeCloseTo(vat.normal(7, 5)[axis]!, 6);
    }
});

test('the bytes are the same with the addon and without', async () => {
    const hashes = BACKENDS.map((backend) => {
        const env = { ...process.env, POSELANE_BACKEND: backend };
        const main = join(ROOT, 'dist/cli/main.js');
        outputOfNode([main, 'bake', CHARACTER.path, '-o', folder(), '--emit', 'pvat', '--fps', '10'], { env });
        return createHash('sha256')
            .update(readFileSync(join(folder(), 'character.baked.vat')))
            .digest('hex');
    });
    expect(hashes).toEqual(BACKENDS.map(() => GOLDEN));
});

/** Hash of the example at 10 fps since the first version of the format. */
const GOLDEN = '36676b007c2e18088e8949813061a3d9a0fecb8023be0e738e6a320ea581ea74';

test('triangles face the way their normals do, mirrored parts as well', async () => {
    const { vat } = await bakeVat(written(wholeScene().toGlb()));
    expect(vat.indices).toHaveLength(36 * 10);
    for (let t = 0; t < vat.indices.length; t += 3) {
        const corners = vat.indices.slice(t, t + 3);
        const [a, b, c] = corners.map((corner) => vat.position(corner, 0)) as [number[], number[], number[]];
        const [u, v] = [b, c].map((p) => p.map((x, i) => x - a[i]!)) as [number[], number[]];
        const cross = [0, 1, 2].map((i) => u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!);
        const normal = vat.normal(corners[0]!, 0);
        const cosine = cross.reduce((sum, x, i) => sum + x * normal[i]!, 0) / Math.hypot(...cross);
        expect(cosine).toBeGreaterThan(0.9);
    }
});

/** The color of a vertex in an image of colors. */
function colourAt({ json, image, uvs }: Vat, vertex: number): number[] {
    expect(json.albedo.mimeType).toBe('image/bmp');
    expect([image!.toString('latin1', 0, 2), image!.readUInt16LE(28), image!.readInt32LE(22)]).toEqual(['BM', 24, 1]);
    const texel = uvs[vertex * 2]! * image!.readInt32LE(18) - 0.5;
    expect(Math.abs(texel - Math.round(texel))).toBeLessThan(1e-5);
    const at = image!.readUInt32LE(10) + Math.round(texel) * 3;
    return [...image!.subarray(at, at + 3)].reverse();
}

test('colors without images become an image of colors', async () => {
    const path = written(wholeScene().toGlb());
    const { vat, codes } = await bakeVat(path);
    expect(codes).toEqual(['PARTS_NOT_BAKED', 'JUMPS_BLENDED']);
    // Boxes of 24 vertices: body, sleeve, the head's two, sword, bolts, fan, gem, ear.
    const red = [0.8, 0.3, 0.2].map(encoded);
    const blue = [0.2, 0.5, 0.8].map(encoded);
    const green = [0.3, 0.7, 0.3].map(encoded);
    const expected = [red, blue, green, blue, blue, green, green, red, blue, red];
    expect(Array.from({ length: vat.json.vertexCount / 24 }, (_, box) => colourAt(vat, box * 24 + 5))).toEqual(
        expected,
    );
});

test('every factor is the byte of sRGB nearest to it', async () => {
    const builder = wholeScene();
    const factors = Array.from({ length: 4 }, (_, m) => [0, 1, 2].map((c) => [0, 1e-4, 0.003, 0.0032][m]! * (c + 1)));
    factors[3] = [1, 0.5, 0.999];
    builder.json.materials = factors.map((rgb) => ({ pbrMetallicRoughness: { baseColorFactor: [...rgb, 1] } }));
    const { vat } = await bakeVat(written(builder.toGlb()));
    expect([0, 24, 48].map((vertex) => colourAt(vat, vertex))).toEqual(
        factors.slice(0, 3).map((rgb) => rgb.map(encoded)),
    );
});

describe('with images', () => {
    const PNG = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
    );

    /** The whole scene with texture coordinates, changed by `change`. */
    async function textured(change: (document: Document) => void): Promise<string> {
        const io = new WebIO().registerExtensions([KHRTextureTransform]);
        const document = await io.readBinary(wholeScene().toGlb());
        for (const mesh of document.getRoot().listMeshes()) {
            for (const primitive of mesh.listPrimitives()) {
                for (const set of [0, 1]) {
                    const count = primitive.getAttribute('POSITION')!.getCount();
                    const uvs = Float32Array.from({ length: count * 2 }, (_, i) => i / 64 + set);
                    const accessor = document.createAccessor().setType('VEC2').setArray(uvs);
                    primitive.setAttribute(`TEXCOORD_${set}`, accessor.setBuffer(document.getRoot().listBuffers()[0]!));
                }
            }
        }
        change(document);
        return written(await io.writeBinary(document));
    }
    const image = (document: Document, bytes: Uint8Array = PNG) =>
        document.createTexture().setImage(new Uint8Array(bytes)).setMimeType('image/png');
    const materials = (document: Document) => document.getRoot().listMaterials();
    /** Gives all materials one image. */
    const onAll = (document: Document, texture = image(document)) => {
        for (const material of materials(document)) material.setBaseColorTexture(texture);
    };

    test('a shared image is kept unchanged, with its own set of coordinates, moved and scaled', async () => {
        const path = await textured((document) => {
            const texture = image(document);
            const transforms = document.createExtension(KHRTextureTransform);
            for (const [i, material] of materials(document).entries()) {
                material.setBaseColorTexture(texture).setBaseColorFactor([1, 1, 1, 1]);
                if (i !== 0) continue;
                const transform = transforms.createTransform().setOffset([0.5, 0.25]).setScale([2, 4]);
                material.getBaseColorTextureInfo()!.setTexCoord(1).setExtension('KHR_texture_transform', transform);
            }
        });
        const { vat, codes } = await bakeVat(path);
        expect(codes).not.toContain('MATERIAL_LEFT_OUT');
        expect([vat.json.albedo.mimeType, vat.image!.equals(PNG)]).toEqual(['image/png', true]);
        // The body has the first material, the sleeve the second.
        expect(vat.uvs.slice(0, 4)).toEqual([2.5, 4.25 + 4 / 64, 2.5 + 4 / 64, 4.25 + 12 / 64]);
        expect(vat.uvs.slice(48, 52)).toEqual([0, 1 / 64, 2 / 64, 3 / 64]);
    });

    const turned = (d: Document) => {
        onAll(d);
        const transform = d.createExtension(KHRTextureTransform).createTransform().setRotation(1);
        for (const material of materials(d)) {
            material.getBaseColorTextureInfo()!.setExtension('KHR_texture_transform', transform);
        }
    };
    const colored = (d: Document) => {
        const primitive = d.getRoot().listMeshes()[0]!.listPrimitives()[0]!;
        primitive.setAttribute('COLOR_0', primitive.getAttribute('NORMAL'));
    };
    const first = (d: Document) => materials(d)[0]!;
    const KTX2 = /image of the type image\/ktx2 \(it is white\)/;
    const MAPS = /without normal, metal, occlusion or emission maps$/;
    test.each<[string, RegExp, boolean, (document: Document) => void]>([
        ['several', /2 base color images or plain/, false, (d) => void first(d).setBaseColorTexture(image(d))],
        ['a type that browsers do not know', KTX2, false, (d) => onAll(d, image(d).setMimeType('image/ktx2'))],
        ['one that is turned', /an? base color image that is rotated/, false, turned],
        ['a tint', /without the color of its base color image$/, true, (d) => onAll(d)],
        ['other maps', MAPS, true, (d) => void first(d).setNormalTexture(image(d))],
        ['transparency', /without transparency$/, true, (d) => void first(d).setAlphaMode('MASK')],
        ['vertex colors', /without vertex colors$/, true, colored],
    ])('warns of everything that the file cannot express: %s', async (_, message, hasImage, change) => {
        const { files, warnings } = await bakeFile(await textured(change), { emit: ['pvat'], fps: 10 });
        const { image: found } = readVat(files[0]!.bytes);
        expect(warnings.filter(({ code }) => code === 'MATERIAL_LEFT_OUT')).toEqual([
            { code: 'MATERIAL_LEFT_OUT', pointer: '/materials', message: expect.stringMatching(message) },
        ]);
        expect(found !== null).toBe(hasImage);
    });
});

test('strips and fans are taken apart, lines left out', async () => {
    const faces = async (mode: number) => {
        const builder = wholeScene();
        for (const { primitives } of builder.json.meshes) primitives[0].mode = mode;
        const { vat, codes } = await bakeVat(written(builder.toGlb()));
        expect(codes.filter((code) => code === 'PRIMITIVE_LEFT_OUT')).toHaveLength(mode === 1 ? 8 : 0);
        return vat;
    };
    expect((await faces(4)).indices.slice(0, 6)).toEqual([0, 2, 1, 1, 2, 3]);
    // 36 indices: 34 triangles for each box.
    expect((await faces(5)).indices.slice(0, 9)).toEqual([0, 2, 1, 2, 1, 1, 1, 1, 2]);
    expect((await faces(6)).indices.slice(0, 9)).toEqual([2, 1, 0, 1, 1, 0, 1, 2, 0]);
    expect((await faces(1)).json.vertexCount).toBe(24); // the head's other primitive
});

test('rows are at even distances; the last one is the end of the clip', async () => {
    const { vat, outputs } = await bakeVat(CHARACTER.path, { emit: ['palette', 'pvat'], fps: 7 });
    expect(outputs).toHaveLength(1);
    const { manifest } = outputs[0]!;
    const clips = manifest.clips.map(({ name, firstRow, frameCount, duration }) => {
        return { name, frameStart: firstRow, frameCount: frameCount - 1, duration };
    });
    const { animations } = vat.json as { animations: { duration: number }[] };
    expect(animations.map((clip) => ({ ...clip, duration: Math.fround(clip.duration) }))).toEqual(clips);
    expect(manifest.clips.some(({ lastFrameTime }) => lastFrameTime !== undefined)).toBe(false);
    expect(vat.json).toMatchObject({ fps: 7, frameCount: manifest.arrays.palette!.shape[0] });
    expect(vat.json.extras).toMatchObject({ source: manifest.source, kernel: manifest.recipe.kernel });
    expect(vat.json.extras.extent).toBeCloseTo(manifest.extent, 6);
});

test('a rate for each clip, a part of a clip, a clip without duration', async () => {
    const { vat, outputs } = await bakeVat(CHARACTER.path, { emit: ['palette', 'pvat'], fps: 'auto', maxError: 0.02 });
    const { clips } = outputs[0]!.manifest;
    const counts = clips.map(({ frameCount }) => frameCount - 1);
    expect(vat.json.animations.map(({ frameCount }: { frameCount: number }) => frameCount)).toEqual(counts);
    expect(new Set(clips.map(({ fps }) => fps)).size).toBe(3);

    const { vat: part } = await bakeVat(CHARACTER.path, { clips: ['Walk'], from: 0.2, to: 0.5 });
    expect(part.json.animations).toEqual([{ name: 'Walk', frameStart: 0, frameCount: 3, duration: 0.3 }]);
    const { vat: whole } = await bakeVat(CHARACTER.path, { clips: ['Walk'] });
    for (const axis of [0, 1, 2]) expect(part.position(9, 1)[axis]).toBeCloseTo(whole.position(9, 3)[axis]!, 4);
    expect(part.position(9, 1)[1]).not.toBeCloseTo(whole.position(9, 2)[1]!, 4);

    const { vat: one } = await bakeVat(written(skinnedModel().toGlb()), { from: 1, fps: 4 });
    expect(one.json.animations[0]).toMatchObject({ frameCount: 1, duration: 0.25 });
    expect(one.position(1, 1)).toEqual(one.position(1, 0));
});

test('several skins are one file', async () => {
    const { name, vat } = await bakeVat(knightFile(folder()), { emit: ['palette', 'pvat'] });
    expect(name).toBe('knight.baked.vat');
    expect(vat.json.vertexCount).toBeGreaterThan(20);
    const { vat: one } = await bakeVat(knightFile(folder()), { skin: 2 });
    expect(one.json.vertexCount).toBeLessThan(vat.json.vertexCount);
});

test('rejects invalid combinations', async () => {
    const whole = written(wholeScene().toGlb());
    const bake = (options: BakeOptions) => bakeFile(whole, { emit: ['pvat'], fps: 10, ...options });
    const refused: [BakeOptions, string, RegExp][] = [
        [{ fps: 100_000 }, 'OUTPUT_TOO_LARGE', /240 vertices x 200002 rows = 48000480, more than the 16777216/],
        [{ maxError: 1e-5 }, 'ERR_TOLERANCE', /positions in 16 bits are off by .*, more than the 0.00001 of maxError/],
        [{ space: 'skin-root' }, 'USAGE', /space/],
        [{ end: 'clamp' }, 'USAGE', /end/],
        [{ strict: true }, 'PARTS_NOT_BAKED', /strict/],
        [{ strict: true, attachments: 'none', clips: ['slide'] }, 'PARTS_NOT_BAKED', /strict/],
    ];
    for (const [options, code, rule] of refused) {
        await expect(bake(options)).rejects.toMatchObject({ code, message: expect.stringMatching(rule) });
    }
    await expect(bake({ maxError: 1e-4 })).resolves.toBeDefined();
    await expect(bakeDocument(new Document(), { emit: ['pvat'] })).rejects.toMatchObject({
        message: "emit: 'pvat' needs a file",
    });
    const bare = wholeScene();
    for (const { primitives } of bare.json.meshes) for (const primitive of primitives) primitive.mode = 0;
    await expect(bakeFile(written(bare.toGlb()), { emit: ['pvat'] })).rejects.toMatchObject({ code: 'NO_MESH' });
    const reason = new Error('enough');
    const controller = new AbortController();
    const started = bakeFile(CHARACTER.path, { emit: ['pvat'], fps: 60 }, { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(started).rejects.toBe(reason);
});
