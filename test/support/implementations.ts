// SPDX-License-Identifier: MIT

/**
 * The implementations of the joint-list routines: the routines that each must have, and the only reasons to skip one.
 * If the addon did not load for any other reason, the tests fail.
 */

import type { Kernels } from '../../lib/lists';
import { implementation, implementations, nativeLoadError, type Routine } from '../../lib/lists';
import { ROUTINES, SCALAR_ROUTINES, STRICT_ROUTINES } from '../../lib/lists/routines';
import type { JointKernels } from '../../lib/lists/types';
import { buildOracle } from '../oracle/build';
import { guardedFloats, guardedInts, haveSameBytes } from './bytes';

/** The routines on joint lists that the papers have. */
const PAPER_JOINT_ROUTINES = [
    'slerpJoints',
    'lerpJoints',
    'convertJointQuatsToJointMats',
    'convertJointMatsToJointQuats',
    'transformSkeleton',
    'untransformSkeleton',
    'transformJoints',
] as const satisfies readonly Routine[];

export type JointRoutine = keyof JointKernels;

/** The routines on joint lists. */
export const JOINT_ROUTINES = STRICT_ROUTINES.filter((routine) =>
    ROUTINES[routine].lists[0]!.element.startsWith('joint'),
) as readonly JointRoutine[];

const EBERLY_ROUTINES = ['slerpQuats', 'slerpQuatTimes'] as const satisfies readonly Routine[];

/** Every implementation and the routines that it must have, in the order of `implementations()`. */
export const IMPLEMENTATIONS = [
    { name: 'strict/avx512', routines: STRICT_ROUTINES },
    { name: 'strict/avx2', routines: STRICT_ROUTINES },
    { name: 'strict/sse2', routines: STRICT_ROUTINES },
    { name: 'strict/neon', routines: STRICT_ROUTINES },
    { name: 'strict/scalar', routines: STRICT_ROUTINES },
    { name: 'strict/wasm', routines: STRICT_ROUTINES },
    { name: 'strict/typescript', routines: STRICT_ROUTINES },
    { name: 'fast/avx512', routines: STRICT_ROUTINES },
    { name: 'fast/avx2', routines: STRICT_ROUTINES },
    {
        name: 'paper/sse',
        routines: [
            ...PAPER_JOINT_ROUTINES,
            'slerpQuats',
            'lerpQuats',
            'reciprocalSqrt',
            'sinZeroHalfPI',
            'atanPositive',
        ],
    },
    { name: 'paper/sse-divps', routines: ['atanPositive'] },
    { name: 'paper/c', routines: [...PAPER_JOINT_ROUTINES, 'slerpQuats', 'lerpQuats', ...SCALAR_ROUTINES] },
    { name: 'paper/c-exact', routines: ['convertJointMatsToJointQuats', 'slerpQuats'] },
    { name: 'blueprint/c', routines: ['convertJointQuatsToJointMats', 'convertJointMatsToJointQuats'] },
    { name: 'intel/avx', routines: ['slerpQuats'] },
    { name: 'eberly/fpu', routines: [...EBERLY_ROUTINES, 'slerp'] },
    { name: 'eberly/sse1', routines: EBERLY_ROUTINES },
    { name: 'eberly/sse2', routines: EBERLY_ROUTINES },
    { name: 'eberly/sse4', routines: EBERLY_ROUTINES },
    {
        name: 'paper/typescript',
        routines: [...PAPER_JOINT_ROUTINES, 'slerpQuats', 'lerpQuats', 'slerpQuatTimes', ...SCALAR_ROUTINES],
    },
    { name: 'blueprint/typescript', routines: ['convertJointQuatsToJointMats', 'convertJointMatsToJointQuats'] },
    { name: 'intel/typescript', routines: ['slerpQuats'] },
    { name: 'eberly/typescript', routines: [...EBERLY_ROUTINES, 'slerp'] },
] as const satisfies readonly { name: string; routines: readonly Routine[] }[];

export type ImplementationName = (typeof IMPLEMENTATIONS)[number]['name'];

export const isTypescript = (name: string) => name.endsWith('/typescript');

/** The implementation that the plain functions use without the addon and without WebAssembly. */
export const FALLBACK = 'strict/typescript';

export const WASM = 'strict/wasm';

/** Those that have routines on joint lists. */
export const JOINT_IMPLEMENTATIONS: readonly ImplementationName[] = IMPLEMENTATIONS.filter(({ routines }) =>
    JOINT_ROUTINES.some((routine) => (routines as readonly Routine[]).includes(routine)),
).map(({ name }) => name);

type SkipReason =
    | 'no C++ compiler'
    | 'POSELANE_BACKEND=ts'
    | 'POSELANE_BACKEND=wasm'
    | 'needs x86-64 Linux'
    | 'the CPU lacks AVX'
    | 'the CPU lacks AVX2'
    | 'the CPU lacks AVX2 and FMA'
    | 'the CPU lacks AVX-512';

/** The CPU features that implementations need, by the addon's reason, and the reason to skip them. */
const CPU_NEEDS: Partial<Record<ImplementationName, readonly [reason: RegExp, skip: SkipReason]>> = {
    'intel/avx': [/with AVX$/, 'the CPU lacks AVX'],
    'strict/avx2': [/with AVX2$/, 'the CPU lacks AVX2'],
    'fast/avx2': [/with AVX2 and FMA$/, 'the CPU lacks AVX2 and FMA'],
    'strict/avx512': [/with AVX-512 as from Ice Lake and Zen 4 on$/, 'the CPU lacks AVX-512'],
    'fast/avx512': [/with AVX-512 as from Ice Lake and Zen 4 on$/, 'the CPU lacks AVX-512'],
};

const { findCompiler } = require('../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

/** Why the addon cannot be tested here; null if it must be. */
export function nativeSkipReason(): SkipReason | null {
    const { POSELANE_BACKEND: asked } = process.env;
    if (asked === 'ts' || asked === 'wasm') return `POSELANE_BACKEND=${asked}`;
    return nativeLoadError !== null && findCompiler() === null ? 'no C++ compiler' : null;
}

/**
 * Whether to define tests of an implementation at all: strict/neon never runs on x86-64; test/long/arm64.mjs tests it
 * in an emulator.
 */
export const canBeHere = (name: string) => name !== 'strict/neon' || process.arch === 'arm64';

/** Why an implementation cannot be tested here; null where it must be. `reason` is the addon's own, where it is not available. */
export function skipReason(name: string, reason: string | undefined): SkipReason | null {
    // Built wherever npm ci has run.
    if (name === WASM) return null;
    const skip = nativeSkipReason();
    if (skip !== null) return skip;
    if (process.arch !== 'x64' && /(sse|avx)/.test(name)) return 'needs x86-64 Linux';
    const needs = CPU_NEEDS[name as ImplementationName];
    return needs && reason !== undefined && needs[0].test(reason) ? needs[1] : null;
}

function skipReasonOf(name: ImplementationName): SkipReason | null {
    if (isTypescript(name)) return null;
    return skipReason(name, implementations().find((entry) => entry.name === name)?.reason);
}

/** A test of the addon itself, skipped where the addon cannot be tested. */
export function itNative(title: string, test: (() => void) | (() => Promise<void>), timeout?: number): void {
    const reason = nativeSkipReason();
    if (reason === null) it(title, test, timeout);
    else it.skip(`${title} [skipped: ${reason}]`, test);
}

/**
 * Tests of one implementation, under its name. `fn` gets its functions; an implementation may have only those in
 * `routines`.
 */
export function describeImplementation(
    name: ImplementationName,
    fn: (kernels: Kernels, routines: readonly Routine[]) => void,
): void {
    if (!canBeHere(name)) return;
    const reason = skipReasonOf(name);
    if (reason !== null) {
        it.skip(`${name} [skipped: ${reason}]`, () => {});
        return;
    }
    describe(name, () => {
        const { routines } = IMPLEMENTATIONS.find((known) => known.name === name)!;
        let kernels: Kernels;
        try {
            kernels = implementation(name) as Kernels;
        } catch (error) {
            it('is available', () => {
                throw error;
            });
            return;
        }
        fn(kernels, routines);
    });
}

/** The same tests for every implementation that has routines on joint lists, and its routines of that kind. */
export function describeJointImplementations(
    fn: (kernels: Kernels, routines: readonly JointRoutine[], name: ImplementationName) => void,
): void {
    for (const name of JOINT_IMPLEMENTATIONS) {
        describeImplementation(name, (kernels, all) => {
            const routines = JOINT_ROUTINES.filter((routine) => all.includes(routine));
            fn(kernels, routines, name);
        });
    }
}

type Floats = Float32Array;

/** The listings of the papers, assembled; see test/oracle. */
export interface Oracle {
    slerpJoints(joints: Floats, blendJoints: Floats, lerp: number, index: Int32Array, n: number): void;
    lerpJoints(joints: Floats, blendJoints: Floats, lerp: number, index: Int32Array, n: number): void;
    convertJointQuatsToJointMats(mats: Floats, quats: Floats, n: number): void;
    convertJointMatsToJointQuats(quats: Floats, mats: Floats, n: number): void;
    transformSkeleton(mats: Floats, parents: Int32Array, first: number, last: number): void;
    untransformSkeleton(mats: Floats, parents: Int32Array, first: number, last: number): void;
    transformJoints(result: Floats, joints1: Floats, joints2: Floats, n: number): void;
    // Section 6 of the first paper, four numbers at a time: the rest of a list is not changed.
    reciprocalSqrt(result: Floats, x: Floats): void;
    sinZeroHalfPI(result: Floats, a: Floats): void;
    atanPositive(result: Floats, y: Floats, x: Floats): void;
    atanPositiveDivps(result: Floats, y: Floats, x: Floats): void;
}

type Listing = (...args: unknown[]) => void;

/** A listing that works on aligned copies and writes its first list only. Lists that are the same list share a copy. */
function betweenGuards(listing: Listing): Listing {
    return (...args) => {
        const lists = [...new Set(args)].filter((arg) => arg instanceof Float32Array || arg instanceof Int32Array);
        const copies = lists.map((list) => (list instanceof Int32Array ? guardedInts : guardedFloats)(list));
        listing(...args.map((arg) => copies[lists.indexOf(arg as Float32Array)]?.view ?? arg));
        for (const [i, { view, check }] of copies.entries()) {
            check();
            if (i === 0) lists[0]!.set(view);
            else if (!haveSameBytes(view, lists[i]!)) throw new Error(`the listing wrote to its list ${i}`);
        }
    };
}

/** Tests against the oracle, which exists on x86-64 Linux with a compiler. */
export function describeOracle(title: string, fn: (oracle: Oracle) => void): void {
    const built = buildOracle();
    if ('path' in built) {
        const listings = require(built.path) as Record<string, Listing>;
        const guarded = Object.entries(listings).map(([name, listing]) => [name, betweenGuards(listing)]);
        describe(title, () => fn(Object.fromEntries(guarded) as Oracle));
        return;
    }
    const reason: SkipReason =
        process.platform === 'linux' && process.arch === 'x64' ? 'no C++ compiler' : 'needs x86-64 Linux';
    it.skip(`${title} [skipped: ${reason}]`, () => {});
}
