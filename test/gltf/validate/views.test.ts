// SPDX-License-Identifier: MIT

import { MAX_EXPANDED_BYTES, MAX_EXPANSION } from '../../../lib/gltf/limits';
import { type GltfBuilder, type LooseJson, MODEL, skinnedModel } from '../support/builder';
import { type Break, expectFault, testFaults } from '../support/faults';

const NAME = 'EXT_meshopt_compression';
const at = `/bufferViews/${MODEL.rotations}/extensions/${NAME}`;

/** Declares the rotations' buffer view compressed; its bytes are no stream of meshopt's. */
function compress(change: (extension: LooseJson, view: LooseJson) => void = () => {}) {
    return ({ json }: GltfBuilder) => {
        const view = json.bufferViews[MODEL.rotations];
        const extension = { buffer: 0, byteOffset: 0, byteLength: 48, byteStride: 16, count: 3, mode: 'ATTRIBUTES' };
        view.extensions = { [NAME]: extension };
        change(extension, view);
    };
}

const faults: Break[] = [
    ['no mode', compress((e) => delete e.mode), `${at}/mode`, /ATTRIBUTES, TRIANGLES or INDICES, is missing/],
    ['an unknown mode', compress((e) => (e.mode = 'POINTS')), `${at}/mode`, /is "POINTS"/],
    ['an unknown filter', compress((e) => (e.filter = 'SHARPEN')), `${at}/filter`, /unknown filter "SHARPEN"/],
    ['no stride', compress((e) => delete e.byteStride), `${at}/byteStride`, /from 1 to 256, is missing/],
    ['a stride above 256', compress((e) => (e.byteStride = 260)), `${at}/byteStride`, /from 1 to 256, is 260/],
    ['a stride of attributes off 4', compress((e) => (e.byteStride = 6)), `${at}/byteStride`, /multiple of 4/],
    [
        'a stride of indices of 16',
        compress((e) => (e.mode = 'INDICES')),
        `${at}/byteStride`,
        /must be 2 or 4 with mode INDICES, is 16/,
    ],
    [
        'triangles whose count is not in threes',
        compress((e) => Object.assign(e, { mode: 'TRIANGLES', byteStride: 4, count: 4 })),
        `${at}/count`,
        /multiple of 3/,
    ],
    [
        'a filter on indices',
        compress((e) => Object.assign(e, { mode: 'INDICES', byteStride: 4, filter: 'EXPONENTIAL' })),
        `${at}/filter`,
        /must be NONE with mode INDICES/,
    ],
    [
        'quaternions of 16 bytes',
        compress((e) => (e.filter = 'QUATERNION')),
        `${at}/byteStride`,
        /must be 8 with filter QUATERNION, is 16/,
    ],
    [
        'normals of 16 bytes',
        compress((e) => (e.filter = 'OCTAHEDRAL')),
        `${at}/byteStride`,
        /must be 4 or 8 with filter OCTAHEDRAL/,
    ],
    ['no count', compress((e) => delete e.count), `${at}/count`, /is missing/],
    ['a count that is not the view', compress((e) => (e.count = 4)), at, /byteStride x count is 64, byteLength is 48/],
    [
        'compressed data beyond its buffer',
        compress((e) => (e.byteOffset = 1e6)),
        at,
        /ends at byte 1000048 of buffer 0/,
    ],
    ['compressed data in no buffer', compress((e) => (e.buffer = 1)), `${at}/buffer`, /index into buffers/],
    [
        'compressed data in a fallback buffer',
        (model) => {
            compress((e) => (e.buffer = 1))(model);
            model.json.buffers.push({ byteLength: 48, extensions: { [NAME]: { fallback: true } } });
        },
        `${at}/buffer`,
        /buffer 1 has no data/,
    ],
    [
        'plain data in a fallback buffer',
        ({ json }) => {
            json.buffers.push({ byteLength: 48, extensions: { [NAME]: { fallback: true } } });
            Object.assign(json.bufferViews[MODEL.rotations], { buffer: 1, byteOffset: 0 });
        },
        `/bufferViews/${MODEL.rotations}/buffer`,
        /buffer 1 has no data/,
    ],
    [
        'a stream that is none',
        compress(),
        `/bufferViews/${MODEL.rotations}`,
        /not a valid stream of meshopt's mode ATTRIBUTES/,
    ],
];

describe('compressed buffer views', () => testFaults(faults));

test('a few bytes cannot claim to expand to more than the limit', async () => {
    const model = skinnedModel();
    compress((extension, view) => {
        extension.count = MAX_EXPANDED_BYTES / 16 + 1;
        view.byteLength = extension.count * 16;
    })(model);
    await expectFault(model.toGlb(), { code: 'GLTF_INVALID', pointer: at, rule: /expand to more than \d+ bytes/ });
});

test('a stream cannot claim to expand to more than its bytes can hold', async () => {
    const model = skinnedModel();
    compress((extension, view) => {
        extension.count = (extension.byteLength * MAX_EXPANSION) / 16 + 1;
        view.byteLength = extension.count * 16;
    })(model);
    await expectFault(model.toGlb(), {
        code: 'GLTF_INVALID',
        pointer: at,
        rule: /bytes of a stream hold \d+ at most, not \d+/,
    });
});
