// SPDX-License-Identifier: MIT

import { clip, type GltfBuilder, type LooseJson, type Numbers, setOutput, skinnedModel } from './support/builder';
import { listed, type Patch, patched, read, testFaults, warningsAfter } from './support/faults';

const input = '/animations/0/samplers/0/input';
const output = '/animations/0/samplers/0/output';
const rotation = '/animations/0/channels/0';

const keys = (...times: number[]): Patch => ({
    [input]: (model: GltfBuilder) => model.accessor(new Float32Array(times), 'SCALAR'),
});

const shared = (...times: number[]) => {
    const model = patched(skinnedModel(), keys(...times));
    model.json.animations.push(structuredClone(clip(model)));
    return model;
};

describe('keys', () =>
    testFaults([
        [keys(0, Number.NaN, 1), /accessor 8: element 1 is NaN \(3\.6\.2\.2\)/],
        [keys(0, 0.5, Infinity), /element 2 is Infinity/],
        [keys(-0.5, 0, 1), /element 0 is -0\.5; times must be 0 or more/],
        [keys(0, 1, 0.5), /element 2 is 0\.5, 0\.5 less than the one before; times must increase/],
        [keys(1, 1, 0.5), /element 2 is 0\.5, 0\.5 less/],
        [
            (model) => setOutput(model, new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, Number.NaN, 0, 1]), 'VEC4'),
            /accessor 8: element 2, component 1, is NaN/,
            output,
        ],
        [
            {
                [output]: (model: GltfBuilder) => model.accessor(new Float32Array(36).fill(-Infinity, 33, 34), 'VEC4'),
                '/animations/0/samplers/0/interpolation': 'CUBICSPLINE',
            },
            /element 8, component 1, is -Infinity/,
        ],
    ]));

test('a fault in data that many samplers share points at the first of them', async () => {
    await expect(read(shared(0, 1, 0.5).toGlb())).rejects.toMatchObject({ pointer: input });
});

test('keys at the same time are kept, with one warning for all channels that share them', async () => {
    const { animations, warnings } = await read(shared(0, 0, 0).toGlb());
    expect([...animations[0]!.channels[0]!.times]).toEqual([0, 0, 0]);
    expect(warnings).toEqual([
        {
            code: 'DUPLICATE_KEY_TIMES',
            pointer: input,
            message: expect.stringMatching(/accessor 8: 2 of 3 keys .* first element 1 at 0 s/),
        },
    ]);
});

test('times one step of float32 apart are distinct', async () => {
    const next = new Float32Array(new Uint32Array([0x3f800001]).buffer)[0]!;
    expect(await warningsAfter(keys(0, 1, next))).toEqual([]);
});

describe('rotations off unit length', () => {
    /** Warnings for the first key's rotation, stored as `values`; the other two keys are not rotations. */
    const stored = (values: Numbers, normalized: boolean, change: (clip: LooseJson) => void = () => {}) =>
        warningsAfter((model) => {
            setOutput(model, values, 'VEC4', { normalized });
            clip(model).samplers[0].input = model.accessor(new Float32Array([0]), 'SCALAR');
            change(clip(model));
        });
    const warned = [['NON_UNIT_ROTATION', rotation]];

    test.each([
        [[0, 0, 0, 1.00002], warned],
        [[0, 0, 0, 0.99998], warned],
        [[0, 0, 0, 1.000005], []],
        [[0, 0, 0, 0], warned],
    ])('give a warning for float errors of at least 1e-5: %j', async (rotation, expected) => {
        expect(await stored(Float32Array.from(rotation), false)).toEqual(expected);
    });

    // The max rounding error of a unit quaternion in integers: all four components half a step off in the
    // direction of the quaternion itself.
    test.each([
        [Int8Array, 64, 65],
        [Uint8Array, 128, 130],
        [Int16Array, 16384, 16386],
        [Uint16Array, 32768, 32770],
    ])('give a warning for integers with more than the rounding error: %p', async (List, right, wrong) => {
        expect(await stored(new List(4).fill(right), true)).toEqual([]);
        expect(await stored(new List(4).fill(wrong), true)).toEqual(warned);
    });

    test('are searched among the values of CUBICSPLINE, not its tangents', async () => {
        const cubic = (tangent: number, value: number) =>
            stored(new Float32Array([tangent, 0, 0, 0, 0, 0, 0, value, 0, 0, tangent, 0]), false, (a) => {
                a.samplers[0].interpolation = 'CUBICSPLINE';
            });
        expect(await cubic(7, 1)).toEqual([]);
        expect(await cubic(0, 7)).toEqual(warned);
    });

    test('give one warning for each channel, with the first key', async () => {
        const model = skinnedModel();
        setOutput(model, new Float32Array([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]), 'VEC4');
        clip(model).channels.push({ sampler: 0, target: { node: 0, path: 'rotation' } });
        const { warnings } = await read(model.toGlb());
        expect(warnings).toEqual(
            [rotation, '/animations/0/channels/2'].map((pointer) => ({
                code: 'NON_UNIT_ROTATION',
                pointer,
                message: expect.stringMatching(/accessor 8: .* rotation of key 1 differs from 1 by 1\.0 /),
            })),
        );
    });

    test('are distinguished by interpolation if samplers share the data', async () => {
        const model = skinnedModel();
        // As three plain keys the second is wrong; as one cubic key its value is right.
        setOutput(model, new Float32Array([0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2]), 'VEC4');
        const { samplers, channels } = clip(model);
        const one = model.accessor(new Float32Array([0]), 'SCALAR');
        samplers.push({ ...samplers[0], input: one, interpolation: 'CUBICSPLINE' });
        channels.push({ sampler: 2, target: { node: 0, path: 'rotation' } });
        expect(listed(await read(model.toGlb()))).toEqual(warned);
    });
});
