// SPDX-License-Identifier: MIT

import { MAX_EXPANDED_BYTES, MAX_EXPANSION } from '../../../lib/gltf/limits';
import { MODEL, skinnedModel } from '../support/builder';
import { expectInvalid, patched, testFaults, testWarnings } from '../support/faults';

const NAME = 'EXT_meshopt_compression';
const at = `/bufferViews/${MODEL.rotations}/extensions/${NAME}`;

const FALLBACK = { byteLength: 48, extensions: { [NAME]: { fallback: true } } };

/** Declares the rotations' buffer view compressed; its bytes are not a stream of meshopt. */
const compressed = () =>
    patched(skinnedModel(), {
        [`/bufferViews/${MODEL.rotations}/extensions`]: {
            [NAME]: { buffer: 0, byteOffset: 0, byteLength: 48, byteStride: 16, count: 3, mode: 'ATTRIBUTES' },
        },
    });

describe('compressed buffer views', () => {
    const view = `/bufferViews/${MODEL.rotations}`;
    testFaults(
        [
            [{ [`${at}/mode`]: undefined }, /ATTRIBUTES, TRIANGLES or INDICES, is missing/],
            [{ [`${at}/mode`]: 'POINTS' }, /is "POINTS"/],
            [{ [`${at}/filter`]: 'SHARPEN' }, /unknown filter "SHARPEN"/],
            [{ [`${at}/byteStride`]: undefined }, /from 1 to 256, is missing/],
            [{ [`${at}/byteStride`]: 260 }, /from 1 to 256, is 260/],
            [{ [`${at}/byteStride`]: 6 }, /multiple of 4/],
            [{ [`${at}/mode`]: 'INDICES' }, /must be 2 or 4 with mode INDICES, is 16/, `${at}/byteStride`],
            [{ [`${at}/count`]: 4, [`${at}/mode`]: 'TRIANGLES', [`${at}/byteStride`]: 4 }, /multiple of 3/],
            [
                { [`${at}/filter`]: 'EXPONENTIAL', [`${at}/mode`]: 'INDICES', [`${at}/byteStride`]: 4 },
                /must be NONE with mode INDICES/,
            ],
            [{ [`${at}/filter`]: 'QUATERNION' }, /must be 8 with filter QUATERNION, is 16/, `${at}/byteStride`],
            [{ [`${at}/filter`]: 'OCTAHEDRAL' }, /must be 4 or 8 with filter OCTAHEDRAL/, `${at}/byteStride`],
            [{ [`${at}/count`]: undefined }, /is missing/],
            [{ [`${at}/count`]: 4 }, /byteStride x count is 64, byteLength is 48/, at],
            [{ [`${at}/byteOffset`]: 1e6 }, /ends at byte 1000048 of buffer 0/, at],
            [{ [`${at}/buffer`]: 1 }, /index into buffers/],
            [{ [`${at}/buffer`]: 1, '/buffers/1': FALLBACK }, /buffer 1 has no data/],
            // These filters are valid.
            [{ [`${at}/filter`]: 'EXPONENTIAL' }, /not a valid stream/, view],
            [
                { [`${at}/filter`]: 'OCTAHEDRAL', [`${at}/byteStride`]: 8, [`${at}/count`]: 6 },
                /not a valid stream/,
                view,
            ],
            [{}, /not a valid stream of meshopt's mode ATTRIBUTES/, view],
        ],
        compressed,
    );
    testFaults([
        [{ [`${view}/buffer`]: 1, [`${view}/byteOffset`]: 0, '/buffers/1': FALLBACK }, /buffer 1 has no data/],
    ]);

    test.each([
        ['a few bytes', MAX_EXPANDED_BYTES / 16 + 1, /expand to more than \d+ bytes/],
        ['a stream', (48 * MAX_EXPANSION) / 16 + 1, /bytes of a stream hold \d+ at most, not \d+/],
    ])('%s cannot claim to expand to more than the limit', async (_, count, rule) => {
        const model = patched(compressed(), { [`${at}/count`]: count, [`${view}/byteLength`]: count * 16 });
        await expectInvalid(model, at, rule);
    });
});

const last = `/bufferViews/${skinnedModel().json.bufferViews.length}`;
const STREAM = { buffer: 0, byteOffset: 2 ** 32 - 1, byteLength: 48, byteStride: 16, count: 3, mode: 'ATTRIBUTES' };

describe('unused views', () => {
    testFaults(
        [
            [{ [`${last}/byteOffset`]: 2 ** 32 - 1 }, /ends at byte 4294967343/, last],
            [{ [`${last}/byteLength`]: 2 ** 32 }, /ends at byte 4294967296/, last],
            [{ [`${last}/byteOffset`]: -4 }, /0 or more, is -4/],
            [{ [`${last}/byteOffset`]: 0.5 }, /is 0.5/],
            [{ [`${last}/byteOffset`]: '4' }, /is "4"/],
            [{ [`${last}/byteLength`]: undefined }, /is missing/],
            [{ [`${last}/buffer`]: undefined }, /is missing/],
            [{ [`${last}/buffer`]: 9 }, /which has 1, is 9/],
            [{ [`${last}/extensions`]: { [NAME]: STREAM } }, /ends at byte 4294967343/, `${last}/extensions/${NAME}`],
        ],
        () => patched(skinnedModel(), { [last]: { buffer: 0, byteOffset: 0, byteLength: 48 } }),
    );
    testWarnings([
        ['an empty one is valid', { [last]: { buffer: 0, byteLength: 0 } }],
        [
            'one of a buffer without data is valid',
            { '/buffers/1': FALLBACK, [last]: { buffer: 1, byteOffset: 64, byteLength: 64 } },
        ],
    ]);
});
