// SPDX-License-Identifier: MIT

import { crc32, inflateSync } from 'node:zlib';
import { bakeFile } from '../../lib/bake';
import { openModel } from '../../lib/report/model';
import { THUMBNAIL_SIZE, thumbnailOf } from '../../lib/report/thumbnail';
import { smallGltf } from '../cli/small-gltf';
import { GltfBuilder, lift, type Numbers } from '../gltf/support/builder';
import { CHARACTER } from '../support/models';
import { DYADIC, quantizedModel } from '../support/quantized-model';
import { fileOf } from '../support/split-file';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();

/** The pixels of a PNG without line filters; also checks its checksums. */
function pixelsOf(png: Uint8Array): { width: number; height: number; at(x: number, y: number): number[] } {
    const bytes = Buffer.from(png);
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < bytes.length; ) {
        const length = bytes.readUInt32BE(at);
        const body = bytes.subarray(at + 4, at + 8 + length);
        expect(crc32(bytes.subarray(at + 4, at + 8 + length))).toBe(bytes.readUInt32BE(at + 8 + length));
        chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
        at += 12 + length;
    }
    expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
    const header = chunks.get('IHDR')!;
    const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
    const lines = inflateSync(chunks.get('IDAT')!);
    expect(lines.length).toBe(height * (1 + width * 4));
    return {
        width,
        height,
        at: (x, y) => [...lines.subarray(y * (1 + width * 4) + 1 + x * 4, y * (1 + width * 4) + 5 + x * 4)],
    };
}

/** A square of 2 x 2 facing +Z, moved by one joint to (100, 50, -20), and a smaller one behind it. */
function squares(colours: readonly number[][], depths: readonly number[]): GltfBuilder {
    const builder = new GltfBuilder();
    const { json } = builder;
    const repeat = (numbers: number[], into: (all: number[]) => Numbers) => into([0, 1, 2, 3].flatMap(() => numbers));
    const JOINTS_0 = builder.accessor(
        repeat([0, 0, 0, 0], (all) => Uint8Array.from(all)),
        'VEC4',
    );
    const WEIGHTS_0 = builder.accessor(
        repeat([1, 0, 0, 0], (all) => Float32Array.from(all)),
        'VEC4',
    );
    const indices = builder.accessor(Uint16Array.of(0, 1, 2, 0, 2, 3), 'SCALAR');
    json.materials = colours.map((colour) => ({ pbrMetallicRoughness: { baseColorFactor: colour } }));
    json.meshes.push({
        primitives: depths.map((z, material) => ({
            attributes: {
                POSITION: builder.accessor(Float32Array.of(-1, -1, z, 1, -1, z, 1, 1, z, -1, 1, z), 'VEC3'),
                JOINTS_0,
                WEIGHTS_0,
            },
            indices,
            material,
        })),
    });
    json.nodes.push({ name: 'joint', translation: [100, 50, -20] }, { mesh: 0, skin: 0 });
    json.skins.push({ joints: [0], inverseBindMatrices: builder.accessor(new Float32Array(lift(0)), 'MAT4') });
    const input = builder.accessor(Float32Array.of(0, 1), 'SCALAR', { min: [0], max: [1] });
    const output = builder.accessor(Float32Array.of(100, 50, -20, 100, 50, -20), 'VEC3');
    json.animations.push({
        samplers: [{ input, output }],
        channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
    });
    return builder;
}

test('a texture is drawn in its colors, except its transparent part', async () => {
    const builder = squares([[1, 1, 1, 1]], [0]);
    const { encode } = await import('fast-png');
    // Red, green; blue, clear.
    const pixels = Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0);
    const { json } = builder;
    const uri = `data:image/png;base64,${Buffer.from(encode({ width: 2, height: 2, data: pixels })).toString('base64')}`;
    Object.assign(json, {
        images: [{ uri }],
        textures: [{ source: 0 }],
        materials: [{ alphaMode: 'MASK', pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    });
    json.meshes[0].primitives[0].attributes.TEXCOORD_0 = builder.accessor(
        Float32Array.of(0, 1, 1, 1, 1, 0, 0, 0),
        'VEC2',
    );
    const picture = (await pictureOf(fileOf(folder(), 'textured.glb', builder.toGlb())))!;
    const [near, far] = [THUMBNAIL_SIZE * 0.35, THUMBNAIL_SIZE * 0.65];
    const lit = (x: number, y: number) => picture.at(Math.round(x), Math.round(y)).map((value) => value > 100);
    expect([lit(near, near), lit(far, near), lit(near, far), lit(far, far)]).toEqual([
        [true, false, false, true],
        [false, true, false, true],
        [false, false, true, true],
        [false, false, false, false],
    ]);
});

async function pictureOf(path: string) {
    const png = await thumbnailOf(await openModel(path), (await bakeFile(path)).outputs);
    return png && pixelsOf(png);
}

test('near triangles hide far ones, in the color of their material, centered in a transparent picture', async () => {
    const red = [1, 0, 0, 1];
    const blue = [0, 0, 1, 1];
    for (const [colours, depths, seen] of [
        [[red, blue], [0, -0.01], 'red'],
        [[red, blue], [-0.01, 0], 'blue'],
        [[blue, red], [0, -0.01], 'blue'],
    ] as const) {
        const path = fileOf(folder(), 'squares.glb', squares(colours, depths).toGlb());
        const picture = await pictureOf(path);
        expect([picture!.width, picture!.height]).toEqual([THUMBNAIL_SIZE, THUMBNAIL_SIZE]);
        const [r, g, b, a] = picture!.at(THUMBNAIL_SIZE / 2, THUMBNAIL_SIZE / 2) as [number, number, number, number];
        expect([seen === 'red' ? r : b, seen === 'red' ? b : r, g, a]).toEqual([expect.any(Number), 0, 0, 255]);
        expect(Math.max(r, b)).toBeGreaterThan(100);
        expect(picture!.at(0, 0)).toEqual([0, 0, 0, 0]);
        // The longer side nearly fills the picture, which is centered.
        const covered = Array.from({ length: THUMBNAIL_SIZE }, (_, y) => picture!.at(THUMBNAIL_SIZE / 2, y)[3]! > 127);
        expect(covered.filter(Boolean).length).toBeGreaterThan(0.8 * THUMBNAIL_SIZE);
        expect(Math.abs(covered.indexOf(true) - [...covered].reverse().indexOf(true))).toBeLessThan(3);
    }
});

test('equal every time, small, and null without vertices', async () => {
    const model = await openModel(CHARACTER.path);
    const { outputs } = await bakeFile(CHARACTER.path, { layout: 'mat3x4', dtype: 'f16', maxError: 0.1 });
    const [a, b] = [await thumbnailOf(model, outputs), await thumbnailOf(model, outputs)];
    expect(Buffer.from(a!)).toEqual(Buffer.from(b!));
    expect(a!.length).toBeLessThan(30_000);
    const path = fileOf(folder(), 'small.gltf', smallGltf());
    expect(await pictureOf(path)).toBeNull();
    const { outputs: others } = await bakeFile(CHARACTER.path, { emit: ['hit'] });
    expect(await thumbnailOf(model, others)).toBeNull();
});

test('skins that share a palette after a scale and a translation look as before', async () => {
    const parts = [{ scale: 1, translation: [0, 0, 0] } as const, ...DYADIC];
    const [after, before] = await Promise.all(
        [false, true].map(async (whole) => {
            const path = quantizedModel(folder(), `whole-${whole}`, parts, { whole });
            const { outputs } = await bakeFile(path, { fps: 12 });
            return thumbnailOf(await openModel(path), outputs);
        }),
    );
    expect(before!.length).toBeGreaterThan(1000);
    expect(after).toEqual(before);
});
