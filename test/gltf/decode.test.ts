// SPDX-License-Identifier: MIT

import { inputOfBytes } from '../../lib/gltf/input';
import { readGltf } from '../../lib/gltf/read';
import type { GltfScene } from '../../lib/gltf/scene';
import { clip, type GltfBuilder, lift, MODEL, skinnedModel } from './support/builder';
import { DRACO, dracoModel, encodeVertices, VERTICES } from './support/draco';
import { expectFault, expectInvalid, type Patch, patched, read, testFaults } from './support/faults';
import { compressedView, type MeshoptOptions } from './support/meshopt';

/** The values of the first channel. */
async function values(model: GltfBuilder): Promise<Float32Array> {
    return (await read(model.toGlb())).animations[0]!.channels[0]!.values;
}

test('normalized has no effect on floats', async () => {
    const model = skinnedModel();
    model.json.accessors[MODEL.rotations].normalized = true;
    expect(await values(model)).toEqual(await values(skinnedModel()));
});

test('strided data is read, in vertices as in keys', async () => {
    const model = skinnedModel();
    const interleaved = model.view(
        Float32Array.from({ length: 15 }, (_, i) => i),
        { byteStride: 20 },
    );
    const strided = { bufferView: interleaved, componentType: 5126, type: 'VEC3', count: 3 };
    const position = model.json.accessors.push({ ...strided, byteOffset: 8 }) - 1;
    model.json.meshes[0].primitives[0].attributes.POSITION = position;
    clip(model).samplers[0].output = model.json.accessors.push({ ...strided }) - 1;
    clip(model).channels[0].target.path = 'translation';
    const { animations, skinnedMeshes, warnings } = await read(model.toGlb());
    expect([...animations[0]!.channels[0]!.values]).toEqual([0, 1, 2, 5, 6, 7, 10, 11, 12]);
    // byteStride is only for vertices.
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

describe('meshopt', () => {
    const rotations = new Float32Array([0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 1, 0]);

    /** The model with its rotations compressed. */
    function compressed(options: MeshoptOptions, accessor: object = {}): GltfBuilder {
        const model = skinnedModel();
        const bufferView = compressedView(model, rotations, options);
        Object.assign(model.json.accessors[MODEL.rotations], { bufferView, ...accessor });
        return model;
    }

    test('is decoded even if it is not declared', async () => {
        const undeclared = { '/extensionsUsed': undefined, '/extensionsRequired': undefined };
        expect(await values(patched(compressed({ count: 3, stride: 16 }), undeclared))).toEqual(rotations);
    });

    test('quaternions of the filter are normalized shorts of unit length', async () => {
        const model = compressed(
            { count: 3, stride: 8, filter: 'QUATERNION' },
            { componentType: 5122, normalized: true },
        );
        const { animations, warnings } = await read(model.toGlb());
        const decoded = animations[0]!.channels[0]!.values;
        for (const [i, value] of decoded.entries()) {
            // The filter can negate a quaternion, which is the same rotation.
            expect(Math.abs(value)).toBeCloseTo(Math.abs(rotations[i]!), 4);
        }
        expect(warnings).toEqual([]);
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

    test('unused views are not decoded', async () => {
        const model = compressed({ count: 3, stride: 16 });
        const broken = structuredClone(model.json.bufferViews.at(-1));
        broken.extensions.EXT_meshopt_compression.byteLength = 1;
        model.json.bufferViews.push(broken);
        expect(await values(model)).toEqual(rotations);
    });
});

describe('packages are loaded when they are first needed', () => {
    /** Reads with a fresh lib/ that cannot load `missing`. */
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

    test.each(['@gltf-transform/core', '@gltf-transform/extensions'])('%s is never loaded', async (name) => {
        const model = compressed();
        model.json.accessors[MODEL.inverseBind].sparse = {
            count: 1,
            indices: { bufferView: model.view(new Uint8Array([1])), componentType: 5121 },
            values: { bufferView: model.view(Float32Array.from(lift(1))) },
        };
        expect((await readWithout(name, model)).skinnedMeshes).toHaveLength(1);
    });

    test('meshoptimizer/decoder.cjs is loaded for compression', async () => {
        const name = 'meshoptimizer/decoder.cjs';
        expect((await readWithout(name, skinnedModel())).skinnedMeshes).toHaveLength(1);
        await expect(readWithout(name, compressed())).rejects.toThrow('was loaded');
    });
});

test('memory can be shared, and is not kept', async () => {
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
    /** The same attributes with separate accessors. */
    const copied = ({ json }: GltfBuilder, attributes: Readonly<Record<string, number>>) =>
        Object.fromEntries(
            Object.entries(attributes).map(([semantic, index]) => {
                return [semantic, json.accessors.push({ ...json.accessors[index] }) - 1];
            }),
        );

    test('vertices are decoded', async () => {
        const scene = await read(dracoModel(encodeVertices(), false).toGlb());
        const [found] = scene.skinnedMeshes[0]!.primitives;
        const [plain] = (await read(skinnedModel().toGlb())).skinnedMeshes[0]!.primitives;
        expect(found).toEqual(plain);
    });

    test('vertices of a mesh without a skin are decoded', async () => {
        const [found, plain] = [dracoModel(encodeVertices(), false), skinnedModel()].map(async (model) => {
            const { json } = model;
            delete json.skins;
            delete json.nodes[MODEL.body].skin;
            json.nodes[MODEL.root].children = [MODEL.hip];
            json.nodes[MODEL.knee].children = [MODEL.body];
            return (await readGltf('a.glb', { rigid: true }, inputOfBytes('a.glb', model.toGlb()))).rigidMeshes;
        });
        expect((await plain!)![0]!.primitives[0]!.positions).toHaveLength(9);
        expect(await found).toEqual(await plain);
    });

    test('attributes next to the compressed ones are read as usual', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { attributes, extensions } = model.json.meshes[0].primitives[0];
        delete extensions[DRACO].attributes.POSITION;
        attributes.POSITION = model.accessor(new Float32Array([1, 2, 3, 4, 5, 6, 7, 8, 9]), 'VEC3');
        const [found] = (await read(model.toGlb())).skinnedMeshes[0]!.primitives;
        expect([...found!.positions]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        expect([...found!.joints]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    });

    test('a stream that differs from its accessors is rejected before the next one is decoded', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { primitives } = model.json.meshes[0];
        const [first] = primitives;
        const bufferView = model.view(new Uint8Array(64));
        primitives.push({ ...first, extensions: { [DRACO]: { ...first.extensions[DRACO], bufferView } } });
        primitives[1].attributes = copied(model, first.attributes);
        const second = '/meshes/0/primitives/1/extensions/KHR_draco_mesh_compression';
        await expectInvalid(model, second, /not a valid stream/);
        await expectInvalid(patched(model, four), POSITION, /has 9 values, the accessor 12/);
    });

    test('any number of views of the same bytes are one stream', async () => {
        const model = dracoModel(encodeVertices(), false);
        const { primitives } = model.json.meshes[0];
        const { attributes, extensions } = primitives[0];
        const view = model.json.bufferViews[extensions[DRACO].bufferView];
        for (let i = 0; i < 100; i++) {
            const bufferView = model.json.bufferViews.push({ ...view }) - 1;
            const extension = { ...extensions[DRACO], bufferView };
            primitives.push({ attributes: copied(model, attributes), extensions: { [DRACO]: extension } });
        }
        const [first, ...others] = (await read(model.toGlb())).skinnedMeshes[0]!.primitives;
        expect(others).toHaveLength(100);
        expect(others[99]).toEqual(first);
    });

    test('overlapping views must not have more bytes in total than are stored', async () => {
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

    const encoded = (joints?: number[]) => dracoModel(encodeVertices(joints), false);
    const joint = (value: number) => encoded([0, 0, 0, 0, value, 1, 0, 0, 1, 0, 0, 0]);
    const four = Object.fromEntries(VERTICES.map((index) => [`/accessors/${index}/count`, 4]));
    const POSITION = `/accessors/${MODEL.position}/count`;
    const faults: [string, () => GltfBuilder, Patch, RegExp, string][] = [
        ['more vertices in the accessors', encoded, four, /compressed data has 9 values, the accessor 12/, POSITION],
        [
            'bytes that are not a stream',
            () => dracoModel(new Uint8Array(64), false),
            {},
            /not a valid stream of Draco's/,
            at,
        ],
        ["a number too large for its accessor's type", () => joint(256), {}, /not a valid stream of Draco's/, at],
        ['a number that would wrap to 0', () => joint(65536), {}, /not a valid stream of Draco's/, at],
        [
            'a missing attribute',
            encoded,
            { [`${at}/attributes/POSITION`]: 7 },
            /has 0 values, the accessor 9/,
            POSITION,
        ],
    ];
    for (const [title, base, patch, rule, pointer] of faults) {
        test(`${title}: rejected`, () => expectInvalid(patched(base(), patch), pointer, rule));
    }

    test('compressed meshes without a skin are ignored', async () => {
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

    test('an extension that compresses no part of the skin is ignored', async () => {
        const model = dracoModel(new Uint8Array(4), true);
        model.json.meshes[0].primitives[0].extensions[DRACO] = { bufferView: 99, attributes: { NORMAL: 0 } };
        expect((await read(model.toGlb())).skinnedMeshes[0]!.primitives).toHaveLength(1);
    });

    testFaults(
        [
            [
                {
                    [`/accessors/${MODEL.weights}/sparse`]: (model: GltfBuilder) => ({
                        count: 1,
                        indices: { bufferView: model.view(new Uint8Array(1)), componentType: 5121 },
                        values: { bufferView: model.view(new Float32Array(4)) },
                    }),
                },
                /must not be sparse/,
            ],
            [{ [`${at}/attributes/POSITION`]: -1 }, /integer of 0 or more/],
            [{ [`${at}/bufferView`]: 99 }, /index into bufferViews/],
        ],
        () => dracoModel(new Uint8Array(4), true),
    );
});
