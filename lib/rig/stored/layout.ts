// SPDX-License-Identifier: MIT

import { LOCAL_FLOATS, PATHS, type RigTables } from '../kernels/contract';
import { PATH_AT } from '../pack/clip';

/** `PRIG`. */
export const MAGIC = 0x47495250;
export const VERSION = 1;
/** Bytes: magic, version, length of the file, hash of all words that follow, and where the floats begin. */
export const HEADER = 20;
/** The first word of the hash. */
export const HASHED = 4;

/** How a clip moves a path of a slot, or the weights of a mesh: one of these, or 2 + group x 3 + kind. */
export const AS_REST = 0;
export const CONSTANT = 1;
export const MOVING = 2;

/** STEP, LINEAR, CUBICSPLINE. */
export const KINDS = 3;
/** Whether these codes take a byte each, not four. */
export const areShort = (groups: number) => MOVING + groups * KINDS <= 256;
/** Floats of T, R and S. */
const WIDTHS = [3, 4, 3] as const;

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
        widths[i] = morph < 0 ? WIDTHS[path]! : morphs[morph * 2 + 1]!;
    }
    return { firsts, widths, paths };
}
