// SPDX-License-Identifier: MIT

import { addPoint, addSkinnedVertices, type Box, emptyBox, type SkinGeometry } from './geometry';

/** How large a skinned model is: what errors and tolerances are measured against. */
export interface Extent {
    /** The 8 corners of the rest pose's box, `8 * 3`: of the skinned vertices, or of the joint origins without a mesh. */
    readonly corners: Float64Array;
    /** The greater of the box's diagonal and the greatest distance of a joint, or a node above one, from the origin. */
    readonly extent: number;
}

/**
 * @param geometry Null where the skin deforms no mesh.
 * @param restPalette The rest pose, one column-major 4x4 for each joint.
 * @param restJoints Where the joints' origins are in the rest pose, x y z for each.
 * @param restSlots The same for the joints and all nodes above them.
 */
export function extentOf(
    geometry: SkinGeometry | null,
    restPalette: Float32Array,
    restJoints: Float32Array,
    restSlots: Float32Array,
): Extent {
    const box = emptyBox();
    if (geometry === null) addOrigins(box, restJoints, restJoints.length);
    else addSkinnedVertices(box, geometry, restPalette);
    const corners = new Float64Array(24);
    for (let corner = 0; corner < 8; corner++) {
        for (let axis = 0; axis < 3; axis++) corners[corner * 3 + axis] = box[axis + ((corner >> axis) & 1) * 3]!;
    }
    let squared = squaredLength(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
    for (let o = 0; o < restSlots.length; o += 3) {
        const distance = squaredLength(restSlots[o]!, restSlots[o + 1]!, restSlots[o + 2]!);
        if (distance > squared) squared = distance;
    }
    return { corners, extent: Math.sqrt(squared) };
}

/** Grows a box by the first `floats / 3` points. */
export function addOrigins(box: Box, origins: Float32Array, floats: number): void {
    for (let o = 0; o < floats; o += 3) addPoint(box, origins[o]!, origins[o + 1]!, origins[o + 2]!);
}

/**
 * How far apart two rows of a palette are: the greatest distance between where they put a corner.
 *
 * @param a Column-major 4x4 matrices of the one row, `b` of the other: as many.
 */
export function rowDistance(corners: Float64Array, a: Float32Array, b: Float32Array): number {
    let greatest = 0;
    for (let m = 0; m < a.length; m += 16) {
        for (let c = 0; c < 24; c += 3) {
            const x = displacement(a, b, m, corners, c);
            const y = displacement(a, b, m + 1, corners, c);
            const z = displacement(a, b, m + 2, corners, c);
            const squared = squaredLength(x, y, z);
            if (squared > greatest) greatest = squared;
        }
    }
    return Math.sqrt(greatest);
}

function displacement(a: Float32Array, b: Float32Array, m: number, corners: Float64Array, c: number): number {
    return (
        (a[m]! - b[m]!) * corners[c]! +
        (a[m + 4]! - b[m + 4]!) * corners[c + 1]! +
        (a[m + 8]! - b[m + 8]!) * corners[c + 2]! +
        (a[m + 12]! - b[m + 12]!)
    );
}

function squaredLength(x: number, y: number, z: number): number {
    return x * x + y * y + z * z;
}
