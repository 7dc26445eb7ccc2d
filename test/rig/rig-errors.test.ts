// SPDX-License-Identifier: MIT

import { InputError } from '../../lib/base/errors';
import { typescriptRig } from '../../lib/rig/kernels';
import type { RigImplementation } from '../../lib/rig/kernels/contract';
import { findMorphs } from '../../lib/rig/pack/morphs';
import { packRig } from '../../lib/rig/pack/rig';
import { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import { allSlots } from '../../lib/rig/select-slots';
import { buildSkeleton } from '../../lib/rig/skeleton';
import { type RigParts, sourceOfParts } from '../../lib/rig/source/from-parts';
import { type GltfBuilder, skinnedModel } from '../gltf/support/builder';
import { bytesOf } from '../support/bytes';
import { random } from '../support/random';
import { channel, node, scene, skin } from './scenes';

const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1];
const makeRig = (implementation?: RigImplementation) =>
    new Rig(
        scene(
            [node(-1), node(0), node(1, { name: 'fixed', matrix }), node(0)],
            [skin([0, 1, 2]), skin([3])],
            [0, 1].map((clip) => ({
                name: '',
                channels: [channel(1, 'translation', 'LINEAR', [0, 1 + clip], [0, 0, 0, 1, 1, 1])],
            })),
        ),
        undefined,
        implementation,
    );
const rig = makeRig();
const COUNT = 5;

/** Everything that a call can write to, all different, so that any write shows. */
function setUp() {
    const poses = rig.createPoses(20);
    const other = rig.createPoses(20);
    const out = new Float32Array(2000).fill(0.5);
    rig.evaluate(
        poses,
        0,
        Float32Array.from({ length: 20 }, (_, i) => i / 20),
    );
    rig.toGlobal(poses);
    poses.count = COUNT;
    other.count = COUNT;
    return { poses, other, out };
}
type Set = ReturnType<typeof setUp>;

/** Requires the error, and that it came before anything was written. */
function refused(set: Set, call: () => unknown, name: string, code: string, message: RegExp): void {
    const before = [set.poses.data, set.other.data, set.out].map(bytesOf);
    expect(call).toThrow(expect.objectContaining({ name, code, message: expect.stringMatching(message) }));
    const after = [set.poses.data, set.other.data, set.out].map(bytesOf);
    for (const [i, bytes] of before.entries()) expect(Buffer.compare(bytes, after[i]!)).toBe(0);
}

const TYPE = ['TypeError', 'ERR_ARGUMENT_TYPE'] as const;
const INDEX = ['RangeError', 'ERR_INDEX_RANGE'] as const;
const LENGTH = ['RangeError', 'ERR_BUFFER_LENGTH'] as const;
const FINITE = ['RangeError', 'ERR_NOT_FINITE'] as const;
const OVERLAP = ['RangeError', 'ERR_BUFFER_OVERLAP'] as const;
const COUNTS = ['RangeError', 'ERR_COUNT_RANGE'] as const;

type Row = readonly [what: string, call: (set: Set) => unknown, error: readonly [string, string], message: RegExp];

const gone = <T extends Float32Array | Uint16Array | Float64Array>(view: T): T => {
    structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
    return view;
};
const TIMES = new Float32Array(COUNT);
/** Twice as many as the poses that `setUp` makes have room for, and one. */
const MANY = Float32Array.from({ length: 41 }, (_, i) => i / 40);
const someClips = (bad: number) => Uint16Array.of(0, 1, 0, bad, 0);

const ROWS: Row[] = [
    // evaluate
    [
        'no poses',
        () => rig.evaluate({} as never, 0, TIMES),
        TYPE,
        /^evaluate: poses must be poses of this rig, got an object/,
    ],
    [
        'a clip that is not there',
        ({ poses }) => rig.evaluate(poses, 2, TIMES),
        INDEX,
        /clips is 2, needs a clip, 0 to 1/,
    ],
    ['a negative clip', ({ poses }) => rig.evaluate(poses, -1, TIMES), INDEX, /clips is -1/],
    ['half a clip', ({ poses }) => rig.evaluate(poses, 0.5, TIMES), INDEX, /clips is 0.5/],
    [
        'a clip of one pose that is not there',
        ({ poses }) => rig.evaluate(poses, someClips(7), TIMES),
        INDEX,
        /clips\[3\] is 7/,
    ],
    [
        'clips of another type',
        ({ poses }) => rig.evaluate(poses, new Uint8Array(5) as never, TIMES),
        TYPE,
        /clips must be a number or a Uint16Array, got Uint8Array\(5\)/,
    ],
    ['clips by name', ({ poses }) => rig.evaluate(poses, 'walk' as never, TIMES), TYPE, /got "walk"/],
    [
        'too few clips',
        ({ poses }) => rig.evaluate(poses, new Uint16Array(4), TIMES),
        LENGTH,
        /clips holds 4 elements, needs at least 5/,
    ],
    [
        'too few times',
        ({ poses }) => rig.evaluate(poses, 0, TIMES.subarray(1)),
        LENGTH,
        /times holds 4 elements, needs at least 5/,
    ],
    [
        'times of another type',
        ({ poses }) => rig.evaluate(poses, 0, [0, 0, 0, 0, 0] as never),
        TYPE,
        /times must be a Float32Array or Float64Array, got an Array/,
    ],
    ['one time', ({ poses }) => rig.evaluate(poses, 0, 0.5 as never), TYPE, /times must be/],
    ['NaN', ({ poses }) => rig.evaluate(poses, 0, Float32Array.of(0, 0, NaN, 0, 0)), FINITE, /times\[2\] is NaN/],
    [
        'infinity',
        ({ poses }) => rig.evaluate(poses, 0, Float64Array.of(0, 0, 0, 0, -Infinity)),
        FINITE,
        /times\[4\] is -Infinity/,
    ],
    [
        'NaN, wrapped',
        ({ poses }) => rig.evaluate(poses, 0, Float64Array.of(NaN, 0, 0, 0, 0), { loop: 'wrap' }),
        FINITE,
        /times\[0\]/,
    ],
    [
        'detached times',
        ({ poses }) => rig.evaluate(poses, 0, gone(new Float32Array(5))),
        ['TypeError', 'ERR_DETACHED_BUFFER'],
        /times/,
    ],
    [
        'another loop',
        ({ poses }) => rig.evaluate(poses, 0, TIMES, { loop: 'bounce' as never }),
        TYPE,
        /options.loop must be 'clamp' or 'wrap', got "bounce"/,
    ],
    [
        'options that are none',
        ({ poses }) => rig.evaluate(poses, 0, TIMES, 'wrap' as never),
        TYPE,
        /options must be an object/,
    ],
    [
        'times within the poses',
        ({ poses }) => rig.evaluate(poses, 0, poses.data.subarray(10, 15)),
        OVERLAP,
        /poses and times share memory/,
    ],
    [
        'clips within the poses',
        ({ poses }) => rig.evaluate(poses, new Uint16Array(poses.data.buffer, poses.data.byteOffset, 5).fill(0), TIMES),
        OVERLAP,
        /poses and clips/,
    ],
    // toGlobal
    [
        'no poses at all',
        () => rig.toGlobal(undefined as never),
        TYPE,
        /^toGlobal: poses must be poses of this rig, got undefined/,
    ],
    ['an imitation of poses', () => rig.toGlobal(Object.create(Poses.prototype)), TYPE, /poses must be/],
    // palettes
    [
        'a skin that is not there',
        ({ poses, out }) => rig.palettes(poses, 2, out),
        INDEX,
        /skin is 2, needs a skin, 0 to 1/,
    ],
    ['a skin by name', ({ poses, out }) => rig.palettes(poses, 'suit' as never, out), TYPE, /skin must be a number/],
    [
        'a palette that is too short',
        ({ poses, out }) => rig.palettes(poses, 0, out.subarray(0, 239)),
        LENGTH,
        /out holds 239 floats, needs at least 240/,
    ],
    [
        'the same, 3x4',
        ({ poses, out }) => rig.palettes(poses, 0, out.subarray(0, 179), 'mat3x4'),
        LENGTH,
        /needs at least 180/,
    ],
    [
        'a palette of another type',
        ({ poses }) => rig.palettes(poses, 0, new Float64Array(1000) as never),
        TYPE,
        /out must be a Float32Array/,
    ],
    [
        'a format that is none',
        ({ poses, out }) => rig.palettes(poses, 0, out, 'mat4x4' as never),
        TYPE,
        /format must be 'mat4' or 'mat3x4'/,
    ],
    [
        'a palette within the poses',
        ({ poses }) => rig.palettes(poses, 0, poses.data.subarray(100)),
        OVERLAP,
        /out and poses share memory/,
    ],
    [
        'a skin of which slots are missing',
        ({ out }) => rig.palettes(rig.createPoses(1, { only: [0] }), 0, out),
        INDEX,
        /skin 0 needs slot \d, but the poses were created with `only`/,
    ],
    // skinVertices and bounds: what there is to refuse where there are meshes is in test/long/rig/rig-skinning.test.ts
    ['a mesh where there is none', ({ poses, out }) => rig.skinVertices(poses, 0, 0, out), INDEX, /there is no mesh/],
    [
        'a box of a skin that is not there',
        ({ poses, out }) => rig.bounds(poses, 2, 0, out),
        INDEX,
        /^bounds: skin is 2, needs a skin, 0 to 1/,
    ],
    // bakePalettes: all is checked before the first of the poses is made
    [
        'a clip that is not there, far behind',
        ({ poses, out }) =>
            rig.bakePalettes(
                poses,
                Uint16Array.from(MANY, (t) => (t > 0.8 ? 2 : 0)),
                MANY,
                0,
                out,
            ),
        INDEX,
        /^bakePalettes: clips\[32\] is 2, needs a clip, 0 to 1/,
    ],
    [
        'fewer clips than times',
        ({ poses, out }) => rig.bakePalettes(poses, new Uint16Array(40), MANY, 0, out),
        LENGTH,
        /clips holds 40 elements, needs at least 41/,
    ],
    [
        'a time that is no number, far behind',
        ({ poses, out }) => rig.bakePalettes(poses, 0, MANY.with(40, NaN), 0, out),
        FINITE,
        /times\[40\] is NaN/,
    ],
    ['a list of times', ({ poses, out }) => rig.bakePalettes(poses, 0, [0] as never, 0, out), TYPE, /times must be/],
    [
        'times in memory that is gone',
        ({ poses, out }) => rig.bakePalettes(poses, 0, gone(new Float32Array(5)), 0, out),
        ['TypeError', 'ERR_DETACHED_BUFFER'],
        /times is a view of a detached/,
    ],
    [
        'a skin to bake that is not there',
        ({ poses, out }) => rig.bakePalettes(poses, 0, MANY, 2, out),
        INDEX,
        /skin is 2/,
    ],
    [
        'room for one float less than all of them',
        ({ poses, out }) => rig.bakePalettes(poses, 0, MANY, 0, out.subarray(0, 41 * 48 - 1)),
        LENGTH,
        /out holds 1967 floats, needs at least 1968/,
    ],
    [
        'a format to bake that is none',
        ({ poses, out }) => rig.bakePalettes(poses, 0, MANY, 0, out, 'mat3' as never),
        TYPE,
        /format must be 'mat4' or 'mat3x4'/,
    ],
    [
        'another way round',
        ({ poses, out }) => rig.bakePalettes(poses, 0, MANY, 0, out, 'mat4', { loop: 'mirror' as never }),
        TYPE,
        /options.loop must be 'clamp' or 'wrap'/,
    ],
    [
        'a skin to bake of which slots are missing',
        ({ out }) => rig.bakePalettes(rig.createPoses(1, { only: [0] }), 0, MANY, 0, out),
        INDEX,
        /skin 0 needs slot \d, but the poses were created with `only`/,
    ],
    [
        'baking into the poses',
        ({ poses }) => rig.bakePalettes(poses, 0, MANY.subarray(0, 2), 0, poses.data),
        OVERLAP,
        /out and poses share memory/,
    ],
    [
        'times within the poses',
        ({ poses, out }) => rig.bakePalettes(poses, 0, poses.data.subarray(0, 5), 0, out),
        OVERLAP,
        /poses and times share memory/,
    ],
    [
        'times within out',
        ({ poses, out }) => rig.bakePalettes(poses, 0, out.subarray(7, 9), 0, out),
        OVERLAP,
        /out and times share memory/,
    ],
    [
        'clips within out',
        ({ poses, out }) => rig.bakePalettes(poses, new Uint16Array(out.buffer, 12, 1), MANY.subarray(0, 1), 0, out),
        OVERLAP,
        /out and clips share memory/,
    ],
    // joints
    [
        'slots of another type',
        ({ poses, out }) => rig.joints(poses, [0] as never, out),
        TYPE,
        /slots must be a Uint16Array or Int32Array, got an Array/,
    ],
    [
        'a slot that is not there',
        ({ poses, out }) => rig.joints(poses, Uint16Array.of(0, 4), out),
        INDEX,
        /slots\[1\] is 4, needs a slot, 0 to 3/,
    ],
    [
        'a slot below 0',
        ({ poses, out }) => rig.joints(poses, Int32Array.of(0, -1), out),
        INDEX,
        /slots\[1\] is -1, needs a slot, 0 to 3/,
    ],
    [
        'a list that is too short',
        ({ poses, out }) => rig.joints(poses, Uint16Array.of(0, 1), out.subarray(0, 119)),
        LENGTH,
        /needs at least 120/,
    ],
    [
        'a slot that these poses have not',
        ({ out }) => rig.joints(rig.createPoses(1, { only: [0] }), Uint16Array.of(3), out),
        INDEX,
        /slots\[0\] needs slot 3/,
    ],
    [
        'a list within the poses',
        ({ poses }) => rig.joints(poses, Uint16Array.of(0), poses.data),
        OVERLAP,
        /out and poses/,
    ],
    // setLocal, getLocal
    [
        'a pose beyond the count',
        ({ poses }) => rig.setLocal(poses, 5, 0, new Float32Array(10)),
        INDEX,
        /^setLocal: pose is 5, needs a pose, 0 to 4/,
    ],
    ['a slot beyond the rig', ({ poses }) => rig.setLocal(poses, 0, 4, new Float32Array(10)), INDEX, /slot is 4/],
    [
        'a matrix slot',
        ({ poses }) => rig.setLocal(poses, 0, rig.slotOf(2), new Float32Array(10)),
        ['RangeError', 'ERR_MATRIX_SLOT'],
        /slot 3 has no translation, rotation and scale: its node \(2, 'fixed'\) has a matrix/,
    ],
    [
        'a transform that is too short',
        ({ poses }) => rig.setLocal(poses, 0, 0, new Float32Array(9)),
        LENGTH,
        /trs holds 9 floats, needs at least 10/,
    ],
    [
        'a transform of another type',
        ({ poses }) => rig.setLocal(poses, 0, 0, Array(10).fill(0) as never),
        TYPE,
        /trs must be a Float32Array/,
    ],
    [
        'a transform that is not finite',
        ({ poses }) => rig.setLocal(poses, 0, 0, Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, NaN, 1)),
        FINITE,
        /trs\[8\] is NaN/,
    ],
    [
        'getLocal of a matrix slot',
        ({ poses, out }) => rig.getLocal(poses, 0, rig.slotOf(2), out),
        ['RangeError', 'ERR_MATRIX_SLOT'],
        /^getLocal/,
    ],
    ['getLocal of half a pose', ({ poses, out }) => rig.getLocal(poses, 0.5, 0, out), INDEX, /pose is 0.5/],
    ['getLocal into the poses', ({ poses }) => rig.getLocal(poses, 0, 0, poses.data), OVERLAP, /trs and poses/],
    // blend
    [
        'weights that are too few',
        ({ poses, other }) => rig.blend(poses, poses, other, new Float32Array(4)),
        LENGTH,
        /weights holds 4/,
    ],
    ['a weight that is NaN', ({ poses, other }) => rig.blend(poses, poses, other, NaN), FINITE, /weights is NaN/],
    [
        'a weight beyond float32',
        ({ poses, other }) => rig.blend(poses, poses, other, 1e39),
        FINITE,
        /weights is 1e\+39/,
    ],
    [
        'an infinite weight of one pose',
        ({ poses, other }) => rig.blend(poses, poses, other, Float32Array.of(0, 0, 0, Infinity, 0)),
        FINITE,
        /weights\[3\] is Infinity/,
    ],
    [
        'weights of another type',
        ({ poses, other }) => rig.blend(poses, poses, other, new Float64Array(5) as never),
        TYPE,
        /weights must be a number or a Float32Array/,
    ],
    [
        'a mask of another length',
        ({ poses, other }) => rig.blend(poses, poses, other, 1, { mask: new Float32Array(5) }),
        LENGTH,
        /options.mask holds 5 floats, needs 4/,
    ],
    [
        'a mask with NaN',
        ({ poses, other }) => rig.blend(poses, poses, other, 1, { mask: Float32Array.of(0, 0, 0, NaN) }),
        FINITE,
        /options.mask\[3\]/,
    ],
    [
        'an additive that is no boolean',
        ({ poses, other }) => rig.blend(poses, poses, other, 1, { additive: 1 as never }),
        TYPE,
        /options.additive/,
    ],
    ['another count', ({ poses }) => rig.blend(poses, poses, rig.createPoses(4), 1), COUNTS, /b has 4 poses, out 5/],
    [
        'other slots',
        ({ poses }) => rig.blend(poses, rig.createPoses(5, { only: [1] }), poses, 1),
        INDEX,
        /a has other slots than out/,
    ],
    [
        'weights within out',
        ({ poses, other }) => rig.blend(poses, poses, other, poses.data.subarray(3, 8)),
        OVERLAP,
        /out and weights/,
    ],
    [
        'a mask within out',
        ({ poses, other }) => rig.blend(poses, poses, other, 1, { mask: poses.data.subarray(3, 7) }),
        OVERLAP,
        /out and options.mask/,
    ],
    // rootDelta
    [
        'rootDelta into too few floats',
        ({ out }) => rig.rootDelta(out.subarray(0, 6), 0, 0, 1, { slot: 0 }),
        LENGTH,
        /out holds 6 floats, needs at least 7/,
    ],
    ['rootDelta of no clip', ({ out }) => rig.rootDelta(out, 2, 0, 1, { slot: 0 }), INDEX, /clip is 2/],
    [
        'rootDelta of no slot',
        ({ out }) => rig.rootDelta(out, 0, 0, 1, {} as never),
        TYPE,
        /options.slot must be a number, got undefined/,
    ],
    ['rootDelta from NaN', ({ out }) => rig.rootDelta(out, 0, NaN, 1, { slot: 0 }), FINITE, /t0 is NaN/],
    [
        'rootDelta to infinity',
        ({ out }) => rig.rootDelta(out, 0, 0, Infinity, { slot: 0, loop: 'wrap' }),
        FINITE,
        /t1 is Infinity/,
    ],
    [
        'rootDelta to a string',
        ({ out }) => rig.rootDelta(out, 0, 0, '1' as never, { slot: 0 }),
        TYPE,
        /t1 must be a number/,
    ],
    [
        'rootDelta round another way',
        ({ out }) => rig.rootDelta(out, 0, 0, 1, { slot: 0, loop: 'mirror' as never }),
        TYPE,
        /options.loop/,
    ],
    // extractRoot
    ...(
        [
            ['without options', () => [undefined], TYPE, /options.from must be poses of this rig/],
            ['from nothing', () => [{ slot: 0 }], TYPE, /options.from must be poses of this rig, got undefined/],
            ['of no slot', ({ other }) => [{ slot: 4, from: other }], INDEX, /options.slot is 4/],
            ['of a name', ({ other }) => [{ slot: 'a', from: other }], TYPE, /options.slot must be a number/],
            [
                'of poses that lack the slot',
                ({ other }) => [{ slot: 3, from: other }, rig.createPoses(1, { only: [1] })],
                INDEX,
                /options.slot needs slot 3/,
            ],
            [
                'from poses that lack the slot',
                () => [{ slot: 3, from: rig.createPoses(1, { only: [1] }) }],
                INDEX,
                /options.from needs slot 3/,
            ],
            [
                'from another number of poses',
                () => [{ slot: 0, from: rig.createPoses(4) }],
                COUNTS,
                /options.from has 4 poses, needs 1 or as many as poses, 5/,
            ],
            [
                'of other parts',
                ({ other }) => [{ slot: 0, from: other, motion: 'x' }],
                TYPE,
                /options.motion must be .xz\+yaw. or .xyz\+rotation., got "x"/,
            ],
            [
                'half in place',
                ({ other }) => [{ slot: 0, from: other, inPlace: 1 }],
                TYPE,
                /options.inPlace must be true/,
            ],
            ['from itself', ({ poses }) => [{ slot: 0, from: poses }], OVERLAP, /poses and options.from share memory/],
            [
                'into too few floats',
                ({ other, out }) => [{ slot: 0, from: other }, undefined, out.subarray(0, 34)],
                LENGTH,
                /out holds 34 floats, needs at least 35/,
            ],
            [
                'into its poses',
                ({ poses, other }) => [{ slot: 0, from: other }, undefined, poses.data],
                OVERLAP,
                /out and poses/,
            ],
            [
                'into its reference',
                ({ other }) => [{ slot: 0, from: other }, undefined, other.data],
                OVERLAP,
                /out and options.from/,
            ],
        ] as [string, (set: Set) => [unknown, Poses?, Float32Array?], Row[2], RegExp][]
    ).map(([what, make, error, message]): Row => {
        const call = (set: Set) => {
            const [options, poses = set.poses, out = set.out] = make(set);
            return rig.extractRoot(poses, out, options as never);
        };
        return [`extractRoot ${what}`, call, error, message];
    }),
];

test.each(ROWS)('%s', (_, call, [name, code], message) => {
    const set = setUp();
    refused(set, () => call(set), name, code, message);
});

describe('poses of another rig', () => {
    const foreign = makeRig().createPoses(5);
    test.each<[string, (set: Set) => unknown]>([
        ['evaluate', () => rig.evaluate(foreign, 0, TIMES)],
        ['toGlobal', () => rig.toGlobal(foreign)],
        ['palettes', ({ out }) => rig.palettes(foreign, 0, out)],
        ['bakePalettes', ({ out }) => rig.bakePalettes(foreign, 0, TIMES, 0, out)],
        ['joints', ({ out }) => rig.joints(foreign, Uint16Array.of(0), out)],
        ['setLocal', () => rig.setLocal(foreign, 0, 0, new Float32Array(10))],
        ['getLocal', ({ out }) => rig.getLocal(foreign, 0, 0, out)],
        ['skinVertices', ({ out }) => rig.skinVertices(foreign, 0, 0, out)],
        ['bounds', ({ out }) => rig.bounds(foreign, 0, 0, out)],
        ['extractRoot', ({ out, poses }) => rig.extractRoot(foreign, out, { slot: 0, from: poses })],
        ['extractRoot', ({ out, poses }) => rig.extractRoot(poses, out, { slot: 0, from: foreign })],
        ['blend', ({ poses, other }) => rig.blend(foreign, poses, other, 1)],
        ['blend', ({ poses, other }) => rig.blend(poses, foreign, other, 1)],
        ['blend', ({ poses, other }) => rig.blend(poses, other, foreign, 1)],
    ])('%s refuses them, however alike the rigs are', (routine, call) => {
        const set = setUp();
        const message = new RegExp(`^${routine}: .* are poses of another rig`);
        refused(set, () => call(set), 'TypeError', 'ERR_FOREIGN_POSES', message);
    });
});

test('poses whose memory was transferred are refused', () => {
    // A memory of WebAssembly cannot be.
    const rig = makeRig(typescriptRig);
    const poses = rig.createPoses(5);
    gone(poses.data);
    const out = new Float32Array(1000);
    for (const call of [
        () => rig.evaluate(poses, 0, TIMES),
        () => rig.toGlobal(poses),
        () => rig.bakePalettes(poses, 0, TIMES, 0, out),
    ]) {
        expect(call).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_DETACHED_BUFFER' }));
    }
});

test('lists over memory that is gone are refused wherever a rig or poses are made', async () => {
    const rest = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
    const clip = (lists: object) => [
        { channels: [{ node: 0, path: 'scale' as const, times: [0], values: [1, 1, 1], ...lists }] },
    ];
    const code = { name: 'TypeError', code: 'ERR_DETACHED_BUFFER' };
    const float = () => gone(new Float32Array(10));
    for (const [argument, make] of [
        ['rest', () => Rig.create({ parents: [-1], rest: float() })],
        ['parents', () => Rig.create({ parents: gone(new Uint16Array(1)), rest })],
        ['clips[0].channels[0].times', () => Rig.create({ parents: [-1], rest, clips: clip({ times: float() }) })],
        ['clips[0].channels[0].values', () => Rig.create({ parents: [-1], rest, clips: clip({ values: float() }) })],
        ['options.only', () => rig.createPoses(1, { only: gone(new Uint16Array(1)) })],
    ] as const) {
        expect(make).toThrow(expect.objectContaining(code));
        expect(make).toThrow(`: ${argument} is a view of a detached or shrunk buffer, needs a live one`);
    }
    const bytes = new Uint8Array(20);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    await expect(Rig.load(bytes)).rejects.toMatchObject({
        ...code,
        message: expect.stringMatching(/^Rig.load: input is/),
    });
});

test('slotOf takes numbers: -1 for those that are no node, an error for anything else', () => {
    expect([0, 3, 4, -1, 0.5, NaN].map((node) => rig.slotOf(node))).toEqual([0, 2, -1, -1, -1, -1]);
    for (const node of ['length', 'buffer', undefined, null, 1n, {}]) {
        const call = () => rig.slotOf(node as never);
        expect(call).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' }));
        expect(call).toThrow(/^slotOf: node must be a number, got /);
    }
});

test('what is done to the lists that a rig shows does not change what its methods take', () => {
    const own = makeRig();
    for (const list of [own.slots, own.skins, own.clips]) (list as unknown[]).push(list[0]);
    const poses = own.createPoses(1);
    const out = new Float32Array(100);
    const time = new Float32Array(1);
    for (const call of [
        () => own.evaluate(poses, 2, time),
        () => own.bakePalettes(poses, 2, time, 0, out),
        () => own.palettes(poses, 2, out),
        () => own.joints(poses, Uint16Array.of(4), out),
        () => own.getLocal(poses, 0, 4, out),
        () => own.rootDelta(out, 2, 0, 1, { slot: 0 }),
        () => own.rootDelta(out, 0, 0, 1, { slot: 4 }),
        () => own.extractRoot(poses, out, { slot: 4, from: own.createPoses(1) }),
    ]) {
        expect(call).toThrow(expect.objectContaining({ name: 'RangeError', code: 'ERR_INDEX_RANGE' }));
    }
    for (const list of [own.slots, own.skins, own.clips]) (list as unknown[]).length = 0;
    own.evaluate(poses, 1, time);
    own.toGlobal(poses);
    own.palettes(poses, 1, out);
});

test('clips that another thread changes during the call are refused in TypeScript as in the addon', () => {
    const still = scene([node(-1)], [], [{ name: '', channels: [] }]);
    const tables = packRig(still, buildSkeleton(still.nodes, Uint8Array.of(1)), findMorphs(still.nodes));
    const kernels = typescriptRig.load(tables).select(allSlots(tables, Int32Array.of(-1), Int32Array.of(-1)));
    const data = new Float32Array(22 * 16);
    expect(() => kernels.evaluate(data, 1, Uint16Array.of(1), new Float32Array(1), false)).toThrow(
        expect.objectContaining({ code: 'ERR_BUFFER_CHANGED' }),
    );
});

test('a rig without clips and skins has none to name', () => {
    const bare = new Rig(scene([], [], []));
    const poses = bare.createPoses(1);
    expect(() => bare.evaluate(poses, 0, TIMES)).toThrow(/clips is 0, but there is no clip/);
    expect(() => bare.palettes(poses, 0, new Float32Array(1))).toThrow(/skin is 0, but there is no skin/);
    expect(() => bare.createPoses(1, { only: [0] })).toThrow(/only\[0\] is 0, but there is no slot/);
});

describe('negative and huge times are exact', () => {
    const D = Math.fround(2.3);
    const still = new Rig(
        scene(
            [node(-1)],
            [],
            [{ name: '', channels: [channel(0, 'translation', 'LINEAR', [0.25, D], [-0.5, 1, 2, 7, -3, 4e10])] }],
        ),
    );
    const at = (times: Float64Array | Float32Array, loop: 'clamp' | 'wrap') => {
        const poses = still.createPoses(times.length);
        still.evaluate(poses, 0, times, { loop });
        return Array.from(times, (_, pose) => [...still.getLocal(poses, pose, 0, new Float32Array(10))].slice(0, 3));
    };

    test('clamp: the first and the last key, to the bit', () => {
        const [first, last] = [
            [-0.5, 1, 2],
            [7, -3, Math.fround(4e10)],
        ];
        expect(at(Float64Array.of(-Number.MAX_VALUE, -1e9, -1e-300, -0, 0, 0.25), 'clamp')).toEqual(
            Array(6).fill(first),
        );
        expect(at(Float64Array.of(D, 1e9, 1e300, Number.MAX_VALUE), 'clamp')).toEqual(Array(4).fill(last));
        expect(at(Float32Array.of(-3.4e38, -1e-45, 3.4e38), 'clamp')).toEqual([first, first, last]);
    });

    test('wrap: the remainder as % has it, which is exact, up to half a billion times round', () => {
        const next = random(3);
        const unit = () => next() + next() / 2 ** 32;
        const times = Float64Array.from({ length: 500 }, (_, i) => (unit() * 2 - 1) * D * 2 ** (i % 30));
        // Below 0 the remainder is counted from the end: exact, because the times are a multiple of 2^-23.
        for (let i = 0; i < times.length; i++) times[i] = Math.round(times[i]! * 2 ** 23) / 2 ** 23;
        const reduced = times.map((time) => (time >= 0 ? time % D : (D - (-time % D)) % D));
        expect(new Set(reduced).size).toBeGreaterThan(450);
        expect(at(times, 'wrap')).toEqual(at(reduced, 'clamp'));
    });
});

test('any alignment that a view can have', async () => {
    // Lists that start 4 bytes after a multiple of 8, and 8 after one of 16.
    const floats = (from: ArrayLike<number>) => new Float32Array(new ArrayBuffer(from.length * 4 + 4), 4).fill(0);
    const plain = rig.createPoses(COUNT);
    const poses = rig.createPoses(COUNT, {
        shared: new Float32Array(new SharedArrayBuffer(plain.data.byteLength + 4), 4),
    });
    const clips = Uint16Array.of(0, 1, 0, 1, 0);
    const times = Float64Array.of(0, 0.3, 0.6, 0.9, 5);
    const oddClips = new Uint16Array(new ArrayBuffer(12), 2);
    oddClips.set(clips);
    const oddTimes = new Float64Array(new ArrayBuffer(48), 8);
    oddTimes.set(times);
    rig.evaluate(plain, clips, times);
    rig.evaluate(poses, oddClips, oddTimes);
    for (const one of [plain, poses]) rig.toGlobal(one);
    const outs = [new Float32Array(COUNT * 48), floats({ length: COUNT * 48 })] as const;
    rig.palettes(plain, 0, outs[0]);
    rig.palettes(poses, 0, outs[1]);
    expect(outs[0].some((x) => x !== 0)).toBe(true);
    expect([...outs[1]]).toEqual([...outs[0]]);

    // A file in memory may start at any byte.
    const bytes = skinnedModel().toGlb();
    const expected = await Rig.load(bytes);
    for (const offset of [1, 2, 3]) {
        const moved = new Uint8Array(bytes.length + 8).subarray(offset, offset + bytes.length);
        moved.set(bytes);
        expect((await Rig.load(moved)).rest).toEqual(expected.rest);
    }
});

describe('what is wrong when a rig is made: each error names node, channel and rule', () => {
    const REST = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
    const made = (channelChanges: object, changes: Partial<RigParts> = {}): RigParts => ({
        parents: [-1, 0, 1],
        rest: [REST, REST, REST].flat(),
        skins: [{ joints: [1, 2] }],
        clips: [
            { channels: [] },
            {
                channels: [
                    { node: 0, path: 'scale', times: [0], values: [1, 1, 1] },
                    { node: 2, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 1, 1], ...channelChanges },
                ],
            },
        ],
        ...changes,
    });
    const mesh = { node: 0, skin: 0, positions: [0, 0, 0], joints: [0, 1, 0, 0], weights: [0.5, 0.5, 0, 0] };

    test.each<[string, RigParts, string]>([
        [
            'a cycle of parents',
            made({}, { parents: [2, 0, 1] }),
            'parents[0] node 0 is its own ancestor: parents must not run in a cycle',
        ],
        [
            'keys out of order',
            made({ times: [1, 0.5] }),
            'clips[1].channels[1].times[1] is 0.5, 0.5 less than the one before; times must ascend (translation of node 2)',
        ],
        [
            'a time below 0',
            made({ times: [-1, 0.5] }),
            'clips[1].channels[1].times[0] is -1, times must be 0 or more (translation of node 2)',
        ],
        [
            'a time that is NaN',
            made({ times: [0, NaN] }),
            'clips[1].channels[1].times[1] is NaN, must be finite (translation of node 2)',
        ],
        [
            'an infinite value',
            made({ values: [0, 0, 0, 1, -Infinity, 1] }),
            'clips[1].channels[1].values[4] is -Infinity, must be finite (translation of node 2)',
        ],
        [
            'counts that do not match',
            made({ values: [0, 0, 0, 1, 1] }),
            'clips[1].channels[1].values has 5 numbers, must have 2 keys x 3 for translation with LINEAR = 6 (node 2)',
        ],
        [
            'a negative vertex weight',
            made({}, { meshes: [{ ...mesh, weights: [1.5, -0.5, 0, 0] }] }),
            'meshes[0].weights vertex 0 has weight -0.5, must not be negative (3.7.3.3)',
        ],
        [
            'a vertex weight that is NaN',
            made({}, { meshes: [{ ...mesh, weights: [1, NaN, 0, 0] }] }),
            'meshes[0].weights vertex 0 has weight NaN, must be finite (3.7.3.3)',
        ],
    ])('Rig.create: %s', (_, parts, message) => {
        expect(sourceOfParts(made({})).nodes).toHaveLength(3);
        expect(() => Rig.create(parts)).toThrow(
            expect.objectContaining({
                name: 'RangeError',
                code: 'ERR_RIG_INVALID',
                message: `Rig.create: ${message}`,
            }),
        );
    });

    /** Puts other numbers into the times or the values of the model's first channel. */
    const keys = (which: 'input' | 'output', type: string, values: number[]) => (model: GltfBuilder) => {
        const [sampler] = model.json.animations[0].samplers;
        sampler[which] = model.accessor(Float32Array.from(values), type);
    };

    test.each<[string, (model: GltfBuilder) => unknown, string, RegExp]>([
        [
            'a cycle of parents',
            (m) => (m.json.nodes[1].children = [0]),
            '/nodes/1/children/0',
            /^node 0 is its own ancestor: the hierarchy must not have cycles \(3.5.2\)$/,
        ],
        [
            'keys out of order',
            keys('input', 'SCALAR', [0, 1, 0.5]),
            '/animations/0/samplers/0/input',
            /element 2 is 0.5, 0.5 less than the one before; times must increase \(5.7.1\); \/animations\/0\/channels\/0 moves the \w+ of node \d/,
        ],
        [
            'a time below 0',
            keys('input', 'SCALAR', [-1, 0, 1]),
            '/animations/0/samplers/0/input',
            /element 0 is -1; times must be 0 or more \(5.7.1\); \/animations\/0\/channels\/0 moves the \w+ of node \d/,
        ],
        [
            'a time that is NaN',
            keys('input', 'SCALAR', [0, NaN, 1]),
            '/animations/0/samplers/0/input',
            /element 1 is NaN \(3.6.2.2\); \/animations\/0\/channels\/0 moves the \w+ of node \d/,
        ],
        [
            'counts that do not match',
            keys('input', 'SCALAR', [0, 1]),
            '/animations/0/samplers/0/output',
            /must have 2 keys x 1 for \w+ with \w+ = 2, has 3 \(3.11\); \/animations\/0\/channels\/0 moves node \d/,
        ],
    ])('Rig.load: %s', async (_, change, pointer, rule) => {
        const model = skinnedModel();
        change(model);
        const load = Rig.load(model.toGlb(), { name: 'hero.glb' });
        await expect(load).rejects.toBeInstanceOf(InputError);
        await expect(load).rejects.toMatchObject({
            code: 'GLTF_INVALID',
            file: 'hero.glb',
            pointer,
            rule: expect.stringMatching(rule),
        });
    });
});
