// SPDX-License-Identifier: MIT

import { BOX_NUMBERS, type CentredBoxes, centredBoxes } from './displacement';
import { addPoint, emptyBoxes, type SkinGeometry } from './geometry';

/** Vertices of a cluster. One test of its box can skip them all. */
const CLUSTER_VERTICES = 16;

/** A skin's vertices in clusters of neighbors with the same dominant joint. */
export interface Clusters {
    /** The vertices, sorted by cluster. */
    readonly geometry: SkinGeometry;
    /** Cluster c: vertices `clusterStarts[c]` to `clusterStarts[c + 1] - 1`. */
    readonly clusterStarts: Int32Array;
    /** `[cluster]`, mesh space. */
    readonly clusterBoxes: CentredBoxes;
    /** Clusters that joint j moves: elements `jointStarts[j]` to `jointStarts[j + 1] - 1` of `jointClusters`. */
    readonly jointStarts: Int32Array;
    readonly jointClusters: Int32Array;
}

/** @param joints Number of joints of the skin. */
export function clustersOf(unsorted: SkinGeometry, joints: number): Clusters {
    const dominant = dominantJoints(unsorted);
    const order = sortedByJoint(dominant, joints);
    const geometry = reorder(unsorted, order);
    const { vertexCount, positions, starts: influences } = geometry;
    const starts = [0];
    for (let v = 1; v <= vertexCount; v++) {
        const start = starts[starts.length - 1]!;
        const full = v - start === CLUSTER_VERTICES;
        if (v === vertexCount || full || dominant[order[v]!] !== dominant[order[start]!]) starts.push(v);
    }
    const boxes = emptyBoxes(starts.length - 1);
    const members: number[][] = Array.from({ length: joints }, () => []);
    for (let c = 0; c < starts.length - 1; c++) {
        for (let v = starts[c]!; v < starts[c + 1]!; v++) {
            addPoint(boxes, positions[v * 3]!, positions[v * 3 + 1]!, positions[v * 3 + 2]!, c * BOX_NUMBERS);
            for (let i = influences[v]!; i < influences[v + 1]!; i++) {
                const list = members[geometry.joints[i]!]!;
                if (list[list.length - 1] !== c) list.push(c);
            }
        }
    }
    const jointStarts = new Int32Array(joints + 1);
    for (let joint = 0; joint < joints; joint++) jointStarts[joint + 1] = jointStarts[joint]! + members[joint]!.length;
    return {
        geometry,
        clusterStarts: Int32Array.from(starts),
        clusterBoxes: centredBoxes(boxes),
        jointStarts,
        jointClusters: Int32Array.from(members.flat()),
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

/** Sorts vertices by joint. Vertices of one joint stay in file order, where neighbors mostly follow each other. */
function sortedByJoint(dominant: Int32Array, joints: number): Uint32Array {
    const next = new Int32Array(joints + 1);
    for (let v = 0; v < dominant.length; v++) next[dominant[v]! + 1]!++;
    for (let joint = 1; joint < joints; joint++) next[joint]! += next[joint - 1]!;
    const order = new Uint32Array(dominant.length);
    for (let v = 0; v < dominant.length; v++) order[next[dominant[v]!]!++] = v;
    return order;
}

function reorder(geometry: SkinGeometry, order: Uint32Array): SkinGeometry {
    const { vertexCount, jointBoxes } = geometry;
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
    return { vertexCount, positions, starts, joints, weights, jointBoxes };
}
