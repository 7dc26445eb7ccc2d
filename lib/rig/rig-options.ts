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

/** The joints of a limb for `rig.twoBoneIk`: indices into `rig.slots`. */
export interface LimbSlots {
    /** Turns: hip or shoulder. Its node has no matrix. */
    start: number;
    /** Turns: knee or elbow, below `start`. Its node has no matrix. */
    mid: number;
    /** Reaches the target: ankle or wrist, below `mid`. */
    end: number;
}

/** Options of `rig.twoBoneIk`. */
export interface TwoBoneIkOptions {
    /**
     * `[pose][3]`: the direction in model space in which the joint `mid` points away from the line from `start` to
     * `end`. Its length does not matter; zeros mean no pole. Default: the limb keeps its bend plane.
     */
    poles?: Float32Array;
    /**
     * One for all poses, or one per pose, clamped to 0 ... 1: 0 leaves a pose as it is, 1 (default) reaches the target.
     * Between them both rotations are mixed as quaternions.
     */
    weights?: number | Float32Array;
    /**
     * The part of the limb's length, 0 ... 1, from which on the end falls behind the target, as in ozz-animation: the
     * limb straightens without a pop, and the more it is stretched, the less it follows. 0.97 is usual. Default: 1, the
     * end is at every target within the length.
     */
    soften?: number;
    /** Turns the bend plane about the direction from `start` to the target, in radians, right-handed. Default: 0. */
    twist?: number;
    /**
     * The hinge of `mid`: 3 numbers, in its own space, of any length. A positive turn about it opens the limb. The limb
     * then bends to this side only, and about this axis. It should be at right angles to both bones. Default: the axis
     * of the present bend. It is needed for limbs that can be straight.
     */
    axis?: readonly number[];
    /**
     * At least `poses.count` bytes, written: 1 if the end is at the target, to 1e-4 of the limb's length, otherwise 0.
     * Poses that are left as they are get 0.
     */
    reached?: Uint8Array;
}

/** Options of `rig.aimIk`. Vectors are 3 numbers. */
export interface AimIkOptions {
    /** The direction that aims, in the slot's own space, of any length. Default: +z. */
    forward?: readonly number[];
    /** The direction, in the slot's own space, that is turned towards `pole`. Default: +y. */
    up?: readonly number[];
    /**
     * The direction in model space that `up` follows. Where one of both is zeros or along the aim, the turn is the
     * shortest one. Default: +y.
     */
    pole?: readonly number[];
    /** The point that aims, for example an eye or a muzzle, in the slot's own space. Default: its origin. */
    offset?: readonly number[];
    /** As for {@link TwoBoneIkOptions}. */
    weights?: number | Float32Array;
    /** With several slots: which part of the turn each of them takes, in proportion. Default: all the same. */
    shares?: readonly number[];
}
