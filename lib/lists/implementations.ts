// SPDX-License-Identifier: MIT

/** Every implementation of the routines on lists, by name. */

import type { NativeImplementation } from '../addon/addon';
import { addon, forcedBackend, nativeLoadError } from '../addon/load';
import { describe } from '../base/arguments';
import { rangeError, stateError, typeError } from '../base/errors';
import { blueprintKernels, eberlyKernels, intelKernels, paperKernels } from '../papers';
import { MAX_TERMS } from '../papers/eberly';
import { strictModule, webassemblyUnavailable } from '../webassembly/module';
import type { Bindable } from './bind';
import type { Kernels, ListFunction } from './description';
import type { Plain } from './plain';
import { plainInWebassembly } from './plain-webassembly';
import {
    ROUTINE_NAMES,
    ROUTINES,
    type Routine,
    SCALAR_ROUTINES,
    STRICT_ROUTINES,
    STRICT_TYPESCRIPT,
    STRICT_WASM,
    strictKernels,
} from './routines';
import { inAddon, inTypescript as typescriptTarget } from './targets';
import type { Kernels as Functions } from './types';
import { bindAddresses, type ModuleKernels, webassemblyKernels } from './webassembly';

/** An entry of `implementations()`. */
export interface ImplementationInfo {
    /** Name for `implementation(name)` and `POSELANE_BACKEND`, for example `strict/avx2`. */
    readonly name: string;
    /** Names of the functions that this implementation has. */
    readonly routines: readonly Routine[];
    /** Whether this machine can run it. */
    readonly available: boolean;
    /** The reason, if it is not available. */
    readonly reason?: string;
    /** Maximum of the `terms` option, if the implementation has one. */
    readonly maxTerms?: number;
}

/** Options of {@link implementation}. */
export interface ImplementationOptions {
    /**
     * Number of terms of Eberly's polynomial in `slerpQuats` and `slerpQuatTimes`, 1 … 16. Default: 8, as in his
     * listings. Source: D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", JGT 15:3 (2011).
     */
    terms?: number;
}

/** An implementation in the addon or in TypeScript. */
export interface Implementation {
    readonly info: ImplementationInfo;
    /** Undefined where the implementation lacks the routine. */
    call(routine: Routine, terms: number): ListFunction | undefined;
    bindable(routine: Routine, terms: number): Bindable | undefined;
}

/** 8 terms, as in Eberly's listings; 0 for implementations without a choice. */
export const defaultTerms = ({ maxTerms }: ImplementationInfo): number => (maxTerms ? 8 : 0);

export { STRICT_TYPESCRIPT, STRICT_WASM };
export const PAPER_TYPESCRIPT = 'paper/typescript';

const EBERLY: readonly Routine[] = ['slerpQuats', 'slerpQuatTimes'];
/** Routines of "Slerping Clock Cycles", "From Quaternion to Matrix and Back" and "The Skeleton Assembly Line". */
const PAPER = STRICT_ROUTINES.filter((routine) => routine in paperKernels && routine !== 'slerpQuatTimes');

const CONVERSIONS: readonly Routine[] = ['convertJointQuatsToJointMats', 'convertJointMatsToJointQuats'];

/**
 * The implementations of the addon, listed even if the addon did not load. A test compares this list with the addon.
 */
const NATIVE: readonly { name: string; routines: readonly Routine[]; terms?: number }[] = [
    ...['avx512', 'avx2', 'sse2', 'neon', 'scalar'].map((isa) => ({
        name: `strict/${isa}`,
        routines: STRICT_ROUTINES,
    })),
    ...['avx512', 'avx2'].map((isa) => ({ name: `fast/${isa}`, routines: STRICT_ROUTINES })),
    { name: 'paper/sse', routines: [...PAPER, 'reciprocalSqrt', 'sinZeroHalfPI', 'atanPositive'] },
    { name: 'paper/sse-divps', routines: ['atanPositive'] },
    { name: 'paper/c', routines: [...PAPER, ...SCALAR_ROUTINES] },
    { name: 'paper/c-exact', routines: ['convertJointMatsToJointQuats', 'slerpQuats'] },
    { name: 'blueprint/c', routines: CONVERSIONS },
    { name: 'intel/avx', routines: ['slerpQuats'] },
    { name: 'eberly/fpu', routines: [...EBERLY, 'slerp'], terms: MAX_TERMS },
    ...['sse1', 'sse2', 'sse4'].map((isa) => ({ name: `eberly/${isa}`, routines: EBERLY, terms: MAX_TERMS })),
];

function infoOf(
    name: string,
    routines: readonly Routine[],
    reason: string | undefined,
    maxTerms = 0,
): ImplementationInfo {
    return {
        name,
        routines: ROUTINE_NAMES.filter((routine) => routines.includes(routine)),
        available: reason === undefined,
        ...(reason === undefined ? {} : { reason }),
        ...(maxTerms > 0 ? { maxTerms } : {}),
    };
}

/** Whether it is a `strict` of the addon, which has the bits of the TypeScript kernels. */
const isNativeStrict = (name: string) =>
    name.startsWith('strict/') && name !== STRICT_TYPESCRIPT && name !== STRICT_WASM;

function ofAddon({ name, unavailable, terms: maxTerms, kernels, bind }: NativeImplementation): Implementation {
    const known = NATIVE.find((entry) => entry.name === name)?.routines ?? [];
    const routines = unavailable === undefined ? ROUTINE_NAMES.filter((routine) => kernels[routine]) : known;
    const twins: Kernels = isNativeStrict(name) ? strictKernels : {};
    return {
        info: infoOf(name, routines, unavailable, maxTerms),
        call(routine, terms) {
            const native = kernels[routine];
            return native && ROUTINES[routine].call(inAddon(ROUTINES[routine], native, terms, twins[routine]));
        },
        bindable: (routine, terms) => {
            const native = bind[routine];
            return native && { native, terms };
        },
    };
}

function missing({ name, routines, terms }: (typeof NATIVE)[number]): Implementation {
    const reason = nativeLoadError?.message ?? `POSELANE_BACKEND=${forcedBackend}: the addon was not loaded`;
    return { info: infoOf(name, routines, reason, terms), call: () => undefined, bindable: () => undefined };
}

function inTypescript(name: string, kernels: Kernels, maxTerms = 0): Implementation {
    return {
        info: infoOf(name, Object.keys(kernels) as Routine[], undefined, maxTerms),
        call: (routine, terms) => {
            const kernel = kernels[routine];
            return kernel && ROUTINES[routine].call(typescriptTarget(kernel, terms));
        },
        bindable: (routine, terms) => {
            const kernel = kernels[routine];
            return kernel && { kernel, terms };
        },
    };
}

let madeKernels: ModuleKernels | undefined;

/** Compiled at the first use. */
function wasmKernels(): ModuleKernels {
    madeKernels ??= webassemblyKernels(
        strictModule(),
        STRICT_ROUTINES.map((routine) => ROUTINES[routine]),
    );
    return madeKernels;
}

function inWebassembly(): Implementation {
    if (webassemblyUnavailable !== undefined) {
        const info = infoOf(STRICT_WASM, STRICT_ROUTINES, webassemblyUnavailable);
        return { info, call: () => undefined, bindable: () => undefined };
    }
    const kernelOf = (routine: Routine) => wasmKernels()[routine];
    return {
        info: infoOf(STRICT_WASM, STRICT_ROUTINES, undefined),
        call: (routine, terms) => {
            const kernel = kernelOf(routine);
            const { maxIndex } = wasmKernels();
            return kernel && ROUTINES[routine].call({ ...typescriptTarget(kernel, terms), maxIndex });
        },
        bindable: (routine, terms) => {
            const kernel = kernelOf(routine);
            return kernel && { kernel, bound: bindAddresses.bind(null, ROUTINES[routine]), terms };
        },
    };
}

const native = addon ? addon.implementations.map(ofAddon) : NATIVE.map(missing);
const strict = native.filter(({ info }) => isNativeStrict(info.name));

const all: readonly Implementation[] = [
    ...strict,
    inWebassembly(),
    inTypescript(STRICT_TYPESCRIPT, strictKernels),
    ...native.filter((one) => !strict.includes(one)),
    inTypescript(PAPER_TYPESCRIPT, paperKernels),
    inTypescript('blueprint/typescript', blueprintKernels),
    inTypescript('intel/typescript', intelKernels),
    inTypescript('eberly/typescript', eberlyKernels, MAX_TERMS),
];

const byName: ReadonlyMap<string, Implementation> = new Map(all.map((one) => [one.info.name, one]));

/** Objects that `implementation` has returned, by name and terms. */
const made = new Map<string, Partial<Functions>>();

/** Throws RangeError `ERR_UNKNOWN_IMPLEMENTATION`: no such name; the message lists them. */
export function findImplementation(name: string, asked: string): Implementation {
    const found = byName.get(name);
    if (found) return found;
    throw rangeError('ERR_UNKNOWN_IMPLEMENTATION', `${asked} ${[...byName.keys()].join(', ')}; got ${describe(name)}`);
}

/** Throws Error `ERR_IMPLEMENTATION_UNAVAILABLE`: it cannot run here; the message says why. */
export function checkAvailable({ name, available, reason }: ImplementationInfo): void {
    if (available) return;
    const cause = addon === null ? (nativeLoadError ?? undefined) : undefined;
    const message = `implementation: ${name} is not available: ${reason}`;
    throw stateError('ERR_IMPLEMENTATION_UNAVAILABLE', message, cause);
}

/**
 * Lists every implementation of the routines, also those that this machine cannot run. Throws nothing.
 *
 * @returns One entry per implementation: its name, its functions and, if it is not `available`, the `reason`.
 */
export function implementations(): ImplementationInfo[] {
    return all.map(({ info }) => ({ ...info, routines: [...info.routines] }));
}

/**
 * Returns the functions of one implementation, for example to compare two on the same data.
 *
 * @param name As listed by `implementations()`.
 * @param options `terms` for `eberly/*`.
 * @returns The functions that this implementation has; the same object for the same name and terms.
 * @throws RangeError `ERR_UNKNOWN_IMPLEMENTATION`: no such name; the message lists them. `ERR_COUNT_RANGE`: `terms` is
 * not 1 … 16, or given to an implementation without terms. TypeError `ERR_ARGUMENT_TYPE`: `terms` is not a number.
 * @throws Error `ERR_IMPLEMENTATION_UNAVAILABLE`: it cannot run here; the message says why.
 * @example
 * const { slerpJoints } = implementation('paper/c');
 * slerpJoints?.(pose, otherPose, 0.25);
 */
export function implementation(name: string, options: ImplementationOptions = {}): Partial<Functions> {
    const found = findImplementation(name, 'implementation: name must be one of');
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `implementation: options must be an object, got ${describe(options)}`);
    }
    const unknown = Object.keys(options).find((key) => key !== 'terms');
    if (unknown !== undefined) {
        throw typeError('ERR_ARGUMENT_TYPE', `implementation: options can have terms, not ${unknown}`);
    }
    const chosen = options.terms;
    const terms = chosen === undefined ? defaultTerms(found.info) : checkTerms(found.info, chosen);
    checkAvailable(found.info);
    const key = `${name} ${terms}`;
    let functions = made.get(key);
    if (functions === undefined) {
        const entries = found.info.routines.map((routine) => [routine, found.call(routine, terms)]);
        functions = Object.freeze(Object.fromEntries(entries)) as Partial<Functions>;
        made.set(key, functions);
    }
    return functions;
}

/** The `terms` option: 1 … `maxTerms`. */
function checkTerms({ name, maxTerms }: ImplementationInfo, terms: unknown): number {
    if (!maxTerms) {
        throw rangeError('ERR_COUNT_RANGE', `implementation: ${name} has no terms to choose, got ${describe(terms)}`);
    }
    if (typeof terms !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `implementation: terms must be a number, got ${describe(terms)}`);
    }
    if (!Number.isInteger(terms) || terms < 1 || terms > maxTerms) {
        throw rangeError(
            'ERR_COUNT_RANGE',
            `implementation: terms must be an integer from 1 to ${maxTerms}, got ${describe(terms)}`,
        );
    }
    return terms;
}

/** The first of these that can run here. */
export const firstAvailable = (names: readonly string[]): string | undefined =>
    names.find((name) => byName.get(name)?.info.available);

/** The fastest implementation of the addon with the bits of `strict`. */
export const bestNativeStrict: string | undefined = strict.find(({ info }) => info.available)?.info.name;

/**
 * Prepares an implementation for the public functions: short lists run in TypeScript if that gives the same bits
 * faster.
 */
export function plainOf(name: string, routine: Routine): Plain | undefined {
    const found = byName.get(name)!;
    if (name === STRICT_WASM) {
        return found.info.routines.includes(routine) ? plainInWebassembly(name, routine, wasmKernels) : undefined;
    }
    const terms = defaultTerms(found.info);
    const run = found.call(routine, terms);
    if (run === undefined) return undefined;
    const bindable = found.bindable(routine, terms);
    const { kernel: twin, typescriptUpTo, call } = ROUTINES[routine];
    if (!isNativeStrict(name) || twin === undefined) return { implementation: name, run, bindable };
    const native = addon!.implementations.find((one) => one.name === name)!.kernels[routine]!;
    return {
        implementation: name,
        run: call(inAddon(ROUTINES[routine], native, 0, twin, typescriptUpTo)),
        bindable: { ...bindable!, kernel: twin, typescriptUpTo },
    };
}
