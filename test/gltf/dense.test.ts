// SPDX-License-Identifier: MIT

import { MathUtils, WebIO } from '@gltf-transform/core';
import { isDense, normalize, readDense } from '../../lib/gltf/dense';
import type { AccessorInfo } from '../../lib/gltf/validate/accessors';
import type { View } from '../../lib/gltf/validate/view';
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

/** Bytes at an odd address, so that no view of larger numbers over them is possible. */
function unaligned(bytes: Uint8Array): Uint8Array {
    const moved = new Uint8Array(bytes.length + 1).subarray(1);
    moved.set(bytes);
    return moved;
}

describe('numbers as they lie in a buffer are read as glTF-Transform reads them', () => {
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
        expect(isDense(info)).toBe(true);
        for (const data of [bytes, unaligned(bytes)]) {
            const values = readDense(info, [data]);
            expect(values).toEqual(expected);
            if (!normalized) continue;
            const floats = Float32Array.from(expected as Iterable<number>, (x) =>
                MathUtils.decodeNormalizedInt(x, componentType as never),
            );
            expect(normalize(values, componentType)).toEqual(floats);
        }
    });
});

test('what needs a decoder is not dense', () => {
    const view = { buffer: 0, byteOffset: 0, byteStride: undefined, meshopt: null } as View;
    const info = { componentType: 5126, type: 'VEC3', width: 3, count: 1, view, byteOffset: 0, sparse: null };
    expect(isDense(info as AccessorInfo)).toBe(true);
    expect(isDense({ ...info, view: null } as AccessorInfo)).toBe(false);
    expect(isDense({ ...info, view: { ...view, meshopt: {} } } as AccessorInfo)).toBe(false);
    expect(isDense({ ...info, sparse: {} } as AccessorInfo)).toBe(false);
    expect(isDense({ ...info, view: { ...view, byteStride: 14 } } as AccessorInfo)).toBe(false);
    expect(isDense({ ...info, componentType: 5121, type: 'MAT3' } as AccessorInfo)).toBe(false);
});
