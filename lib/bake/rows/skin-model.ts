// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { significant } from '../../base/messages';
import { GLOBAL_FLOATS } from '../../rig/kernels/contract';
import { type Character, primitivesOf } from '../../rig/measure/characters';
import { boxForEach, type CentredBoxes, centredBoxes } from '../../rig/measure/displacement';
import { addOrigins, ExtentFinder, extentTimesOf, measureOf } from '../../rig/measure/extent';
import { type Box, emptyBox, type SkinGeometry } from '../../rig/measure/geometry';
import { wholeBoxesOf } from '../../rig/measure/loops';
import { skinBoxOf } from '../../rig/measure/skin-box';
import type { Poses } from '../../rig/poses';
import { columnName } from '../plan/character';
import { clipName } from '../plan/plan';
import { createBatch, evaluateBatch, readGlobals, readOrigins, SAMPLES } from './batch-size';
import { allFinite, firstNotFinite } from './floats';
import { Motion } from './motion';
import { qtsPivotsOf } from './qts-pivots';
import { type RigPlan, rigOfCharacter, type SkinRig } from './skin-rig';
import { movedSpace, rootSlotOf, SCENE_SPACE, type Space, spaceOfSlot } from './space';

/** A character ready for evaluation: its rig, its size, and the space of its matrices. */
export interface SkinModel extends SkinRig {
    readonly character: Character;
    /** Floats of a row of the palette, as 4x4 matrices. */
    readonly rowFloats: number;
    /** Lowest common ancestor of the joints, or of the attachments without a skin; -1 if there is none. */
    readonly rootSlot: number;
    /** Space of the rows. Includes the removal of root motion. */
    readonly space: Space;
    /** Root motion; null if it is neither removed nor baked. */
    readonly motion: Motion | null;
    /** Extent over the baked clips, in units of the space: docs/format.md. */
    readonly extent: number;
    readonly size: ExtentFinder;
    /**
     * Boxes that measure how far apart two poses of a column are. A joint's box holds the vertices that it moves with a
     * positive weight; an attachment's holds its mesh. A skinned vertex is a weighted mean of its positions under its
     * joints, so it moves at most as far as the corners of these boxes. Without a mesh, the box of the joints' origins
     * at rest.
     */
    readonly jointBoxes: CentredBoxes;
    /**
     * For each joint, even one that moves no vertex, the box of all skinned vertices. For each attachment, its own box.
     */
    readonly wholeBoxes: CentredBoxes;
    /** The vertices that the character moves; null if there are none. */
    readonly geometry: SkinGeometry | null;
    /** Columns of `qts16`: lib/format/qts.ts. The first call tries the poses of all clips. */
    pivots(): Float32Array;
    /** Room for a batch of frames, and at least for the samples of one interval. */
    readonly poses: Poses;
    /** Evaluates poses of a clip into `poses`, and their matrices in the space: `[pose][joint]`, column-major 4x4. */
    evaluate(clip: number, times: Float32Array | Float64Array, palette: Float32Array): void;
    /**
     * Grows a box by rows of the palette: by the skinned vertices, or without a mesh by the joints' origins.
     *
     * @param row The first row. Its pose must be in `poses`.
     */
    addRows(box: Box, palette: Float32Array, row: number, count: number): void;
}

/**
 * @param frames Maximum number of frames of a clip.
 * @throws InputError if the rest pose cannot be the origin of a space.
 */
export function modelOfCharacter(plan: RigPlan, character: Character, frames: number): SkinModel {
    const { scene, file, recipe } = plan;
    const { rig, channels, parents } = rigOfCharacter(plan, character);
    const columns = rig.skins[0]!.joints;
    const rowFloats = columns.length * 16;
    const rootSlot = rootSlotOf(rig, character.joints > 0 ? columns.subarray(0, character.joints) : columns);

    const poses = createBatch(rig, frames * SAMPLES);
    poses.count = 1; // all joints, at rest until they are evaluated
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

    const { skinned, rigid } = primitivesOf(scene, file, character);
    const skinBox = skinBoxOf([...skinned, ...rigid], character.joints, columns.length);
    const restBox = emptyBox();
    if (skinBox === null) addOrigins(restBox, originsOf(columns));
    else skinBox.addRows(restBox, restPalette);
    const wholeBoxes = wholeBoxesOf(character, skinned, skinBox, () =>
        originsOf(columns.subarray(0, character.joints || columns.length)),
    );
    const measure = measureOf(
        skinned.some(({ positions }) => positions.length > 0) ? skinBox : null,
        character.attachments,
        character.joints,
    );
    const origins = columns.subarray(0, character.joints || columns.length);
    const size = new ExtentFinder(measure);
    const addPose = (palette: Float32Array, pose: number) =>
        size.add(measure.by === 'origins' ? originsOf(origins, pose) : palette);
    if (plan.clips.length === 0) addPose(restPalette, 0);
    for (const { animation } of plan.clips) {
        const times = extentTimesOf(scene.animations[animation]!, recipe.window);
        const palette = new Float32Array(Math.min(times.length, poses.capacity) * rowFloats);
        for (let first = 0; first < times.length; first += poses.capacity) {
            const some = times.subarray(first, first + poses.capacity);
            const rows = palette.subarray(0, some.length * rowFloats);
            evaluateBatch(rig, measure.by === 'origins' ? poses : null, animation, some, rows);
            restSpace.toMat4(rows);
            if (!allFinite(rows)) throw notFinite(plan, character, animation, some, rows);
            for (let i = 0; i < some.length; i++) {
                addPose(rows.subarray(i * rowFloats, (i + 1) * rowFloats), i);
            }
        }
        if (!Number.isFinite(Math.fround(size.extent))) throw beyondFloats(plan, animation, size.extent);
    }
    const model: Omit<SkinModel, 'pivots'> = {
        rig,
        channels,
        parents,
        character,
        rowFloats,
        rootSlot,
        space,
        motion,
        extent: size.extent,
        size,
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
    let pivots: Float32Array | undefined;
    return { ...model, pivots: () => (pivots ??= qtsPivotsOf(plan, model)) };
}

function notFinite(
    { scene, file }: RigPlan,
    character: Character,
    animation: number,
    times: Float32Array,
    rows: Float32Array,
): InputError {
    const matrix = firstNotFinite(rows);
    const columns = character.nodes.length;
    const time = significant(times[Math.floor(matrix / columns)]!);
    const which = columnName(scene, character, matrix % columns);
    const rule = `${clipName(scene, animation)}, ${which}: the matrix at ${time} s is not finite`;
    return new InputError('NOT_FINITE', file, `/animations/${animation}`, rule);
}

function beyondFloats({ scene, file }: RigPlan, animation: number, extent: number): InputError {
    const rule = `${clipName(scene, animation)}: the extent is ${significant(extent)}, more than float32 can hold`;
    return new InputError('NOT_FINITE', file, `/animations/${animation}`, rule);
}
