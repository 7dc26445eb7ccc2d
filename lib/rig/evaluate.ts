// SPDX-License-Identifier: MIT

import type { Clip, Track } from './clip';
import { convertJointQuatsToJointMats, transformJoints, transformSkeleton } from './kernels';
import { copyKeys, cubicKeys, cubicRotationKeys, lerpKeys, locateKeys } from './sample';
import type { SkinRig } from './skin';
import { slerpKeys } from './slerp';

/**
 * How much memory a batch may use, bytes. Frames go through five passes, so what a batch touches should stay in a
 * second-level cache. Measured with Knight.glb: no difference from 128 KiB to 2 MiB, at 32 KiB a fifth slower.
 */
const BATCH_BYTES = 512 * 1024;

/** JointQuat, scale, JointMat, parent; then for each joint its global, its inverse bind and its palette matrix. */
const BYTES_PER_SLOT = (8 + 3 + 12 + 1) * 4;
const BYTES_PER_JOINT = 3 * 12 * 4;

/** Evaluates the poses of one skin, a batch of frames in a call. All buffers are made once, here. */
export interface Evaluator {
    readonly rig: SkinRig;
    /** Frames that one batch has room for. */
    readonly batchFrames: number;
    /** The joints' global transforms after a call, `[frame][joint]` JointMats. */
    readonly globals: Float32Array;
    /** Global x inverse bind after a call, `[frame][joint]` JointMats. */
    readonly palette: Float32Array;
    /** All slots' global transforms after a call, `[frame][slot]` JointMats. */
    readonly slotGlobals: Float32Array;

    readonly quats: Float32Array;
    readonly scales: Float32Array;
    /** The slots' parents, once for each frame: a batch is one forest. */
    readonly parents: Int32Array;
    /** The inverse bind matrices, once for each frame. */
    readonly inverseBinds: Float32Array;
    readonly keys: Int32Array;
    readonly fractions: Float64Array;
    /** Where each group of the current clip goes on searching. */
    cursors: Int32Array;
    clip: Clip | null;
}

/**
 * @param maxFrames The most frames that one call will be asked for; the batch may be smaller.
 */
export function createEvaluator(rig: SkinRig, maxFrames: number): Evaluator {
    const slots = rig.slots.nodes.length;
    const joints = rig.jointNodes.length;
    const fit = Math.floor(BATCH_BYTES / (slots * BYTES_PER_SLOT + joints * BYTES_PER_JOINT));
    const batchFrames = Math.max(1, Math.min(maxFrames, fit));
    const parents = new Int32Array(batchFrames * slots);
    const inverseBinds = new Float32Array(batchFrames * joints * 12);
    for (let frame = 0; frame < batchFrames; frame++) {
        for (let slot = 0; slot < slots; slot++) {
            const parent = rig.slots.parents[slot]!;
            parents[frame * slots + slot] = parent < 0 ? -1 : frame * slots + parent;
        }
        inverseBinds.set(rig.inverseBinds, frame * joints * 12);
    }
    return {
        rig,
        batchFrames,
        globals: new Float32Array(batchFrames * joints * 12),
        palette: new Float32Array(batchFrames * joints * 12),
        slotGlobals: new Float32Array(batchFrames * slots * 12),
        quats: new Float32Array(batchFrames * slots * 8),
        scales: new Float32Array(batchFrames * slots * 3),
        parents,
        inverseBinds,
        keys: new Int32Array(batchFrames),
        fractions: new Float64Array(batchFrames),
        cursors: new Int32Array(0),
        clip: null,
    };
}

/**
 * Makes `clip` the one that `evaluateFrames` evaluates. Every frame of the batch is filled with the clip's base pose,
 * so that nothing of the clip before can remain.
 */
export function startClip(evaluator: Evaluator, clip: Clip): void {
    const { quats, scales, batchFrames } = evaluator;
    for (let frame = 0; frame < batchFrames; frame++) {
        quats.set(clip.baseQuats, frame * clip.baseQuats.length);
        scales.set(clip.baseScales, frame * clip.baseScales.length);
    }
    evaluator.cursors = new Int32Array(clip.groups.length);
    evaluator.clip = clip;
}

/**
 * Evaluates frames `first` to `first + count - 1` of the clip that was started into `globals` and `palette`.
 * Within a clip the calls go forward in time.
 *
 * @param frameTimes Seconds, ascending.
 * @param count At most `batchFrames`.
 */
export function evaluateFrames(evaluator: Evaluator, frameTimes: Float32Array, first: number, count: number): void {
    const { rig, slotGlobals, quats, parents, globals, palette, inverseBinds } = evaluator;
    const slots = rig.slots.nodes.length;
    const joints = rig.jointNodes.length;
    sampleTracks(evaluator, frameTimes, first, count);
    convertJointQuatsToJointMats(slotGlobals, quats, { convention: 'gltf', numJoints: count * slots });
    applyScales(evaluator, count);
    putMatrices(evaluator, count);
    transformSkeleton(slotGlobals, parents, 1, count * slots - 1);
    gatherJoints(globals, slotGlobals, rig.jointSlots, slots, count);
    transformJoints(palette, globals, inverseBinds, count * joints);
}

function sampleTracks(evaluator: Evaluator, frameTimes: Float32Array, first: number, count: number): void {
    const { groups } = evaluator.clip!;
    const { cursors, keys, fractions } = evaluator;
    for (let g = 0; g < groups.length; g++) {
        const { times, tracks } = groups[g]!;
        cursors[g] = locateKeys(times, frameTimes, first, count, cursors[g]!, keys, fractions);
        for (const track of tracks) sampleTrack(evaluator, track, times, count);
    }
}

function sampleTrack(evaluator: Evaluator, track: Track, times: Float32Array, count: number): void {
    const { keys, fractions } = evaluator;
    const { offset, values } = track;
    const slots = evaluator.rig.slots.nodes.length;
    const out = track.list === 'quats' ? evaluator.quats : evaluator.scales;
    const stride = track.list === 'quats' ? slots * 8 : slots * 3;
    switch (track.kind) {
        case 'step3':
            copyKeys(out, offset, stride, values, 3, keys, count);
            break;
        case 'step4':
            copyKeys(out, offset, stride, values, 4, keys, count);
            break;
        case 'lerp':
            lerpKeys(out, offset, stride, values, keys, fractions, count);
            break;
        case 'slerp':
            slerpKeys(out, offset, stride, values, keys, fractions, count);
            break;
        case 'cubic':
            cubicKeys(out, offset, stride, values, times, keys, fractions, count);
            break;
        case 'cubicRotation':
            cubicRotationKeys(out, offset, stride, values, times, keys, fractions, count);
            break;
    }
}

/** T x R x S (glTF 2.0, section 3.5.3): scale multiplies the columns of the rotation, non-uniform and negative alike. */
function applyScales(evaluator: Evaluator, count: number): void {
    const { slotGlobals, scales } = evaluator;
    const { scaledSlots } = evaluator.clip!;
    const slots = evaluator.rig.slots.nodes.length;
    for (let frame = 0; frame < count; frame++) {
        for (let i = 0; i < scaledSlots.length; i++) {
            const slot = frame * slots + scaledSlots[i]!;
            const x = scales[slot * 3]!;
            const y = scales[slot * 3 + 1]!;
            const z = scales[slot * 3 + 2]!;
            const m = slot * 12;
            slotGlobals[m] = slotGlobals[m]! * x;
            slotGlobals[m + 1] = slotGlobals[m + 1]! * y;
            slotGlobals[m + 2] = slotGlobals[m + 2]! * z;
            slotGlobals[m + 4] = slotGlobals[m + 4]! * x;
            slotGlobals[m + 5] = slotGlobals[m + 5]! * y;
            slotGlobals[m + 6] = slotGlobals[m + 6]! * z;
            slotGlobals[m + 8] = slotGlobals[m + 8]! * x;
            slotGlobals[m + 9] = slotGlobals[m + 9]! * y;
            slotGlobals[m + 10] = slotGlobals[m + 10]! * z;
        }
    }
}

function putMatrices(evaluator: Evaluator, count: number): void {
    const { slotGlobals } = evaluator;
    const { matrixSlots, matrices, nodes } = evaluator.rig.slots;
    for (let frame = 0; frame < count; frame++) {
        for (let i = 0; i < matrixSlots.length; i++) {
            const m = (frame * nodes.length + matrixSlots[i]!) * 12;
            for (let k = 0; k < 12; k++) slotGlobals[m + k] = matrices[i * 12 + k]!;
        }
    }
}

function gatherJoints(
    globals: Float32Array,
    slotGlobals: Float32Array,
    jointSlots: Int32Array,
    slots: number,
    count: number,
): void {
    let to = 0;
    for (let frame = 0; frame < count; frame++) {
        for (let joint = 0; joint < jointSlots.length; joint++) {
            const from = (frame * slots + jointSlots[joint]!) * 12;
            for (let k = 0; k < 12; k++) globals[to++] = slotGlobals[from + k]!;
        }
    }
}
