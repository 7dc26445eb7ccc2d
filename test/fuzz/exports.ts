// SPDX-License-Identifier: MIT

/** Every export of the package, and how it is called. What is new has to be entered here before the suite passes. */

import type * as poselane from '../../lib';
import type { Kind } from './hostile';

export type Poselane = typeof poselane;

/** What is needed of an instance of the package besides its exports. */
export interface Instance {
    readonly poselane: Poselane;
    readonly rig: poselane.Rig;
    readonly otherRig: poselane.Rig;
    readonly table: poselane.BakedTable;
    readonly bakes: { readonly file: string; readonly json: string; readonly folder: string };
    readonly document: object;
    readonly bake: poselane.BakeResult;
    readonly bin: Uint8Array;
    /** Of the model. */
    readonly bytes: Uint8Array;
}

export interface Callable {
    readonly args: readonly Kind[];
    /** Arguments that may be written. */
    readonly writes: readonly number[];
    /** Makes the call. */
    call(instance: Instance, values: readonly unknown[]): unknown;
    /** Of the papers, whose native form is only nearly the same: test/quats/twins.test.ts. */
    readonly near?: true;
    /** The fallback answers otherwise. */
    readonly alone?: true;
    /** Nothing is wrong for it. */
    readonly anything?: true;
    /** Calls take longer than most. */
    readonly slow?: true;
    /** Functions that are bound: what `run` takes. */
    readonly run?: 'lerp' | 't' | 'nothing';
}

export type Entry = 'constant' | 'class' | Callable;

const N = 6;
const floats = (length: number): Kind => ({ kind: 'floats', length });
const number = (...good: number[]): Kind => ({ kind: 'number', good });
const value = (...good: unknown[]): Kind => ({ kind: 'value', good });
const ints = (...values: number[]): Kind => ({ kind: 'ints', length: values.length, values });
const shorts = (...values: number[]): Kind => ({ kind: 'shorts', length: values.length, values });
const made = (make: string): Kind => ({ kind: 'made', make });
const options = (good: Record<string, Kind>): Kind => ({ kind: 'options', good });

const lerp = number(0.25, 0, 1, 0.5, -1, 2, Number.NaN, 1e-45, -0);
const index = ints(3, 1, 5, 0);
const parents = ints(-1, 0, 1, 1, -1, 3);
const count = value(undefined, undefined, N, 0, 3, 1);
const convert = options({ numJoints: count, convention: value('id', 'gltf', undefined) });

type Name = keyof Poselane & string;

/** A plain function of that name. */
function plain(name: Name, args: readonly Kind[], writes = [0]): Callable {
    return {
        args,
        writes,
        call: ({ poselane }, values) => (poselane[name] as (...values: unknown[]) => unknown)(...values),
    };
}

const bound = (name: Name, args: readonly Kind[], run: 'lerp' | 't' | 'nothing'): Callable => ({
    ...plain(name, args),
    run,
});

const quats = (name: Name, parameter: Kind) =>
    plain(name, [floats(N * 4), floats(N * 4), floats(N * 4), parameter, count]);

const HOOKS = options({ onProgress: value(undefined, () => {}), signal: value(undefined) });
const BAKE_OPTIONS = options({
    fps: value(5, 30, '24000/1001'),
    clips: value(undefined, ['#0'], []),
    skin: value(undefined, 0),
    from: value(undefined, 0, 0.1),
    emit: value(undefined, ['palette', 'bounds'], ['local']),
    layout: value(undefined, 'mat4', 'mat3x4'),
    maxRows: value(100),
    hitJoints: value(undefined),
    strict: value(undefined, false),
});
const RESAMPLE_OPTIONS = options({
    fps: value(5, 30),
    clips: value(undefined),
    from: value(undefined, 0),
    to: value(undefined, 1),
});

const LERP_ARGS = [floats(N * 8), floats(N * 8), lerp, index, count];
const BIND_LERP_ARGS = [floats(N * 8), floats(N * 8), index, count];
const PER_JOINT_ARGS = [floats(N * 8), floats(N * 8), floats(N), index, count];
const SKELETON_ARGS = [floats(N * 12), parents, value(undefined, 1, 0, 3), value(undefined, N - 1, 2, -1)];
const PRODUCT_ARGS = [floats(N * 12), floats(N * 12), floats(N * 12), count];
const QUATS_ARGS = [floats(N * 4), floats(N * 4), floats(N * 4), count];
const PER_QUAT_ARGS = [floats(N * 4), floats(N * 4), floats(N * 4), floats(N), count];
const TIMES_ARGS = [floats(N * 4), floats(4), floats(4), floats(N)];

/** Those of lib/index.ts. */
export const EXPORTS: Readonly<Record<Name, Entry>> = {
    InputError: 'class',
    ToleranceError: 'class',
    UsageError: 'class',
    JOINT_MAT_FLOATS: 'constant',
    JOINT_QUAT_FLOATS: 'constant',
    QUAT_FLOATS: 'constant',
    STRICT_VERSION: 'constant',
    backend: 'constant',
    defaultImplementation: 'constant',
    nativeLoadError: 'constant',
    implementation: {
        args: [
            value('strict/typescript', 'strict/scalar', 'eberly/fpu', 'paper/c', 'none', 'constructor'),
            options({ terms: value(undefined, 8, 1, 16, 0) }),
        ],
        writes: [],
        alone: true,
        // What is there differs between the two, on purpose.
        call: ({ poselane }, [name, chosen]) =>
            typeof poselane.implementation(name as string, chosen as object).slerpQuats === 'number',
    },
    implementations: {
        ...plain('implementations', [], []),
        anything: true,
        call: ({ poselane }) => poselane.implementations().length,
    },

    slerpJoints: plain('slerpJoints', LERP_ARGS),
    lerpJoints: plain('lerpJoints', LERP_ARGS),
    slerpJointsPerJoint: plain('slerpJointsPerJoint', PER_JOINT_ARGS),
    normalizeJoints: plain('normalizeJoints', [floats(N * 8), index, count]),
    convertJointQuatsToJointMats: plain('convertJointQuatsToJointMats', [floats(N * 12), floats(N * 8), convert]),
    convertJointMatsToJointQuats: plain('convertJointMatsToJointQuats', [floats(N * 8), floats(N * 12), convert]),
    transformSkeleton: plain('transformSkeleton', SKELETON_ARGS),
    untransformSkeleton: plain('untransformSkeleton', SKELETON_ARGS),
    transformJoints: plain('transformJoints', PRODUCT_ARGS),
    bindSlerpJoints: bound('bindSlerpJoints', BIND_LERP_ARGS, 'lerp'),
    bindLerpJoints: bound('bindLerpJoints', BIND_LERP_ARGS, 'lerp'),
    bindSlerpJointsPerJoint: bound('bindSlerpJointsPerJoint', PER_JOINT_ARGS, 'nothing'),
    bindNormalizeJoints: bound('bindNormalizeJoints', [floats(N * 8), index, count], 'nothing'),
    bindConvertJointQuatsToJointMats: bound(
        'bindConvertJointQuatsToJointMats',
        [floats(N * 12), floats(N * 8), convert],
        'nothing',
    ),
    bindConvertJointMatsToJointQuats: bound(
        'bindConvertJointMatsToJointQuats',
        [floats(N * 8), floats(N * 12), convert],
        'nothing',
    ),
    bindTransformSkeleton: bound('bindTransformSkeleton', SKELETON_ARGS, 'nothing'),
    bindUntransformSkeleton: bound('bindUntransformSkeleton', SKELETON_ARGS, 'nothing'),
    bindTransformJoints: bound('bindTransformJoints', PRODUCT_ARGS, 'nothing'),

    slerpQuats: quats('slerpQuats', lerp),
    lerpQuats: quats('lerpQuats', lerp),
    slerpQuatsPerQuat: plain('slerpQuatsPerQuat', PER_QUAT_ARGS),
    slerpQuatTimes: plain('slerpQuatTimes', TIMES_ARGS),
    slerp: { ...quats('slerp', lerp), near: true },
    slerpTransformed: { ...quats('slerpTransformed', lerp), near: true },
    slerpOptimized: { ...quats('slerpOptimized', lerp), near: true },
    slerpOptimizedExact: { ...quats('slerpOptimizedExact', lerp), near: true },
    lerp: { ...quats('lerp', lerp), near: true },
    reciprocalSqrt: { ...plain('reciprocalSqrt', [floats(N), floats(N)]), near: true },
    sinZeroHalfPI: { ...plain('sinZeroHalfPI', [floats(N), floats(N)]), near: true },
    atanPositive: { ...plain('atanPositive', [floats(N), floats(N), floats(N)]), near: true },
    bindSlerpQuats: bound('bindSlerpQuats', QUATS_ARGS, 't'),
    bindLerpQuats: bound('bindLerpQuats', QUATS_ARGS, 't'),
    bindSlerpQuatsPerQuat: bound('bindSlerpQuatsPerQuat', PER_QUAT_ARGS, 'nothing'),
    bindSlerpQuatTimes: bound('bindSlerpQuatTimes', TIMES_ARGS, 'nothing'),

    Rig: 'class',
    BakedTable: 'class',
    paletteTexture: {
        ...plain('paletteTexture', [
            made('table'),
            options({ maxSize: value(undefined, 64, 8192, 1), mat4: value(true, false) }),
        ]),
        writes: [],
    },
    bakeFile: { ...plain('bakeFile', [made('file'), BAKE_OPTIONS, HOOKS], []), slow: true },
    bakeDocument: { ...plain('bakeDocument', [made('document'), BAKE_OPTIONS, HOOKS], []), slow: true },
    writeBake: {
        ...plain('writeBake', [made('bake'), made('folder'), options({ signal: value(undefined) })], []),
        slow: true,
    },
    diffBakes: { ...plain('diffBakes', [made('json'), made('json')], []), slow: true },
    verifyBake: {
        ...plain(
            'verifyBake',
            [
                made('file'),
                made('json'),
                options({ tolerance: value(undefined, 1e-5), oracle: value('double'), onProgress: value(undefined) }),
            ],
            [],
        ),
        slow: true,
    },
    loadAnimationPointer: {
        ...plain('loadAnimationPointer', [options({ onIgnored: value(undefined, () => {}) })], []),
        slow: true,
    },
    bakeAnimations: { ...plain('bakeAnimations', [RESAMPLE_OPTIONS], []) },
    bakedGlb: { ...plain('bakedGlb', [made('file'), RESAMPLE_OPTIONS], []), slow: true },
};

const P = 5;
const JOINTS = 2;
const VERTICES = 2;
/** Of the rigs that `instanceOf` makes. */
export const RIG = { poses: P, slots: 3, joints: JOINTS, vertices: VERTICES };

const poses = made('poses');
const clips: Kind = shorts(0, 1, 0, 1, 0);
const clip = number(0, 1);
const times: Kind = { kind: 'doubles', length: P, values: [0, 0.5, -1, 1e9, 2] };
const times32: Kind = { kind: 'floats', length: P, values: [0, 0.5, -1, 1e9, 2] };
const loop = options({ loop: value(undefined, 'clamp', 'wrap') });
const format = value('mat4', 'mat3x4', undefined);
const slot = number(0, 1, 2);
const trs: Kind = { kind: 'floats', length: 10, values: [0, 1, 2, 0, 0, 0, 1, 1, 1, 1] };

function method(name: string, args: readonly Kind[], writes: readonly number[]): Callable {
    return {
        args,
        writes,
        call: ({ rig }, values) =>
            (rig as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!(...values),
    };
}

/** Methods of a Rig; poses are written by what has them in front. */
export const RIG_METHODS: Readonly<Record<string, Callable>> = {
    slotOf: method('slotOf', [number(0, 1, 2, 99, -1)], []),
    createPoses: {
        ...method(
            'createPoses',
            [number(1, 5, 17), options({ only: value(undefined, [0], [2, 1]), shared: value(undefined, true, false) })],
            [],
        ),
        call: ({ rig }, [capacity, chosen]) => {
            // As much as a test should take.
            if (typeof capacity === 'number' && capacity > 1e6 && capacity < 1e8) return null;
            const { data, count: n } = rig.createPoses(capacity as number, chosen as object);
            return [n, [...data.subarray(0, 100)]];
        },
    },
    evaluate: method('evaluate', [poses, clips, times, loop], []),
    'evaluate, one clip': method('evaluate', [poses, clip, times32, loop], []),
    blend: method(
        'blend',
        [
            poses,
            made('poses2'),
            made('poses3'),
            { kind: 'floats', length: P, values: [0, 0.5, 1, -1, 2] },
            options({
                mask: { kind: 'floats', length: RIG.slots, values: [0, 0.5, 1] },
                additive: value(true, false, undefined),
            }),
        ],
        [],
    ),
    toGlobal: method('toGlobal', [poses], []),
    palettes: method('palettes', [poses, number(0), floats(P * JOINTS * 16), format], [2]),
    bakePalettes: method('bakePalettes', [poses, clips, times, number(0), floats(P * JOINTS * 16), format, loop], [4]),
    joints: method('joints', [poses, shorts(0, 2), floats(P * 2 * 12)], [2]),
    skinVertices: method(
        'skinVertices',
        [poses, number(0), number(0), floats(P * VERTICES * 3), floats(P * VERTICES * 3)],
        [3, 4],
    ),
    bounds: method('bounds', [poses, number(0), number(0), floats(P * 6)], [3]),
    setLocal: method('setLocal', [poses, number(0, 4), slot, trs], []),
    getLocal: method('getLocal', [poses, number(0, 4), slot, trs], [3]),
    rootDelta: method(
        'rootDelta',
        [floats(7), clip, number(0, 0.5, -7), number(1, 100), options({ slot, loop: value('wrap') })],
        [0],
    ),
};

const CHANNEL = options({
    node: number(0, 1, 2),
    path: value('translation', 'rotation'),
    interpolation: value('LINEAR', 'STEP', undefined),
    times: { kind: 'floats', length: 2, values: [0, 1] },
    values: { kind: 'floats', length: 6, values: [0, 1, 2] },
});

/** Statics of the classes. */
export const STATICS: Readonly<Record<string, Callable>> = {
    'Rig.create': {
        args: [
            options({
                parents: ints(-1, 0, 1),
                rest: { kind: 'floats', length: 30, values: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] },
                names: value(undefined, ['a', 'b', 'c'], ['a'], [1, 2, 3]),
                matrices: value(undefined, [null, null, null], new Array(3), [[1], null, null]),
                skins: value(
                    undefined,
                    [],
                    [{ joints: [0, 1] }],
                    [{ joints: [9] }],
                    new Array(2),
                    [null],
                    [{}],
                    [{ joints: new Array(3) }],
                ),
                clips: value(
                    undefined,
                    [],
                    [{ channels: [] }],
                    new Array(2),
                    [null],
                    [{}],
                    [{ channels: new Array(2) }],
                ),
                meshes: value(undefined, [], new Array(1), [null], [{}], [{ node: 0, positions: [] }]),
            }),
        ],
        writes: [],
        call: ({ poselane }, [parts]) => poselane.Rig.create(parts as never).slots.length,
    },
    'Rig.create, a channel': {
        args: [CHANNEL],
        writes: [],
        call: ({ poselane }, [channel]) => {
            const rest = [0, 1, 2].flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
            const channels = [channel] as never;
            return poselane.Rig.create({ parents: [-1, 0, 1], rest, clips: [{ channels }] }).clips.length;
        },
    },
    'Rig.load': {
        args: [
            made('bytes'),
            options({ name: value(undefined, 'a'), meshes: value(undefined, false), resolve: value(undefined) }),
        ],
        writes: [],
        slow: true,
        call: async ({ poselane }, [input, chosen]) =>
            (await poselane.Rig.load(input as never, chosen as never)).slots.length,
    },
    'Rig.fromDocument': {
        args: [made('document')],
        writes: [],
        call: ({ poselane }, [document]) => poselane.Rig.fromDocument(document as never).slots.length,
    },
    'BakedTable.open': {
        args: [made('manifest'), made('bin')],
        writes: [],
        call: ({ poselane }, [json, bin]) => poselane.BakedTable.open(json as never, bin as never).rows,
    },
};

function tableMethod(name: string, args: readonly Kind[], writes: readonly number[]): Callable {
    return {
        args,
        writes,
        call: ({ table }, values) =>
            (table as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!(...values),
    };
}

const sampling = options({ loop: value('clamp', 'wrap'), between: value('linear', 'nearest') });

export const TABLE_METHODS: Readonly<Record<string, Callable>> = {
    clipNamed: { ...tableMethod('clipNamed', [value('wave', 'none')], []), anything: true },
    frameTime: tableMethod('frameTime', [number(0), number(0, 1)], []),
    sample: tableMethod(
        'sample',
        [value('palette', 'bounds', 'none'), shorts(0, 0, 0, 0, 0), times, floats(P * 64), sampling],
        [3],
    ),
    rowsAt: tableMethod('rowsAt', [number(0), times32, floats(P * 3), sampling], [2]),
};

export const POSES_MEMBERS: Readonly<Record<string, Callable>> = {
    count: {
        args: [number(0, 1, P)],
        writes: [],
        call: ({ rig }, [n]) => {
            const made = rig.createPoses(P);
            made.count = n as number;
            return made.count;
        },
    },
};
