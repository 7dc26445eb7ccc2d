// SPDX-License-Identifier: MIT

/** What a skeleton of three.js moves: its vertices, and the boxes around them. */

import { Vector3 } from 'three';
import { play } from './three-model.mjs';

/** x, y, z of the least corner, then of the greatest. */
export const emptyBox = () => Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);

export function addPoint(box, x, y, z) {
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (z < box[2]) box[2] = z;
    if (x > box[3]) box[3] = x;
    if (y > box[4]) box[4] = y;
    if (z > box[5]) box[5] = z;
}

/**
 * All vertices of the meshes that a skeleton moves: positions as the file has them, and for each the joints that move it with
 * a weight above 0, in `starts[v]` to `starts[v + 1] - 1`.
 */
export function verticesOf(scene, skeleton) {
    const positions = [];
    const starts = [0];
    const joints = [];
    const weights = [];
    const point = new Vector3();
    scene.traverse((mesh) => {
        if (!mesh.isSkinnedMesh || mesh.skeleton !== skeleton) return;
        const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
        for (let v = 0; v < position.count; v++) {
            positions.push(...point.fromBufferAttribute(position, v));
            for (let k = 0; k < 4; k++) {
                const weight = skinWeight.getComponent(v, k);
                if (weight === 0) continue;
                joints.push(skinIndex.getComponent(v, k));
                weights.push(weight);
            }
            starts.push(joints.length);
        }
    });
    return {
        positions: Float32Array.from(positions),
        starts: Int32Array.from(starts),
        joints: Int32Array.from(joints),
        weights: Float64Array.from(weights),
    };
}

/** For each joint the box around what it moves; null where that is nothing. */
export function jointBoxesOf({ positions, starts, joints }, count) {
    const boxes = Array.from({ length: count }, () => null);
    for (let v = 0; v + 1 < starts.length; v++) {
        for (let i = starts[v]; i < starts[v + 1]; i++) {
            boxes[joints[i]] ??= emptyBox();
            addPoint(boxes[joints[i]], positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
        }
    }
    return boxes;
}

/** Grows a box by all vertices, as one row of matrices places them. */
export function addSkinned(box, { positions, starts, joints, weights }, matrices) {
    for (let v = 0; v + 1 < starts.length; v++) {
        const px = positions[v * 3];
        const py = positions[v * 3 + 1];
        const pz = positions[v * 3 + 2];
        let x = 0;
        let y = 0;
        let z = 0;
        for (let i = starts[v]; i < starts[v + 1]; i++) {
            const m = joints[i] * 16;
            const weight = weights[i];
            x += weight * (matrices[m] * px + matrices[m + 4] * py + matrices[m + 8] * pz + matrices[m + 12]);
            y += weight * (matrices[m + 1] * px + matrices[m + 5] * py + matrices[m + 9] * pz + matrices[m + 13]);
            z += weight * (matrices[m + 2] * px + matrices[m + 6] * py + matrices[m + 10] * pz + matrices[m + 14]);
        }
        addPoint(box, x, y, z);
    }
}

/** The diagonal of the box of all vertices, at most over both ends of each eighth of every clip. */
export function extentOf(model, vertices) {
    let extent = 0;
    for (const clip of model.animations) {
        play(model, clip, (poseAt) => {
            for (let i = 0; i <= 8; i++) {
                poseAt(Math.fround((clip.duration * i) / 8));
                const box = emptyBox();
                addSkinned(box, vertices, model.skeleton.boneMatrices);
                extent = Math.max(extent, Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]));
            }
        });
    }
    return extent;
}
