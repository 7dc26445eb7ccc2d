// SPDX-License-Identifier: MIT

/** The exports of lib/index.ts. */

import type { Kind } from '../hostile';
import { type Callable, type Entry, floats, ints, made, number, options, type Poselane, value } from './kinds';

const N = 6;

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
