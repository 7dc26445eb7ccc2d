// SPDX-License-Identifier: MIT

/** Every implementation by name, and the one behind the plain functions. */

import { loadNative } from '../backend/native';
import { ROUTINES, type Routine } from '../backend/raw';
import { type PoselaneError, rangeError, stateError } from '../errors';
import { typescriptKernels } from '../fallback';
import { bindNative, bindTypescript } from './bind';
import type { JointKernels } from './kernels';
import { describe } from './views';

/** An entry of `implementations()`. */
export interface ImplementationInfo {
    /** E.g. `paper/sse`; what `implementation(name)` and `POSELANE_BACKEND` take. */
    readonly name: string;
    /** The functions that this implementation has. */
    readonly routines: readonly Routine[];
    readonly available: boolean;
    /** Why it is not available. */
    readonly reason?: string;
}

interface Implementation extends ImplementationInfo {
    readonly kernels: Partial<JointKernels>;
    /** The error behind `reason`. */
    readonly cause?: Error;
}

const FALLBACK = 'paper/typescript';

/** What the addon would offer; listed where it did not load (a test holds it against the real addon). */
const NATIVE: readonly { name: string; routines: readonly Routine[] }[] = [
    { name: 'paper/sse', routines: ROUTINES },
    { name: 'paper/c', routines: ROUTINES },
    { name: 'paper/c-exact', routines: ['convertJointMatsToJointQuats'] },
];

const forced = process.env.POSELANE_BACKEND || undefined;
const native = forced === 'ts' || forced === FALLBACK ? null : loadNative();

/** Why the addon is not in use, with the loader's error as `cause`; `null` where it loaded or was not wanted. */
export const nativeLoadError: PoselaneError | null = native?.error ?? null;

const byName = new Map<string, Implementation>();

function add(implementation: Implementation): void {
    byName.set(implementation.name, implementation);
}

if (native?.addon) {
    for (const { name, unavailable, kernels } of native.addon.implementations) {
        const bound = bindNative(kernels);
        const routines = ROUTINES.filter((routine) => bound[routine]);
        const availability =
            unavailable === undefined ? { available: true } : { available: false, reason: unavailable };
        add({ name, routines, kernels: Object.freeze(bound), ...availability });
    }
} else {
    const reason = native ? native.error.message : `POSELANE_BACKEND=${forced}: the addon was not loaded`;
    for (const { name, routines } of NATIVE) {
        add({
            name,
            routines,
            kernels: {},
            available: false,
            reason,
            ...(native ? { cause: native.error } : {}),
        });
    }
}
add({
    name: FALLBACK,
    routines: ROUTINES,
    kernels: Object.freeze(bindTypescript(typescriptKernels)),
    available: true,
});

/**
 * Every implementation of the joint-list routines, whether it can run here or not.
 *
 * @returns One entry each: its name, the functions it has, and where it is not `available` the `reason`.
 */
export function implementations(): ImplementationInfo[] {
    return [...byName.values()].map(({ name, routines, available, reason }) => ({
        name,
        routines: [...routines],
        available,
        ...(reason === undefined ? {} : { reason }),
    }));
}

/**
 * The joint-list functions of one implementation, e.g. to compare two on the same data.
 *
 * @param name As listed by `implementations()`.
 * @returns The functions that this implementation has; the same object for the same name.
 * @throws RangeError `ERR_UNKNOWN_IMPLEMENTATION`: no such name; the message lists them.
 * @throws Error `ERR_IMPLEMENTATION_UNAVAILABLE`: it cannot run here; the message says why.
 */
export function implementation(name: string): Partial<JointKernels> {
    const found = byName.get(name);
    if (!found) {
        throw rangeError(
            'ERR_UNKNOWN_IMPLEMENTATION',
            `implementation: name must be one of ${[...byName.keys()].join(', ')}; got ${describe(name)}`,
        );
    }
    if (!found.available) {
        throw stateError(
            'ERR_IMPLEMENTATION_UNAVAILABLE',
            `implementation: ${name} is not available: ${found.reason}`,
            found.cause,
        );
    }
    return found.kernels;
}

/** The best native implementation that has every routine and runs on this CPU. */
function bestNative(): string | undefined {
    return ['paper/sse', 'paper/c'].find((name) => byName.get(name)?.available);
}

function chooseDefault(): string {
    if (forced === undefined) {
        // paper/c is no better than the fallback, so where there is no SSE the fallback serves.
        return byName.get('paper/sse')?.available ? 'paper/sse' : FALLBACK;
    }
    if (forced === 'ts') return FALLBACK;
    if (forced === 'native') {
        const best = bestNative();
        if (best === undefined) {
            throw stateError(
                'ERR_NATIVE_UNAVAILABLE',
                `POSELANE_BACKEND=native, but ${native?.error?.message ?? 'the addon has nothing for this CPU'}`,
                native?.error?.cause,
            );
        }
        return best;
    }
    if (!byName.has(forced)) {
        throw rangeError(
            'ERR_UNKNOWN_IMPLEMENTATION',
            `POSELANE_BACKEND must be ts, native or one of ${[...byName.keys()].join(', ')}; got ${describe(forced)}`,
        );
    }
    implementation(forced);
    return forced;
}

/** The implementation behind the plain functions; routines that a forced one lacks come from the fallback. */
export const defaultImplementation: string = chooseDefault();

/** `'native'` where the plain functions run in the addon, `'ts'` where they run in TypeScript. */
export const backend: 'native' | 'ts' = defaultImplementation === FALLBACK ? 'ts' : 'native';

export const defaultKernels: JointKernels = {
    ...bindTypescript(typescriptKernels),
    ...byName.get(defaultImplementation)!.kernels,
};
