// SPDX-License-Identifier: MIT

import { GLOBAL_FLOATS, LANES, LOCAL_FLOATS } from '../rig/kernel-contract';
import type { Poses } from '../rig/poses';
import type { Rig } from '../rig/rig';

/**
 * How much memory a batch may use, bytes. After the evaluation others go over the poses and the palettes, so what a batch
 * touches should stay in a second-level cache.
 */
const BATCH_BYTES = 512 * 1024;

/** Poses for `frames` frames of the rig's skin 0, or for as many as fit: whole blocks of them, at least one. */
export function createBatch(rig: Rig, frames: number): Poses {
    const pose = (rig.slots.length * (LOCAL_FLOATS + GLOBAL_FLOATS) + rig.skins[0]!.joints.length * 16) * 4;
    const fit = Math.floor(BATCH_BYTES / (pose * LANES)) * LANES;
    return rig.createPoses(Math.max(1, Math.min(frames, Math.max(fit, LANES))));
}

/**
 * Evaluates `times.length` frames of a clip, as many as there are poses for or fewer, and leaves them in the poses.
 *
 * @param palette Written: `[frame][joint]`, column-major 4x4.
 */
export function evaluateBatch(rig: Rig, poses: Poses, clip: number, times: Float32Array, palette: Float32Array): void {
    poses.count = times.length;
    rig.bakePalettes(poses, clip, times, 0, palette, 'mat4');
}

/**
 * Where the origins of some slots are, x y z for `[pose][slot]`, after `evaluateBatch`. Out of the poses themselves,
 * because a list of slots for `rig.joints` ends at 65,535.
 *
 * @param slots In poses that have all slots of the rig.
 */
export function readOrigins(out: Float32Array, poses: Poses, slots: Int32Array): void {
    const { data, count, blockFloats, globalsOffset } = poses;
    let o = 0;
    for (let pose = 0; pose < count; pose++) {
        const lane = Math.floor(pose / LANES) * blockFloats + globalsOffset + (pose % LANES);
        for (const slot of slots) {
            const global = lane + slot * GLOBAL_FLOATS * LANES;
            out[o++] = data[global + 3 * LANES]!;
            out[o++] = data[global + 7 * LANES]!;
            out[o++] = data[global + 11 * LANES]!;
        }
    }
}
