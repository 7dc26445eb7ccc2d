// SPDX-License-Identifier: MIT

import { addPoint, type Box } from './geometry';

/**
 * How large a model is, which errors are measured against: the larger of its box's diagonal and the maximum distance
 * of a joint, or a node above one, from the origin.
 *
 * @param box Of the rest pose: of the skinned vertices, or of the joints' origins without a mesh.
 * @param origins Where the joints and all nodes above them are in the rest pose, x y z for each.
 */
export function extentOf(box: Box, origins: Float32Array): number {
    let squared = squaredLength(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
    for (let o = 0; o < origins.length; o += 3) {
        const distance = squaredLength(origins[o]!, origins[o + 1]!, origins[o + 2]!);
        if (distance > squared) squared = distance;
    }
    return Math.sqrt(squared);
}

/** Grows a box by points, x y z each. */
export function addOrigins(box: Box, origins: Float32Array): void {
    for (let o = 0; o < origins.length; o += 3) addPoint(box, origins[o]!, origins[o + 1]!, origins[o + 2]!);
}

function squaredLength(x: number, y: number, z: number): number {
    return x * x + y * y + z * z;
}
