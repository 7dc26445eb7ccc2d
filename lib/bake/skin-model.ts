// SPDX-License-Identifier: MIT

import { GLOBAL_FLOATS } from '../rig/kernels/contract';
import type { Poses } from '../rig/poses';
import { createBatch, evaluateBatch, readGlobals, readOrigins } from './batch';
import { boxForEach, type CentredBoxes, centredBoxes } from './displacement';
import { addOrigins, extentOf } from './extent';
import { type Box, emptyBox } from './geometry';
import { SAMPLES } from './playback-error';
import { skinBoxOf } from './skin-box';
import { type RigPlan, rigOfSkin, type SkinRig } from './skin-rig';
import { rootSlotOf, SCENE_SPACE, type Space, spaceOfSlot } from './space';

/** A skin that is ready to be evaluated: its rig, its size, and where its matrices place it. */
export interface SkinModel extends SkinRig {
    readonly skin: number;
    /** Floats of a row of the palette, as 4x4 matrices. */
    readonly rowFloats: number;
    /** Lowest common ancestor of the joints, -1 where there is none. */
    readonly rootSlot: number;
    readonly space: Space;
    /** In the units of the space. */
    readonly extent: number;
    /**
     * What tells how far apart two poses of a joint are: for each joint the box of the vertices that it moves with a weight
     * above 0. A skinned vertex is a weighted mean of where its joints put it, so it is nowhere displaced by more than the
     * corners of its joints' boxes are. Without a mesh, the box of the joints' origins at rest.
     */
    readonly jointBoxes: CentredBoxes;
    /** One for all joints, also for those that move no vertex: the box of all vertices. */
    readonly wholeBox: CentredBoxes;
    /** For a batch of frames, or the samples of one interval between two at least. */
    readonly poses: Poses;
    /** Evaluates `poses` of a clip, and `[pose][joint]` 4x4 matrices of them, which are in the space then. */
    evaluate(clip: number, times: Float32Array | Float64Array, palette: Float32Array): void;
    /**
     * Grows a box by some rows of the palette of `poses`: by the skinned vertices, or by the joints' origins without a mesh.
     *
     * @param row The first of them; `poses` have just been evaluated.
     */
    addRows(box: Box, palette: Float32Array, row: number, count: number): void;
}

/**
 * @param frames How many a clip has at most.
 * @throws InputError where the rest pose cannot be the origin of a space.
 */
export function modelOfSkin(plan: RigPlan, skin: number, frames: number): SkinModel {
    const { scene, file, recipe } = plan;
    const { rig, channels } = rigOfSkin(plan, skin);
    const { joints } = rig.skins[0]!;
    const rowFloats = joints.length * 16;
    const rootSlot = rootSlotOf(rig);

    const poses = createBatch(rig, frames * SAMPLES);
    poses.count = 1; // of all of them, which are at rest until they are evaluated
    rig.toGlobal(poses);
    const globals = new Float32Array(rig.slots.length * GLOBAL_FLOATS);
    readGlobals(globals, poses, Int32Array.from(rig.slots.keys()));
    const space = recipe.space === 'scene' ? SCENE_SPACE : spaceOfSlot(rig, rootSlot, globals, file);
    const restPalette = new Float32Array(rowFloats);
    rig.palettes(poses, 0, restPalette, 'mat4');
    space.toMat4(restPalette);
    const originsOf = (slots: Int32Array, first = 0, count = 1): Float32Array => {
        const origins = new Float32Array(count * slots.length * 3);
        readOrigins(origins, poses, slots, first);
        space.toPoints(origins);
        return origins;
    };

    const primitives = scene.skinnedMeshes.filter((mesh) => mesh.skin === skin).flatMap((mesh) => mesh.primitives);
    const skinBox = skinBoxOf(primitives, joints.length);
    const restBox = emptyBox();
    if (skinBox === null) addOrigins(restBox, originsOf(joints));
    else skinBox.addRows(restBox, restPalette);
    const wholeBox = skinBox?.wholeBox ?? centredBoxes(restBox);
    return {
        rig,
        channels,
        skin,
        rowFloats,
        rootSlot,
        space,
        extent: extentOf(restBox, originsOf(Int32Array.from(rig.slots.keys()))),
        jointBoxes: skinBox?.jointBoxes ?? boxForEach(wholeBox, joints.length),
        wholeBox,
        poses,
        evaluate(clip, times, palette) {
            evaluateBatch(rig, poses, clip, times, palette);
            space.toMat4(palette);
        },
        addRows(box, palette, row, count) {
            if (skinBox === null) addOrigins(box, originsOf(joints, row, count));
            else skinBox.addRows(box, palette.subarray(row * rowFloats, (row + count) * rowFloats));
        },
    };
}
