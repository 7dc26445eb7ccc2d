// SPDX-License-Identifier: MIT

import type { Clip, Track } from './clip';
import type { Lever } from './levers';

/** Results of an attempt at a clip, which the next attempt starts from. */
export interface Found {
    /** `[track][time]`: the displacement that each track may cause. */
    readonly tolerances: Float64Array;
    /** Levers, as the fitter has them. */
    readonly levers: unknown;
}

/** A clip whose tracks get fewer keys. All fitters give the same bits. The keys are those of the clip's tracks at the end. */
export interface Fitter<Saved = unknown> extends Found {
    /** Sets the keys of constant tracks, and accepts them. */
    setConstants(): void;
    /** Fits all moving tracks within their tolerances times a factor. Returns whether the skin keeps the bound. */
    fitAll(factor: number): Generator<void, boolean>;
    /** Changes the tolerances by the errors of the keys: see `allocate`. */
    adapt(): void;
    /** Number of numbers in the keys of moving tracks. */
    size(): number;
    /** The keys of moving tracks. */
    save(): Saved;
    /** Sets the keys, and accepts them. */
    restore(saved: Saved): void;
    /** Gives moving tracks the source's keys. */
    keepAll(): void;
    /** Removes keys: see `removeKeys`. */
    polish(): Generator<void, void>;
    /** Makes values coarser: see `coarsenTracks`. */
    coarsen(): Generator<void, void>;
    /** Writes the keys to the tracks. */
    end(): void;
}

/** Input of a fitter. */
export interface FitterInput {
    /** Its weights must be set before `setConstants`. */
    readonly clip: Clip;
    /** Maximum displacement, model units. */
    readonly bound: number;
    readonly quantize: boolean;
    readonly earlier: Found | undefined;
}

/** A clip whose tracks are being fitted. */
export interface ClipFit {
    readonly clip: Clip;
    readonly levers: ReadonlyMap<Track, Lever>;
    /** Tracks that move and can lose keys. */
    readonly moving: readonly Track[];
    /** The displacement that each track may cause at each time of the grid. */
    readonly tolerancesOf: ReadonlyMap<Track, Float64Array>;
    readonly quantize: boolean;
    /** Maximum displacement, model units. */
    readonly bound: number;
}

/** Initial tolerance of a track, as a share of the bound. */
const START = 0.3;

export function tolerancesOf({ clip: { tracks, times }, bound, earlier }: FitterInput): Float64Array {
    return earlier?.tolerances ?? new Float64Array(tracks.length * times.length).fill(START * bound);
}

/** Times times tracks between two yields. */
const BETWEEN_YIELDS = 1024;

export function tracksPerYield({ times }: Clip): number {
    return Math.ceil(BETWEEN_YIELDS / times.length);
}

/** Removals between two yields. V8 optimizes all generators around this one again and again if each removal yields. */
export const REMOVALS_PER_YIELD = 64;

/**
 * Maximum estimated displacement of a removal that is tried in each pass, as a multiple of the bound. On Knight and
 * RobotExpressive, four in five removals were above these limits, and one in fifty of them succeeded.
 */
export const PASSES = [2.5, 1.5];
