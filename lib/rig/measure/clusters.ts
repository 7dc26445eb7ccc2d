// SPDX-License-Identifier: MIT

import { BOX_NUMBERS, type CentredBoxes, centredBoxes } from './displacement';
import { addPoints, emptyBoxes, type SkinGeometry } from './geometry';

/** Vertices of a cluster. One test of its box can skip them all. */
const CLUSTER_VERTICES = 16;
/** Clusters of a group, which a test of the group's box skips together. */
export const GROUP_CLUSTERS = 8;

/**
 * The vertices that each joint moves, in clusters. A vertex is in one cluster of each of its joints. They are in file
 * order, where neighbors mostly follow each other.
 */
export interface Clusters {
    /** Clusters of joint j: `jointStarts[j]` to `jointStarts[j + 1] - 1`. */
    readonly jointStarts: Int32Array;
    /** Cluster c: elements `starts[c]` to `starts[c + 1] - 1` of `vertices`, and of `positions` times 3. */
    readonly starts: Int32Array;
    readonly vertices: Int32Array;
    /** Mesh space. */
    readonly positions: Float32Array;
    /** `[cluster]`, mesh space. */
    readonly boxes: CentredBoxes;
    /** For each cluster, the box of the group that it begins. Groups begin with the joint's first cluster. */
    readonly groupBoxes: CentredBoxes;
}

/** @param joints Number of joints of the skin. */
export function clustersOf(geometry: SkinGeometry, joints: number): Clusters {
    const next = new Int32Array(joints + 1);
    for (let i = 0; i < geometry.joints.length; i++) next[geometry.joints[i]! + 1]!++;
    const jointStarts = new Int32Array(joints + 1);
    const starts = [0];
    for (let joint = 0; joint < joints; joint++) {
        next[joint + 1]! += next[joint]!;
        for (let at = next[joint]!; at < next[joint + 1]!; ) {
            at = Math.min(at + CLUSTER_VERTICES, next[joint + 1]!);
            starts.push(at);
        }
        jointStarts[joint + 1] = starts.length - 1;
    }
    const vertices = new Int32Array(geometry.joints.length);
    const positions = new Float32Array(vertices.length * 3);
    for (let v = 0; v < geometry.vertexCount; v++) {
        for (let i = geometry.starts[v]!; i < geometry.starts[v + 1]!; i++) {
            const at = next[geometry.joints[i]!]!++;
            vertices[at] = v;
            for (let k = 0; k < 3; k++) positions[at * 3 + k] = geometry.positions[v * 3 + k]!;
        }
    }
    const boxes = emptyBoxes(starts.length - 1);
    const groupBoxes = emptyBoxes(starts.length - 1);
    for (let joint = 0; joint < joints; joint++) {
        for (let c = jointStarts[joint]!; c < jointStarts[joint + 1]!; c++) {
            const group = c - ((c - jointStarts[joint]!) % GROUP_CLUSTERS);
            addPoints(boxes, c * BOX_NUMBERS, positions, starts[c]!, starts[c + 1]!);
            for (let side = 0; side < BOX_NUMBERS; side++) {
                const own = boxes[c * BOX_NUMBERS + side]!;
                const all = groupBoxes[group * BOX_NUMBERS + side]!;
                if (side < 3 ? own < all : own > all) groupBoxes[group * BOX_NUMBERS + side] = own;
            }
        }
    }
    return {
        jointStarts,
        starts: Int32Array.from(starts),
        vertices,
        positions,
        boxes: centredBoxes(boxes),
        groupBoxes: centredBoxes(groupBoxes),
    };
}
