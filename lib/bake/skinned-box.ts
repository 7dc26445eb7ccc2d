// SPDX-License-Identifier: MIT

import type { ClusteredGeometry } from './clusters';
import type { Box, SkinGeometry } from './geometry';

/**
 * Grows `box` to hold every vertex in each of `count` rows of the palette.
 *
 * @param palette `[row][joint]`, column-major 4x4.
 */
export function addSkinnedRows(box: Box, clustered: ClusteredGeometry, palette: Float32Array, count: number): void {
    const joints = clustered.jointStarts.length - 1;
    const entries = count * joints;
    if (clustered.reach.length < entries * 6) clustered.reach = new Float64Array(entries * 6);
    const { reach, jointBoxes } = clustered;
    // How far each side of the box is out: greatest x, y, z, then least x, y, z with the sign changed.
    const sides = Float64Array.of(box[3]!, box[4]!, box[5]!, -box[0]!, -box[1]!, -box[2]!);
    const farthest = Float64Array.from(sides);
    const farthestEntry = new Int32Array(6).fill(-1);
    for (let entry = 0; entry < entries; entry++) {
        const boxAt = (entry % joints) * 6;
        const hx = jointBoxes[boxAt + 3]!;
        if (hx < 0) {
            // Moves nothing.
            for (let side = 0; side < 6; side++) reach[entry * 6 + side] = -Infinity;
            continue;
        }
        for (let axis = 0; axis < 3; axis++) {
            const r = entry * 16 + axis;
            const x = palette[r]!;
            const y = palette[r + 4]!;
            const z = palette[r + 8]!;
            const cx = jointBoxes[boxAt]!;
            const centre = x * cx + y * jointBoxes[boxAt + 1]! + z * jointBoxes[boxAt + 2]! + palette[r + 12]!;
            const hy = jointBoxes[boxAt + 4]!;
            const half = (x < 0 ? -x : x) * hx + (y < 0 ? -y : y) * hy + (z < 0 ? -z : z) * jointBoxes[boxAt + 5]!;
            const up = centre + half;
            const down = half - centre;
            reach[entry * 6 + axis] = up;
            reach[entry * 6 + axis + 3] = down;
            if (up > farthest[axis]!) {
                farthest[axis] = up;
                farthestEntry[axis] = entry;
            }
            if (down > farthest[axis + 3]!) {
                farthest[axis + 3] = down;
                farthestEntry[axis + 3] = entry;
            }
        }
    }
    // What may reach farthest comes first: the sooner the box is large, the less has to be looked at.
    for (let side = 0; side < 6; side++) {
        if (farthestEntry[side]! >= 0)
            visitJoint(sides, clustered, palette, farthestEntry[side]!, side, ++clustered.row);
    }
    for (let entry = 0; entry < entries; entry++) {
        if (entry % joints === 0) clustered.row++;
        for (let side = 0; side < 6; side++) {
            if (reach[entry * 6 + side]! > sides[side]!) {
                visitJoint(sides, clustered, palette, entry, side, clustered.row);
            }
        }
    }
    for (let axis = 0; axis < 3; axis++) {
        box[axis] = -sides[axis + 3]!;
        box[axis + 3] = sides[axis]!;
    }
}

/** Moves one side out to hold all that a joint moves, in one row; `entry` is row x joints + joint. */
function visitJoint(
    sides: Float64Array,
    clustered: ClusteredGeometry,
    palette: Float32Array,
    entry: number,
    side: number,
    row: number,
): void {
    const { geometry, clusterStarts, clusterBoxes, jointStarts, jointClusters, seen } = clustered;
    const joints = jointStarts.length - 1;
    const joint = entry % joints;
    const firstMat = (entry - joint) * 16;
    const axis = side < 3 ? side : side - 3;
    const sign = side < 3 ? 1 : -1;
    for (let i = jointStarts[joint]!; i < jointStarts[joint + 1]!; i++) {
        const c = jointClusters[i]!;
        if (seen[c * 6 + side] === row) continue;
        if (reachOf(palette, entry * 16 + axis, sign, clusterBoxes, c * 6) <= sides[side]!) continue;
        seen[c * 6 + side] = row;
        addVertices(sides, geometry, clusterStarts[c]!, clusterStarts[c + 1]!, palette, firstMat, side);
    }
}

/**
 * How far the box `boxes[at]` is out on one side, once it has been moved: by the row of a matrix that starts at `palette[r]`,
 * the side of that axis' `sign`. -Infinity for an empty box.
 */
function reachOf(palette: Float32Array, r: number, sign: number, boxes: Float64Array, at: number): number {
    const hx = boxes[at + 3]!;
    if (hx < 0) return -Infinity;
    const x = palette[r]!;
    const y = palette[r + 4]!;
    const z = palette[r + 8]!;
    const centre = x * boxes[at]! + y * boxes[at + 1]! + z * boxes[at + 2]! + palette[r + 12]!;
    const half = (x < 0 ? -x : x) * hx + (y < 0 ? -y : y) * boxes[at + 4]! + (z < 0 ? -z : z) * boxes[at + 5]!;
    return sign * centre + half;
}

/** Moves one side out to hold vertices `first` to `end - 1`. */
function addVertices(
    sides: Float64Array,
    { positions, starts, joints, weights }: SkinGeometry,
    first: number,
    end: number,
    palette: Float32Array,
    firstMat: number,
    side: number,
): void {
    const row = firstMat + (side < 3 ? side : side - 3);
    const sign = side < 3 ? 1 : -1;
    let greatest = sides[side]!;
    if (starts[end]! - starts[first]! === end - first) {
        // One joint moves each vertex of the cluster, and so the same joint all of them: a common case.
        const m = row + joints[starts[first]!]! * 16;
        const a = sign * palette[m]!;
        const b = sign * palette[m + 4]!;
        const c = sign * palette[m + 8]!;
        const d = sign * palette[m + 12]!;
        for (let p = first * 3; p < end * 3; p += 3) {
            const out = a * positions[p]! + b * positions[p + 1]! + c * positions[p + 2]! + d;
            if (out > greatest) greatest = out;
        }
        sides[side] = greatest;
        return;
    }
    for (let v = first; v < end; v++) {
        const x = positions[v * 3]!;
        const y = positions[v * 3 + 1]!;
        const z = positions[v * 3 + 2]!;
        let place = 0;
        for (let i = starts[v]!; i < starts[v + 1]!; i++) {
            const m = row + joints[i]! * 16;
            place += weights[i]! * (palette[m]! * x + palette[m + 4]! * y + palette[m + 8]! * z + palette[m + 12]!);
        }
        const out = sign * place;
        if (out > greatest) greatest = out;
    }
    sides[side] = greatest;
}
