// SPDX-License-Identifier: MIT

/** The types of the addon's exports (native/addon/addon.cpp). */

/**
 * A function of the addon. It takes the arguments of the public function, unchecked, with defaults filled in, then
 * `terms` if the routine has them. Instead of `options` it takes the number of joints and whether the convention is
 * glTF's. It returns `undefined` on success. Any other value is a refusal: nothing was written.
 */
export type NativeFunction = (...args: unknown[]) => unknown;

/**
 * Makes bound functions in the addon: its arguments are those of the addon's call, without the parameter. `false` is a
 * refusal, which lists without elements get, too. Index lists and parents are copied. The function returns as the call
 * does.
 */
export type NativeBinder = (...args: unknown[]) => NativeFunction | false;

export interface NativeImplementation {
    readonly name: string;
    /** The reason why this implementation cannot run on this CPU; undefined if it can. */
    readonly unavailable?: string;
    /** Max number of terms of its series; 0 if the number is fixed. */
    readonly terms: number;
    /** Kernels by name of the routine (lib/lists/routines.ts). The two tables below have the same keys. */
    readonly kernels: Readonly<Record<string, NativeFunction | undefined>>;
    readonly bind: Readonly<Record<string, NativeBinder | undefined>>;
    /** The same calls, repeated and timed: `(samples: Float64Array, source: Float32Array, …arguments)`. */
    readonly timed: Readonly<Record<string, NativeFunction | undefined>>;
}

/**
 * The Rig's kernels of one instruction set. lib/rig/compiled.ts knows the tables and the functions; this file does not
 * depend on the Rig.
 */
export interface NativeRig {
    readonly name: string;
    /** The reason why it cannot run on this CPU; undefined if it can. */
    readonly unavailable?: string;
    /** Takes a rig's tables, then those of the slots of some poses, and gives the functions for these; `false`: refused. */
    readonly load?: (tables: object) => ((slots: object) => object | false) | false;
    /** The baker's error figures (lib/bake/playback/playback-error.ts): `undefined` when the work is done. */
    readonly playbackError?: (...args: unknown[]) => unknown;
    /** Fewer keys for a clip (lib/reduce/fit/native-fitter.ts): a number of the phase, or `false`: refused. */
    readonly fitClip?: (...args: unknown[]) => unknown;
    /** Bounds of reduced clips (lib/reduce/bounds/choose-clip-bound.ts): `undefined` when the work is done. */
    readonly boundIntervals?: (...args: unknown[]) => unknown;
    /** Poses of a clip (lib/reduce/model/choose-poses.ts): `undefined` when the work is done. */
    readonly poseClip?: (...args: unknown[]) => unknown;
}

export interface NativeAddon {
    /** Version of the package whose sources it was compiled from. */
    readonly version: string;
    readonly implementations: readonly NativeImplementation[];
    /** Fastest first. */
    readonly rigs: readonly NativeRig[];
    /** Points whose hull covers others (lib/reduce/model/points.ts): how many, or `false`: refused. */
    readonly coverPoints: (...args: unknown[]) => number | false;
    /** An estimate of a compressed size (lib/reduce/write/packed-size.ts), or `false`: refused. */
    readonly deflatedSize: (bytes: Uint8Array, limit: number) => number | false;
    /** The unit of timed samples: ticks of the time stamp counter, or nanoseconds. */
    readonly timer: 'tsc' | 'ns';
}
