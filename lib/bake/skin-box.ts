// SPDX-License-Identifier: MIT

import type { SkinnedPrimitive } from '../gltf/scene';
import { defaultRig } from '../rig/implementations';
import { typescriptSkinning } from '../rig/kernels';
import { blockFloats, GLOBAL_FLOATS, LANES, LOCAL_FLOATS, type RigImplementation } from '../rig/kernels/contract';
import { type CentredBoxes, centredBoxes } from './displacement';
import { addSkinned, type Box, emptyBox, geometryOf, type SkinGeometry } from './geometry';

/** Finds boxes of what a skin moves. */
export interface SkinBox {
    /** For each joint the box of the vertices that it moves, as the file has them. */
    readonly jointBoxes: CentredBoxes;
    /** The box of all vertices, as the file has them. */
    readonly wholeBox: CentredBoxes;
    /** The box of one row of a palette, in double precision. */
    boxOf(palette: Float32Array): Box;
    /**
     * Finds the box of each row by the Rig's kernel `bounds`: float32, every vertex in every row.
     *
     * @param boxes Written: `[row][6]`.
     * @param palette `[row][joint]`, column-major 4x4.
     */
    writeBoxes(boxes: Float32Array, palette: Float32Array): void;
}

/** Null where the skin deforms nothing. Morph targets are left aside. */
export function skinBoxOf(
    primitives: readonly SkinnedPrimitive[],
    joints: number,
    implementation: RigImplementation = defaultRig,
): SkinBox | null {
    if (primitives.every(({ positions }) => positions.length === 0)) return null;
    const geometry = geometryOf(primitives, joints);
    const { jointBoxes } = geometry;
    const whole = emptyBox();
    for (let i = 0; i < jointBoxes.length; i++) {
        const side = i % 6;
        whole[side] = side < 3 ? Math.min(whole[side]!, jointBoxes[i]!) : Math.max(whole[side]!, jointBoxes[i]!);
    }
    return {
        jointBoxes: centredBoxes(jointBoxes),
        wholeBox: centredBoxes(whole),
        boxOf(palette) {
            const box = emptyBox();
            addSkinned(box, geometry, palette);
            return box;
        },
        writeBoxes: boxWriter(geometry, joints, implementation),
    };
}

/**
 * The kernel takes poses of a rig. This rig has a slot for each joint and identities as inverse bind matrices, so that the
 * globals of a pose are the matrices of a row, whatever space they are in and half floats or not.
 */
function boxWriter(geometry: SkinGeometry, joints: number, implementation: RigImplementation): SkinBox['writeBoxes'] {
    const each = Int32Array.from({ length: joints }, (_, joint) => joint);
    const none = new Int32Array(joints).fill(-1);
    const [floats, ints] = [new Float32Array(0), new Uint32Array(0)];
    const inverseBinds = new Float32Array(joints * GLOBAL_FLOATS).map((_, i) =>
        (i % GLOBAL_FLOATS) % 5 === 0 ? 1 : 0,
    );
    const mesh = {
        ...geometry,
        skin: 0,
        joints: each,
        normals: floats,
        firstWeight: 0,
        targetCount: 0,
        morphStarts: ints,
        morphTargets: ints,
        morphPositions: floats,
        morphNormals: floats,
    };
    const { bounds } = (implementation.skinning ?? typescriptSkinning)
        .load({
            slots: joints,
            rest: new Float32Array(joints * LOCAL_FLOATS),
            restWeights: floats,
            matrices: floats,
            morphs: none.subarray(0, 0),
            skins: [{ joints: each, inverseBinds }],
            clips: [],
            meshes: [mesh],
        })
        .select({ slots: each, places: each, parents: none, matrices: none, hintGroups: 0 });
    const block = new Float32Array(blockFloats(joints, 0));
    const globals = block.subarray(joints * LOCAL_FLOATS * LANES);
    return (boxes, palette) => {
        const rows = boxes.length / 6;
        for (let first = 0; first < rows; first += LANES) {
            const count = Math.min(LANES, rows - first);
            for (let row = 0; row < count; row++) {
                spread(globals.subarray(row), palette, (first + row) * joints * 16, joints);
            }
            bounds(block, count, 0, boxes.subarray(first * 6, (first + count) * 6));
        }
    };
}

/** From column-major 4x4 to row-major 3x4, elements `LANES` apart. */
function spread(globals: Float32Array, palette: Float32Array, from: number, joints: number): void {
    let to = 0;
    for (let m = from; m < from + joints * 16; m += 16) {
        for (let row = m; row < m + 3; row++) {
            for (let element = row; element < row + 16; element += 4) {
                globals[to] = palette[element]!;
                to += LANES;
            }
        }
    }
}
