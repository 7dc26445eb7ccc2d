// SPDX-License-Identifier: MIT

import type { GltfScene } from '../gltf/scene';
import { buildSlots, columnMajorToJointMat, type SlotTable } from './slots';

/** One skin, ready to be evaluated. `joints` below is the number of joints of the skin. */
export interface SkinRig {
    /** Index of the skin in the file. */
    readonly skin: number;
    readonly slots: SlotTable;
    /** Node index of each joint, in the order of `skin.joints`, which is the order of JOINTS_n and of the palette. */
    readonly jointNodes: Int32Array;
    /** Slot of each joint. */
    readonly jointSlots: Int32Array;
    /** The nearest joint of the skin above each joint, as an index into the joints; -1 where there is none. */
    readonly jointParents: Int32Array;
    /** Inverse bind matrices as JointMats, `joints * 12`. */
    readonly inverseBinds: Float32Array;
}

/**
 * Binds a skin to the nodes that place it. `skin.skeleton` and the transform of the skinned mesh's own node do not
 * enter (glTF 2.0 sections 3.7.3.1 and 3.7.3.2): only joints, what is above them, and the inverse bind matrices.
 *
 * @param skin Index into `scene.skins`.
 */
export function rigOfSkin(scene: GltfScene, skin: number): SkinRig {
    const { joints, inverseBindMatrices } = scene.skins[skin]!;
    const slots = buildSlots(scene.nodes, joints);
    const jointNodes = Int32Array.from(joints);
    const jointSlots = new Int32Array(joints.length);
    const inverseBinds = new Float32Array(joints.length * 12);
    const jointOfSlot = new Int32Array(slots.nodes.length).fill(-1);
    for (let joint = joints.length - 1; joint >= 0; joint--) {
        const slot = slots.slotOfNode[joints[joint]!]!;
        jointSlots[joint] = slot;
        jointOfSlot[slot] = joint; // walked backwards, so that the first mention of a repeated joint stands
        columnMajorToJointMat(inverseBinds, joint * 12, inverseBindMatrices, joint * 16);
    }
    return {
        skin,
        slots,
        jointNodes,
        jointSlots,
        jointParents: nearestJoints(slots, jointSlots, jointOfSlot),
        inverseBinds,
    };
}

function nearestJoints(slots: SlotTable, jointSlots: Int32Array, jointOfSlot: Int32Array): Int32Array {
    // Parents come first, so one pass carries the nearest joint above down every chain.
    const above = new Int32Array(slots.nodes.length);
    for (let slot = 0; slot < above.length; slot++) {
        const parent = slots.parents[slot]!;
        if (parent < 0) above[slot] = -1;
        else above[slot] = jointOfSlot[parent]! >= 0 ? jointOfSlot[parent]! : above[parent]!;
    }
    return jointSlots.map((slot) => above[slot]!);
}
