// SPDX-License-Identifier: MIT

import { InputError } from '../errors';
import { decodedLimit } from '../gltf/limits';
import { GLOBAL_FLOATS } from '../rig/kernels/contract';
import type { Poses } from '../rig/poses';
import type { Rig } from '../rig/rig';
import { createBatch, evaluateBatch, readGlobals, readOrigins } from './batch';
import type { Character } from './character';
import { BOX_NUMBERS, boxForEach, type CentredBoxes, centredBoxes } from './displacement';
import { addOrigins, extentOf } from './extent';
import { type Box, emptyBox, type MovedPrimitive, type SkinGeometry } from './geometry';
import { cornersAt } from './instances';
import { Motion } from './motion';
import { SAMPLES } from './playback-error';
import { skinBoxOf } from './skin-box';
import { type RigPlan, rigOfCharacter, type SkinRig } from './skin-rig';
import { movedSpace, rootSlotOf, SCENE_SPACE, type Space, spaceOfSlot } from './space';

/** A character that is ready to be evaluated: its rig, its size, and where its matrices place it. */
export interface SkinModel extends SkinRig {
    readonly character: Character;
    /** Floats of a row of the palette, as 4x4 matrices. */
    readonly rowFloats: number;
    /** Lowest common ancestor of the joints, without a skin of the attachments; -1 where there is none. */
    readonly rootSlot: number;
    /** Of rows: in place, where root motion is taken out. */
    readonly space: Space;
    /** Null where it is neither taken out nor baked. */
    readonly motion: Motion | null;
    /** In the units of the space. */
    readonly extent: number;
    /**
     * What tells how far apart two poses of a column are: for each joint the box of the vertices that it moves with a weight
     * above 0, for each attachment that of its mesh. A skinned vertex is a weighted mean of where its joints put it, so it is nowhere displaced by more than the
     * corners of its joints' boxes are. Without a mesh, the box of the joints' origins at rest.
     */
    readonly jointBoxes: CentredBoxes;
    /** For each joint, also those that move no vertex, the box of all skinned vertices; for each attachment its own. */
    readonly wholeBoxes: CentredBoxes;
    /** What the character moves; null where there is no vertex. */
    readonly geometry: SkinGeometry | null;
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
export function modelOfCharacter(plan: RigPlan, character: Character, frames: number): SkinModel {
    const { file, recipe } = plan;
    const { rig, channels, parents } = rigOfCharacter(plan, character);
    const columns = rig.skins[0]!.joints;
    const rowFloats = columns.length * 16;
    const rootSlot = rootSlotOf(rig, character.joints > 0 ? columns.subarray(0, character.joints) : columns);

    const poses = createBatch(rig, frames * SAMPLES);
    poses.count = 1; // of all of them, which are at rest until they are evaluated
    rig.toGlobal(poses);
    const globals = new Float32Array(rig.slots.length * GLOBAL_FLOATS);
    readGlobals(globals, poses, Int32Array.from(rig.slots.keys()));
    const restSpace = recipe.space === 'scene' ? SCENE_SPACE : spaceOfSlot(rig, rootSlot, globals, file);
    const motion = recipe.root === null ? null : new Motion(plan, character, rig, rootSlot, globals, poses);
    const space = motion?.inPlace
        ? movedSpace(
              restSpace,
              () => poses.count,
              (pose) => motion.inverseOf(pose),
          )
        : restSpace;
    const restPalette = new Float32Array(rowFloats);
    rig.palettes(poses, 0, restPalette, 'mat4');
    restSpace.toMat4(restPalette);
    const originsOf = (slots: Int32Array, first = 0, count = 1, within = restSpace): Float32Array => {
        const origins = new Float32Array(count * slots.length * 3);
        readOrigins(origins, poses, slots, first);
        within.toPoints(origins, first, count);
        return origins;
    };

    const { skinned, rigid } = primitivesOf(plan, character);
    const skinBox = skinBoxOf([...skinned, ...rigid], character.joints, columns.length);
    const restBox = emptyBox();
    if (skinBox === null) addOrigins(restBox, originsOf(columns));
    else skinBox.addRows(restBox, restPalette);
    const wholeBox = emptyBox();
    for (const { positions } of skinned) addOrigins(wholeBox, positions);
    if (wholeBox[0]! > wholeBox[3]!)
        addOrigins(wholeBox, originsOf(columns.subarray(0, character.joints || columns.length)));
    const wholeBoxes = boxForEach(centredBoxes(wholeBox), columns.length);
    const attached = character.joints * BOX_NUMBERS;
    if (skinBox !== null) wholeBoxes.set(skinBox.jointBoxes.subarray(attached), attached);
    return {
        rig,
        channels,
        parents,
        character,
        rowFloats,
        rootSlot,
        space,
        motion,
        extent: extentOf(restBox, originsOf(slotsAbove(rig, columns))),
        jointBoxes: skinBox?.jointBoxes ?? boxForEach(centredBoxes(restBox), columns.length),
        wholeBoxes,
        geometry: skinBox?.geometry ?? null,
        poses,
        evaluate(clip, times, palette) {
            evaluateBatch(rig, poses, clip, times, palette);
            motion?.measure(clip);
            space.toMat4(palette);
        },
        addRows(box, palette, row, count) {
            if (skinBox === null) addOrigins(box, originsOf(columns, row, count, space));
            else skinBox.addRows(box, palette.subarray(row * rowFloats, (row + count) * rowFloats));
        },
    };
}

/** Some slots and all above them. */
function slotsAbove({ slots }: Rig, columns: Int32Array): Int32Array {
    const above = new Uint8Array(slots.length);
    for (const column of columns)
        for (let at = column; at >= 0 && above[at] === 0; at = slots[at]!.parent) above[at] = 1;
    return Int32Array.from(slots.keys()).filter((slot) => above[slot] === 1);
}

/**
 * All that a character moves.
 *
 * @throws InputError `GLTF_INVALID` for more vertices than the file may have: nodes may share a mesh in any number.
 */
function primitivesOf(
    { scene, file }: RigPlan,
    { skins, joints, attachments }: Character,
): Record<'skinned' | 'rigid', MovedPrimitive[]> {
    const own = new Set(skins);
    // The node of a skinned mesh plays no part, so one is like another.
    const meshes = new Map(scene.skinnedMeshes.flatMap((mesh) => (own.has(mesh.skin) ? [[mesh.mesh, mesh]] : [])));
    const skinned = [...meshes.values()].flatMap(({ primitives }) => primitives);
    const rigid = attachments.flatMap(({ primitives, instances }, i) =>
        (instances === undefined ? primitives : cornersAt(primitives, instances)).map((primitive) => ({
            ...primitive,
            column: joints + i,
        })),
    );
    const numbers = rigid.reduce((sum, { positions }) => sum + positions.length, 0);
    const limit = decodedLimit(scene.ownBytes ?? { stored: 0, expanded: 0 });
    if (numbers > limit) {
        const rule = `the meshes of all attachments have ${numbers} numbers, more than ${limit}, the limit here`;
        throw new InputError('GLTF_INVALID', file, '/meshes', rule);
    }
    return { skinned, rigid };
}
