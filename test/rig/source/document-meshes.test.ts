// SPDX-License-Identifier: MIT

/** Accessors of a Document, which any code can set. */

import { floatsOf } from '../../../lib/rig/source/document-meshes';

const accessor = (count: number, size: number) => ({
    getCount: () => count,
    getElementSize: () => size,
    getElement: (index: number, target: number[]) => {
        for (let c = 0; c < size; c++) target[c] = index * size + c;
        return target;
    },
});

test('the elements of an accessor, in order', () => {
    expect([...floatsOf(accessor(2, 3))]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(floatsOf(accessor(0, 4))).toHaveLength(0);
});

test.each([
    [16 / 3, 3],
    [Number.NaN, Number.NaN],
])('an array of %p elements of %p numbers is rejected', (count, size) => {
    const refused = { name: 'InputError', code: 'GLTF_INVALID', rule: expect.stringMatching(/whole number/) };
    expect(() => floatsOf(accessor(count, size))).toThrow(expect.objectContaining(refused));
});
