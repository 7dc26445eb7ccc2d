// SPDX-License-Identifier: MIT

import { MathUtils, WebIO } from '@gltf-transform/core';
import { createReport } from '../../lib/gltf/reading';
import { normalize, readStored } from '../../lib/gltf/stored';
import type { AccessorInfo, SparseInfo } from '../../lib/gltf/validate/accessors';
import type { View } from '../../lib/gltf/validate/views';
import { random } from '../support/random';

const TYPES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 } as const;
const SIZES = new Map([
    [5120, 1],
    [5121, 1],
    [5122, 2],
    [5123, 2],
    [5126, 4],
]);
const COUNT = 9;

/** Bytes at an odd address, which no view of larger numbers can have. */
function unaligned(bytes: Uint8Array): Uint8Array {
    const moved = new Uint8Array(bytes.length + 1).subarray(1);
    moved.set(bytes);
    return moved;
}

function read(info: AccessorInfo, bytes: Uint8Array) {
    const expand = () => {
        throw new Error('nothing is compressed');
    };
    return readStored([info], [bytes], createReport('a.glb'), expand).get(info)!;
}

describe('stored numbers are read as by glTF-Transform', () => {
    const next = random(7);
    const cases = [...SIZES].flatMap(([componentType, size]) =>
        Object.entries(TYPES).flatMap(([type, width]) =>
            [undefined, Math.ceil((width * size) / 4) * 4, Math.ceil((width * size) / 4) * 4 + 8].map(
                (stride) => [componentType, type, stride, width, size] as const,
            ),
        ),
    );

    test.each(cases)('component type %i, %s, stride %p', async (componentType, type, byteStride, width, size) => {
        const byteOffset = 4;
        const viewOffset = 8;
        const stride = byteStride ?? width * size;
        const bytes = new Uint8Array(viewOffset + byteOffset + COUNT * stride + 8);
        if (componentType === 5126)
            new Float32Array(bytes.buffer).set(Array.from(bytes.subarray(0, bytes.length / 4), next));
        else bytes.set(Array.from(bytes, () => Math.floor(next() * 256)));
        // The smallest integers, which are below -1: 0x80 and 0x8000.
        if (componentType !== 5126) bytes.set([0, 0x80], viewOffset + byteOffset);
        const byteLength = bytes.length - viewOffset;
        const normalized = componentType !== 5126;
        const json = {
            asset: { version: '2.0' },
            buffers: [{ uri: 'bin', byteLength: bytes.length }],
            bufferViews: [{ buffer: 0, byteOffset: viewOffset, byteLength, ...(byteStride ? { byteStride } : {}) }],
            accessors: [{ bufferView: 0, byteOffset, componentType, type, count: COUNT, normalized }],
        };
        const document = await new WebIO().readJSON({ json: json as never, resources: { bin: bytes } });
        const expected = document.getRoot().listAccessors()[0]!.getArray()!;

        const view = { buffer: 0, byteOffset: viewOffset, byteStride, meshopt: null } as View;
        const info = { componentType, type, width, count: COUNT, view, byteOffset, sparse: null } as AccessorInfo;
        for (const data of [bytes, unaligned(bytes)]) {
            const values = read(info, data);
            expect(values).toEqual(expected);
            if (!normalized) continue;
            const floats = Float32Array.from(expected as Iterable<number>, (x) =>
                MathUtils.decodeNormalizedInt(x, componentType as never),
            );
            expect(normalize(values, componentType)).toEqual(floats);
        }
    });
});

describe('sparse numbers', () => {
    const next = random(11);
    const indexTypes = [
        [5121, Uint8Array],
        [5123, Uint16Array],
        [5125, Uint32Array],
    ] as const;
    const cases = indexTypes.flatMap(([indexType, Indices]) =>
        [true, false].flatMap((hasBase) =>
            [5121, 5122, 5126].map((componentType) => [indexType, hasBase, componentType, Indices] as const),
        ),
    );

    test.each(cases)(
        'indices of %i, over a base: %p, component type %i: as glTF-Transform reads them',
        async (indexType, hasBase, componentType, Indices) => {
            const size = SIZES.get(componentType)!;
            const bytes = new Uint8Array(512);
            const floats = Float32Array.from({ length: 128 }, next);
            if (componentType === 5126) bytes.set(new Uint8Array(floats.buffer));
            else for (let i = 0; i < 384; i++) bytes[i] = Math.floor(next() * 256);
            const places = [0, 3, COUNT - 1];
            bytes.set(new Uint8Array(Indices.from(places).buffer), 400);
            const ranges = [
                { buffer: 0, byteOffset: 0, byteLength: 200 },
                { buffer: 0, byteOffset: 200, byteLength: 200 },
                { buffer: 0, byteOffset: 400, byteLength: 64 },
            ];
            const json = {
                asset: { version: '2.0' },
                buffers: [{ uri: 'bin', byteLength: bytes.length }],
                bufferViews: ranges,
                accessors: [
                    {
                        ...(hasBase ? { bufferView: 0, byteOffset: size } : {}),
                        componentType,
                        type: 'VEC3',
                        count: COUNT,
                        sparse: {
                            count: places.length,
                            indices: { bufferView: 2, byteOffset: 0, componentType: indexType },
                            values: { bufferView: 1, byteOffset: 2 * size },
                        },
                    },
                ],
            };
            const document = await new WebIO().readJSON({ json: json as never, resources: { bin: bytes } });
            const [base, values, indices] = ranges.map((range) => ({ ...range, meshopt: null }) as unknown as View);
            const sparse: SparseInfo = {
                count: places.length,
                indices: { view: indices!, byteOffset: 0, componentType: indexType },
                values: { view: values!, byteOffset: 2 * size },
            };
            const view = hasBase ? base : null;
            const info = { componentType, type: 'VEC3', width: 3, count: COUNT, view, byteOffset: size, sparse };
            expect(read(info as AccessorInfo, bytes)).toEqual(document.getRoot().listAccessors()[0]!.getArray());
        },
    );
});

test('a stride that splits components: each is read from its bytes', () => {
    const bytes = new Uint8Array(64);
    const data = new DataView(bytes.buffer);
    const numbers = [1.5, -2.25, 3.125];
    for (const [i, x] of numbers.entries()) data.setFloat32(5 + i * 7, x, true);
    const view = { buffer: 0, byteOffset: 2, byteStride: 7, meshopt: null } as View;
    const info = { componentType: 5126, type: 'SCALAR', width: 1, count: 3, view, byteOffset: 3, sparse: null };
    for (const each of [bytes, unaligned(bytes)]) expect([...read(info as AccessorInfo, each)]).toEqual(numbers);
});

test('a compressed view is expanded once, and only if an accessor needs it', () => {
    const view = { buffer: 0, byteOffset: 4, byteStride: undefined, meshopt: {} } as View;
    const info = { componentType: 5126, type: 'SCALAR', width: 1, count: 1, view, byteOffset: 0, sparse: null };
    const infos = [0, 4].map((byteOffset) => ({ ...info, byteOffset }) as AccessorInfo);
    const expand = jest.fn(() => new Uint8Array(Float32Array.of(7, 8).buffer));
    const stored = readStored(infos, [new Uint8Array(8)], createReport('a.glb'), expand);
    expect(infos.map((each) => stored.get(each)![0])).toEqual([7, 8]);
    expect(expand.mock.calls).toEqual([[view]]);
});
