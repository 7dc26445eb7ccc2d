// SPDX-License-Identifier: MIT

import { MAX_DECODED_VALUES } from '../../../lib/gltf/limits';
import { type GltfBuilder, type LooseJson, MODEL, skinnedModel } from '../support/builder';
import { type Break, expectInvalid, read, testFaults, warningsAfter } from '../support/faults';

const primitive = (model: GltfBuilder): LooseJson => model.json.meshes[0].primitives[0];
const attributes = (change: (model: GltfBuilder) => object) => (model: GltfBuilder) => {
    Object.assign(primitive(model).attributes, change(model));
};
const at = '/meshes/0/primitives/0/attributes';

/** One attribute that is another accessor. */
const attribute = (semantic: string, rule: RegExp, of: (model: GltfBuilder) => number): Break => [
    `${at}/${semantic}`,
    rule,
    attributes((model) => ({ [semantic]: of(model) })),
];

/** Gives the mesh two morph targets. */
function morph(model: GltfBuilder): GltfBuilder {
    primitive(model).targets = [{}, {}];
    return model;
}

const faults: Break[] = [
    ['/meshes', /must be an array/, ({ json }) => (json.meshes = 1)],
    ['/meshes/0', /must be an object/, ({ json }) => (json.meshes[0] = null)],
    ['/meshes/0/primitives', /must be an array/, ({ json }) => (json.meshes[0].primitives = {})],
    ['/meshes/0/primitives/0', /must be an object/, ({ json }) => (json.meshes[0].primitives[0] = 1)],
    [at, /must be an object, is missing/, (model) => delete primitive(model).attributes],
    attribute('POSITION', /index into accessors/, () => 99),
    attribute('POSITION', /must be VEC3 of float, byte, .*; it is VEC4 of float \(3\.7\.2\.1\)/, () => MODEL.weights),
    attribute('JOINTS_0', /must be VEC4 of unsigned byte, unsigned short; it is VEC4 of float/, () => MODEL.weights),
    [
        `${at}/JOINTS_0`,
        /it is VEC4 of normalized unsigned byte/,
        ({ json }) => (json.accessors[MODEL.joints].normalized = true),
    ],
    attribute(
        'WEIGHTS_0',
        /must be VEC4 of float, normalized unsigned byte, .*; it is VEC4 of unsigned byte/,
        () => MODEL.joints,
    ),
    attribute('WEIGHTS_0', /it is VEC4 of normalized byte/, (model) =>
        model.accessor(new Int8Array(12), 'VEC4', { normalized: true }),
    ),
    attribute('JOINTS_0', /accessor 8 has 4 elements, POSITION has 3/, (model) =>
        model.accessor(new Uint8Array(16), 'VEC4'),
    ),
    attribute('WEIGHTS_0', /accessor 8 has 2 elements, POSITION has 3/, (model) =>
        model.accessor(new Float32Array(8), 'VEC4'),
    ),
    [
        at,
        /1 sets of JOINTS_n, 0 of WEIGHTS_n: must be as many/,
        (model) => delete primitive(model).attributes.WEIGHTS_0,
    ],
    [at, /1 sets of JOINTS_n, 2 of WEIGHTS_n/, attributes(() => ({ WEIGHTS_1: MODEL.weights }))],
    [`${at}/JOINTS_0`, /vertex 1 has joint 1, skin 0/, ({ json }) => json.skins[0].joints.pop()],
    [
        `${at}/JOINTS_1`,
        /accessor 8: vertex 1 has joint 9, skin 0 has 2 joints \(3\.7\.3\.3\)/,
        attributes((model) => ({
            JOINTS_1: model.accessor(new Uint16Array([0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0]), 'VEC4'),
            WEIGHTS_1: model.accessor(new Float32Array([0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0]), 'VEC4'),
        })),
    ],
    attribute('POSITION', /accessor 8: element 2, component 2, is Infinity/, (model) =>
        model.accessor(new Float32Array(9).fill(Infinity, 8), 'VEC3'),
    ),
    [
        '/meshes/0/primitives/1/targets',
        /1 morph targets, the first primitive has 0 \(3\.7\.2\.2\)/,
        ({ json }) => json.meshes[0].primitives.push({ attributes: {}, targets: [{}] }),
    ],
    ['/nodes/3/weights', /array of 2 numbers, is an array of 1/, (model) => (morph(model).json.nodes[3].weights = [1])],
    ['/meshes/0/weights/1', /must be a number/, (model) => (morph(model).json.meshes[0].weights = [0, 'x'])],
];

describe('skinned meshes', () => testFaults(faults));

test('vertices come out as they are', async () => {
    const { skinnedMeshes } = await read(skinnedModel().toGlb());
    expect(skinnedMeshes).toMatchObject([{ node: 3, mesh: 0, skin: 0 }]);
    const [found] = skinnedMeshes[0]!.primitives;
    expect([...found!.positions]).toEqual([0, 0, 0, 0, 1, 0, 0.5, 2, 0]);
    expect(found!.influences).toBe(4);
    expect(found!.joints).toEqual(new Uint16Array([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]));
    expect(found!.weights).toEqual(new Float32Array([1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]));
});

test('more than four influences stand side by side, vertex by vertex', async () => {
    const model = skinnedModel();
    const bytes = (m: GltfBuilder, ...weights: number[]) =>
        m.accessor(Uint8Array.from(weights), 'VEC4', { normalized: true });
    attributes((m) => ({
        WEIGHTS_0: bytes(m, 255, 0, 0, 0, 102, 102, 0, 0, 0, 0, 0, 0),
        JOINTS_1: m.accessor(new Uint16Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), 'VEC4'),
        WEIGHTS_1: bytes(m, 0, 0, 0, 0, 0, 51, 0, 0, 0, 0, 255, 0),
    }))(model);
    const { skinnedMeshes, warnings } = await read(model.toGlb());
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

test('weights that do not add up to 1 are a warning, once for data that primitives share', async () => {
    const wrong = (model: GltfBuilder) => {
        const { attributes } = primitive(model);
        attributes.WEIGHTS_0 = model.accessor(new Float32Array([2, 0, 0, 0, 1.5, 0.5, 0, 0, 0, 0, 0, 0]), 'VEC4');
        const POSITION = model.accessor(new Float32Array(9), 'VEC3');
        model.json.meshes[0].primitives.push({ attributes: { ...attributes, POSITION } });
    };
    expect(await warningsAfter(wrong)).toEqual([['WEIGHTS_NOT_NORMALIZED', `${at}/WEIGHTS_0`]]);
    const model = skinnedModel();
    wrong(model);
    for (const { weights } of (await read(model.toGlb())).skinnedMeshes[0]!.primitives) {
        expect([...weights]).toEqual([1, 0, 0, 0, 0.75, 0.25, 0, 0, 0, 0, 0, 0]);
    }
});

test('a joint beyond the skin is no fault where its weight is zero', async () => {
    const model = skinnedModel();
    attributes((m) => ({
        JOINTS_0: m.accessor(new Uint8Array([0, 9, 9, 9, 0, 1, 255, 2, 1, 9, 9, 9]), 'VEC4'),
    }))(model);
    expect((await read(model.toGlb())).skinnedMeshes[0]!.primitives[0]!.joints[1]).toBe(9);
});

test('a mesh is checked against each skin that moves it', async () => {
    const model = skinnedModel();
    model.json.skins.push({ joints: [1] });
    model.json.nodes.push({ mesh: 0, skin: 1 });
    await expectInvalid(model, `${at}/JOINTS_0`, /vertex 1 has joint 1, skin 1 has 1 joints/);
});

test('nodes and primitives share what they have in common', async () => {
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

test('the copies that many primitives with several sets ask for are limited', async () => {
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
    // One set is not copied, so there is no limit to it.
    expect((await read(model.toGlb())).skinnedMeshes[0]!.primitives).toHaveLength(2 * fitting + 1);

    model.json.meshes[0].primitives = Array(fitting + 1).fill({ attributes: all });
    await expectInvalid(model, `/meshes/0/primitives/${fitting}/attributes`, /the limit here/);
});

test('a primitive without joints, or without positions, is left out with a warning', async () => {
    const model = skinnedModel();
    const { POSITION, JOINTS_0, WEIGHTS_0 } = primitive(model).attributes;
    model.json.meshes[0].primitives.unshift({ attributes: { POSITION } }, { attributes: { JOINTS_0, WEIGHTS_0 } });
    model.json.nodes.push({ mesh: 0, skin: 0 });
    const { skinnedMeshes, warnings } = await read(model.toGlb());
    expect(skinnedMeshes[0]!.primitives).toHaveLength(1);
    // Once, though two nodes have the mesh.
    expect(skinnedMeshes).toHaveLength(2);
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
        ['PRIMITIVE_NOT_SKINNED', '/meshes/0/primitives/0'],
        ['PRIMITIVE_NOT_SKINNED', '/meshes/0/primitives/1'],
    ]);
});

test('a negative weight is a warning, once for data that primitives share', async () => {
    const negative = (model: GltfBuilder) => {
        const { attributes } = primitive(model);
        const weights = new Float32Array([1, 0, 0, 0, 1.5, -0.5, 0, 0, 1, 0, 0, 0]);
        attributes.WEIGHTS_0 = model.accessor(weights, 'VEC4');
        const POSITION = model.accessor(new Float32Array(9), 'VEC3');
        model.json.meshes[0].primitives.push({ attributes: { ...attributes, POSITION } });
    };
    expect(await warningsAfter(negative)).toEqual([['NEGATIVE_WEIGHT', `${at}/WEIGHTS_0`]]);
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
        const model = skinnedModel();
        const values = new Int16Array([0, -32768, 32767, 1, 2, 3, 4, 5, 6]);
        attributes((m) => ({ POSITION: m.accessor(values, 'VEC3', { normalized }) }))(model);
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

test("morph weights at rest are the node's, else the mesh's, else zeros (3.7.4)", async () => {
    const rest = async (change: (json: LooseJson) => void) => {
        const model = morph(skinnedModel());
        change(model.json);
        const { nodes } = await read(model.toGlb());
        expect(nodes[0]!.weights).toHaveLength(0);
        return [...nodes[3]!.weights];
    };
    const own = [0.25, 0.5];
    const shared = [1, 0.75];
    expect(await rest(() => {})).toEqual([0, 0]);
    expect(await rest((json) => (json.meshes[0].weights = shared))).toEqual(shared);
    expect(await rest((json) => (json.nodes[3].weights = own))).toEqual(own);
    expect(
        await rest((json) => {
            json.meshes[0].weights = shared;
            json.nodes[3].weights = own;
        }),
    ).toEqual(own);
});
