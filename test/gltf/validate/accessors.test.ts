// SPDX-License-Identifier: MIT

import { MAX_DECODED_VALUES, MAX_UNSTORED_VALUES } from '../../../lib/gltf/limits';
import { type GltfBuilder, MODEL, skinnedModel } from '../support/builder';
import { expectInvalid, listed, patched, read, testFaults, testWarnings } from '../support/faults';

const at = `/accessors/${MODEL.times}`;
const view = `/bufferViews/${MODEL.times}`;

describe('accessors and buffer views', () =>
    testFaults([
        [{ '/accessors': 3 }, /must be an array/],
        [{ [at]: null }, /must be an object, is null/],
        [{ [`${at}/componentType`]: undefined }, /must be one of 5120,.*missing/],
        [{ [`${at}/componentType`]: 5124 }, /is 5124 \(3\.6\.2\.2\)/],
        [{ [`${at}/type`]: undefined }, /must be one of SCALAR/],
        [{ [`${at}/type`]: 'VEC5' }, /is "VEC5"/],
        [{ [`${at}/type`]: 'constructor' }, /"constructor"/],
        [{ [`${at}/normalized`]: 1 }, /true or false/],
        [{ [`${at}/normalized`]: true, [`${at}/componentType`]: 5125 }, /must not be true for unsigned int/],
        [{ [`${at}/count`]: undefined }, /integer of 1 or more, is missing/],
        [{ [`${at}/count`]: 0 }, /integer of 1 or more/],
        [{ [`${at}/count`]: 2.5 }, /is 2\.5/],
        [{ [`${at}/count`]: 4 }, /ends at byte 16 .* which has 12/],
        [{ [`${at}/count`]: 400 }, /400 elements of 4 bytes from 0/],
        [{ [`${at}/count`]: Number.MAX_SAFE_INTEGER }, /limit here/],
        [{ [`${at}/byteOffset`]: 4 }, /ends at byte 16/, `${at}/count`],
        [{ [`${at}/byteOffset`]: -4 }, /integer of 0 or more, is -4/],
        [{ [`${at}/bufferView`]: 99 }, /index into bufferViews/],
        [{ [`${at}/bufferView`]: null }, /is null/],
        [{ '/bufferViews': '8' }, /must be an array/],
        [{ [view]: [] }, /must be an object/],
        [{ [`${view}/buffer`]: undefined }, /index into buffers, which has 1/],
        [{ [`${view}/buffer`]: 1 }, /index into buffers, which has 1, is 1/],
        [{ [`${view}/byteLength`]: undefined }, /is missing/],
        [{ [`${view}/byteLength`]: 0 }, /integer of 1 or more/],
        [{ [`${view}/byteLength`]: 2 ** 31 }, /ends at byte \d+ of buffer 0, which has/, view],
        [{ [`${view}/byteOffset`]: 2 ** 40 }, /ends at byte/, view],
        [{ [`${view}/byteOffset`]: -1 }, /is -1/],
        [{ [`${view}/byteStride`]: 2 }, /at least the size of an element, 4/],
        [{ [`${view}/byteStride`]: 0 }, /integer of 1 or more/],
        [{ [`${view}/byteStride`]: 8 }, /3 elements of 8 bytes .* byte 20/, `${at}/count`],
    ]));

/** The key times as sparse data over zeros: 0, 0.5, 1. */
function sparseTimes(): GltfBuilder {
    const model = skinnedModel();
    const sparse = {
        count: 2,
        indices: { bufferView: model.view(new Uint8Array([1, 2])), componentType: 5121 },
        values: { bufferView: model.view(new Float32Array([0.5, 1])) },
    };
    return patched(model, { [at]: { componentType: 5126, type: 'SCALAR', count: 3, sparse } });
}

describe('sparse accessors', () => {
    const sparse = `${at}/sparse`;
    const [indices, values] = [`${sparse}/indices`, `${sparse}/values`];
    testFaults(
        [
            [{ [sparse]: true }, /must be an object/],
            [{ [`${sparse}/count`]: undefined }, /from 1 to 3, is missing/],
            [{ [`${sparse}/count`]: 4 }, /from 1 to 3, is 4/],
            [{ [`${sparse}/count`]: 0 }, /from 1 to 3/],
            [{ [indices]: undefined }, /must be an object, is missing/],
            [{ [values]: undefined }, /must be an object, is missing/],
            [{ [`${indices}/componentType`]: 5126 }, /must be one of 5121, 5123, 5125/],
            [{ [`${indices}/bufferView`]: undefined }, /index into bufferViews/],
            [{ [`${indices}/byteOffset`]: 1 }, /ends at byte 3/, `${indices}/count`],
            [{ [`${values}/bufferView`]: 99 }, /index into bufferViews/],
            [{ [`${values}/byteOffset`]: 4 }, /byte 12/, `${values}/count`],
            [
                { [`${indices}/bufferView`]: (model: GltfBuilder) => model.view(new Uint8Array([1, 3])) },
                /index 1 is 3, the accessor has 3 elements \(3\.6\.2\.3\)/,
                indices,
            ],
        ],
        sparseTimes,
    );

    test('the model before the faults is valid', async () => {
        const { animations, warnings } = await read(sparseTimes().toGlb());
        expect([...animations[0]!.channels[0]!.times]).toEqual([0, 0.5, 1]);
        expect(warnings).toEqual([]);
    });
});

describe('limits', () => {
    test('zeros without stored data are allowed up to a limit', async () => {
        const zeros = (count: number) =>
            patched(skinnedModel(), {
                [`/accessors/${MODEL.position}`]: { componentType: 5126, type: 'VEC3', count },
            });
        const over = Math.floor(MAX_UNSTORED_VALUES / 3) + 1;
        await expectInvalid(zeros(over), `/accessors/${MODEL.position}/count`, /without bufferView .* the limit here/);
        // One less passes the limit and fails the next rule.
        const pointer = '/meshes/0/primitives/0/attributes/JOINTS_0';
        await expectInvalid(zeros(over - 1), pointer, /has 3 elements, POSITION has/);
    });

    test('many accessors of the same bytes count each', async () => {
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
        const pointer = `/accessors/${json.accessors.length - 1}/count`;
        await expectInvalid(model, pointer, /all accessors need more than \d+ values, the limit here/);
    });
});

test('unaligned data is read with a warning', async () => {
    const model = skinnedModel();
    const shifted = new Uint8Array(13);
    shifted.set(new Uint8Array(new Float32Array([0, 0.5, 1]).buffer), 1);
    Object.assign(model.json.accessors[MODEL.times], { bufferView: model.view(shifted), byteOffset: 1 });
    const scene = await read(model.toGlb());
    expect([...scene.animations[0]!.channels[0]!.times]).toEqual([0, 0.5, 1]);
    expect(listed(scene)).toEqual([['UNALIGNED_ACCESSOR', at]]);
});

testWarnings([
    [
        'unused data is not checked',
        ({ json }) => {
            json.accessors.push({ count: -1 }, 7);
            json.meshes[0].primitives[0].attributes.NORMAL = 99;
            json.meshes[0].primitives[0].indices = 'all';
            Object.assign(json, { scenes: 'none', scene: 5, textures: 7, cameras: null, images: [{}] });
        },
    ],
]);
