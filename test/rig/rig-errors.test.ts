// SPDX-License-Identifier: MIT

import { InputError } from '../../lib/base/errors';
import { typescriptRig } from '../../lib/rig/kernels';
import type { RigImplementation } from '../../lib/rig/kernels/table';
import { findMorphs } from '../../lib/rig/pack/morphs';
import { packRig } from '../../lib/rig/pack/rig';
import { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import { allSlots } from '../../lib/rig/select-slots';
import { buildSkeleton } from '../../lib/rig/skeleton';
import { type RigParts, sourceOfParts } from '../../lib/rig/source/from-parts';
import { type GltfBuilder, skinnedModel } from '../gltf/support/builder';
import { bytesOf } from '../support/bytes';
import { detached, thrownBy } from '../support/faults';
import { random } from '../support/random';
import { argumentsOf, CALLS, COUNT, PARTS, wrongCalls } from '../support/rig-calls.cjs';
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

/** All memory that a call can write, with distinct values, so that any write is seen. */
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

/** Name, code and message of the error that a call throws. */
function wordsOf(call: () => unknown): string {
    const { name, code, message } = thrownBy(call)!;
    return `${name} ${code} | ${message}`;
}

const TIMES = new Float32Array(COUNT);

/** Accepted exceptions: fewer times or slots give fewer results; rays are copied first; lists that are only read can share memory. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
    bakePalettes: ['times: one number less'],
    blend: ['options.reference: undefined'],
    joints: ['slots: one number less', 'slots: within the poses'],
    castRays: [
        'rays: within the poses',
        'options.placements: within the poses',
        'rays: within outDistances',
        'rays: within outCapsules',
    ],
};

describe('one wrong argument', () => {
    const own = Rig.create(PARTS as RigParts);
    const foreign = Rig.create(PARTS as RigParts).createPoses(COUNT);
    const capsules = own.createCapsules([{ slot: 0, radius: 1 }]);
    const room = () => new Float32Array(new SharedArrayBuffer(foreign.data.byteLength));
    const makeSet = () => {
        const [poses, other] = [0, 1].map(() => own.createPoses(COUNT, { shared: room() }));
        return { poses, other, foreign, capsules };
    };
    const call = (method: string, args: readonly unknown[]) =>
        (own as unknown as Record<string, (...args: unknown[]) => unknown>)[method]!(...args);
    /** The text after the method name in each error. */
    const messages = new Set<string>();

    test.each(Object.keys(CALLS))('%s rejects it before it writes anything', (method) => {
        call(method, argumentsOf(method, makeSet()));
        const set = makeSet();
        const taken: string[] = [];
        for (const [what, args] of wrongCalls(method, set)) {
            const bytes = () => [set.poses, set.other, ...args].map(written);
            const before = bytes();
            try {
                call(method, args);
                taken.push(what);
            } catch (error) {
                expect(bytes()).toEqual(before);
                const { name, code, message } = error as Error & { code: string };
                expect(message.startsWith(`${method}: `)).toBe(true);
                messages.add(`${what} | ${name} ${code} | ${message.slice(method.length + 2)}`);
            }
        }
        expect([...new Set(taken)]).toEqual(TAKEN[method] ?? []);
    });

    test('each message names the argument, its value and the rule', () => {
        expect([...messages].sort().join('\n')).toMatchSnapshot();
    });
});

/** The bytes of poses or a list; null for other arguments. */
function written(value: unknown): Buffer | null {
    const view = value instanceof Poses && Poses.stateOf(value) !== null ? value.data : value;
    return ArrayBuffer.isView(view) && view.byteLength > 0 ? Buffer.from(bytesOf(view as Float32Array)) : null;
}

/** Faults that depend on several arguments, on the poses, or on a node's matrix. */
const ROWS: Readonly<Record<string, (set: Set) => unknown>> = {
    'a matrix slot': ({ poses, out }) => rig.setLocal(poses, 0, rig.slotOf(2), out.subarray(0, 10)),
    'getLocal of a matrix slot': ({ poses, out }) => rig.getLocal(poses, 0, rig.slotOf(2), out),
    'another count': ({ poses }) => rig.blend(poses, poses, rig.createPoses(4), 1),
    'other slots': ({ poses }) => rig.blend(poses, rig.createPoses(5, { only: [1] }), poses, 1),
    'a mask that is too long': ({ poses, other, out }) => rig.blend(poses, poses, other, 1, { mask: out.slice(0, 5) }),
    'a weight beyond float32': ({ poses, other }) => rig.blend(poses, poses, other, 1e39),
    'a skin with missing slots': ({ out }) => rig.palettes(rig.createPoses(1, { only: [0] }), 0, out),
    'a skin to bake with missing slots': ({ out }) =>
        rig.bakePalettes(rig.createPoses(1, { only: [0] }), 0, TIMES, 0, out),
    'a slot that these poses lack': ({ out }) => rig.joints(rig.createPoses(1, { only: [0] }), Uint16Array.of(3), out),
    'a limb upside down': ({ poses, out }) => rig.twoBoneIk(poses, { start: 1, mid: 0, end: 2 }, out),
    'an end outside the limb': ({ poses, out }) => rig.twoBoneIk(poses, { start: 0, mid: 1, end: 2 }, out),
    'a joint with a matrix': ({ poses, out }) => rig.twoBoneIk(poses, { start: 0, mid: rig.slotOf(2), end: 1 }, out),
    'a limb without its end': ({ out }) =>
        rig.twoBoneIk(rig.createPoses(1, { only: [1] }), { start: 0, mid: 1, end: rig.slotOf(2) }, out),
    'an aim without slots': ({ poses, out }) => rig.aimIk(poses, [], out),
    'an aim with too many slots': ({ poses, out }) => rig.aimIk(poses, new Array(65).fill(0), out),
    'an aim with slots in another order': ({ poses, out }) => rig.aimIk(poses, [1, 0], out),
    'an aim at a slot with a matrix': ({ poses, out }) => rig.aimIk(poses, [0, rig.slotOf(2)], out),
    'shares below 0': ({ poses, out }) => rig.aimIk(poses, [0, 1], out, { shares: [2, -1] }),
    'shares of 0': ({ poses, out }) => rig.aimIk(poses, [0, 1], out, { shares: [0, 0] }),
    'an aim at a non-number': ({ poses, out }) => rig.aimIk(poses, [0, '1' as unknown as number], out),
    'a negative slot': ({ poses, out }) => rig.joints(poses, Int32Array.of(0, -1), out),
    'a 3x4 palette that is too short': ({ poses, out }) => rig.palettes(poses, 0, out.subarray(0, 179), 'mat3x4'),
    'a mesh that does not exist': ({ poses, out }) => rig.skinVertices(poses, 0, 0, out),
    'extractRoot of poses that lack the slot': ({ other, out }) =>
        rig.extractRoot(rig.createPoses(1, { only: [1] }), out, { slot: 3, from: other }),
    'extractRoot from poses that lack the slot': ({ poses, out }) =>
        rig.extractRoot(poses, out, { slot: 3, from: rig.createPoses(1, { only: [1] }) }),
    'extractRoot from another number of poses': ({ poses, out }) =>
        rig.extractRoot(poses, out, { slot: 0, from: rig.createPoses(4) }),
    'extractRoot from itself': ({ poses, out }) => rig.extractRoot(poses, out, { slot: 0, from: poses }),
    'extractRoot into its reference': ({ poses, other }) =>
        rig.extractRoot(poses, other.data, { slot: 0, from: other }),
};

test('each error names the fault, and comes before any write', () => {
    const lines = Object.entries(ROWS).map(([what, call]) => {
        const set = setUp();
        const bytes = () => [set.poses.data, set.other.data, set.out].map(bytesOf);
        const before = bytes();
        const line = `${what} | ${wordsOf(() => call(set))}`;
        expect(bytes()).toEqual(before);
        return line;
    });
    expect(lines.join('\n')).toMatchSnapshot();
});

test('poses with transferred memory are rejected', () => {
    // WebAssembly memory cannot be transferred.
    const rig = makeRig(typescriptRig);
    const poses = rig.createPoses(5);
    detached(poses.data);
    const out = new Float32Array(1000);
    for (const call of [
        () => rig.evaluate(poses, 0, TIMES),
        () => rig.toGlobal(poses),
        () => rig.bakePalettes(poses, 0, TIMES, 0, out),
    ]) {
        expect(call).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_DETACHED_BUFFER' }));
    }
});

test('every constructor of a rig or poses rejects detached lists', async () => {
    const rest = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
    const clip = (lists: object) => [
        { channels: [{ node: 0, path: 'scale' as const, times: [0], values: [1, 1, 1], ...lists }] },
    ];
    const code = { name: 'TypeError', code: 'ERR_DETACHED_BUFFER' };
    const float = () => detached(new Float32Array(10));
    for (const [argument, make] of [
        ['rest', () => Rig.create({ parents: [-1], rest: float() })],
        ['parents', () => Rig.create({ parents: detached(new Uint16Array(1)), rest })],
        ['clips[0].channels[0].times', () => Rig.create({ parents: [-1], rest, clips: clip({ times: float() }) })],
        ['clips[0].channels[0].values', () => Rig.create({ parents: [-1], rest, clips: clip({ values: float() }) })],
        ['options.only', () => rig.createPoses(1, { only: detached(new Uint16Array(1)) })],
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

test('slotOf takes numbers: -1 for those that are not nodes, an error for anything else', () => {
    expect([0, 3, 4, -1, 0.5, NaN].map((node) => rig.slotOf(node))).toEqual([0, 2, -1, -1, -1, -1]);
    for (const node of ['length', 'buffer', undefined, null, 1n, {}]) {
        const call = () => rig.slotOf(node as never);
        expect(call).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_ARGUMENT_TYPE' }));
        expect(call).toThrow(/^slotOf: node must be a number, got /);
    }
});

test('changes to the lists of a rig do not change what its methods accept', () => {
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

test('clips that another thread changes during the call are rejected in TypeScript as in the addon', () => {
    const still = scene([node(-1)], [], [{ name: '', channels: [] }]);
    const tables = packRig(still, buildSkeleton(still.nodes, Uint8Array.of(1)), findMorphs(still.nodes));
    const kernels = typescriptRig.load(tables).select(allSlots(tables, Int32Array.of(-1), Int32Array.of(-1)));
    const data = new Float32Array(22 * 16);
    expect(() => kernels.evaluate(data, 1, Uint16Array.of(1), new Float32Array(1), false)).toThrow(
        expect.objectContaining({ code: 'ERR_BUFFER_CHANGED' }),
    );
});

test('errors of a rig without clips and skins list no names', () => {
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

    test('clamp: the first and the last key, bit for bit', () => {
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

    test('wrap: the remainder of %, which is exact, up to half a billion periods', () => {
        const next = random(3);
        const unit = () => next() + next() / 2 ** 32;
        const times = Float64Array.from({ length: 500 }, (_, i) => (unit() * 2 - 1) * D * 2 ** (i % 30));
        // The remainder of a negative time counts from the end. It is exact: the times are multiples of 2^-23.
        for (let i = 0; i < times.length; i++) times[i] = Math.round(times[i]! * 2 ** 23) / 2 ** 23;
        const reduced = times.map((time) => (time >= 0 ? time % D : (D - (-time % D)) % D));
        expect(new Set(reduced).size).toBeGreaterThan(450);
        expect(at(times, 'wrap')).toEqual(at(reduced, 'clamp'));
    });
});

test('any alignment of a view', async () => {
    // Lists that start 4 bytes after a multiple of 8, or 8 after one of 16.
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

    // A file in memory can start at any byte.
    const bytes = skinnedModel().toGlb();
    const expected = await Rig.load(bytes);
    for (const offset of [1, 2, 3]) {
        const moved = new Uint8Array(bytes.length + 8).subarray(offset, offset + bytes.length);
        moved.set(bytes);
        expect((await Rig.load(moved)).rest).toEqual(expected.rest);
    }
});

describe('faults when a rig is made: each error names node, channel and rule', () => {
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

    const PARTS_ROWS: Readonly<Record<string, RigParts>> = {
        'a cycle of parents': made({}, { parents: [2, 0, 1] }),
        'keys out of order': made({ times: [1, 0.5] }),
        'a negative time': made({ times: [-1, 0.5] }),
        'a time of NaN': made({ times: [0, NaN] }),
        'an infinite value': made({ values: [0, 0, 0, 1, -Infinity, 1] }),
        'counts that do not match': made({ values: [0, 0, 0, 1, 1] }),
        'a negative vertex weight': made({}, { meshes: [{ ...mesh, weights: [1.5, -0.5, 0, 0] }] }),
        'a vertex weight of NaN': made({}, { meshes: [{ ...mesh, weights: [1, NaN, 0, 0] }] }),
    };

    test('Rig.create', () => {
        expect(sourceOfParts(made({})).nodes).toHaveLength(3);
        const lines = Object.entries(PARTS_ROWS).map(
            ([what, parts]) => `${what} | ${wordsOf(() => Rig.create(parts))}`,
        );
        expect(lines.join('\n')).toMatchSnapshot();
    });

    /** Replaces the times or the values of the model's first channel. */
    const keys = (which: 'input' | 'output', type: string, values: number[]) => (model: GltfBuilder) => {
        const [sampler] = model.json.animations[0].samplers;
        sampler[which] = model.accessor(Float32Array.from(values), type);
    };

    const MODELS: Readonly<Record<string, (model: GltfBuilder) => unknown>> = {
        'a cycle of parents': (model) => (model.json.nodes[1].children = [0]),
        'keys out of order': keys('input', 'SCALAR', [0, 1, 0.5]),
        'a negative time': keys('input', 'SCALAR', [-1, 0, 1]),
        'a time of NaN': keys('input', 'SCALAR', [0, NaN, 1]),
        'counts that do not match': keys('input', 'SCALAR', [0, 1]),
    };

    test('Rig.load', async () => {
        const lines: string[] = [];
        for (const [what, change] of Object.entries(MODELS)) {
            const model = skinnedModel();
            change(model);
            const error = await Rig.load(model.toGlb(), { name: 'hero.glb' }).catch((thrown) => thrown);
            expect(error).toBeInstanceOf(InputError);
            const { code, file, pointer, rule } = error as InputError;
            lines.push([what, code, file, pointer, rule].join(' | '));
        }
        expect(lines.join('\n')).toMatchSnapshot();
    });
});
