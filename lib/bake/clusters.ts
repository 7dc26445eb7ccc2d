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
    const order = sortedByJoint(dominant, joints);
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

function dominantJoints({ vertexCount, starts, joints, weights }: SkinGeometry): Int32Array {
    const dominant = new Int32Array(vertexCount);
    for (let v = 0; v < vertexCount; v++) {
        let best = starts[v]!;
        for (let i = best + 1; i < starts[v + 1]!; i++) if (weights[i]! > weights[best]!) best = i;
        dominant[v] = joints[best]!;
    }
    return dominant;
}

/** Vertices that one joint moves stay in the file's order, which is mostly one of neighbours. */
function sortedByJoint(dominant: Int32Array, joints: number): Uint32Array {
    const next = new Int32Array(joints + 1);
    for (let v = 0; v < dominant.length; v++) next[dominant[v]! + 1]!++;
    for (let joint = 1; joint < joints; joint++) next[joint]! += next[joint - 1]!;
    const order = new Uint32Array(dominant.length);
    for (let v = 0; v < dominant.length; v++) order[next[dominant[v]!]!++] = v;
    return order;
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
