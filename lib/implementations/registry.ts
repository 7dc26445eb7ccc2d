// SPDX-License-Identifier: MIT

/** Every implementation by name, and the one behind the plain functions. */

import {
    type CheckedKernels,
    type NativeBinders,
    PAPER_JOINT_ROUTINES,
    ROUTINES,
    type Routine,
    SCALAR_ROUTINES,
    STRICT_ROUTINES,
} from '../backend/contract';
import { loadNative } from '../backend/native';
import { checkTerms } from '../checks/quats';
import { describe } from '../checks/views';
import { type PoselaneError, rangeError, stateError, typeError } from '../errors';
import { eberlyKernels, intelKernels, typescriptKernels } from '../fallback';
import { MAX_TERMS } from '../fallback/eberly';
import { strictKernels } from '../strict';
import { type Limits, UNLIMITED } from './arguments';
import { bindersOf } from './binders';
import { BOUND_CROSSOVER, CALL_CROSSOVER } from './crossover';
import { checkedJointCalls, nativeJointCalls, quickJointCalls } from './joint-calls';
import type { Binders, Kernels } from './kernels';
import { checkedQuatCalls, nativeQuatCalls, quickQuatCalls } from './quat-calls';

/** An entry of `implementations()`. */
export interface ImplementationInfo {
    /** E.g. `strict/avx2`; what `implementation(name)` and `POSELANE_BACKEND` take. */
    readonly name: string;
    /** The functions that this implementation has. */
    readonly routines: readonly Routine[];
    /** Whether it can run here. */
    readonly available: boolean;
    /** Why it is not available. */
    readonly reason?: string;
    /** The most terms that its series can have, where that can be chosen. */
    readonly maxTerms?: number;
}

/** Options of {@link implementation}. */
export interface ImplementationOptions {
    /** Terms of Eberly's polynomial (`slerpQuats`, `slerpQuatTimes`), 1 … 16; default 8, as in his listings. */
    terms?: number;
}

interface Implementation extends ImplementationInfo {
    /** Its functions, with so many terms; 0 where there is nothing to choose. */
    functions(terms: number): Partial<Kernels>;
    /** What `functions` has returned, by terms. */
    readonly made: Map<number, Partial<Kernels>>;
    /** What binds its routines to their lists. */
    binders(): Partial<Binders>;
    /** The error behind `reason`. */
    readonly cause?: Error;
}

const STRICT_TYPESCRIPT = 'strict/typescript';
const PAPER_TYPESCRIPT = 'paper/typescript';
const DEFAULT_TERMS = 8;

const EBERLY: readonly Routine[] = ['slerpQuats', 'slerpQuatTimes'];
const PAPER: readonly Routine[] = [...PAPER_JOINT_ROUTINES, 'slerpQuats', 'lerpQuats'];

/** What the addon would offer; listed where it did not load (a test holds it against the real addon). */
const NATIVE: readonly { name: string; routines: readonly Routine[]; maxTerms?: number }[] = [
    { name: 'strict/avx512', routines: STRICT_ROUTINES },
    { name: 'strict/avx2', routines: STRICT_ROUTINES },
    { name: 'strict/sse2', routines: STRICT_ROUTINES },
    { name: 'strict/neon', routines: STRICT_ROUTINES },
    { name: 'strict/scalar', routines: STRICT_ROUTINES },
    { name: 'fast/avx512', routines: STRICT_ROUTINES },
    { name: 'fast/avx2', routines: STRICT_ROUTINES },
    { name: 'paper/sse', routines: PAPER },
    { name: 'paper/c', routines: [...PAPER, ...SCALAR_ROUTINES] },
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

function add(implementation: Omit<Implementation, 'made'>): void {
    byName.set(implementation.name, { ...implementation, made: new Map() });
}

function terms(maxTerms: number | undefined): { maxTerms?: number } {
    return maxTerms ? { maxTerms } : {};
}

const NO_LIMITS: Limits = {};

function nativeFunctions(name: string, terms: number): Partial<Kernels> {
    const { kernels } = nativeOf(name);
    return { ...nativeJointCalls(kernels), ...nativeQuatCalls(kernels, terms) };
}

const nativeOf = (name: string) => native!.addon!.implementations.find((one) => one.name === name)!;

function addNative(): void {
    for (const { name, unavailable, terms: maxTerms, kernels, bind } of native!.addon!.implementations) {
        const known = NATIVE.find((entry) => entry.name === name)?.routines ?? [];
        add({
            name,
            routines: unavailable === undefined ? ROUTINES.filter((routine) => kernels[routine]) : known,
            available: unavailable === undefined,
            functions: (count) => nativeFunctions(name, count),
            binders: () => bindersOf({}, NO_LIMITS, bind, maxTerms && DEFAULT_TERMS),
            ...(unavailable === undefined ? {} : { reason: unavailable }),
            ...terms(maxTerms),
        });
        if (name === 'strict/scalar') addTypescript(STRICT_TYPESCRIPT, strictKernels);
    }
}

function addMissingNative(): void {
    const reason = native ? native.error!.message : `POSELANE_BACKEND=${forced}: the addon was not loaded`;
    for (const { name, routines, maxTerms } of NATIVE) {
        add({
            name,
            routines: ROUTINES.filter((routine) => routines.includes(routine)),
            available: false,
            reason,
            functions: () => ({}),
            binders: () => ({}),
            ...(native ? { cause: native.error! } : {}),
            ...terms(maxTerms),
        });
        if (name === 'strict/scalar') addTypescript(STRICT_TYPESCRIPT, strictKernels);
    }
}

/** The same functions, but TypeScript kernels with quick checks for lists within the limits. */
function withQuick(
    functions: Partial<Kernels>,
    kernels: Partial<CheckedKernels>,
    limits: Limits,
    terms: number,
): Partial<Kernels> {
    return {
        ...functions,
        ...quickJointCalls(kernels, limits, functions),
        ...quickQuatCalls(kernels, terms, limits, functions),
    };
}

const NO_BINDERS: NativeBinders = {};

function addTypescript(name: string, kernels: Partial<CheckedKernels>, maxTerms?: number): void {
    add({
        name,
        routines: ROUTINES.filter((routine) => kernels[routine]),
        available: true,
        functions: (count) => {
            const checked = { ...checkedJointCalls(kernels), ...checkedQuatCalls(kernels, count) };
            return withQuick(checked, kernels, UNLIMITED, count);
        },
        binders: () => bindersOf(kernels, UNLIMITED, NO_BINDERS, maxTerms ? DEFAULT_TERMS : 0),
        ...terms(maxTerms),
    });
}

if (native?.addon) addNative();
else addMissingNative();
addTypescript(PAPER_TYPESCRIPT, typescriptKernels);
addTypescript('intel/typescript', intelKernels);
addTypescript('eberly/typescript', eberlyKernels, MAX_TERMS);

/**
 * Every implementation of the routines, whether it can run here or not. Throws nothing.
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
    let kernels = found.made.get(count);
    if (!kernels) {
        kernels = Object.freeze(found.functions(count));
        found.made.set(count, kernels);
    }
    return kernels;
}

const firstAvailable = (names: readonly string[]): string | undefined =>
    names.find((name) => byName.get(name)?.available);

/** The best implementation with the bits of `strict` in the addon. */
const bestNativeStrict = firstAvailable(['avx512', 'avx2', 'sse2', 'neon', 'scalar'].map((isa) => `strict/${isa}`));

/** The same in all of what runs here. */
const bestStrict = bestNativeStrict ?? STRICT_TYPESCRIPT;

function chooseDefault(): string {
    if (forced === undefined) return bestStrict;
    if (forced === 'ts') return STRICT_TYPESCRIPT;
    if (forced === 'native') {
        if (bestNativeStrict === undefined) {
            throw stateError(
                'ERR_NATIVE_UNAVAILABLE',
                `POSELANE_BACKEND=native, but ${native?.error?.message ?? 'the addon has nothing for this CPU'}`,
                native?.error?.cause,
            );
        }
        return bestNativeStrict;
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
 * Where the plain functions come from, the first that has a routine. What the chosen implementation lacks comes from the
 * best `strict`, and what that lacks, the scalar family of "Slerping Clock Cycles", from `paper/*`.
 */
const sources: readonly string[] = [
    defaultImplementation,
    bestStrict,
    firstAvailable(['paper/sse', 'paper/c']) ?? PAPER_TYPESCRIPT,
    PAPER_TYPESCRIPT,
];

/** As `implementation(name)`, but short lists go the shortest way to the same bits; see crossover.ts. */
function plainFunctions(name: string): Partial<Kernels> {
    const functions = implementation(name);
    if (!isNativeStrict(name)) return functions;
    return withQuick(functions, strictKernels, CALL_CROSSOVER, 0);
}

function plainBinders(name: string): Partial<Binders> {
    if (!isNativeStrict(name)) return byName.get(name)!.binders();
    return bindersOf(strictKernels, BOUND_CROSSOVER, nativeOf(name).bind, 0);
}

const isNativeStrict = (name: string) => name.startsWith('strict/') && name !== STRICT_TYPESCRIPT;

const inOrder = [...new Set(sources)].reverse();

/** The plain functions. */
export const defaultKernels = Object.assign({}, ...inOrder.map(plainFunctions)) as Kernels;

/** What binds the plain functions to their lists. */
export const defaultBinders = Object.assign({}, ...inOrder.map(plainBinders)) as Binders;
