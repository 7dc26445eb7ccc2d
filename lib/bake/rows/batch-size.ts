// SPDX-License-Identifier: MIT

import { GLOBAL_FLOATS, LANES, LOCAL_FLOATS } from '../../rig/kernels/contract';
import type { Poses } from '../../rig/poses';
import type { Rig } from '../../rig/rig';

/** Samples of an interval between two frames, which judge playback. The frames themselves are not among them. */
export const SAMPLES = 7;

/** Memory of a batch, bytes. Several passes follow the evaluation, so a batch should fit a second-level cache. */
const BATCH_BYTES = 512 * 1024;

/** Poses for `frames` frames of the rig's skin 0, or for as many as fit: whole blocks, at least one. */
export function createBatch(rig: Rig, frames: number): Poses {
    const pose = (rig.slots.length * (LOCAL_FLOATS + GLOBAL_FLOATS) + rig.skins[0]!.joints.length * 16) * 4;
    const fit = Math.floor(BATCH_BYTES / (pose * LANES)) * LANES;
    return rig.createPoses(Math.max(LANES, Math.min(frames, fit)));
}

/**
 * Evaluates `times.length` poses of a clip.
 *
 * @param poses Output, with room for them; null if only their palettes are read.
 * @param palette Output: `[pose][joint]`, column-major 4x4.
 */
export function evaluateBatch(
    rig: Rig,
    poses: Poses | null,
    clip: number,
    times: Float32Array | Float64Array,
    palette: Float32Array,
): void {
    if (poses !== null) poses.count = times.length;
    rig.bakePalettes(poses, clip, times, 0, palette, 'mat4');
}

const GLOBAL = Int32Array.from({ length: GLOBAL_FLOATS }, (_, i) => i);
const LOCAL = Int32Array.from({ length: LOCAL_FLOATS }, (_, i) => i);
const ORIGIN = Int32Array.of(3, 7, 11);

/**
 * Reads the origins of some slots after `evaluateBatch`: x y z, `[pose][slot]`. Starts at pose `first` and fills `out`.
 */
export function readOrigins(out: Float32Array, poses: Poses, slots: Int32Array, first: number): void {
    readSlots(out, poses, slots, poses.globalsOffset, GLOBAL_FLOATS, ORIGIN, first);
}

/** Reads the globals of some slots, `[pose][slot][12]`, row-major 3x4. */
export function readGlobals(out: Float32Array, poses: Poses, slots: Int32Array): void {
    readSlots(out, poses, slots, poses.globalsOffset, GLOBAL_FLOATS, GLOBAL);
}

/** Reads the locals of some slots, `[pose][slot][10]`: T 3, R 4, S 3. */
export function readLocals(out: Float32Array, poses: Poses, slots: Int32Array): void {
    readSlots(out, poses, slots, 0, LOCAL_FLOATS, LOCAL);
}

/** Reads all morph weights, `[pose][weight]`. */
export function readWeights(out: Float32Array, poses: Poses, weights: number): void {
    let o = 0;
    for (let pose = 0; o < out.length; pose++) {
        const lane = laneOf(poses, pose) + poses.weightsOffset;
        for (let weight = 0; weight < weights; weight++) out[o++] = poses.data[lane + weight * LANES]!;
    }
}

/**
 * Reads from the poses, because a list of slots for `rig.joints` has at most 65,535 entries.
 *
 * @param slots For poses that have all slots of the rig.
 */
function readSlots(
    out: Float32Array,
    poses: Poses,
    slots: Int32Array,
    offset: number,
    floats: number,
    elements: Int32Array,
    first = 0,
): void {
    const { data } = poses;
    let o = 0;
    for (let pose = first; o < out.length; pose++) {
        const lane = laneOf(poses, pose) + offset;
        for (const slot of slots) {
            const at = lane + slot * floats * LANES;
            for (const element of elements) out[o++] = data[at + element * LANES]!;
        }
    }
}

function laneOf(poses: Poses, pose: number): number {
    return Math.floor(pose / LANES) * poses.blockFloats + (pose % LANES);
}
