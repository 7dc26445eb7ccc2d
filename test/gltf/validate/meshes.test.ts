// SPDX-License-Identifier: MIT

import { MAX_DECODED_VALUES } from '../../../lib/gltf/limits';
import { type GltfBuilder, type LooseJson, MODEL, skinnedModel } from '../support/builder';
import { expectInvalid, listed, type Patch, patched, read, testFaults } from '../support/faults';

const primitive = (model: GltfBuilder): LooseJson => model.json.meshes[0].primitives[0];
const at = '/meshes/0/primitives/0/attributes';

/** Replaces or removes attributes. */
const attributes = (change: Record<string, number | undefined | ((model: GltfBuilder) => number)>): Patch =>
    Object.fromEntries(Object.entries(change).map(([semantic, value]) => [`${at}/${semantic}`, value]));

/** Two morph targets. */
const MORPHS = { '/meshes/0/primitives/0/targets': [{}, {}] };

describe('skinned meshes', () =>
    testFaults([
        [{ '/meshes': 1 }, /must be an array/],
        [{ '/meshes/0': null }, /must be an object/],
        [{ '/meshes/0/primitives': {} }, /must be an array/],
        [{ '/meshes/0/primitives/0': 1 }, /must be an object/],
        [{ [at]: undefined }, /must be an object, is missing/],
        [attributes({ POSITION: 99 }), /index into accessors/],
        [
            attributes({ POSITION: MODEL.weights }),
            /must be VEC3 of float, byte, .*; it is VEC4 of float \(3\.7\.2\.1\)/,
        ],
        [attributes({ JOINTS_0: MODEL.weights }), /must be VEC4 of unsigned byte, unsigned short; it is VEC4 of float/],
        [
            { [`/accessors/${MODEL.joints}/normalized`]: true },
            /it is VEC4 of normalized unsigned byte/,
            `${at}/JOINTS_0`,
        ],
        [
            attributes({ WEIGHTS_0: MODEL.joints }),
            /must be VEC4 of float, normalized unsigned byte, .*; it is VEC4 of unsigned byte/,
        ],
        [
            attributes({ WEIGHTS_0: (model) => model.accessor(new Int8Array(12), 'VEC4', { normalized: true }) }),
            /it is VEC4 of normalized byte/,
        ],
        [
            attributes({ JOINTS_0: (model) => model.accessor(new Uint8Array(16), 'VEC4') }),
            /accessor 8 has 4 elements, POSITION has 3/,
        ],
        [
            attributes({ WEIGHTS_0: (model) => model.accessor(new Float32Array(8), 'VEC4') }),
            /accessor 8 has 2 elements, POSITION has 3/,
        ],
        [attributes({ WEIGHTS_0: undefined }), /1 sets of JOINTS_n, 0 of WEIGHTS_n: must be as many/, at],
        [attributes({ WEIGHTS_1: MODEL.weights }), /1 sets of JOINTS_n, 2 of WEIGHTS_n/, at],
        [{ '/skins/0/joints': [1] }, /vertex 1 has joint 1, skin 0/, `${at}/JOINTS_0`],
        [
            attributes({
                JOINTS_1: (model) => model.accessor(new Uint16Array(12).fill(9, 7, 8), 'VEC4'),
                WEIGHTS_1: (model) => model.accessor(new Float32Array(12).fill(0.5, 7, 8), 'VEC4'),
            }),
            /accessor 8: vertex 1 has joint 9, skin 0 has 2 joints \(3\.7\.3\.3\)/,
        ],
        [
            attributes({ POSITION: (model) => model.accessor(new Float32Array(9).fill(Infinity, 8), 'VEC3') }),
            /accessor 8: element 2, component 2, is Infinity/,
        ],
        [
            { '/meshes/0/primitives/1': { attributes: {}, targets: [{}] } },
            /1 morph targets, the first primitive has 0 \(3\.7\.2\.2\)/,
            '/meshes/0/primitives/1/targets',
        ],
        [{ '/nodes/3/weights': [1], ...MORPHS }, /array of 2 numbers, is an array of 1/],
        [{ '/meshes/0/weights': [0, 'x'], ...MORPHS }, /must be a number/, '/meshes/0/weights/1'],
    ]));

test('vertices are read unchanged', async () => {
    const { skinnedMeshes } = await read(skinnedModel().toGlb());
    expect(skinnedMeshes).toMatchObject([{ node: 3, mesh: 0, skin: 0 }]);
    const [found] = skinnedMeshes[0]!.primitives;
    expect([...found!.positions]).toEqual([0, 0, 0, 0, 1, 0, 0.5, 2, 0]);
    expect(found!.influences).toBe(4);
    expect(found!.joints).toEqual(new Uint16Array([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]));
    expect(found!.weights).toEqual(new Float32Array([1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]));
});

test('more than four influences are stored together, by vertex', async () => {
    const bytes =
        (...weights: number[]) =>
        (m: GltfBuilder) =>
            m.accessor(Uint8Array.from(weights), 'VEC4', { normalized: true });
    const sets = attributes({
        WEIGHTS_0: bytes(255, 0, 0, 0, 102, 102, 0, 0, 0, 0, 0, 0),
        JOINTS_1: (m) => m.accessor(new Uint16Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), 'VEC4'),
        WEIGHTS_1: bytes(0, 0, 0, 0, 0, 51, 0, 0, 0, 0, 255, 0),
    });
    const { skinnedMeshes, warnings } = await read(patched(skinnedModel(), sets).toGlb());
    const [found] = skinnedMeshes[0]!.primitives;
    expect(found!.influences).toBe(8);
    expect([...found!.joints]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]);
    const [first, second, third] = [
        [1, 0, 0, 0, 0, 0, 0, 0],
        [0.4, 0.4, 0, 0, 0, 0.2, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, 0],
    ];
    expect(found!.weights).toEqual(Float32Array.from([...first!, ...second!, ...third!]));
    expect(warnings).toEqual([]);
});

/** The weights of two primitives, which share them. */
const sharedWeights = (weights: readonly number[]) => (model: GltfBuilder) => {
    const { attributes } = primitive(model);
    attributes.WEIGHTS_0 = model.accessor(Float32Array.from(weights), 'VEC4');
    const POSITION = model.accessor(new Float32Array(9), 'VEC3');
    model.json.meshes[0].primitives.push({ attributes: { ...attributes, POSITION } });
};

test.each([
    ['WEIGHTS_NOT_NORMALIZED', [2, 0, 0, 0, 1.5, 0.5, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0.75, 0.25, 0, 0, 0, 0, 0, 0]],
    ['NEGATIVE_WEIGHT', [1, 0, 0, 0, 1.5, -0.5, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1.5, -0.5, 0, 0, 1, 0, 0, 0]],
])('%s is a warning, once for data that primitives share', async (code, weights, expected) => {
    const scene = await read(patched(skinnedModel(), sharedWeights(weights)).toGlb());
    expect(listed(scene)).toEqual([[code, `${at}/WEIGHTS_0`]]);
    for (const { weights } of scene.skinnedMeshes[0]!.primitives) expect([...weights]).toEqual(expected);
});

test('a joint outside the skin is valid if its weight is zero', async () => {
    const joints = new Uint8Array([0, 9, 9, 9, 0, 1, 255, 2, 1, 9, 9, 9]);
    const model = patched(skinnedModel(), attributes({ JOINTS_0: (m) => m.accessor(joints, 'VEC4') }));
    expect((await read(model.toGlb())).skinnedMeshes[0]!.primitives[0]!.joints[1]).toBe(9);
});

test('a mesh is checked against each skin that moves it', async () => {
    const model = skinnedModel();
    model.json.skins.push({ joints: [1] });
    model.json.nodes.push({ mesh: 0, skin: 1 });
    await expectInvalid(model, `${at}/JOINTS_0`, /vertex 1 has joint 1, skin 1 has 1 joints/);
});

test('nodes and primitives share equal data', async () => {
    const model = skinnedModel();
    model.json.nodes.push({ mesh: 0, skin: 0 });
    model.json.meshes[0].primitives.push(primitive(model));
    const { skinnedMeshes } = await read(model.toGlb());
    expect(skinnedMeshes.map(({ node }) => node)).toEqual([3, 4]);
    const [a, b] = skinnedMeshes.flatMap(({ primitives }) => primitives);
    expect(b).toBe(a);
});

test('primitives that differ in one accessor share the others', async () => {
    const model = skinnedModel();
    const POSITION = model.accessor(new Float32Array(9), 'VEC3');
    model.json.meshes[0].primitives.push({ attributes: { ...primitive(model).attributes, POSITION } });
    const [a, b] = (await read(model.toGlb())).skinnedMeshes[0]!.primitives;
    expect(b!.positions).not.toBe(a!.positions);
    expect(b!.joints).toBe(a!.joints);
    expect(b!.weights).toBe(a!.weights);
});

test('the copies for many primitives with several sets are limited', async () => {
    const model = skinnedModel();
    const count = 2 ** 16;
    const set = { componentType: 5121, type: 'VEC4', count, bufferView: model.view(new Uint8Array(count * 4)) };
    const joints = model.json.accessors.push(set) - 1;
    const weights = model.json.accessors.push({ ...set, normalized: true }) - 1;
    const POSITION = model.json.accessors.push({ componentType: 5126, type: 'VEC3', count }) - 1;
    const all = { POSITION, JOINTS_0: joints, JOINTS_1: joints, WEIGHTS_0: weights, WEIGHTS_1: weights };
    const fitting = MAX_DECODED_VALUES / (count * 16);
    const single = { POSITION, JOINTS_0: joints, WEIGHTS_0: weights };
    model.json.meshes[0].primitives = Array(2 * fitting + 1).fill({ attributes: single });
    // One set is not copied, so it has no limit.
    expect((await read(model.toGlb())).skinnedMeshes[0]!.primitives).toHaveLength(2 * fitting + 1);

    model.json.meshes[0].primitives = Array(fitting + 1).fill({ attributes: all });
    await expectInvalid(model, `/meshes/0/primitives/${fitting}/attributes`, /the limit here/);
});

test('a primitive without joints, or without positions, is left out with a warning', async () => {
    const model = skinnedModel();
    const { POSITION, JOINTS_0, WEIGHTS_0 } = primitive(model).attributes;
    model.json.meshes[0].primitives.unshift({ attributes: { POSITION } }, { attributes: { JOINTS_0, WEIGHTS_0 } });
    model.json.nodes.push({ mesh: 0, skin: 0 });
    const scene = await read(model.toGlb());
    expect(scene.skinnedMeshes[0]!.primitives).toHaveLength(1);
    // Once, although two nodes have the mesh.
    expect(scene.skinnedMeshes).toHaveLength(2);
    expect(listed(scene)).toEqual([
        ['PRIMITIVE_NOT_SKINNED', '/meshes/0/primitives/0'],
        ['PRIMITIVE_NOT_SKINNED', '/meshes/0/primitives/1'],
    ]);
});

test('weights that are not finite count as 0, with a warning for each primitive and the number of vertices', async () => {
    const model = skinnedModel();
    const { attributes } = primitive(model);
    const set = (...weights: number[]) => model.accessor(Float32Array.from(weights), 'VEC4');
    attributes.WEIGHTS_0 = set(NaN, 0.5, 0, 0, 0.5, 0.5, 0, 0, -Infinity, NaN, Infinity, 0);
    const POSITION = model.accessor(new Float32Array(9), 'VEC3');
    const second = {
        WEIGHTS_0: set(1, 0, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0),
        WEIGHTS_1: set(0, 0, 0, 0, 0, Infinity, 0.5, 0, 0, 0, 0, 0),
        JOINTS_1: model.accessor(new Uint8Array([0, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 0]), 'VEC4'),
    };
    model.json.meshes[0].primitives.push({ attributes: { ...attributes, POSITION, ...second } });
    const { skinnedMeshes, warnings } = await read(model.toGlb());
    const [first, other] = skinnedMeshes[0]!.primitives;
    expect([...first!.weights]).toEqual([0, 1, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]);
    expect([...other!.weights].slice(8, 16)).toEqual([0.5, 0, 0, 0, 0, 0, 0.5, 0]);
    expect([first!.weightSum, other!.weightSum]).toEqual([undefined, undefined]);
    const found = warnings.filter(({ code }) => code === 'WEIGHTS_NOT_FINITE');
    expect(found.map(({ pointer, message }) => [pointer, /^\d+ of \d+ vertices/.exec(message)?.[0]])).toEqual([
        ['/meshes/0/primitives/0', '2 of 3 vertices'],
        ['/meshes/0/primitives/1', '1 of 3 vertices'],
    ]);
});

test('quantized positions are decoded, normalized or not (KHR_mesh_quantization)', async () => {
    const positions = async (normalized: boolean) => {
        const values = new Int16Array([0, -32768, 32767, 1, 2, 3, 4, 5, 6]);
        const change = attributes({ POSITION: (m) => m.accessor(values, 'VEC3', { normalized }) });
        const model = patched(skinnedModel(), change);
        model.json.extensionsRequired = model.json.extensionsUsed = ['KHR_mesh_quantization'];
        return [...(await read(model.toGlb())).skinnedMeshes[0]!.primitives[0]!.positions];
    };
    expect(await positions(false)).toEqual([0, -32768, 32767, 1, 2, 3, 4, 5, 6]);
    expect(await positions(true)).toEqual([0, -1, 1, ...[1, 2, 3, 4, 5, 6].map((v) => Math.fround(v / 32767))]);
});

test('meshes without a skin are not decoded, whatever they refer to', async () => {
    const model = skinnedModel();
    model.json.meshes.push({ primitives: [{ attributes: { POSITION: 99 } }] });
    model.json.nodes.push({ mesh: 1 });
    expect((await read(model.toGlb())).skinnedMeshes).toHaveLength(1);
});

test.each<[string, Patch, number[]]>([
    ["the node's", { '/nodes/3/weights': [0.25, 0.5], '/meshes/0/weights': [1, 0.75] }, [0.25, 0.5]],
    ["by default the mesh's", { '/meshes/0/weights': [1, 0.75] }, [1, 0.75]],
    ['else zeros', {}, [0, 0]],
])('morph weights at rest are %s (3.7.4)', async (_, patch, expected) => {
    const { nodes } = await read(patched(patched(skinnedModel(), MORPHS), patch).toGlb());
    expect(nodes[0]!.weights).toHaveLength(0);
    expect([...nodes[3]!.weights]).toEqual(expected);
});
