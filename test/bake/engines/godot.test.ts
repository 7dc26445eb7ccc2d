// SPDX-License-Identifier: MIT

/** `emit: 'godot'`: the shader's arithmetic on the written files places every vertex as in double precision. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebIO } from '@gltf-transform/core';
import { type BakeOptions, bakeFile } from '../../../lib/bake';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { lift, skinnedModel } from '../../gltf/support/builder';
import { geometryOf, readDocument, skinDouble } from '../../rig/double-skinning';
import { CHARACTER, describeModel, FOX, type Model } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { readExr } from '../../support/textures';
import { wholeScene } from '../../support/whole-scene';

const folder = scratchFolder();

async function bakeGodot(path: string, options: BakeOptions = {}) {
    const { files, outputs } = await bakeFile(path, { emit: ['godot', 'palette'], fps: 10, ...options });
    const [glb, palette, shader, script] = files.map(({ bytes }) => bytes);
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const document = await new WebIO().readBinary(new Uint8Array(glb!));
    return { files, outputs, document, palette: readExr(palette!), shader: text(shader!), script: text(script!) };
}

/** The shader's constants, and a function that skins a vertex like the shader. */
function shaderOf({ palette, shader }: Awaited<ReturnType<typeof bakeGodot>>) {
    const number = (name: string) => Number(new RegExp(`const int ${name} = (\\d+);`).exec(shader)![1]);
    const [columns, first, places] = [number('COLUMNS'), number('SKINNING'), number('PLACES')];
    const step = number('SETS') * 2;
    expect(number('WIDTH')).toBe(palette.width);
    const texel = (index: number) =>
        [0, 1, 2, 3].map((c) => palette.at(index % palette.width, Math.floor(index / palette.width), c));
    return ([u, v]: readonly number[], place: readonly number[], row: number) => {
        const vertex = Math.floor(u! + 0.5) + Math.floor(v! + 0.5) * places;
        const rows = [0, 1, 2].map(() => [0, 0, 0, 0]);
        let total = 0;
        for (let set = 0; set < step / 2; set++) {
            const [joints, weights] = [0, 1].map((i) => texel(first + vertex * step + set * 2 + i)) as [
                number[],
                number[],
            ];
            for (const [k, weight] of weights.entries()) {
                if (weight === 0) continue;
                total += weight;
                const at = (row * columns + joints[k]!) * 3;
                for (const r of [0, 1, 2]) {
                    for (const [c, x] of texel(at + r).entries()) rows[r]![c]! += weight * x;
                }
            }
        }
        return rows.map((r) => r.reduce((sum, x, c) => sum + (x / total) * (place[c] ?? 1), 0));
    };
}

async function largestError(path: string, baked: Awaited<ReturnType<typeof bakeGodot>>): Promise<number> {
    const { document, outputs } = baked;
    const skin = shaderOf(baked);
    const evaluator = await DoubleEvaluator.load(path);
    const source = await readDocument(path);
    const primitives = document.getRoot().listMeshes()[0]!.listPrimitives();
    const rest = primitives.flatMap((one) => {
        const [positions, places] = ['POSITION', 'TEXCOORD_1'].map((name) => one.getAttribute(name)!);
        return Array.from(
            { length: positions!.getCount() },
            (_, v) => [positions!.getElement(v, []), places!.getElement(v, [])] as const,
        );
    });
    const listed = [...baked.script.matchAll(/^\t".*": \[(\d+), (\d+), ([\d.]+), (true|false)\],?$/gm)];
    expect(listed.map((one) => one[4] === 'true')).toEqual(outputs[0]!.manifest.clips.map(({ loop }) => loop));
    let worst = 0;
    for (const [animation, [, first, intervals, fps]] of listed.entries()) {
        for (const frame of [0, Math.floor(Number(intervals) / 2), Number(intervals)]) {
            const time = Math.min(frame / Number(fps), evaluator.duration(animation));
            // Every vertex of the file, in any order: a vertex of the mesh must be at one of them.
            const expected = source
                .getRoot()
                .listNodes()
                .flatMap((node, index) => {
                    if (node.getMesh() === null) return [];
                    const of = node.getSkin() === null ? -1 : source.getRoot().listSkins().indexOf(node.getSkin()!);
                    const globals = evaluator.globals(animation, time);
                    const list =
                        of < 0 ? globals.subarray(index * 16, index * 16 + 16) : evaluator.palette(of, animation, time);
                    const matrices = Array.from({ length: list.length / 16 }, (_, i) => [
                        ...list.subarray(i * 16, i * 16 + 16),
                    ]);
                    const { positions } = skinDouble({ ...geometryOf(source, index), targets: [] }, matrices, []);
                    return Array.from({ length: positions.length / 3 }, (_, v) => positions.slice(v * 3, v * 3 + 3));
                });
            for (let v = 0; v < rest.length; v += 7) {
                const [place, uv] = rest[v]!;
                const found = skin(uv, place, Number(first) + frame);
                worst = Math.max(
                    worst,
                    Math.min(...expected.map((at) => Math.hypot(...at.map((x, c) => x - found[c]!)))),
                );
            }
        }
    }
    return worst;
}

test('skins, parts, mirrored parts, scale 0', async () => {
    const path = join(folder(), 'whole.glb');
    writeFileSync(path, wholeScene().toGlb());
    const baked = await bakeGodot(path);
    const { extent } = baked.outputs[0]!.manifest;
    expect(await largestError(path, baked)).toBeLessThan(2e-6 * extent);
    // Half floats have 11 bits; Godot 3 would truncate floats to them.
    const three = await bakeGodot(path, { godot: '3' });
    expect(await largestError(path, three)).toBeLessThan(1e-3 * extent);
    const meshes = [three, baked].map(({ document }) => {
        return document
            .getRoot()
            .listAccessors()
            .map((one) => one.getArray());
    });
    expect(meshes[0]).toEqual(meshes[1]);
});

test('half floats with too large errors are rejected, as are numbers above their range', async () => {
    for (const [far, message] of [
        [30, /half floats are off by .*, more than the .* of maxError: .* use Godot 4/],
        [70_000, /is beyond half floats, which end at 65504: .* use Godot 4/],
    ] as const) {
        const model = skinnedModel();
        model.json.nodes[0].translation = [far, 0, 0];
        const path = join(folder(), `far${far}.glb`);
        writeFileSync(path, model.toGlb());
        await expect(bakeGodot(path, { godot: '3' })).rejects.toThrow(message);
        await bakeGodot(path);
    }
});

test('for Godot 3, the maximum error bounds the rounding to half floats, and dtype cannot be f32', async () => {
    const { files } = await bakeFile(CHARACTER.path, { emit: ['godot'], godot: '3', fps: 10, maxError: '1%' });
    expect(files).toHaveLength(4);
    const fine = bakeFile(CHARACTER.path, { emit: ['godot'], godot: '3', fps: 10, maxError: '0.001%' });
    await expect(fine).rejects.toThrow(/half floats are off by .*, more than the .* of maxError: /);
    const wrong = bakeFile(CHARACTER.path, { emit: ['godot', 'palette'], godot: '3', dtype: 'f32' });
    await expect(wrong).rejects.toThrow("dtype is 'f32', but godot '3' has half floats; leave it out");
});

test('a mesh stored far from its motion is not culled', async () => {
    const model = skinnedModel();
    model.json.skins[0].inverseBindMatrices = model.accessor(new Float32Array([...lift(-50), ...lift(-51)]), 'MAT4');
    const stored = new Float32Array([0, 50, 0, 0, 51, 0, 0.5, 52, 0]);
    model.json.meshes[0].primitives[0].attributes.POSITION = model.accessor(stored, 'VEC3');
    const path = join(folder(), 'stored.glb');
    writeFileSync(path, model.toGlb());
    const { script } = await bakeGodot(path);
    expect(Number(/^const REACH := ([\d.]+)$/m.exec(script)![1])).toBeGreaterThan(50);
});

test('names with words of Godot 4 stay unchanged for Godot 3', async () => {
    const model = skinnedModel();
    model.json.animations[0].name = '%clips% MeshInstance3D';
    const path = join(folder(), 'BaseMaterial3D.glb');
    writeFileSync(path, model.toGlb());
    const { script } = await bakeGodot(path, { godot: '3' });
    expect(script).toContain('\t"%clips% MeshInstance3D": [0, ');
    for (const end of ['.glb', '_palette.exr', '.shader']) expect(script).toContain(`"BaseMaterial3D${end}"`);
    expect(script).toContain('if not old is SpatialMaterial:');
});

test("an emissive texture stays, unless its factor is black; the script replaces the importer's black with white", async () => {
    const model = wholeScene();
    const uri = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;
    model.json.images = [{ uri }];
    model.json.textures = [{ source: 0 }];
    for (const [i, material] of model.json.materials.entries()) {
        Object.assign(material, { emissiveTexture: { index: 0 }, emissiveFactor: i === 0 ? [1, 0.5, 0] : [0, 0, 0] });
    }
    const path = join(folder(), 'emissive.glb');
    writeFileSync(path, model.toGlb());
    const { document, script } = await bakeGodot(path);
    const textured = document
        .getRoot()
        .listMeshes()[0]!
        .listPrimitives()
        .map((one) => one.getMaterial()!)
        .map((material) => [material.getEmissiveFactor()[0], material.getEmissiveTexture() !== null]);
    expect(textured.length).toBeGreaterThan(1);
    for (const [factor, has] of textured) expect(has).toBe(factor === 1);
    expect(script).toContain('"emission", Color(1, 1, 1) if textured else old.emission)');
});

test('a vertex without weights follows its first joint, as with weight 1', async () => {
    const palettes: number[][] = [];
    for (const first of [0, 1]) {
        const model = skinnedModel();
        const { attributes } = model.json.meshes[0].primitives[0];
        const { count } = model.json.accessors[attributes.POSITION];
        attributes.JOINTS_0 = model.accessor(new Uint8Array(count * 4).fill(1), 'VEC4');
        const weights = Float32Array.from({ length: count * 4 }, (_, i) => (i % 4 === 0 ? first : 0));
        attributes.WEIGHTS_0 = model.accessor(weights, 'VEC4');
        const path = join(folder(), `weights${first}.glb`);
        writeFileSync(path, model.toGlb());
        const { palette } = await bakeGodot(path);
        const texels = Array.from({ length: palette.width * palette.height * 4 }, (_, i) =>
            palette.at((i >> 2) % palette.width, Math.floor((i >> 2) / palette.width), i % 4),
        );
        palettes.push(texels);
    }
    expect(palettes[0]).toEqual(palettes[1]);
});

for (const model of [CHARACTER, FOX] as Model[]) {
    describeModel(model, () => {
        test('one mesh without skin and clips; names of files; no words of Godot 4 in the files for Godot 3', async () => {
            const { files, document, script } = await bakeGodot(model.path);
            const stem = model.name;
            const names = ['.glb', '_palette.exr', '.gdshader', '.gd'].map((end) => `${stem}_godot/${stem}${end}`);
            expect(files.map(({ name }) => name)).toEqual(names);
            const root = document.getRoot();
            expect([root.listMeshes().length, root.listSkins().length, root.listAnimations().length]).toEqual([
                1, 0, 0,
            ]);
            expect(script).toContain('extends MultiMeshInstance3D\n');
            const three = await bakeGodot(model.path, { godot: '3' });
            expect(three.files[2]!.name).toBe(`${stem}_godot/${stem}.shader`);
            expect(`${three.shader}${three.script}`).not.toMatch(
                /Instance3D|Texture2D|source_color|@export|set_shader_parameter|get_image/,
            );
        });
    });
}
