// SPDX-License-Identifier: MIT

import { clip, type GltfBuilder, HALF, type LooseJson, MODEL, setOutput, skinnedModel } from '../support/builder';
import { type Break, read, testFaults, warningsAfter } from '../support/faults';

const animation = (change: (clip: LooseJson, model: GltfBuilder) => unknown) => (model: GltfBuilder) => {
    change(clip(model), model);
};
const at = '/animations/0';
const output = `${at}/samplers/0/output`;
const target = `${at}/channels/0/target`;

/** Lets the first channel move `path` of `node`, with `count` zeros of `type` for its three keys. */
const move = (path: string, type: string, count: number, extra: object = {}, node = 2) =>
    animation((a, model) => {
        const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]!;
        setOutput(model, new Float32Array(count * width), type);
        a.channels[0].target = { node, path };
        Object.assign(a.samplers[0], extra);
    });

/** Gives the body two morph targets. */
const morph = (model: GltfBuilder) => {
    model.json.meshes[0].primitives[0].targets = [{}, {}];
};

const faults: Break[] = [
    ['/animations', /must be an array/, ({ json }) => (json.animations = {})],
    [at, /must be an object/, ({ json }) => (json.animations[0] = 0)],
    [`${at}/samplers`, /must be an array/, animation((a) => (a.samplers = {}))],
    [`${at}/channels`, /must be an array/, animation((a) => (a.channels = {}))],
    [`${at}/channels/1`, /must be an object/, animation((a) => (a.channels[1] = 1))],
    [
        `${at}/channels/0/sampler`,
        /index into \/animations\/0\/samplers, which has 2, is missing/,
        animation((a) => delete a.channels[0].sampler),
    ],
    [`${at}/channels/0/sampler`, /which has 2, is 2/, animation((a) => (a.channels[0].sampler = 2))],
    [target, /must be an object, is missing/, animation((a) => delete a.channels[0].target)],
    [`${target}/node`, /index into nodes/, animation((a) => (a.channels[0].target.node = 4))],
    [`${target}/path`, /must be a string/, animation((a) => delete a.channels[0].target.path)],
    [
        `${at}/channels/2/target`,
        /the same node and path as channel 0: each target at most once \(3\.11\)/,
        animation((a) => a.channels.push({ sampler: 0, target: { node: 2, path: 'rotation' } })),
    ],
    [
        target,
        /node 2 has a matrix, which a node that is animated must not have \(3\.5\.3\)/,
        ({ json }) => (json.nodes[2] = { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }),
    ],
    [`${at}/samplers/0`, /must be an object/, animation((a) => (a.samplers[0] = []))],
    [
        `${at}/samplers/0/interpolation`,
        /must be LINEAR, STEP or CUBICSPLINE, is "BOGUS"/,
        animation((a) => (a.samplers[0].interpolation = 'BOGUS')),
    ],
    [`${at}/samplers/0/interpolation`, /is null/, animation((a) => (a.samplers[0].interpolation = null))],
    [`${at}/samplers/0/input`, /index into accessors.*missing/, animation((a) => delete a.samplers[0].input)],
    [output, /index into accessors.*missing/, animation((a) => delete a.samplers[0].output)],
    [
        `${at}/samplers/0/input`,
        /must be SCALAR of float; it is VEC3 of float/,
        animation((a) => (a.samplers[0].input = MODEL.translations)),
    ],
    [
        `${at}/samplers/0/input`,
        /must be SCALAR of float; it is SCALAR of unsigned short/,
        animation((a, model) => (a.samplers[0].input = model.accessor(new Uint16Array([0, 1, 2]), 'SCALAR'))),
    ],
    [output, /must be VEC4 of float, normalized byte, .*it is VEC3/, move('rotation', 'VEC3', 3)],
    [output, /must be VEC3 of float; it is VEC4/, move('translation', 'VEC4', 3)],
    [output, /must be VEC3 of float; it is SCALAR/, move('scale', 'SCALAR', 9)],
    [output, /it is VEC4 of short \(3\.11\)/, animation((_a, model) => setOutput(model, new Int16Array(12), 'VEC4'))],
    [
        output,
        /must be VEC3 of float; it is VEC3 of normalized short/,
        animation((a, model) => {
            setOutput(model, new Int16Array(9), 'VEC3', { normalized: true });
            a.channels[0].target.path = 'translation';
        }),
    ],
    [output, /must have 3 keys x 1 for scale with LINEAR = 3, has 2/, move('scale', 'VEC3', 2)],
    [output, /= 3, has 4/, move('scale', 'VEC3', 4)],
    [
        output,
        /3 keys x 3 for scale with CUBICSPLINE = 9, has 3/,
        move('scale', 'VEC3', 3, { interpolation: 'CUBICSPLINE' }),
    ],
    [
        output,
        /3 keys x 2 for weights with LINEAR = 6, has 3/,
        (model) => {
            morph(model);
            move('weights', 'SCALAR', 3, {}, MODEL.body)(model);
        },
    ],
    [
        output,
        /3 keys x 6 for weights with CUBICSPLINE = 18, has 6/,
        (model) => {
            morph(model);
            move('weights', 'SCALAR', 6, { interpolation: 'CUBICSPLINE' }, MODEL.body)(model);
        },
    ],
    [output, /must be VEC3 of float; it is VEC4/, animation((a) => (a.channels[1].sampler = 0))],
];

describe('animations', () => testFaults(faults));

test('channels come out with their data', async () => {
    const { animations, warnings } = await read(skinnedModel().toGlb());
    expect(animations).toEqual([
        {
            name: 'wave',
            channels: [
                {
                    pointer: '/animations/0/channels/0',
                    node: 2,
                    path: 'rotation',
                    interpolation: 'LINEAR',
                    times: new Float32Array([0, 0.5, 1]),
                    values: new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]),
                },
                {
                    pointer: '/animations/0/channels/1',
                    node: 1,
                    path: 'translation',
                    interpolation: 'STEP',
                    times: new Float32Array([0.25, 0.75]),
                    values: new Float32Array([0, 0, 0, 0, 2, 0]),
                },
            ],
        },
    ]);
    expect(warnings).toEqual([]);
});

test('CUBICSPLINE has three values a key, in-tangent first, and weights one for each morph target', async () => {
    const model = skinnedModel();
    morph(model);
    const values = Float32Array.from({ length: 18 }, (_, i) => i);
    setOutput(model, values, 'SCALAR');
    clip(model).samplers[0].interpolation = 'CUBICSPLINE';
    clip(model).channels[0].target = { node: MODEL.body, path: 'weights' };
    const [channel] = (await read(model.toGlb())).animations[0]!.channels;
    expect(channel).toMatchObject({ interpolation: 'CUBICSPLINE', path: 'weights', node: MODEL.body });
    expect(channel!.values).toEqual(values);
});

test('the same target in two animations is fine', async () => {
    const model = skinnedModel();
    model.json.animations.push({ ...clip(model), name: undefined });
    const { animations } = await read(model.toGlb());
    expect(animations.map(({ name }) => name)).toEqual(['wave', '']);
    expect(animations[1]!.channels[0]!.pointer).toBe('/animations/1/channels/0');
    expect(animations[1]!.channels[0]!.times).toBe(animations[0]!.channels[0]!.times);
});

test('samplers that no channel uses are not looked at', async () => {
    expect(await warningsAfter(animation((a) => a.samplers.push({ input: -1 }, 'nothing')))).toEqual([]);
});

test('an animation without channels is fine', async () => {
    const model = skinnedModel();
    model.json.animations = [{ name: 'empty', samplers: [], channels: [] }];
    expect((await read(model.toGlb())).animations).toEqual([{ name: 'empty', channels: [] }]);
});

describe('channels that glTF says to ignore are, with a warning', () => {
    const cases: [string, (clip: LooseJson, model: GltfBuilder) => unknown, [string, string]][] = [
        ['no node', (a) => delete a.channels[0].target.node, ['CHANNEL_IGNORED', target]],
        ['an unknown path', (a) => (a.channels[0].target.path = 'hue'), ['CHANNEL_IGNORED', `${target}/path`]],
        [
            'weights of a node without mesh',
            (a) => (a.channels[0].target = { node: 2, path: 'weights' }),
            ['CHANNEL_IGNORED', target],
        ],
        [
            'weights of a mesh without morph targets',
            (a) => (a.channels[0].target = { node: 3, path: 'weights' }),
            ['CHANNEL_IGNORED', target],
        ],
    ];
    test.each(cases)('%s', async (_what, change, warning) => {
        const model = skinnedModel();
        change(clip(model), model);
        // Not even its sampler counts.
        clip(model).samplers[0].output = 99;
        const { animations, warnings } = await read(model.toGlb());
        expect(animations[0]!.channels.map(({ node }) => node)).toEqual([1]);
        expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([warning]);
    });
});

test('weights may move on a node that has a matrix, with a warning', async () => {
    const model = skinnedModel();
    morph(model);
    move('weights', 'SCALAR', 6, {}, MODEL.body)(model);
    model.json.nodes[MODEL.body].matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const { animations, warnings } = await read(model.toGlb());
    expect(animations[0]!.channels).toHaveLength(2);
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([['MATRIX_NODE_ANIMATED', target]]);
});

describe('KHR_animation_pointer', () => {
    const at = `${target}/extensions/KHR_animation_pointer/pointer`;
    const pointing = (pointer: unknown) =>
        animation((a) => {
            a.channels[0].target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } };
        });

    test.each([
        ['translation', 'VEC3', 2],
        ['rotation', 'VEC4', 2],
        ['scale', 'VEC3', 2],
        ['weights', 'SCALAR', MODEL.body],
    ])("a node's %s is an ordinary channel", async (path, type, node) => {
        const plain = skinnedModel();
        const pointed = skinnedModel();
        for (const model of [plain, pointed]) {
            morph(model);
            move(path, type, type === 'SCALAR' ? 6 : 3, {}, node)(model);
        }
        pointing(`/nodes/${node}/${path}`)(pointed);
        const [one, two] = [await read(plain.toGlb()), await read(pointed.toGlb())];
        expect(two.animations).toEqual(one.animations);
        expect(two.animations[0]!.channels[0]).toMatchObject({ node, path });
    });

    test.each([
        '/materials/0/pbrMetallicRoughness/baseColorFactor',
        '/nodes/3/weights/0',
        '/nodes/03/translation',
        '/nodes/2/visible',
        '/meshes/0/weights',
        'nodes/2/translation',
        '',
    ])('%p is reported and ignored', async (pointer) => {
        const model = skinnedModel();
        pointing(pointer)(model);
        const { animations, warnings } = await read(model.toGlb());
        expect(animations[0]!.channels).toHaveLength(1);
        expect(warnings).toEqual([
            { code: 'ANIMATION_POINTER_IGNORED', pointer: at, message: expect.stringContaining(`"${pointer}"`) },
        ]);
    });

    test('integers that are not normalized are allowed there, as they are', async () => {
        const model = skinnedModel();
        setOutput(model, new Int16Array([1, -2, 3, 4, 5, 6, 7, 8, 300]), 'VEC3');
        pointing('/nodes/2/translation')(model);
        const [channel] = (await read(model.toGlb())).animations[0]!.channels;
        expect(channel!.values).toEqual(new Float32Array([1, -2, 3, 4, 5, 6, 7, 8, 300]));
    });

    testFaults([
        [at, /index into nodes, which has 4, is 4/, pointing('/nodes/4/scale')],
        [at, /must be a JSON pointer, is 7/, pointing(7)],
        [at, /must be a JSON pointer, is missing/, animation((a) => (a.channels[0].target = { path: 'pointer' }))],
        [
            '/animations/0/channels/2/target',
            /the same node and path as channel 1/,
            animation((a) => {
                const extensions = { KHR_animation_pointer: { pointer: '/nodes/1/translation' } };
                a.channels.push({ sampler: 1, target: { path: 'pointer', extensions } });
            }),
        ],
    ]);
});
