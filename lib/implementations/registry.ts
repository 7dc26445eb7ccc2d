// SPDX-License-Identifier: MIT

/** Every implementation by name, and the one behind the plain functions. */

import { type CheckedKernels, JOINT_ROUTINES, ROUTINES, type Routine } from '../backend/contract';
import { loadNative } from '../backend/native';
import { checkTerms } from '../checks/quats';
import { describe } from '../checks/views';
import { type PoselaneError, rangeError, stateError, typeError } from '../errors';
import { eberlyKernels, intelKernels, typescriptKernels } from '../fallback';
import { MAX_TERMS } from '../fallback/eberly';
import { bindNativeJoints, bindTypescriptJoints } from './bind-joints';
import { bindNativeQuats, bindTypescriptQuats } from './bind-quats';
import type { Kernels } from './kernels';

/** An entry of `implementations()`. */
export interface ImplementationInfo {
    /** E.g. `paper/sse`; what `implementation(name)` and `POSELANE_BACKEND` take. */
    readonly name: string;
    /** The functions that this implementation has. */
    readonly routines: readonly Routine[];
    readonly available: boolean;
    /** Why it is not available. */
    readonly reason?: string;
    /** The most terms that its series can have, where that can be chosen. */
    readonly maxTerms?: number;
}

export interface ImplementationOptions {
    /** Terms of Eberly's polynomial (`slerpQuats`, `slerpQuatTimes`), 1 … 16; default 8, as in his listings. */
    terms?: number;
}

interface Implementation extends ImplementationInfo {
    /** Its functions, with so many terms; 0 where there is nothing to choose. */
    bind(terms: number): Partial<Kernels>;
    /** What `bind` has returned, by terms. */
    readonly bound: Map<number, Partial<Kernels>>;
    /** The error behind `reason`. */
    readonly cause?: Error;
}

const FALLBACK = 'paper/typescript';
const DEFAULT_TERMS = 8;

const EBERLY: readonly Routine[] = ['slerpQuats', 'slerpQuatTimes'];

/** What the addon would offer; listed where it did not load (a test holds it against the real addon). */
const NATIVE: readonly { name: string; routines: readonly Routine[]; maxTerms?: number }[] = [
    { name: 'paper/sse', routines: [...JOINT_ROUTINES, 'slerpQuats', 'lerpQuats'] },
    { name: 'paper/c', routines: ROUTINES.filter((routine) => routine !== 'slerpQuatTimes') },
    { name: 'paper/c-exact', routines: ['convertJointMatsToJointQuats', 'slerpQuats'] },
    { name: 'intel/avx', routines: ['slerpQuats'] },
    { name: 'eberly/fpu', routines: [...EBERLY, 'slerp'], maxTerms: MAX_TERMS },
    { name: 'eberly/sse1', routines: EBERLY, maxTerms: MAX_TERMS },
    { name: 'eberly/sse2', routines: EBERLY, maxTerms: MAX_TERMS },
    { name: 'eberly/sse4', routines: EBERLY, maxTerms: MAX_TERMS },
];

const forced = process.env.POSELANE_BACKEND || undefined;
const native = forced === 'ts' || forced?.endsWith('/typescript') ? null : loadNative();

/** Why the addon is not in use, with the loader's error as `cause`; `null` where it loaded or was not wanted. */
export const nativeLoadError: PoselaneError | null = native?.error ?? null;

/** The loaded addon, for measurements; `null` where there is none. */
export const nativeAddon = native?.addon ?? null;

const byName = new Map<string, Implementation>();

function add(implementation: Omit<Implementation, 'bound'>): void {
    byName.set(implementation.name, { ...implementation, bound: new Map() });
}

function terms(maxTerms: number | undefined): { maxTerms?: number } {
    return maxTerms ? { maxTerms } : {};
}

function addNative(): void {
    for (const { name, unavailable, terms: maxTerms, kernels } of native!.addon!.implementations) {
        const known = NATIVE.find((entry) => entry.name === name)?.routines ?? [];
        add({
            name,
            routines: unavailable === undefined ? ROUTINES.filter((routine) => kernels[routine]) : known,
            available: unavailable === undefined,
            bind: (count) => ({ ...bindNativeJoints(kernels), ...bindNativeQuats(kernels, count) }),
            ...(unavailable === undefined ? {} : { reason: unavailable }),
            ...terms(maxTerms),
        });
    }
}

function addMissingNative(): void {
    const reason = native ? native.error!.message : `POSELANE_BACKEND=${forced}: the addon was not loaded`;
    for (const { name, routines, maxTerms } of NATIVE) {
        add({
            name,
            routines,
            available: false,
            reason,
            bind: () => ({}),
            ...(native ? { cause: native.error! } : {}),
            ...terms(maxTerms),
        });
    }
}

function addTypescript(name: string, kernels: Partial<CheckedKernels>, maxTerms?: number): void {
    add({
        name,
        routines: ROUTINES.filter((routine) => kernels[routine]),
        available: true,
        bind: (count) => bindTypescriptQuats(kernels, count),
        ...terms(maxTerms),
    });
}

if (native?.addon) addNative();
else addMissingNative();
add({
    name: FALLBACK,
    routines: ROUTINES,
    available: true,
    bind: () => ({ ...bindTypescriptJoints(typescriptKernels), ...bindTypescriptQuats(typescriptKernels, 0) }),
});
addTypescript('intel/typescript', intelKernels);
addTypescript('eberly/typescript', eberlyKernels, MAX_TERMS);

/**
 * Every implementation of the routines, whether it can run here or not.
 *
 * @returns One entry each: its name, the functions it has, and where it is not `available` the `reason`.
 */
export function implementations(): ImplementationInfo[] {
    return [...byName.values()].map(({ name, routines, available, reason, maxTerms }) => ({
        name,
        routines: [...routines],
        available,
        ...(reason === undefined ? {} : { reason }),
        ...terms(maxTerms),
    }));
}

/**
 * The functions of one implementation, e.g. to compare two on the same data.
 *
 * @param name As listed by `implementations()`.
 * @param options `terms` for `eberly/*`.
 * @returns The functions that this implementation has; the same object for the same name and terms.
 * @throws RangeError `ERR_UNKNOWN_IMPLEMENTATION`: no such name; the message lists them. `ERR_COUNT_RANGE`: `terms` is
 * not 1 … 16, or given where there are none. TypeError `ERR_ARGUMENT_TYPE`: `terms` is no number.
 * @throws Error `ERR_IMPLEMENTATION_UNAVAILABLE`: it cannot run here; the message says why.
 */
export function implementation(name: string, options: ImplementationOptions = {}): Partial<Kernels> {
    const found = byName.get(name);
    if (!found) {
        throw rangeError(
            'ERR_UNKNOWN_IMPLEMENTATION',
            `implementation: name must be one of ${[...byName.keys()].join(', ')}; got ${describe(name)}`,
        );
    }
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `implementation: options must be an object, got ${describe(options)}`);
    }
    const unknown = Object.keys(options).find((key) => key !== 'terms');
    if (unknown !== undefined) {
        throw typeError('ERR_ARGUMENT_TYPE', `implementation: options can have terms, not ${unknown}`);
    }
    const maxTerms = found.maxTerms ?? 0;
    const chosen = options.terms;
    const count = chosen === undefined ? maxTerms && DEFAULT_TERMS : checkTerms(name, chosen, maxTerms);
    if (!found.available) {
        throw stateError(
            'ERR_IMPLEMENTATION_UNAVAILABLE',
            `implementation: ${name} is not available: ${found.reason}`,
            found.cause,
        );
    }
    let kernels = found.bound.get(count);
    if (!kernels) {
        kernels = Object.freeze(found.bind(count));
        found.bound.set(count, kernels);
    }
    return kernels;
}

/** The best native implementation of the joint lists that runs on this CPU. */
function bestNative(): string | undefined {
    return ['paper/sse', 'paper/c'].find((name) => byName.get(name)?.available);
}

function chooseDefault(): string {
    if (forced === undefined) {
        // Without SSE the fallback, not paper/c: it has the listings' bits wherever they are + - * alone.
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

/** The implementation behind the plain functions; see `defaultKernels` for the routines that it lacks. */
export const defaultImplementation: string = chooseDefault();

/** `'native'` where the plain functions on joint lists run in the addon, `'ts'` where they run in TypeScript. */
export const backend: 'native' | 'ts' = defaultImplementation.endsWith('/typescript') ? 'ts' : 'native';

/**
 * The plain functions. What the chosen implementation lacks comes from the best native one, where it is native itself,
 * and what that lacks, too, from `paper/typescript`.
 */
export const defaultKernels: Kernels = {
    ...(implementation(FALLBACK) as Kernels),
    ...(backend === 'native' ? implementation(bestNative() ?? FALLBACK) : {}),
    ...implementation(defaultImplementation),
};
