// SPDX-License-Identifier: MIT

import { addPoint, type Box, emptyBox, type SkinGeometry } from './geometry';

/** Vertices that one test may spare. */
const CLUSTER_VERTICES = 16;

/**
 * A skin's vertices in clusters, to find the box of a whole clip without moving every vertex in every frame.
 *
 * A skinned vertex is a weighted mean of the places where its joints alone would put it, so it lies in the box around
 * these places. What such a box says cannot reach beyond the box found so far need not be looked at: first for all
 * that a joint moves, then for each cluster, and only then vertex by vertex. To the rounding of a double the result is
 * that of moving all of them.
 */
export interface ClusteredGeometry {
    /** Sorted by cluster. */
    readonly geometry: SkinGeometry;
    /** Cluster c: vertices `clusterStarts[c]` to `clusterStarts[c + 1] - 1`. */
    readonly clusterStarts: Int32Array;
    /** Each cluster's box in mesh space: centre x y z, half size x y z. */
    readonly clusterBoxes: Float64Array;
    /** The same for all vertices that a joint moves; the half size is negative where there are none. */
    readonly jointBoxes: Float64Array;
    /** Clusters that joint j moves: elements `jointStarts[j]` to `jointStarts[j + 1] - 1` of `jointClusters`. */
    readonly jointStarts: Int32Array;
    readonly jointClusters: Int32Array;
    /** Scratch: for each cluster and side of the box, the number of the row for which it was last looked at. */
    readonly seen: Float64Array;
    /** Scratch: counts rows. */
    row: number;
    /** Scratch: how far out each joint may reach, `[row][joint][side]`. */
    reach: Float64Array;
}

/** @param joints How many joints the skin has. */
export function clusterGeometry(unsorted: SkinGeometry, joints: number): ClusteredGeometry {
    const dominant = dominantJoints(unsorted);
    // A stable sort: vertices that one joint moves stay in the file's order, which is mostly one of neighbours.
    const order = Uint32Array.from(dominant, (_, v) => v).sort((a, b) => dominant[a]! - dominant[b]! || a - b);
    const geometry = reorder(unsorted, order);
    const starts = [0];
    for (let v = 1; v <= geometry.vertexCount; v++) {
        const start = starts[starts.length - 1]!;
        const full = v - start === CLUSTER_VERTICES;
        if (v === geometry.vertexCount || full || dominant[order[v]!] !== dominant[order[start]!]) starts.push(v);
    }
    const clusters = starts.length - 1;
    const clusterBoxes = new Float64Array(clusters * 6);
    const jointBounds = Array.from({ length: joints }, emptyBox);
    const members: number[][] = Array.from({ length: joints }, () => []);
    for (let c = 0; c < clusters; c++) {
        const box = emptyBox();
        for (let v = starts[c]!; v < starts[c + 1]!; v++) {
            addVertex(box, geometry, v);
            for (let i = geometry.starts[v]!; i < geometry.starts[v + 1]!; i++) {
                const joint = geometry.joints[i]!;
                addVertex(jointBounds[joint]!, geometry, v);
                const list = members[joint]!;
                if (list[list.length - 1] !== c) list.push(c);
            }
        }
        clusterBoxes.set(centreAndHalf(box), c * 6);
    }
    const jointBoxes = new Float64Array(joints * 6);
    const jointStarts = new Int32Array(joints + 1);
    for (let joint = 0; joint < joints; joint++) {
        jointBoxes.set(centreAndHalf(jointBounds[joint]!), joint * 6);
        jointStarts[joint + 1] = jointStarts[joint]! + members[joint]!.length;
    }
    return {
        geometry,
        clusterStarts: Int32Array.from(starts),
        clusterBoxes,
        jointBoxes,
        jointStarts,
        jointClusters: Int32Array.from(members.flat()),
        seen: new Float64Array(clusters * 6),
        row: 0,
        reach: new Float64Array(0),
    };
}

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
        for (let axis = 0; axis < 3; axis++) {
            const up = reachOf(palette, entry * 16 + axis, 1, jointBoxes, boxAt);
            const down = reachOf(palette, entry * 16 + axis, -1, jointBoxes, boxAt);
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

function dominantJoints({ vertexCount, starts, joints, weights }: SkinGeometry): Int32Array {
    const dominant = new Int32Array(vertexCount);
    for (let v = 0; v < vertexCount; v++) {
        let best = starts[v]!;
        for (let i = best + 1; i < starts[v + 1]!; i++) if (weights[i]! > weights[best]!) best = i;
        dominant[v] = joints[best]!;
    }
    return dominant;
}

function reorder(geometry: SkinGeometry, order: Uint32Array): SkinGeometry {
    const { vertexCount } = geometry;
    const positions = new Float32Array(vertexCount * 3);
    const starts = new Int32Array(vertexCount + 1);
    const joints = new Int32Array(geometry.joints.length);
    const weights = new Float64Array(geometry.weights.length);
    for (let v = 0; v < vertexCount; v++) {
        const from = order[v]!;
        const first = geometry.starts[from]!;
        const end = geometry.starts[from + 1]!;
        for (let k = 0; k < 3; k++) positions[v * 3 + k] = geometry.positions[from * 3 + k]!;
        for (let i = first; i < end; i++) {
            joints[starts[v]! + i - first] = geometry.joints[i]!;
            weights[starts[v]! + i - first] = geometry.weights[i]!;
        }
        starts[v + 1] = starts[v]! + end - first;
    }
    return { vertexCount, positions, starts, joints, weights };
}

function addVertex(box: Box, { positions }: SkinGeometry, v: number): void {
    addPoint(box, positions[v * 3]!, positions[v * 3 + 1]!, positions[v * 3 + 2]!);
}

function centreAndHalf(box: Box): number[] {
    const result: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
        const empty = box[axis]! > box[axis + 3]!;
        result[axis] = empty ? 0 : (box[axis]! + box[axis + 3]!) / 2;
        result[axis + 3] = empty ? -1 : (box[axis + 3]! - box[axis]!) / 2;
    }
    return result;
}
