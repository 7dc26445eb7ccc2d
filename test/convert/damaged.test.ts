// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { convertDamaged } from './support/mutations';

const CODES = ['converted', 'NOT_GLTF', 'SOURCE_INVALID'];

test.each([
    ['arm.fbx', 60],
    ['turn.bvh', 300],
])('damaged copies of %s are converted, or rejected with a code', async (name, count) => {
    const found = await convertDamaged([join(__dirname, 'support', name)], count, 38);
    expect(Object.keys(found).filter((code) => !CODES.includes(code))).toEqual([]);
    expect(found.SOURCE_INVALID).toBeGreaterThan(count / 3);
});
