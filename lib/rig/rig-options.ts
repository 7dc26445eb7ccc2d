// SPDX-License-Identifier: MIT

/** How times become poses. */
export interface EvaluateOptions {
    /** What times outside a clip mean: its nearest end (`'clamp'`, the default), or the clip over and over. */
    loop?: 'clamp' | 'wrap';
}

/** Which slots a blend concerns, and how. */
export interface BlendOptions {
    /** A factor for each slot of the rig, whichever of them the poses have; `rig.subtreeMask` makes such a list. Default: 1 for all. */
    mask?: Float32Array;
    /** Add what `b` differs from the rest pose by, instead of going from `a` to `b`. Default false. */
    additive?: boolean;
}

/** Whose motion it is. */
export interface RootDeltaOptions extends EvaluateOptions {
    /** The slot that carries the motion: often the root joint, or the hips. */
    slot: number;
}
