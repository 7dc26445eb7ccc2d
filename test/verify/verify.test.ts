// SPDX-License-Identifier: MIT

/** verifyBake accepts right bakes, and finds every planted error with its place. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BakeOptions } from '../../lib/bake';
import { verifyBake } from '../../lib/verify';
import { halfToDouble } from '../../lib/verify/read-bake';
import { clip, type GltfBuilder, HALF, type LooseJson, skinnedModel } from '../gltf/support/builder';
import { dracoModel, encodeVertices } from '../gltf/support/draco';
import { compressedView } from '../gltf/support/meshopt';
import { CHARACTER } from '../support/models';
import { random as seededRandom } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';
import { ALL, bakeAndVerify, claimSource, complaints, copyOf, type FullBake, fullBake } from './full-bake';

const folder = scratchFolder();

/** A file with morph targets, a sheared matrix, STEP, a scaled root and a socket. */
function rich(): GltfBuilder {
    const model = skinnedModel();
    const { json } = model;
    const vec3 = (values: number[]) => model.accessor(Float32Array.from(values), 'VEC3');
    json.meshes[0].primitives[0].targets = [{ POSITION: vec3([0, 0, 0, 0.25, -0.5, 1, 0, 0, 0]) }];
    json.nodes.push(
        { name: 'stage', matrix: [1, 0.5, 0, 0, 0.25, 2, 0, 0, 0, 0, 1, 0, 3, 0, -1, 1], children: [0] },
        { name: 'socket', translation: [0.25, 0, 0], scale: [0.5, 2, 1] },
    );
    json.nodes[2].children = [5];
    json.nodes[1].scale = [1, -2, 0.5];
    const { input } = json.animations[0].samplers[0];
    const weights = model.accessor(Float32Array.of(0, 1, -0.25), 'SCALAR');
    const turns = model.accessor(Float32Array.of(0, 0, 0, 1, 0, HALF, 0, HALF, 0, 0, 0, 1), 'VEC4');
    json.animations[0].samplers.push({ input, output: weights }, { input, output: turns });
    json.animations[0].channels.push(
        { sampler: 2, target: { node: 3, path: 'weights' } },
        { sampler: 3, target: { node: 1, path: 'rotation' } },
    );
    return model;
}

function written(model: GltfBuilder, name = 'rich.glb'): string {
    const path = join(folder(), name);
    writeFileSync(path, model.toGlb());
    return path;
}

/** The file of `rich`. */
const richFile = () => written(rich());

const baked = new Map<string, Promise<FullBake>>();

/** A copy of a full bake, which is made once for each unchanged file. */
async function fullBakeOf(input: string, options: BakeOptions = {}): Promise<FullBake> {
    const key = JSON.stringify([input, options]);
    const bake = baked.get(key) ?? fullBake(input, options);
    baked.set(key, bake);
    return copyOf(await bake);
}

const judged = (input: string, bake: FullBake) => verifyBake(input, bake.write(folder()));

/** The complaints about a full bake of `rich` after `spoil`. */
async function spoilt(spoil: (bake: FullBake) => void, options?: BakeOptions): Promise<string[]> {
    const bake = await fullBakeOf(richFile(), options);
    spoil(bake);
    return complaints(await judged(richFile(), bake));
}

/** The complaints about the baker's output, after `change`. */
async function bakerSays(options: BakeOptions, change?: (manifest: LooseJson) => void, input = richFile()) {
    return complaints(await bakeAndVerify(input, folder(), options, change));
}

describe('right bakes pass', () => {
    test.each<BakeOptions>([
        {},
        { layout: 'mat3x4' },
        { fps: 24, hitJoints: '^knee$' },
        { layout: 'mat3x4', dtype: 'f16' },
    ])('all arrays, %j', async (options) => {
        const result = await judged(richFile(), await fullBakeOf(richFile(), options));
        expect(complaints(result)).toEqual([]);
        expect(result.clips.map(({ arrays }) => arrays.map(({ array }) => array).sort())).toEqual([[...ALL].sort()]);
        for (const { array, share, tolerance } of result.clips[0]!.arrays) {
            // The boxes are those of the half floats.
            const half = ['palette', 'bounds'].includes(array) && options.dtype === 'f16';
            // The tolerance as a length is a share of the extent in float32.
            if (options.dtype === 'f16' && array === 'palette') {
                // The rounding of half floats at the corners is added.
                expect(tolerance).toBeGreaterThan(1e-3);
                expect(tolerance).toBeLessThan(2.5e-3);
            } else expect(tolerance / (half ? 1e-3 : 1e-5)).toBeCloseTo(1, 6);
            expect(share).toBeLessThan(half ? 1e-3 : 1e-6);
        }
    });

    test('the baker’s morphs, discontinuities and boxes', async () => {
        const options: BakeOptions = { emit: ALL, root: 'keep', fps: 24 };
        const found: number[][] = [];
        expect(await bakerSays(options, ({ clips }) => found.push(clips[0].discontinuities))).toEqual([]);
        expect(found).toEqual([[18]]);
    });

    test('invalid vertex weights: below 0, above 1, none, and a missing joint', async () => {
        const model = skinnedModel();
        const { attributes } = model.json.meshes[0].primitives[0];
        attributes.JOINTS_0 = model.accessor(new Uint8Array([0, 1, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0]), 'VEC4');
        attributes.WEIGHTS_0 = model.accessor(new Float32Array([1.5, -0.5, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0]), 'VEC4');
        expect(await bakerSays({ emit: ['palette', 'bounds'] }, undefined, written(model, 'weights.glb'))).toEqual([]);
    });

    test.each([[['hit']], [['palette', 'morph']]] as const)('figures of late jumps, for %j', async (emit) => {
        const errors: LooseJson[] = [];
        const note = ({ clips }: LooseJson) => errors.push(clips[0].error);
        expect(await bakerSays({ emit, fps: 24, from: 0.03 }, note)).toEqual([]);
        expect(errors[0].maxLate).toBeGreaterThan(0);
        expect(errors[0].maxLerp).toBeGreaterThan(0);
    });

    test('all arrays of the example', async () => {
        const result = await judged(CHARACTER.path, await fullBakeOf(CHARACTER.path, { fps: 10 }));
        expect(complaints(result)).toEqual([]);
        expect(result.worst!.share).toBeLessThan(2e-6);
    });

    test('the space of the skin, with the hip as root: below the sheared stage, and scaled', async () => {
        const options: BakeOptions = { space: 'skin-root', emit: ['palette', 'hit', 'bounds'] };
        expect(await bakerSays(options)).toEqual([]);
        const wrong = await bakerSays(options, ({ skin }) => Object.assign(skin, { root: 0 }));
        expect(wrong).toEqual(['SKIN_DIFFERS /skin/root']);
        const inScene = await bakerSays(options, ({ recipe }) => Object.assign(recipe, { space: 'scene' }));
        for (const array of ['palette', 'hit', 'bounds']) {
            expect(inScene).toContainEqual(expect.stringContaining(`${array}: clip 0, frame `));
        }
    });

    test('a part of the clip by from and to', async () => {
        expect(await bakerSays({ fps: 30, from: 0.2, to: 0.5 })).toEqual([]);
        const longer = await bakerSays({ fps: 30, from: 0.2, to: 0.5 }, ({ recipe }) => {
            recipe.to = 0.6;
        });
        expect(longer).toEqual(
            expect.arrayContaining([
                'CLIP_DIFFERS /clips/0/duration',
                'CLIP_DIFFERS /clips/0/frameCount',
                expect.stringContaining(' /arrays/palette/shape/0'),
                expect.stringContaining(' /extent'),
            ]),
        );
    });

    test('a clip with a stretched last interval', async () => {
        // 2 s at 7.4 fps are 7 intervals of 1/7 s in 1 s: the manifest of 7 fps, except its recipe.
        const fit = { fps: [37, 5], end: 'fit' };
        expect(await bakerSays({ fps: 7 }, ({ recipe }) => Object.assign(recipe, fit))).toEqual([]);
    });
});

describe('reading the input', () => {
    test('integers, normalized or not, sparse and strided data, pointers at nodes, external buffers', async () => {
        const model = rich();
        const { json } = model;
        const shorts = Int16Array.from([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0], (x) => Math.round(x * 32767));
        clip(model).samplers[0].output = model.accessor(shorts, 'VEC4', { normalized: true });
        // Positions as integers; the inverse bind matrices include their scale and offset.
        json.accessors[1] = {
            ...json.accessors[model.accessor(Uint16Array.from([0, 0, 0, 0, 30000, 0, 15000, 60000, 0]), 'VEC3')],
        };
        const unit = 1 / 30000;
        const bind = (y: number) => [unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0, 0, y, 0, 1];
        json.skins[0].inverseBindMatrices = model.accessor(Float32Array.from([...bind(0), ...bind(-1)]), 'MAT4');
        json.meshes[0].primitives[0].targets[0].POSITION = model.accessor(
            Float32Array.from([0, 0, 0, 7500, -15000, 30000, 0, 0, 0]),
            'VEC3',
        );
        // Every other key of a longer list, one of them sparse.
        const strided = model.accessor(new Float32Array([0, 0, 0, 9, 9, 9, 5, 5, 5, 9, 9, 9]), 'VEC3', { count: 2 });
        json.bufferViews[json.accessors[strided].bufferView].byteStride = 24;
        json.accessors[strided].sparse = {
            count: 1,
            indices: { bufferView: model.view(new Uint16Array([1])), componentType: 5123 },
            values: { bufferView: model.view(new Float32Array([0, 2, 0])) },
        };
        clip(model).samplers[1].output = strided;
        const [hip] = clip(model).channels.splice(1, 1);
        hip.target = {
            path: 'pointer',
            extensions: { KHR_animation_pointer: { pointer: '/nodes/1/translation' } },
        };
        clip(model).channels.push(hip, {
            sampler: 0,
            target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/materials/0/x' } } },
        });
        json.extensionsUsed = ['KHR_animation_pointer', 'KHR_mesh_quantization'];
        const path = join(folder(), 'beside.gltf');
        writeFileSync(path, model.toGltf('some%20data.bin'));
        writeFileSync(join(folder(), 'some data.bin'), model.bin());
        const bake = await fullBake(path);
        const result = await judged(path, bake);
        expect(complaints(result)).toEqual([]);
        expect(result.worst!.share).toBeLessThan(1e-6);

        // A relative error of a thousandth is found, although the matrices have numbers as small as 1/30000.
        bake.set('palette', 5, bake.at('palette', 5) * 1.001);
        expect(complaints(await judged(path, bake))).toEqual(['palette: clip 0, frame 0, joint 0']);
    });

    test.each<[string, () => GltfBuilder]>([
        [
            'meshopt',
            () => {
                const model = skinnedModel();
                const turns = new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]);
                const bufferView = compressedView(model, turns, { count: 3, stride: 16 });
                const accessor = { bufferView, componentType: 5126, type: 'VEC4', count: 3 };
                clip(model).samplers[0].output = model.json.accessors.push(accessor) - 1;
                return model;
            },
        ],
        ['Draco', () => dracoModel(encodeVertices(), false)],
    ])('compressed by %s', async (name, make) => {
        expect(await bakerSays({ emit: ['palette', 'bounds'] }, undefined, written(make(), `${name}.glb`))).toEqual([]);
    });

    test('names of inherited members: not a path of a channel, a type of an accessor, or a dtype', async () => {
        for (const name of ['constructor', 'toString', '__proto__']) {
            const model = rich();
            clip(model).channels.push({ sampler: 1, target: { node: 2, path: name } });
            const input = written(model, 'inherited.glb');
            const bake = await fullBake(input);
            const good = bake.write(folder());
            expect(complaints(await verifyBake(input, good))).toEqual([]);
            bake.manifest.arrays.local.dtype = name;
            expect(complaints(await judged(input, bake))).toContain('ARRAY_INVALID /arrays/local/dtype');
            model.json.accessors[clip(model).samplers[0].output].type = name;
            const changed = written(model, 'inherited.glb');
            await expect(verifyBake(changed, await claimSource(good, changed))).rejects.toMatchObject({
                code: 'GLTF_INVALID',
                pointer: expect.stringMatching(/^\/accessors\/\d+\/type$/),
            });
        }
    });

    test('a chain of 50,000 nodes, and a model of a single point: its extent is its path', async () => {
        const model = skinnedModel();
        model.json.nodes = Array.from({ length: 50_000 }, (_, i) => ({ children: i < 49_999 ? [i + 1] : undefined }));
        model.json.skins = [{ joints: [1, 2] }];
        const path = written(model, 'chain.glb');
        // Every row evaluates all nodes: five rows are enough.
        const result = await bakeAndVerify(path, folder(), { fps: 4 });
        expect([result.ok, result.extent, result.rows]).toEqual([true, 2, 5]);
    });

    test('rotation keys brought to unit length', async () => {
        const model = rich();
        clip(model).samplers[0].output = model.accessor(
            Float32Array.from([0, 0, 0, 2, 0, 0, 1, 1, 0, 0, 1, 0]),
            'VEC4',
        );
        const path = written(model, 'long.glb');
        const [unit, bake] = [await fullBakeOf(richFile()), await fullBake(path)];
        expect(complaints(await judged(path, bake))).toEqual([]);
        // Rows of unit keys, claimed for the longer ones.
        unit.manifest.source = bake.manifest.source;
        unit.manifest.extent = undefined;
        expect(complaints(await judged(path, unit))).toContain('palette: clip 0, frame 15, joint 1');
        unit.manifest.recipe.renormalize = true;
        expect(complaints(await judged(path, unit))).toEqual([]);
    });
});

describe('faults are found', () => {
    // Only the fault itself: figures of wrong rows are not judged.
    test('an error of 0.01 in every float of the arrays', async () => {
        const input = richFile();
        const bake = await fullBakeOf(input, { fps: 4 });
        for (const array of ALL) {
            const { shape } = bake.manifest.arrays[array];
            const width = shape.slice(1).reduce((a: number, b: number) => a * b);
            for (let k = 0; k < width; k++) {
                const at = 2 * width + k;
                const right = bake.at(array, at);
                bake.set(array, at, right + 0.01);
                const lines = complaints(await judged(input, bake));
                bake.set(array, at, right);
                const depth = shape.length === 3 && array !== 'local' ? Math.floor(k / shape[2]) : null;
                const joint = depth !== null ? depth : array === 'root' ? 0 : -1;
                expect([k, lines]).toEqual([k, [expect.stringContaining(`${array}: clip 0, frame 2, joint `)]]);
                if (array !== 'local') expect(lines[0]).toBe(`${array}: clip 0, frame 2, joint ${joint}`);
            }
        }
    });

    test('an error of 100 ulp in one float of a bin, anywhere in a model', async () => {
        const { manifest, bin, write } = await fullBake(CHARACTER.path, { fps: 10, emit: ['palette'] });
        const joints = manifest.skin.joints.length;
        const random = seededRandom(8);
        for (let round = 0; round < 2; round++) {
            // One error for each clip, which has a separate verdict: in the largest number of a 3x3 part, of any joint and row.
            const planted = manifest.clips.map(({ animation, firstRow, frameCount }: LooseJson) => {
                const frame = Math.floor(random() * frameCount);
                const joint = Math.floor(random() * joints);
                const matrix = ((firstRow + frame) * joints + joint) * 16;
                const numbers = Array.from({ length: 12 }, (_, k) => Math.abs(bin.readFloatLE((matrix + k) * 4)));
                const at = (matrix + numbers.indexOf(Math.max(...numbers))) * 4;
                const right = bin.readInt32LE(at);
                bin.writeInt32LE(right + 100, at);
                return { at, right, line: `palette: clip ${animation}, frame ${frame}, joint ${joint}` };
            });
            expect(planted).toHaveLength(3);
            // Slightly more than the error of float32 here, 4.6e-7; the default is 1e-5.
            const result = await verifyBake(CHARACTER.path, write(folder()), { tolerance: 6e-7 });
            expect(complaints(result)).toEqual(planted.map(({ line }: LooseJson) => line));
            for (const { at, right } of planted) bin.writeInt32LE(right, at);
        }
    });

    test('a bin that does not match the manifest', async () => {
        const input = richFile();
        const bake = await fullBakeOf(input);
        const path = bake.write(folder());
        const json = readFileSync(path, 'utf8');
        const binPath = join(dirname(path), bake.manifest.binary.uri);
        const differs = ['BINARY_DIFFERS /binary/byteLength', 'BINARY_DIFFERS /binary/sha256'];
        writeFileSync(binPath, Buffer.concat([bake.bin, Buffer.alloc(4)]));
        expect(complaints(await verifyBake(input, path))).toEqual(differs);
        writeFileSync(binPath, bake.bin);
        const others = json.replace(/"sha256":"[0-9a-f]{4}/g, (found) => `${found.slice(0, -4)}0000`);
        writeFileSync(path, others);
        expect(complaints(await verifyBake(input, path))).toEqual(['SOURCE_DIFFERS /source/sha256', differs[1]]);
    });

    test.each(ALL)('a bin that ends in the array %s, whose stated bytes are fewer than its rows', async (name) => {
        const bake = await fullBakeOf(richFile());
        bake.manifest.arrays[name].byteLength = 1;
        const short = copyOf({ ...bake, bin: bake.bin.subarray(0, bake.manifest.arrays[name].byteOffset + 1) });
        const { ok, ...found } = await judged(richFile(), short);
        expect(ok).toBe(false);
        expect(complaints({ ok, ...found })).toContain(`ARRAY_INVALID /arrays/${name}/byteLength`);
    });

    test('another input: only that problem; if its hash is claimed, the rows', async () => {
        const manifest = (await fullBakeOf(richFile())).write(folder());
        const copy = join(folder(), 'renamed.glb');
        copyFileSync(richFile(), copy);
        expect((await verifyBake(copy, manifest)).ok).toBe(true);
        const model = rich();
        model.json.nodes[2].translation = [0, 1.001, 0];
        const other = written(model, 'other.glb');
        const found = await verifyBake(other, manifest);
        expect(found).toMatchObject({ ok: false, clips: [], worst: null });
        expect(found.problems.map(({ code }) => code)).toEqual(['SOURCE_DIFFERS']);
        const claimed = await verifyBake(other, await claimSource(manifest, other));
        expect(complaints(claimed)).toContain('palette: clip 0, frame 21, joint 1');
    });

    test('NaN and infinities', async () => {
        for (const value of [NaN, Infinity, -Infinity]) {
            for (const array of ALL) {
                const lines = await spoilt((bake) => bake.set(array, 0, value), { fps: 4 });
                expect(lines).toEqual([expect.stringContaining(`${array}: clip 0, frame 0, joint `)]);
            }
        }
    });

    test('half floats with errors above the stated one', async () => {
        const spoil = ({ bin, manifest }: FullBake) => {
            manifest.recipe.maxError = 0.01;
            bin.writeUInt16LE(bin.readUInt16LE(0) + 30, 0);
        };
        expect(await spoilt(spoil, { layout: 'mat3x4', dtype: 'f16' })).toEqual(['palette: clip 0, frame 0, joint 0']);
    });

    test.each<[string, (manifest: LooseJson) => void]>([
        ['CLIP_DIFFERS /clips/0/name', (m) => Object.assign(m.clips[0], { name: 'other' })],
        ['CLIP_DIFFERS /clips/0/firstRow', (m) => Object.assign(m.clips[0], { firstRow: 1 })],
        ['CLIP_DIFFERS /clips/0/duration', (m) => Object.assign(m.clips[0], { duration: 1.5 })],
        ['CLIP_DIFFERS /clips/0/frameCount', (m) => Object.assign(m.clips[0], { frameCount: 30 })],
        ['CLIP_DIFFERS /clips/0/bounds/4', (m) => Object.assign(m.clips[0].bounds, { 4: 77 })],
        ['CLIP_DIFFERS /clips/0/discontinuities', (m) => m.clips[0].discontinuities.pop()],
        ['CLIP_DIFFERS /clips/0/discontinuities', (m) => m.clips[0].discontinuities.push(5)],
        ['CLIP_DIFFERS /clips/0/fps', (m) => Object.assign(m.clips[0], { fps: 60 })],
        ['CLIP_DIFFERS /clips/0/lastFrameTime', (m) => Object.assign(m.clips[0], { lastFrameTime: 1 })],
        ['CLIP_DIFFERS /clips/0/animated', (m) => Object.assign(m.clips[0], { animated: false })],
        ['CLIP_DIFFERS /clips/0/loop', (m) => Object.assign(m.clips[0], { loop: !m.clips[0].loop })],
        ['CLIP_DIFFERS /clips/0/error/maxLate', (m) => Object.assign(m.clips[0].error, { maxLate: 0.0167 })],
        ...['maxLerp', 'maxLerpShare', 'maxNearest', 'maxNearestShare'].flatMap((name) =>
            [0, 0.998, 1.002, 1e9].map((factor): [string, (m: LooseJson) => void] => [
                `CLIP_DIFFERS /clips/0/error/${name}`,
                ({ clips: [{ error }] }) => Object.assign(error, { [name]: error[name] * factor }),
            ]),
        ),
        ['CLIP_DIFFERS /clips/0/animation', (m) => Object.assign(m.clips[0], { animation: 1 })],
        ['CLIP_DIFFERS /arrays/root/shape/0', (m) => m.clips.splice(0)],
        ['SKIN_DIFFERS /skin/index', (m) => Object.assign(m.skin, { index: 1 })],
        ['SKIN_DIFFERS /skin/joints', (m) => m.skin.joints.pop()],
        ['SKIN_DIFFERS /skin/joints/0/node', (m) => m.skin.joints.reverse()],
        ['SKIN_DIFFERS /skin/joints/1/name', (m) => Object.assign(m.skin.joints[1], { name: 'hip' })],
        ['SKIN_DIFFERS /skin/joints/1/parent', (m) => Object.assign(m.skin.joints[1], { parent: -1 })],
        ['EXTENT_DIFFERS /extent', (m) => Object.assign(m, { extent: 1 })],
        ['ARRAY_INVALID /arrays/other', (m) => Object.assign(m.arrays, { other: m.arrays.palette })],
        ['ARRAY_INVALID /arrays/hit', (m) => Object.assign(m.arrays.hit, { layout: 'mat4' })],
        ['ARRAY_INVALID /arrays/hit', (m) => m.arrays.hit.joints.splice(0, 1, 2)],
        ['ARRAY_INVALID /arrays/local', (m) => Object.assign(m.arrays.local.slots[2], { parent: -1 })],
        ['ARRAY_INVALID /arrays/local', (m) => Object.assign(m.arrays.local.slots[0], { matrix: undefined })],
        ['ARRAY_INVALID /arrays/local', (m) => m.arrays.local.slots[0].matrix.splice(3, 1, 3.5)],
        ['ARRAY_INVALID /arrays/morph', (m) => Object.assign(m.arrays.morph.meshes[0], { node: 1 })],
        ['ARRAY_INVALID /arrays/root', (m) => Object.assign(m.arrays.root, { joint: 1 })],
        ['ARRAY_INVALID /arrays/root/byteLength', (m) => Object.assign(m.arrays.root, { byteLength: 4 })],
        ['ARRAY_INVALID /arrays/root/byteOffset', (m) => Object.assign(m.arrays.root, { byteOffset: 4 })],
        ['ARRAY_INVALID /arrays/root/dtype', (m) => Object.assign(m.arrays.root, { dtype: 'f64' })],
    ])('%s', async (line, spoil) => {
        expect(await spoilt(({ manifest }) => spoil(manifest))).toContain(line);
    });
});

describe('figures', () => {
    const judgedFigures = (input: string, options: BakeOptions, spoil: (clips: LooseJson[]) => void) =>
        bakerSays(options, ({ clips }) => spoil(clips), input);

    test('each figure of each clip of the example, with an error of 0.2%', async () => {
        for (const options of [{ fps: 12 }, { fps: 12, dtype: 'f16' }, { fps: 10, emit: ['root'] }] as BakeOptions[]) {
            const lines: string[] = [];
            const spoil = (clips: LooseJson[]) => {
                for (const [clip, { error }] of clips.entries()) {
                    for (const name of Object.keys(error)) {
                        if (error[name] === 0) continue;
                        error[name] *= clip % 2 === 0 ? 1.002 : 0.998;
                        lines.push(`CLIP_DIFFERS /clips/${clip}/error/${name}`);
                    }
                }
            };
            const found = await judgedFigures(CHARACTER.path, options, spoil);
            expect(lines.length).toBeGreaterThanOrEqual(12);
            expect(found.sort()).toEqual(lines.sort());
        }
    });

    test('figures of other definitions: held intervals included, one box for all', async () => {
        // As in old manifests of the example, at 60 frames per second.
        const lines = await judgedFigures(CHARACTER.path, { fps: 60, clips: ['#0'] }, ([{ error }]) => {
            Object.assign(error, { maxLerp: 0.446, maxLerpShare: 0.446 / 1.61 });
        });
        expect(lines).toEqual(['CLIP_DIFFERS /clips/0/error/maxLerp', 'CLIP_DIFFERS /clips/0/error/maxLerpShare']);
    });

    test('nothing moves: any figure is too large', async () => {
        const model = rich();
        model.json.animations[0].channels.splice(0);
        model.json.animations[0].channels.push({ sampler: 0, target: { node: 3, path: 'rotation' } });
        const input = written(model, 'still.glb');
        expect(await judgedFigures(input, { fps: 4 }, () => {})).toEqual([]);
        const lines = await judgedFigures(input, { fps: 4 }, ([{ error }]) =>
            Object.assign(error, { maxNearest: 1e-4 }),
        );
        expect(lines).toEqual(['CLIP_DIFFERS /clips/0/error/maxNearest']);
    });
});

describe('the call', () => {
    test('files that are not manifests', async () => {
        const input = richFile();
        const path = join(folder(), 'none.bake.json');
        const given: [LooseJson, string][] = [
            ['{', ''],
            [{ format: 'other' }, ''],
            [{ format: 'poselane-bake', version: 2 }, '/version'],
            [{ format: 'poselane-bake', version: 1 }, '/source'],
        ];
        for (const [json, pointer] of given) {
            writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
            await expect(verifyBake(input, path)).rejects.toMatchObject({ code: 'BAKE_INVALID', file: path, pointer });
        }
        const away = verifyBake(input, join(folder(), 'away.bake.json'));
        await expect(away).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    });

    test('arguments', async () => {
        const bad = (options: LooseJson) => verifyBake('a', 'b', options);
        await expect(verifyBake(1 as never, 'b')).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        await expect(verifyBake('a', null as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        await expect(bad(null)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        for (const options of [{ tol: 1 }, { tolerance: 0 }, { tolerance: NaN }, { oracle: 'babylon' }]) {
            await expect(bad(options)).rejects.toMatchObject({ code: 'USAGE' });
        }
    });

    test('progress, and a signal that ends it', async () => {
        const path = (await fullBakeOf(CHARACTER.path, { fps: 10 })).write(folder());
        const seen: number[] = [];
        const { rows } = await verifyBake(CHARACTER.path, path, { onProgress: (done) => seen.push(done) });
        expect(seen[seen.length - 1]).toBe(rows);
        const reason = new Error('enough');
        const controller = new AbortController();
        const stopped = verifyBake(CHARACTER.path, path, {
            signal: controller.signal,
            onProgress: () => controller.abort(reason),
        });
        await expect(stopped).rejects.toBe(reason);
    });

    test('half floats', () => {
        const given = [0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xc000, 0x7bff, 0x7c00, 0xfc00];
        const wanted = [0, -0, 2 ** -24, 1023 * 2 ** -24, 2 ** -14, 1, -2, 65504, Infinity, -Infinity];
        expect(given.map(halfToDouble)).toEqual(wanted);
        expect(halfToDouble(0x7e00)).toBeNaN();
    });
});
