// SPDX-License-Identifier: MIT

import { LOCAL_FLOATS, PATHS, type RigTables } from '../kernels/contract';

/** First float of each path in a local transform, and its floats. */
const PATH_AT = [0, 3, 7] as const;
const PATH_WIDTHS = [3, 4, 3] as const;

/** The values that a clip can move: T, R and S of each slot, then the weights of each mesh with targets. */
export interface Movable {
    /** First float among those of `base` or `baseWeights`. */
    readonly firsts: Int32Array;
    readonly widths: Int32Array;
    /** The number of those that are in `base`. */
    readonly paths: number;
}

export function movableOf({ slots, morphs }: Pick<RigTables, 'slots' | 'morphs'>): Movable {
    const paths = slots * PATHS;
    const firsts = new Int32Array(paths + morphs.length / 2);
    const widths = new Int32Array(firsts.length);
    for (let i = 0; i < firsts.length; i++) {
        const path = i % PATHS;
        const morph = i - paths;
        firsts[i] = morph < 0 ? ((i - path) / PATHS) * LOCAL_FLOATS + PATH_AT[path]! : morphs[morph * 2]!;
        widths[i] = morph < 0 ? PATH_WIDTHS[path]! : morphs[morph * 2 + 1]!;
    }
    return { firsts, widths, paths };
}

/** Codes for how a clip moves one of these; `MOVING` + group x `KINDS` + kind. */
export const AS_REST = 0;
export const CONSTANT = 1;
export const MOVING = 2;

/** STEP, LINEAR, CUBICSPLINE. */
export const KINDS = 3;
