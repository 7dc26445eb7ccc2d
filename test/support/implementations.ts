// SPDX-License-Identifier: MIT

/**
 * The implementations of the joint-list routines as the tests see them: what each must have, and the only reasons for
 * which one may go untested. An addon that did not load for any other reason fails the tests.
 */

import { spawnSync } from 'node:child_process';
import type { JointKernels, Routine } from '../../lib/joints';
import { implementation, nativeLoadError } from '../../lib/joints';

export const ROUTINES = [
    'slerpJoints',
    'lerpJoints',
    'convertJointQuatsToJointMats',
    'convertJointMatsToJointQuats',
    'transformSkeleton',
    'untransformSkeleton',
    'transformJoints',
] as const satisfies readonly Routine[];

/** Every implementation and the routines that it must have, in the order of `implementations()`. */
export const IMPLEMENTATIONS = [
    { name: 'paper/sse', routines: ROUTINES },
    { name: 'paper/c', routines: ROUTINES },
    { name: 'paper/c-exact', routines: ['convertJointMatsToJointQuats'] },
    { name: 'paper/typescript', routines: ROUTINES },
] as const satisfies readonly { name: string; routines: readonly Routine[] }[];

export type ImplementationName = (typeof IMPLEMENTATIONS)[number]['name'];

export const FALLBACK = 'paper/typescript';

export type SkipReason = 'no C++ compiler' | 'POSELANE_BACKEND=ts' | 'needs x86-64 Linux';

let compiler: boolean | undefined;

/** Whether this machine could have built the addon. */
function hasCompiler(): boolean {
    compiler ??= [process.env.CXX, 'c++', 'g++', 'clang++', 'cl'].some(
        (command) => command && spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined,
    );
    return compiler;
}

/** Why nothing of the addon can be tested here; null where it must be there. */
export function nativeSkipReason(): SkipReason | null {
    if (process.env.POSELANE_BACKEND === 'ts') return 'POSELANE_BACKEND=ts';
    return nativeLoadError !== null && !hasCompiler() ? 'no C++ compiler' : null;
}

function skipReason(name: ImplementationName): SkipReason | null {
    if (name === FALLBACK) return null;
    if (name === 'paper/sse' && process.arch !== 'x64') return 'needs x86-64 Linux';
    return nativeSkipReason();
}

/** A test of the addon itself, which may be skipped where there can be none. */
export function itNative(title: string, test: (() => void) | (() => Promise<void>), timeout?: number): void {
    const reason = nativeSkipReason();
    if (reason === null) it(title, test, timeout);
    else it.skip(`${title} [skipped: ${reason}]`, test);
}

/**
 * Tests of one implementation, under its name. `fn` gets its functions; where it has not all of them, only those in
 * `routines` may be called.
 */
export function describeImplementation(
    name: ImplementationName,
    fn: (kernels: JointKernels, routines: readonly Routine[]) => void,
): void {
    const reason = skipReason(name);
    if (reason !== null) {
        it.skip(`${name} [skipped: ${reason}]`, () => {});
        return;
    }
    describe(name, () => {
        const { routines } = IMPLEMENTATIONS.find((known) => known.name === name)!;
        let kernels: JointKernels;
        try {
            kernels = implementation(name) as JointKernels;
        } catch (error) {
            it('is available', () => {
                throw error;
            });
            return;
        }
        fn(kernels, routines);
    });
}

/** The same tests for every implementation. */
export function describeImplementations(
    fn: (kernels: JointKernels, routines: readonly Routine[], name: ImplementationName) => void,
): void {
    for (const { name } of IMPLEMENTATIONS) {
        describeImplementation(name, (kernels, routines) => fn(kernels, routines, name));
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
}

/** Tests against the oracle, which exists on x86-64 Linux with a compiler. */
export function describeOracle(title: string, fn: (oracle: Oracle) => void): void {
    const { buildOracle } = require('../oracle/build.js') as {
        buildOracle(): { path: string } | { unavailable: string };
    };
    const built = buildOracle();
    if ('path' in built) {
        describe(title, () => fn(require(built.path) as Oracle));
        return;
    }
    const reason: SkipReason =
        process.platform === 'linux' && process.arch === 'x64' ? 'no C++ compiler' : 'needs x86-64 Linux';
    it.skip(`${title} [skipped: ${reason}]`, () => {});
}
