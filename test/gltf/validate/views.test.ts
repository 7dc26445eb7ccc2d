// SPDX-License-Identifier: MIT

import { MAX_EXPANDED_BYTES, MAX_EXPANSION } from '../../../lib/gltf/limits';
import { type GltfBuilder, type LooseJson, MODEL, skinnedModel } from '../support/builder';
import { type Break, expectInvalid, testFaults, warningsAfter } from '../support/faults';

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
    [`${at}/mode`, /ATTRIBUTES, TRIANGLES or INDICES, is missing/, compress((e) => delete e.mode)],
    [`${at}/mode`, /is "POINTS"/, compress((e) => (e.mode = 'POINTS'))],
    [`${at}/filter`, /unknown filter "SHARPEN"/, compress((e) => (e.filter = 'SHARPEN'))],
    [`${at}/byteStride`, /from 1 to 256, is missing/, compress((e) => delete e.byteStride)],
    [`${at}/byteStride`, /from 1 to 256, is 260/, compress((e) => (e.byteStride = 260))],
    [`${at}/byteStride`, /multiple of 4/, compress((e) => (e.byteStride = 6))],
    [`${at}/byteStride`, /must be 2 or 4 with mode INDICES, is 16/, compress((e) => (e.mode = 'INDICES'))],
    [`${at}/count`, /multiple of 3/, compress((e) => Object.assign(e, { mode: 'TRIANGLES', byteStride: 4, count: 4 }))],
    [
        `${at}/filter`,
        /must be NONE with mode INDICES/,
        compress((e) => Object.assign(e, { mode: 'INDICES', byteStride: 4, filter: 'EXPONENTIAL' })),
    ],
    [`${at}/byteStride`, /must be 8 with filter QUATERNION, is 16/, compress((e) => (e.filter = 'QUATERNION'))],
    [`${at}/byteStride`, /must be 4 or 8 with filter OCTAHEDRAL/, compress((e) => (e.filter = 'OCTAHEDRAL'))],
    [`${at}/count`, /is missing/, compress((e) => delete e.count)],
    [at, /byteStride x count is 64, byteLength is 48/, compress((e) => (e.count = 4))],
    [at, /ends at byte 1000048 of buffer 0/, compress((e) => (e.byteOffset = 1e6))],
    [`${at}/buffer`, /index into buffers/, compress((e) => (e.buffer = 1))],
    [
        `${at}/buffer`,
        /buffer 1 has no data/,
        (model) => {
            compress((e) => (e.buffer = 1))(model);
            model.json.buffers.push({ byteLength: 48, extensions: { [NAME]: { fallback: true } } });
        },
    ],
    [
        `/bufferViews/${MODEL.rotations}/buffer`,
        /buffer 1 has no data/,
        ({ json }) => {
            json.buffers.push({ byteLength: 48, extensions: { [NAME]: { fallback: true } } });
            Object.assign(json.bufferViews[MODEL.rotations], { buffer: 1, byteOffset: 0 });
        },
    ],
    [`/bufferViews/${MODEL.rotations}`, /not a valid stream of meshopt's mode ATTRIBUTES/, compress()],
];

describe('compressed buffer views', () => testFaults(faults));

test('a few bytes cannot claim to expand to more than the limit', async () => {
    const model = skinnedModel();
    compress((extension, view) => {
        extension.count = MAX_EXPANDED_BYTES / 16 + 1;
        view.byteLength = extension.count * 16;
    })(model);
    await expectInvalid(model, at, /expand to more than \d+ bytes/);
});

test('a stream cannot claim to expand to more than its bytes can hold', async () => {
    const model = skinnedModel();
    compress((extension, view) => {
        extension.count = (extension.byteLength * MAX_EXPANSION) / 16 + 1;
        view.byteLength = extension.count * 16;
    })(model);
    await expectInvalid(model, at, /bytes of a stream hold \d+ at most, not \d+/);
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
        [last, /ends at byte 4294967343/, unread((v) => (v.byteOffset = 2 ** 32 - 1))],
        [last, /ends at byte 4294967296/, unread((v) => (v.byteLength = 2 ** 32))],
        [`${last}/byteOffset`, /0 or more, is -4/, unread((v) => (v.byteOffset = -4))],
        [`${last}/byteOffset`, /is 0.5/, unread((v) => (v.byteOffset = 0.5))],
        [`${last}/byteOffset`, /is "4"/, unread((v) => (v.byteOffset = '4'))],
        [`${last}/byteLength`, /is missing/, unread((v) => delete v.byteLength)],
        [`${last}/buffer`, /is missing/, unread((v) => delete v.buffer)],
        [`${last}/buffer`, /which has 1, is 9/, unread((v) => (v.buffer = 9))],
        [
            `${last}/extensions/${NAME}`,
            /ends at byte 4294967343/,
            unread((v, e) => {
                e.byteOffset = 2 ** 32 - 1;
                v.extensions = { [NAME]: e };
            }),
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
