// SPDX-License-Identifier: MIT

import { type GltfBuilder, lift, MODEL, skinnedModel } from '../support/builder';
import { type Patch, patched, read, testFaults, testWarnings } from '../support/faults';

const at = '/skins/0/inverseBindMatrices';
const matrices = (values: number[]): Patch => ({
    [at]: (model: GltfBuilder) => model.accessor(new Float32Array(values), 'MAT4'),
});

describe('skins', () =>
    testFaults([
        [{ '/skins': {} }, /must be an array/],
        [{ '/skins/0': 'legs' }, /must be an object/],
        [{ '/skins/0/joints': undefined }, /at least one node, is missing/],
        [{ '/skins/0/joints': [] }, /at least one node, is an array of 0/],
        [{ '/skins/0/joints/1': 4 }, /index into nodes, which has 4, is 4/],
        [{ '/skins/0/joints/1': null }, /is null/],
        [{ '/skins/0/joints/2': 1 }, /node 1 is already joint 0/],
        [{ [at]: 99 }, /index into accessors/],
        [{ [at]: MODEL.rotations }, /must be MAT4 of float; it is VEC4/],
        [
            { [at]: (model: GltfBuilder) => model.accessor(new Int16Array(32), 'MAT4', { normalized: true }) },
            /must be MAT4 of float; it is MAT4 of normalized short/,
        ],
        [matrices(lift(0)), /accessor 8 has 1 matrices for 2 joints \(3\.7\.3\.1\)/],
        [matrices([...lift(0), ...lift(Number.NaN)]), /accessor 8: element 1, component 13, is NaN \(3\.6\.2\.2\)/],
        [
            matrices([...lift(0), 1, 0, 0, 0.5, ...lift(0).slice(4)]),
            /matrix 1: the fourth row must be 0 0 0 1, column 0 has 0\.5/,
        ],
    ]));

test('matrices beyond the joints are ignored, with any content', async () => {
    const model = patched(skinnedModel(), matrices([...lift(1), ...lift(2), ...Array(16).fill(Number.NaN)]));
    expect([...(await read(model.toGlb())).skins[0]!.inverseBindMatrices]).toEqual([...lift(1), ...lift(2)]);
});

test('rounding in the fourth row is accepted', async () => {
    const model = patched(skinnedModel(), matrices([...lift(0).slice(0, 15), 0.999999, ...lift(0)]));
    expect((await read(model.toGlb())).skins[0]!.inverseBindMatrices[15]).toBe(Math.fround(0.999999));
});

testWarnings([['skeleton has no effect, even where it is nonsense', { '/skins/0/skeleton': 99 }]]);
