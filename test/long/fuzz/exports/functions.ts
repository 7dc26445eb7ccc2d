// SPDX-License-Identifier: MIT

/** The exports of lib/index.ts. */

import type { Binders } from '../../../../lib';
import type { Selection } from '../../../../lib/lists/description';
import { bindName, ROUTINE_NAMES, ROUTINES, type Routine, SCALAR_ROUTINES } from '../../../../lib/lists/routines';
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

const SELECTED: Readonly<Record<Selection, readonly Kind[]>> = {
    index: [index, count],
    parents: [parents, value(undefined, 1, 0, 3), value(undefined, N - 1, 2, -1)],
    options: [convert],
    count: [count],
    lengths: [],
};

/** The arguments of a routine on lists; those of its bound form lack the parameter. */
function kindsOf(routine: Routine, isBound: boolean): Kind[] {
    const { lists, parameter, selection } = ROUTINES[routine];
    return [
        ...lists.map(({ floats: each, single }) => floats(each * (single ? 1 : N))),
        ...(parameter && !isBound ? [lerp] : []),
        ...SELECTED[selection],
    ];
}

/** Every routine on lists, and its bound form. */
const LISTS = Object.fromEntries(
    ROUTINE_NAMES.flatMap((routine) => {
        const near = SCALAR_ROUTINES.some((scalar) => scalar === routine) ? { near: true as const } : {};
        const call: [string, Callable] = [routine, { ...plain(routine, kindsOf(routine, false)), ...near }];
        if ('near' in near) return [call];
        const name = bindName(routine) as Name;
        const run = ROUTINES[routine].parameter ?? 'nothing';
        return [call, [name, bound(name, kindsOf(routine, true), run)] as const];
    }),
) as Readonly<Record<Routine | keyof Binders, Callable>>;

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
const REDUCE_OPTIONS = options({
    maxError: value(undefined, 0.1, '1mm', '0.5%'),
    clips: value(undefined, ['#0']),
    keepJoints: value(undefined, 'Hand', /Hand/u),
    maxAngle: value(undefined, 1),
    maxSlide: value(undefined, 0.1, Number.POSITIVE_INFINITY),
    quantize: value(undefined, false),
    dropRest: value(undefined, true),
    compress: value(undefined, 'none'),
    strict: value(undefined, false),
});
const RESAMPLE_OPTIONS = options({
    fps: value(5, 30),
    clips: value(undefined),
    from: value(undefined, 0),
    to: value(undefined, 1),
});

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
        // The available implementations of both instances differ, on purpose.
        call: ({ poselane }, [name, chosen]) =>
            typeof poselane.implementation(name as string, chosen as object).slerpQuats === 'number',
    },
    implementations: {
        ...plain('implementations', [], []),
        anything: true,
        call: ({ poselane }) => poselane.implementations().length,
    },
    ready: { ...plain('ready', [], []), anything: true, call: ({ poselane }) => typeof poselane.ready() },
    compiledModule: {
        ...plain('compiledModule', [], []),
        anything: true,
        call: ({ poselane }) => typeof poselane.compiledModule(),
    },
    useModule: {
        ...plain('useModule', [], []),
        anything: true,
        call: ({ poselane }) => poselane.useModule(poselane.compiledModule()!),
    },

    ...LISTS,
    createJoints: plain('createJoints', [value(N, 0, 3)], []),
    createJointMats: plain('createJointMats', [value(N, 0, 3)], []),
    createQuats: plain('createQuats', [value(N, 0, 3)], []),

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
    convertFile: {
        ...plain('convertFile', [made('file'), options({ bvhScale: value(undefined, 1) }), HOOKS], []),
        slow: true,
    },
    bakeFiles: {
        ...plain('bakeFiles', [value([]), options({ concurrency: value(undefined, 1), signal: value(undefined) })], []),
        // Its arguments are checked at the first result.
        call: ({ poselane }, values) =>
            (poselane.bakeFiles as (...values: unknown[]) => AsyncGenerator)(...values).next(),
        slow: true,
    },
    bakeDocument: { ...plain('bakeDocument', [made('document'), BAKE_OPTIONS, HOOKS], []), slow: true },
    bakedFiles: plain('bakedFiles', [made('bake')], []),
    openCache: plain('openCache', [made('folder'), options({ readOnly: value(undefined, true) })], []),
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
    verifyFolder: {
        ...plain('verifyFolder', [made('file'), made('vat'), options({ onProgress: value(undefined) })], []),
        slow: true,
    },
    verifyReduced: {
        ...plain(
            'verifyReduced',
            [
                made('file'),
                made('file'),
                options({ maxError: value(undefined, 0.1, '1mm'), maxAngle: value(1), keepJoints: value(undefined) }),
            ],
            [],
        ),
        slow: true,
    },
    reduceFile: {
        ...plain(
            'reduceFile',
            [
                made('file'),
                REDUCE_OPTIONS,
                options({
                    onProgress: value(undefined, () => {}),
                    signal: value(undefined),
                    threads: value(undefined, 1),
                }),
            ],
            [],
        ),
        slow: true,
    },
    reduceDocument: { ...plain('reduceDocument', [made('document'), REDUCE_OPTIONS], []), slow: true },
    reduceAnimations: plain('reduceAnimations', [REDUCE_OPTIONS], []),
    loadAnimationPointer: {
        ...plain('loadAnimationPointer', [options({ onIgnored: value(undefined, () => {}) })], []),
        slow: true,
    },
    bakeAnimations: { ...plain('bakeAnimations', [RESAMPLE_OPTIONS], []) },
    bakedGlb: { ...plain('bakedGlb', [made('file'), RESAMPLE_OPTIONS], []), slow: true },
};
