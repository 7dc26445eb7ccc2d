// SPDX-License-Identifier: MIT

import type { GltfScene } from '../../lib/gltf/scene';
import { clip, type GltfBuilder, lift, MODEL, type Numbers, setOutput, skinnedModel } from './support/builder';
import { DRACO, DRACO_INSTALLED, dracoModel, encodeVertices } from './support/draco';
import { expectFault, expectInvalid, read } from './support/faults';
import { compressedView, type MeshoptOptions } from './support/meshopt';

/** The values of the first channel. */
async function values(model: GltfBuilder): Promise<Float32Array> {
    return (await read(model.toGlb())).animations[0]!.channels[0]!.values;
}

/** Three keys of a translation that are `output` of the JSON's accessors. */
function translate(model: GltfBuilder, output: number): GltfBuilder {
    clip(model).samplers[0].output = output;
    clip(model).channels[0].target.path = 'translation';
    return model;
}

test('normalized integers become floats by the formulas of 3.11', async () => {
    const decoded = async (data: Numbers) => {
        const model = skinnedModel();
        model.json.meshes[0].primitives[0].targets = [{}];
        setOutput(model, data, 'SCALAR', { normalized: true });
        clip(model).channels[0].target = { node: MODEL.body, path: 'weights' };
        return [...(await values(model))];
    };
    expect(await decoded(new Int8Array([-128, -127, 64]))).toEqual([-1, -1, Math.fround(64 / 127)]);
    expect(await decoded(new Uint8Array([0, 255, 100]))).toEqual([0, 1, Math.fround(100 / 255)]);
    expect(await decoded(new Int16Array([-32768, 32767, 9]))).toEqual([-1, 1, Math.fround(9 / 32767)]);
    expect(await decoded(new Uint16Array([0, 65535, 9]))).toEqual([0, 1, Math.fround(9 / 65535)]);
});

test('normalized on floats means nothing', async () => {
    const model = skinnedModel();
    model.json.accessors[MODEL.rotations].normalized = true;
    expect(await values(model)).toEqual(await values(skinnedModel()));
});

test('strided data is picked out, in vertices as in keys', async () => {
    const model = skinnedModel();
    const interleaved = model.view(
        Float32Array.from({ length: 15 }, (_, i) => i),
        { byteStride: 20 },
    );
    const strided = { bufferView: interleaved, componentType: 5126, type: 'VEC3', count: 3 };
    const position = model.json.accessors.push({ ...strided, byteOffset: 8 }) - 1;
    model.json.meshes[0].primitives[0].attributes.POSITION = position;
    translate(model, model.json.accessors.push({ ...strided }) - 1);
    const { animations, skinnedMeshes, warnings } = await read(model.toGlb());
    expect([...animations[0]!.channels[0]!.values]).toEqual([0, 1, 2, 5, 6, 7, 10, 11, 12]);
    // byteStride is for vertices.
    expect(warnings).toEqual([
        {
            code: 'KEYS_STRIDED',
            pointer: `/bufferViews/${interleaved}/byteStride`,
            message: expect.stringContaining('byteStride is 20, an element of accessor'),
        },
    ]);
    expect([...skinnedMeshes[0]!.primitives[0]!.positions]).toEqual([2, 3, 4, 7, 8, 9, 12, 13, 14]);
});

test('a stride equal to the element is tight', async () => {
    const model = skinnedModel();
    model.json.bufferViews[MODEL.rotations].byteStride = 16;
    expect(await values(model)).toEqual(await values(skinnedModel()));
    expect((await read(model.toGlb())).warnings).toEqual([]);
});

describe('sparse data', () => {
    test('has offsets of its own, which are not those of the base', async () => {
        const model = skinnedModel();
        const base = model.accessor(new Float32Array([99, 99, 99, 1, 2, 3, 4, 5, 6, 7, 8, 9]), 'VEC3');
        Object.assign(model.json.accessors[base], { byteOffset: 12, count: 3 });
        const bufferView = model.view(new Uint8Array([...Array(12).fill(2), 1, 0, 0, 0]));
        const replacement = new Float32Array([-4, -5, -6, 0, 0, 0]);
        const sparse = {
            count: 1,
            indices: { bufferView, componentType: 5121 },
            values: { bufferView: model.view(replacement) },
        };
        model.json.accessors[base].sparse = sparse;
        // Without byteOffset the indices start at 0, where glTF-Transform 4.5 alone would go on from the base's 12.
        expect([...(await values(translate(model, base)))]).toEqual([1, 2, 3, 4, 5, 6, -4, -5, -6]);
    });
});

describe('meshopt', () => {
    const rotations = new Float32Array([0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 1, 0]);

    /** The model with its rotations compressed. */
    function compressed(options: MeshoptOptions, accessor: object = {}): GltfBuilder {
        const model = skinnedModel();
        const bufferView = compressedView(model, rotations, options);
        Object.assign(model.json.accessors[MODEL.rotations], { bufferView, ...accessor });
        return model;
    }

    test.each(['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const)('%s is decoded', async (extension) => {
        const model = compressed({ extension, count: 3, stride: 16 });
        expect(await values(model)).toEqual(rotations);
    });

    test('is decoded where it is found, even if it is not declared', async () => {
        const model = compressed({ count: 3, stride: 16 });
        delete model.json.extensionsUsed;
        delete model.json.extensionsRequired;
        expect(await values(model)).toEqual(rotations);
    });

    test('quaternions of the filter are normalized shorts of unit length', async () => {
        const model = compressed(
            { count: 3, stride: 8, filter: 'QUATERNION' },
            { componentType: 5122, normalized: true },
        );
        const { animations, warnings } = await read(model.toGlb());
        const decoded = animations[0]!.channels[0]!.values;
        for (const [i, value] of decoded.entries()) {
            // The filter may negate a quaternion: the same rotation.
            expect(Math.abs(value)).toBeCloseTo(Math.abs(rotations[i]!), 4);
        }
        expect(warnings).toEqual([]);
    });

    test('the exponential filter gives floats', async () => {
        const decoded = await values(compressed({ count: 3, stride: 16, filter: 'EXPONENTIAL' }));
        for (const [i, value] of decoded.entries()) expect(value).toBeCloseTo(rotations[i]!, 3);
    });

    test('several views are decoded, and a fault names the right one', async () => {
        const model = compressed({ count: 3, stride: 16 });
        const { json } = model;
        const bufferView = compressedView(model, new Float32Array([...lift(3), ...lift(4)]), { count: 2, stride: 64 });
        json.accessors[MODEL.inverseBind].bufferView = bufferView;
        expect([...(await read(model.toGlb())).skins[0]!.inverseBindMatrices]).toEqual([...lift(3), ...lift(4)]);

        json.bufferViews[bufferView].extensions.EXT_meshopt_compression.byteLength -= 1;
        await expectInvalid(model, `/bufferViews/${bufferView}`, /not a valid stream/);
    });

    test('views that nothing needs are not decoded', async () => {
        const model = compressed({ count: 3, stride: 16 });
        const broken = structuredClone(model.json.bufferViews.at(-1));
        broken.extensions.EXT_meshopt_compression.byteLength = 1;
        model.json.bufferViews.push(broken);
        expect(await values(model)).toEqual(rotations);
    });
});

describe('packages are loaded at the first need', () => {
    /** Reads with a lib/ that has nothing loaded yet and fails to load `missing`. */
    async function readWithout(missing: string, model: GltfBuilder): Promise<GltfScene> {
        jest.resetModules();
        jest.doMock(missing, () => {
            throw new Error(`${missing} was loaded`);
        });
        const fresh: typeof import('../../lib/gltf/read') = require('../../lib/gltf/read');
        try {
            return await fresh.readGltfBytes(model.toGlb(), { name: 'model.glb' });
        } finally {
            jest.dontMock(missing);
        }
    }

    const compressed = () => {
        const model = skinnedModel();
        const bufferView = compressedView(model, new Float32Array(12), { count: 3, stride: 16 });
        model.json.accessors[MODEL.rotations].bufferView = bufferView;
        return model;
    };

    test.each(['@gltf-transform/core', '@gltf-transform/extensions'])('%s by nothing', async (name) => {
        const model = compressed();
        model.json.accessors[MODEL.inverseBind].sparse = {
            count: 1,
            indices: { bufferView: model.view(new Uint8Array([1])), componentType: 5121 },
            values: { bufferView: model.view(Float32Array.from(lift(1))) },
        };
        expect((await readWithout(name, model)).skinnedMeshes).toHaveLength(1);
    });

    test('meshoptimizer/decoder.cjs by compression', async () => {
        const name = 'meshoptimizer/decoder.cjs';
        expect((await readWithout(name, skinnedModel())).skinnedMeshes).toHaveLength(1);
        await expect(readWithout(name, compressed())).rejects.toThrow('was loaded');
    });
});

test('memory may be shared, and is not kept', async () => {
    const bytes = skinnedModel().toGlb();
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const scene = await read(shared);
    shared.fill(0);
    bytes.fill(0);
    expect(scene).toEqual(await read(skinnedModel().toGlb()));
});

describe('Draco', () => {
    const at = `/meshes/0/primitives/0/extensions/${DRACO}`;
    // An optional package of users, a development dependency here: where it is missing, CI says so.
    const maybe = (title: string, body: () => Promise<void>) =>
        DRACO_INSTALLED ? test(title, body) : test.skip(`${title} (skipped: draco3dgltf is not installed)`, body);

    maybe('vertices are decoded', async () => {
        const scene = await read(dracoModel(encodeVertices(), false).toGlb());
        const [found] = scene.skinnedMeshes[0]!.primitives;
        const [plain] = (await read(skinnedModel().toGlb())).skinnedMeshes[0]!.primitives;
        expect(found).toEqual(plain);
    });

    maybe('attributes beside the compressed ones are read as usual', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { attributes, extensions } = model.json.meshes[0].primitives[0];
        delete extensions[DRACO].attributes.POSITION;
        attributes.POSITION = model.accessor(new Float32Array([1, 2, 3, 4, 5, 6, 7, 8, 9]), 'VEC3');
        const [found] = (await read(model.toGlb())).skinnedMeshes[0]!.primitives;
        expect([...found!.positions]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        expect([...found!.joints]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    });

    maybe('vertices that are more or fewer than the accessors say are refused', async () => {
        const model = dracoModel(encodeVertices(), false);
        for (const index of [MODEL.position, MODEL.joints, MODEL.weights]) model.json.accessors[index].count = 4;
        await expectInvalid(
            model,
            `/accessors/${MODEL.position}/count`,
            /the compressed data has 9 values, the accessor 12/,
        );
    });

    maybe('a stream that is none is refused', async () => {
        const bytes = dracoModel(new Uint8Array(64), false).toGlb();
        await expectFault(bytes, { code: 'GLTF_INVALID', pointer: at, rule: /not a valid stream of Draco's/ });
    });

    maybe('a stream that differs from its accessors is refused before the next one is decoded', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { primitives } = model.json.meshes[0];
        const [first] = primitives;
        const bufferView = model.view(new Uint8Array(64));
        primitives.push({ ...first, extensions: { [DRACO]: { ...first.extensions[DRACO], bufferView } } });
        primitives[1].attributes = Object.fromEntries(
            Object.entries(first.attributes).map(([semantic, index]) => {
                return [semantic, model.json.accessors.push({ ...model.json.accessors[index as number] }) - 1];
            }),
        );
        const second = '/meshes/0/primitives/1/extensions/KHR_draco_mesh_compression';
        await expectInvalid(model, second, /not a valid stream/);
        for (const index of [MODEL.position, MODEL.joints, MODEL.weights]) model.json.accessors[index].count = 4;
        const pointer = `/accessors/${MODEL.position}/count`;
        await expectInvalid(model, pointer, /has 9 values, the accessor 12/);
    });

    maybe('views of the same bytes are one stream, whatever their number', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { primitives } = model.json.meshes[0];
        const { attributes, extensions } = primitives[0];
        const view = model.json.bufferViews[extensions[DRACO].bufferView];
        for (let i = 0; i < 100; i++) {
            const own = Object.entries(attributes).map(([semantic, index]) => {
                return [semantic, model.json.accessors.push({ ...model.json.accessors[index as number] }) - 1];
            });
            const bufferView = model.json.bufferViews.push({ ...view }) - 1;
            const extension = { ...extensions[DRACO], bufferView };
            primitives.push({ attributes: Object.fromEntries(own), extensions: { [DRACO]: extension } });
        }
        const [first, ...others] = (await read(model.toGlb())).skinnedMeshes[0]!.primitives;
        expect(others).toHaveLength(100);
        expect(others[99]).toEqual(first);
    });

    maybe('views that overlap must not have more bytes between them than are stored', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { primitives } = model.json.meshes[0];
        const { attributes, extensions } = primitives[0];
        const view = model.json.bufferViews[extensions[DRACO].bufferView];
        view.byteLength = model.bin().length - view.byteOffset;
        const many = Math.floor(model.bin().length / view.byteLength) + 1;
        for (let i = 1; i <= many; i++) {
            const bufferView = model.json.bufferViews.push({ ...view, byteLength: view.byteLength - i }) - 1;
            primitives.push({ attributes, extensions: { [DRACO]: { ...extensions[DRACO], bufferView } } });
        }
        await expectFault(model.toGlb(), {
            code: 'GLTF_INVALID',
            pointer: expect.stringMatching(
                /^\/meshes\/0\/primitives\/\d+\/extensions\/KHR_draco_mesh_compression\/bufferView$/,
            ),
            rule: /compressed data of all primitives has more than \d+ bytes, as many as are stored: it overlaps/,
        });
    });

    maybe("numbers that the accessor's type does not have are refused, and not left as memory has them", async () => {
        for (const joint of [256, 65536]) {
            const model = dracoModel(encodeVertices([0, 0, 0, 0, joint, 1, 0, 0, 1, 0, 0, 0]), false);
            const rule = /not a valid stream of Draco's/;
            await expectInvalid(model, at, rule);
        }
    });

    maybe('an attribute that the stream does not have is refused', async () => {
        const model = dracoModel(encodeVertices(), false);
        model.json.meshes[0].primitives[0].extensions[DRACO].attributes.POSITION = 7;
        const pointer = `/accessors/${MODEL.position}/count`;
        await expectInvalid(model, pointer, /has 0 values, the accessor 9/);
    });

    describe('without the package', () => {
        beforeEach(() => {
            const missing = Object.assign(new Error("Cannot find module 'draco3dgltf'"), { code: 'MODULE_NOT_FOUND' });
            jest.doMock(
                'draco3dgltf',
                () => {
                    throw missing;
                },
                { virtual: true },
            );
        });
        afterEach(() => jest.dontMock('draco3dgltf'));

        test('a file that needs it is refused, naming the package', () =>
            expectFault(dracoModel(new Uint8Array(4), false).toGlb(), {
                code: 'EXTENSION_UNSUPPORTED',
                pointer: at,
                rule: /needs the optional package draco3dgltf/,
            }));

        test('uncompressed data beside it will do', async () => {
            const scene = await read(dracoModel(new Uint8Array(4), true).toGlb());
            expect([...scene.skinnedMeshes[0]!.primitives[0]!.positions]).toEqual([0, 0, 0, 0, 1, 0, 0.5, 2, 0]);
        });

        test('compressed meshes that no skin moves do not matter', async () => {
            const model = skinnedModel();
            const primitive = {
                attributes: { POSITION: 99 },
                extensions: { [DRACO]: { bufferView: 99, attributes: {} } },
            };
            model.json.meshes.push({ primitives: [primitive] });
            model.json.nodes.push({ mesh: 1 });
            model.json.extensionsUsed = model.json.extensionsRequired = [DRACO];
            expect((await read(model.toGlb())).skinnedMeshes).toHaveLength(1);
        });
    });

    test('an installation that is broken is not taken for one that is missing', async () => {
        const broken = new Error('broken');
        jest.doMock(
            'draco3dgltf',
            () => {
                throw broken;
            },
            { virtual: true },
        );
        await expect(read(dracoModel(new Uint8Array(4), true).toGlb())).rejects.toBe(broken);
        jest.dontMock('draco3dgltf');
    });

    test('an extension that compresses nothing of the skin is not looked into', async () => {
        const model = dracoModel(new Uint8Array(4), true);
        model.json.meshes[0].primitives[0].extensions[DRACO] = { bufferView: 99, attributes: { NORMAL: 0 } };
        expect((await read(model.toGlb())).skinnedMeshes[0]!.primitives).toHaveLength(1);
    });

    test('an accessor that Draco fills must not be sparse', async () => {
        const model = dracoModel(new Uint8Array(4), true);
        model.json.accessors[MODEL.weights].sparse = {
            count: 1,
            indices: { bufferView: model.view(new Uint8Array(1)), componentType: 5121 },
            values: { bufferView: model.view(new Float32Array(4)) },
        };
        const pointer = `/accessors/${MODEL.weights}/sparse`;
        await expectInvalid(model, pointer, /must not be sparse/);
    });

    test('faults of the extension are found before decoding', async () => {
        const model = dracoModel(new Uint8Array(4), true);
        const extension = model.json.meshes[0].primitives[0].extensions[DRACO];
        extension.attributes.POSITION = -1;
        const pointer = `${at}/attributes/POSITION`;
        await expectInvalid(model, pointer, /integer of 0 or more/);
        extension.attributes.POSITION = 0;
        extension.bufferView = 99;
        await expectInvalid(model, `${at}/bufferView`, /index into bufferViews/);
    });
});
