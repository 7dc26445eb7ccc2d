// SPDX-License-Identifier: MIT

import type { RootParts } from '../format/manifest';
import type { Poses } from './poses';

/** Options for times outside of a clip. */
export interface EvaluateOptions {
    /** What times outside a clip mean: its nearest end (`'clamp'`, the default), or the clip over and over. */
    loop?: 'clamp' | 'wrap';
}

/** Options of `rig.toGlobal`. */
export interface ToGlobalOptions {
    /**
     * Only this slot and the slots below it: after inverse kinematics on an arm, say. All other globals stay as they are, and must be up to
     * date. Index into `rig.slots`. Default: all slots.
     */
    from?: number;
}

/** Options of a blend. */
export interface BlendOptions {
    /** A factor for each slot of the rig, whichever of them the poses have; `rig.subtreeMask` makes such a list. Default: 1 for all. */
    mask?: Float32Array;
    /**
     * Add the difference of `b` from the rest pose, instead of going from `a` to `b`. Scales are multiplied by their ratio to the rest
     * pose; where the rest scale is 0 there is no ratio, and `a` keeps its scale. Default false.
     */
    additive?: boolean;
}

/** Options of root motion. */
export interface RootDeltaOptions extends EvaluateOptions {
    /** The slot that carries the motion: often the root joint, or the hips. */
    slot: number;
}

/** Options of root motion that is taken out of poses. */
export interface ExtractRootOptions {
    /** The slot that carries the motion: often the root joint, or the hips. */
    slot: number;
    /** What motion is measured from: one pose for all, or one for each. They have the slot, and may have no other (`only`). */
    from: Poses;
    /** `'xz+yaw'` (the default): over the ground, and about the y axis. `'xyz+rotation'`: all of it. */
    motion?: RootParts;
    /** Whether the motion is taken out of the poses. Default true. */
    inPlace?: boolean;
}
