// SPDX-License-Identifier: MIT

import type { RootParts } from '../format/manifest';
import type { Poses } from './poses';

/** Options of `rig.evaluate`. */
export interface EvaluateOptions {
    /**
     * `'clamp'` (default): a time outside the clip gives its first or last pose. `'wrap'`: the clip repeats. A list has
     * one number for each pose: 0 to clamp, 1 to wrap. `rig.clips[i].loop` says which clips repeat without a jump.
     * Clamping: glTF 2.0, 3.11.
     */
    loop?: 'clamp' | 'wrap' | Uint8Array;
}

/** Options of `rig.toGlobal`. */
export interface ToGlobalOptions {
    /**
     * Index into `rig.slots`. Updates only this slot and the slots below it, for example after inverse kinematics on an
     * arm. All other globals must be up to date and do not change. Default: all slots.
     */
    from?: number;
}

/** Options of `rig.blend`. */
export interface BlendOptions {
    /**
     * `rig.slots.length` floats: a factor per slot of the rig, also if the poses have fewer slots. See
     * `rig.subtreeMask`. Default: 1 for all.
     */
    mask?: Float32Array;
    /**
     * Adds the difference between `b` and `reference` to `a`, instead of interpolating from `a` to `b`. Scales are
     * multiplied by the ratio of `b` to the reference. If a scale of the reference is 0, `a` keeps its scale. Default:
     * false.
     */
    additive?: boolean;
    /**
     * With `additive`: poses of the rig with the slots of `out`, one for all poses or one for each. `b` differs from
     * them by what is added: the first frame of a hit reaction, or the aim straight ahead. Default: the rest pose. It
     * suits only clips that start from it: characters that rest in a T-pose get their arms turned twice.
     */
    reference?: Poses;
}

/** Options of `rig.events`. */
export interface EventOptions {
    /** `'clamp'` (default): each event happens once. `'wrap'`: in each round of the clip. */
    loop?: 'clamp' | 'wrap';
}

/** Options of `rig.rootDelta`. */
export interface RootDeltaOptions {
    /** `'clamp'` (default) or `'wrap'`, as for {@link EvaluateOptions}. */
    loop?: 'clamp' | 'wrap';
    /** Index into `rig.slots` of the slot that carries the motion, often the root joint or the hips. */
    slot: number;
}

/** Options of `rig.extractRoot`. */
export interface ExtractRootOptions {
    /** Index into `rig.slots` of the slot that carries the motion, often the root joint or the hips. */
    slot: number;
    /**
     * The reference poses: one for all poses, or one per pose. They must have the slot; the other slots are optional.
     */
    from: Poses;
    /**
     * The extracted part. `'xz+yaw'` (default): translation in x and z, rotation about y. `'xyz+rotation'`: all of it.
     * `'yaw'`: only rotation about y; translation stays in the poses.
     */
    motion?: RootParts;
    /** Whether the motion is removed from the poses. Default: true. */
    inPlace?: boolean;
}
