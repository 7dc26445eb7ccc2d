// SPDX-License-Identifier: MIT

import { MAX_EXPANDED_BYTES, MAX_EXPANSION } from '../../../lib/gltf/limits';
import { type GltfBuilder, type LooseJson, MODEL, skinnedModel } from '../support/builder';
import { type Break, expectFault, testFaults, warningsAfter } from '../support/faults';

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

/** Adds a view that nothing reads, and whose compressed bytes nothing reads. */
function unread(change: (view: LooseJson, extension: LooseJson) => void) {
    return ({ json }: GltfBuilder) => {
        const place = { buffer: 0, byteOffset: 0, byteLength: 48 };
        const extension = { ...place, byteStride: 16, count: 3, mode: 'ATTRIBUTES' };
        const view: LooseJson = { ...place };
        change(view, extension);
        json.bufferViews.push(view);
    };
}

const last = `/bufferViews/${skinnedModel().json.bufferViews.length}`;

describe('views that nothing reads', () =>
    testFaults([
        ['a start beyond the buffer', unread((v) => (v.byteOffset = 2 ** 32 - 1)), last, /ends at byte 4294967343/],
        ['a length beyond the buffer', unread((v) => (v.byteLength = 2 ** 32)), last, /ends at byte 4294967296/],
        ['a start below 0', unread((v) => (v.byteOffset = -4)), `${last}/byteOffset`, /0 or more, is -4/],
        ['a start between bytes', unread((v) => (v.byteOffset = 0.5)), `${last}/byteOffset`, /is 0.5/],
        ['a start that is text', unread((v) => (v.byteOffset = '4')), `${last}/byteOffset`, /is "4"/],
        ['no length', unread((v) => delete v.byteLength), `${last}/byteLength`, /is missing/],
        ['no buffer', unread((v) => delete v.buffer), `${last}/buffer`, /is missing/],
        ['a buffer that is not there', unread((v) => (v.buffer = 9)), `${last}/buffer`, /which has 1, is 9/],
        [
            'compressed bytes beyond the buffer',
            unread((v, e) => {
                e.byteOffset = 2 ** 32 - 1;
                v.extensions = { [NAME]: e };
            }),
            `${last}/extensions/${NAME}`,
            /ends at byte 4294967343/,
        ],
    ]));

test.each<[string, LooseJson]>([
    ['that is empty', { buffer: 0, byteLength: 0 }],
    ['of a buffer without data', { buffer: 1, byteOffset: 64, byteLength: 64 }],
])('a view that nothing reads, %s, is no fault', async (_, view) => {
    const warnings = await warningsAfter(({ json }) => {
        json.buffers.push({ byteLength: 48, extensions: { [NAME]: { fallback: true } } });
        json.bufferViews.push(view);
    });
    expect(warnings).toEqual([]);
});
