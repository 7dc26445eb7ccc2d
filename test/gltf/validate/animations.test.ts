// SPDX-License-Identifier: MIT

import { type GltfBuilder, MODEL, setOutput, skinnedModel } from '../support/builder';
import { listed, type Patch, patched, read, testFaults, testWarnings } from '../support/faults';

const MATRIX = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const at = '/animations/0';
const sampler = `${at}/samplers/0`;
const output = `${sampler}/output`;
const channel = `${at}/channels/0`;
const target = `${channel}/target`;

/** Makes the first channel move `path` of `node`, with `count` zeros of `type` for its three keys. */
const move = (path: string, type: string, count: number, interpolation = 'LINEAR', node = 2): Patch => {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]!;
    return {
        [output]: (model: GltfBuilder) => model.accessor(new Float32Array(count * width), type),
        [`${sampler}/interpolation`]: interpolation,
        [target]: { node, path },
    };
};

/** Gives the body two morph targets. */
const morphed = () => patched(skinnedModel(), { '/meshes/0/primitives/0/targets': [{}, {}] });

describe('animations', () => {
    testFaults([
        [{ '/animations': {} }, /must be an array/],
        [{ [at]: 0 }, /must be an object/],
        [{ [`${at}/samplers`]: {} }, /must be an array/],
        [{ [`${at}/channels`]: {} }, /must be an array/],
        [{ [`${at}/channels/1`]: 1 }, /must be an object/],
        [{ [`${channel}/sampler`]: undefined }, /index into \/animations\/0\/samplers, which has 2, is missing/],
        [{ [`${channel}/sampler`]: 2 }, /which has 2, is 2/],
        [{ [target]: undefined }, /must be an object, is missing/],
        [{ [`${target}/node`]: 4 }, /index into nodes/],
        [{ [`${target}/path`]: undefined }, /must be a string/],
        [
            { [`${at}/channels/2`]: { sampler: 0, target: { node: 2, path: 'rotation' } } },
            /the same node and path as channel 0: each target at most once \(3\.11\)/,
            `${at}/channels/2/target`,
        ],
        [
            { '/nodes/2': { matrix: MATRIX } },
            /node 2 has a matrix, which a node that is animated must not have \(3\.5\.3\)/,
            target,
        ],
        [{ [sampler]: [] }, /must be an object/],
        [{ [`${sampler}/interpolation`]: 'BOGUS' }, /must be LINEAR, STEP or CUBICSPLINE, is "BOGUS"/],
        [{ [`${sampler}/interpolation`]: null }, /is null/],
        [{ [`${sampler}/input`]: undefined }, /index into accessors.*missing/],
        [{ [output]: undefined }, /index into accessors.*missing/],
        [{ [`${sampler}/input`]: MODEL.translations }, /must be SCALAR of float; it is VEC3 of float/],
        [
            { [`${sampler}/input`]: (model: GltfBuilder) => model.accessor(new Uint16Array([0, 1, 2]), 'SCALAR') },
            /must be SCALAR of float; it is SCALAR of unsigned short/,
        ],
        [move('rotation', 'VEC3', 3), /must be VEC4 of float, normalized byte, .*it is VEC3/],
        [move('translation', 'VEC4', 3), /must be VEC3 of float; it is VEC4/],
        [move('scale', 'SCALAR', 9), /must be VEC3 of float; it is SCALAR/],
        [(model) => setOutput(model, new Int16Array(12), 'VEC4'), /it is VEC4 of short \(3\.11\)/, output],
        [
            {
                [output]: (m: GltfBuilder) => m.accessor(new Int16Array(9), 'VEC3', { normalized: true }),
                [`${target}/path`]: 'translation',
            },
            /must be VEC3 of float; it is VEC3 of normalized short/,
        ],
        [move('scale', 'VEC3', 2), /must have 3 keys x 1 for scale with LINEAR = 3, has 2/],
        [move('scale', 'VEC3', 4), /= 3, has 4/],
        [move('scale', 'VEC3', 3, 'CUBICSPLINE'), /3 keys x 3 for scale with CUBICSPLINE = 9, has 3/],
        [{ [`${at}/channels/1/sampler`]: 0 }, /must be VEC3 of float; it is VEC4/, output],
    ]);
    testFaults(
        [
            [move('weights', 'SCALAR', 3, 'LINEAR', MODEL.body), /3 keys x 2 for weights with LINEAR = 6, has 3/],
            [
                move('weights', 'SCALAR', 6, 'CUBICSPLINE', MODEL.body),
                /3 keys x 6 for weights with CUBICSPLINE = 18, has 6/,
            ],
        ],
        morphed,
    );
});

testWarnings([
    ['unused samplers are not checked', { [`${at}/samplers/2`]: { input: -1 }, [`${at}/samplers/3`]: 'nothing' }],
]);

test('an animation without channels is valid', async () => {
    const model = skinnedModel();
    model.json.animations = [{ name: 'empty', samplers: [], channels: [] }];
    expect((await read(model.toGlb())).animations).toEqual([{ name: 'empty', channels: [] }]);
});

test.each<[string, Patch, string]>([
    ['no node', { [`${target}/node`]: undefined }, target],
    ['an unknown path', { [`${target}/path`]: 'hue' }, `${target}/path`],
    ['weights of a node without mesh', { [target]: { node: 2, path: 'weights' } }, target],
    ['weights of a mesh without morph targets', { [target]: { node: 3, path: 'weights' } }, target],
])('a channel that glTF says to ignore is ignored with a warning: %s', async (_, patch, pointer) => {
    // Its sampler is ignored, too.
    const scene = await read(patched(patched(skinnedModel(), patch), { [output]: 99 }).toGlb());
    expect(scene.animations[0]!.channels.map(({ node }) => node)).toEqual([1]);
    expect(listed(scene)).toEqual([['CHANNEL_IGNORED', pointer]]);
});

test('weights can move on a node that has a matrix, with a warning', async () => {
    const model = patched(morphed(), move('weights', 'SCALAR', 6, 'LINEAR', MODEL.body));
    const scene = await read(patched(model, { [`/nodes/${MODEL.body}/matrix`]: MATRIX }).toGlb());
    expect(scene.animations[0]!.channels).toHaveLength(2);
    expect(listed(scene)).toEqual([['MATRIX_NODE_ANIMATED', target]]);
});

describe('KHR_animation_pointer', () => {
    const at = `${target}/extensions/KHR_animation_pointer/pointer`;
    const to = (pointer: unknown) => ({ path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } });
    const pointing = (pointer: unknown): Patch => ({ [target]: to(pointer) });

    test.each([
        '/materials/0/pbrMetallicRoughness/baseColorFactor',
        '/nodes/3/weights/0',
        '/nodes/03/translation',
        '/nodes/2/visible',
        '/meshes/0/weights',
        'nodes/2/translation',
        '',
    ])('%p is reported and ignored', async (pointer) => {
        const { animations, warnings } = await read(patched(skinnedModel(), pointing(pointer)).toGlb());
        expect(animations[0]!.channels).toHaveLength(1);
        expect(warnings).toEqual([
            { code: 'ANIMATION_POINTER_IGNORED', pointer: at, message: expect.stringContaining(`"${pointer}"`) },
        ]);
    });

    test('integers that are not normalized are allowed there, unchanged', async () => {
        const model = patched(skinnedModel(), pointing('/nodes/2/translation'));
        setOutput(model, new Int16Array([1, -2, 3, 4, 5, 6, 7, 8, 300]), 'VEC3');
        const [channel] = (await read(model.toGlb())).animations[0]!.channels;
        expect(channel!.values).toEqual(new Float32Array([1, -2, 3, 4, 5, 6, 7, 8, 300]));
    });

    testFaults([
        [pointing('/nodes/4/scale'), /index into nodes, which has 4, is 4/, at],
        [pointing(7), /must be a JSON pointer, is 7/, at],
        [{ [target]: { path: 'pointer' } }, /must be a JSON pointer, is missing/, at],
        [
            { '/animations/0/channels/2': { sampler: 1, target: to('/nodes/1/translation') } },
            /the same node and path as channel 1/,
            '/animations/0/channels/2/target',
        ],
    ]);
});
