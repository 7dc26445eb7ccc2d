// SPDX-License-Identifier: MIT

import { MAX_DECODED_VALUES, MAX_UNSTORED_VALUES } from '../../../lib/gltf/limits';
import { type GltfBuilder, type LooseJson, MODEL, skinnedModel } from '../support/builder';
import { type Break, expectFault, expectInvalid, read, testFaults, warningsAfter } from '../support/faults';

const { times } = MODEL;
const accessor = (change: object) => (model: GltfBuilder) => {
    Object.assign(model.json.accessors[times], change);
};
const view = (change: object) => (model: GltfBuilder) => {
    Object.assign(model.json.bufferViews[times], change);
};
const at = `/accessors/${times}`;
const viewAt = `/bufferViews/${times}`;

/** The key times as sparse data over zeros: 0, 0.5, 1. */
function sparseTimes(change: (sparse: LooseJson) => void = () => {}) {
    return (model: GltfBuilder) => {
        const sparse = {
            count: 2,
            indices: { bufferView: model.view(new Uint8Array([1, 2])), componentType: 5121 },
            values: { bufferView: model.view(new Float32Array([0.5, 1])) },
        };
        change(sparse);
        model.json.accessors[times] = { componentType: 5126, type: 'SCALAR', count: 3, sparse };
    };
}

const faults: Break[] = [
    ['/accessors', /must be an array/, ({ json }) => (json.accessors = 3)],
    [at, /must be an object, is null/, ({ json }) => (json.accessors[times] = null)],
    [`${at}/componentType`, /must be one of 5120,.*missing/, accessor({ componentType: undefined })],
    [`${at}/componentType`, /is 5124 \(3\.6\.2\.2\)/, accessor({ componentType: 5124 })],
    [`${at}/type`, /must be one of SCALAR/, accessor({ type: undefined })],
    [`${at}/type`, /is "VEC5"/, accessor({ type: 'VEC5' })],
    [`${at}/type`, /"constructor"/, accessor({ type: 'constructor' })],
    [`${at}/normalized`, /true or false/, accessor({ normalized: 1 })],
    [`${at}/normalized`, /must not be true for unsigned int/, accessor({ normalized: true, componentType: 5125 })],
    [`${at}/count`, /integer of 1 or more, is missing/, accessor({ count: undefined })],
    [`${at}/count`, /integer of 1 or more/, accessor({ count: 0 })],
    [`${at}/count`, /is 2\.5/, accessor({ count: 2.5 })],
    [`${at}/count`, /ends at byte 16 .* which has 12/, accessor({ count: 4 })],
    [`${at}/count`, /400 elements of 4 bytes from 0/, accessor({ count: 400 })],
    [`${at}/count`, /limit here/, accessor({ count: Number.MAX_SAFE_INTEGER })],
    [`${at}/count`, /ends at byte 16/, accessor({ byteOffset: 4 })],
    [`${at}/byteOffset`, /integer of 0 or more, is -4/, accessor({ byteOffset: -4 })],
    [`${at}/bufferView`, /index into bufferViews/, accessor({ bufferView: 99 })],
    [`${at}/bufferView`, /is null/, accessor({ bufferView: null })],
    ['/bufferViews', /must be an array/, ({ json }) => (json.bufferViews = '8')],
    [viewAt, /must be an object/, ({ json }) => (json.bufferViews[times] = [])],
    [`${viewAt}/buffer`, /index into buffers, which has 1/, view({ buffer: undefined })],
    [`${viewAt}/buffer`, /index into buffers, which has 1, is 1/, view({ buffer: 1 })],
    [`${viewAt}/byteLength`, /is missing/, view({ byteLength: undefined })],
    [`${viewAt}/byteLength`, /integer of 1 or more/, view({ byteLength: 0 })],
    [viewAt, /ends at byte \d+ of buffer 0, which has/, view({ byteLength: 2 ** 31 })],
    [viewAt, /ends at byte/, view({ byteOffset: 2 ** 40 })],
    [`${viewAt}/byteOffset`, /is -1/, view({ byteOffset: -1 })],
    [`${viewAt}/byteStride`, /at least the size of an element, 4/, view({ byteStride: 2 })],
    [`${viewAt}/byteStride`, /integer of 1 or more/, view({ byteStride: 0 })],
    [`${at}/count`, /3 elements of 8 bytes .* byte 20/, view({ byteStride: 8 })],
];

describe('accessors and buffer views', () => testFaults(faults));

const sparseAt = `${at}/sparse`;
const sparseFaults: Break[] = [
    [sparseAt, /must be an object/, accessor({ sparse: true })],
    [`${sparseAt}/count`, /from 1 to 3, is missing/, sparseTimes((s) => delete s.count)],
    [`${sparseAt}/count`, /from 1 to 3, is 4/, sparseTimes((s) => (s.count = 4))],
    [`${sparseAt}/count`, /from 1 to 3/, sparseTimes((s) => (s.count = 0))],
    [`${sparseAt}/indices`, /must be an object, is missing/, sparseTimes((s) => delete s.indices)],
    [`${sparseAt}/values`, /must be an object, is missing/, sparseTimes((s) => delete s.values)],
    [
        `${sparseAt}/indices/componentType`,
        /must be one of 5121, 5123, 5125/,
        sparseTimes((s) => (s.indices.componentType = 5126)),
    ],
    [`${sparseAt}/indices/bufferView`, /index into bufferViews/, sparseTimes((s) => delete s.indices.bufferView)],
    [`${sparseAt}/indices/count`, /ends at byte 3/, sparseTimes((s) => (s.indices.byteOffset = 1))],
    [`${sparseAt}/values/bufferView`, /index into bufferViews/, sparseTimes((s) => (s.values.bufferView = 99))],
    [`${sparseAt}/values/count`, /byte 12/, sparseTimes((s) => (s.values.byteOffset = 4))],
    [
        `${sparseAt}/indices`,
        /index 1 is 3, the accessor has 3 elements \(3\.6\.2\.3\)/,
        (model) => {
            sparseTimes((s) => (s.indices.bufferView = model.view(new Uint8Array([1, 3]))))(model);
        },
    ],
];

describe('sparse accessors', () => testFaults(sparseFaults));

test('the sparse model that the faults start from is valid', async () => {
    const model = skinnedModel();
    sparseTimes()(model);
    const { animations, warnings } = await read(model.toGlb());
    expect([...animations[0]!.channels[0]!.times]).toEqual([0, 0.5, 1]);
    expect(warnings).toEqual([]);
});

describe('limits', () => {
    test('zeros that are stored nowhere are allowed up to a limit', async () => {
        const zeros = (count: number) => {
            const model = skinnedModel();
            model.json.accessors[MODEL.position] = { componentType: 5126, type: 'VEC3', count };
            return model.toGlb();
        };
        const pointer = `/accessors/${MODEL.position}/count`;
        const over = Math.floor(MAX_UNSTORED_VALUES / 3) + 1;
        await expectFault(zeros(over), { code: 'GLTF_INVALID', pointer, rule: /without bufferView .* the limit here/ });
        // One less passes the limit and fails for the first rule after it.
        await expectFault(zeros(over - 1), {
            code: 'GLTF_INVALID',
            pointer: '/meshes/0/primitives/0/attributes/JOINTS_0',
            rule: /has 3 elements, POSITION has/,
        });
    });

    test('many accessors over the same bytes count each', async () => {
        const model = skinnedModel();
        const { json } = model;
        const count = 2 ** 16;
        const bufferView = model.view(new Float32Array(count * 16));
        json.accessors[MODEL.inverseBind] = { bufferView, componentType: 5126, type: 'MAT4', count };
        const skins = MAX_DECODED_VALUES / (count * 16);
        for (let i = 0; i < skins; i++) {
            const inverseBindMatrices = json.accessors.push({ ...json.accessors[MODEL.inverseBind] }) - 1;
            json.skins.push({ joints: [1], inverseBindMatrices });
        }
        await expectInvalid(
            model,
            `/accessors/${json.accessors.length - 1}/count`,
            /all accessors need more than \d+ values, the limit here/,
        );
    });
});

test('data off its alignment is read with a warning', async () => {
    const model = skinnedModel();
    const shifted = new Uint8Array(13);
    shifted.set(new Uint8Array(new Float32Array([0, 0.5, 1]).buffer), 1);
    Object.assign(model.json.accessors[times], { bufferView: model.view(shifted), byteOffset: 1 });
    const { animations, warnings } = await read(model.toGlb());
    expect([...animations[0]!.channels[0]!.times]).toEqual([0, 0.5, 1]);
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([['UNALIGNED_ACCESSOR', at]]);
});

test('what nothing needs is not looked at', async () => {
    const unused = ({ json }: GltfBuilder) => {
        json.accessors.push({ count: -1 }, 7);
        json.meshes[0].primitives[0].attributes.NORMAL = 99;
        json.meshes[0].primitives[0].indices = 'all';
        Object.assign(json, { scenes: 'none', scene: 5, textures: 7, cameras: null, images: [{}] });
    };
    expect(await warningsAfter(unused)).toEqual([]);
});
