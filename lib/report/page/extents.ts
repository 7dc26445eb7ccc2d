// SPDX-License-Identifier: MIT

/** The space that a model needs, and its floor. */

import * as THREE from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Bake, Entry } from './bakes';
import { moveRows } from './root-motion';
import { type Side, spaceOf } from './sides';

/** Shares of a clip at which the model's box is sampled. */
const MOMENTS = [0, 0.25, 0.5, 0.75, 1];

/** Height of the floor that the model stands on at rest: 0, unless another height is clear. */
export function floorOf({ scene }: GLTF): number {
    const { min, max } = new THREE.Box3().setFromObject(scene, true);
    return Math.abs(min.y) < 0.05 * (max.y - min.y) || min.y === Infinity ? 0 : min.y;
}

/** The box around everything that a clip reaches, in all bakes that have it. */
export function boxOf(gltf: GLTF, bakes: readonly Bake[], clips: readonly number[]): THREE.Box3 {
    const box = new THREE.Box3();
    for (const [b, { tables }] of bakes.entries()) {
        const clip = clips[b]!;
        for (const table of clip < 0 ? [] : (tables ?? [])) {
            const { bounds, duration } = table.clips[clip]!;
            const corners = [0, 3].map((at) => new THREE.Vector3().fromArray(bounds!, at));
            const own = new THREE.Box3().setFromPoints(corners);
            const space = spaceOf(gltf, table);
            // The root can move anywhere.
            for (const share of MOMENTS) {
                const moved = moveRows(table, clip, share * duration, new THREE.Matrix4());
                box.union(own.clone().applyMatrix4(moved.premultiply(space)));
            }
        }
    }
    return box.isEmpty() ? box.setFromObject(gltf.scene) : box;
}

/** As `boxOf`, for a live model. Without meshes, around its nodes. Changes the model's pose. */
export function boxOfLive({ scene }: GLTF, live: Side, entry: Entry): THREE.Box3 {
    const [box, nodes] = [new THREE.Box3(), new THREE.Box3()];
    for (const share of MOMENTS) {
        live.pose(entry, share * entry.duration, false);
        scene.updateMatrixWorld(true);
        box.expandByObject(scene, true);
        scene.traverse(({ matrixWorld }) =>
            nodes.expandByPoint(new THREE.Vector3().setFromMatrixPosition(matrixWorld)),
        );
    }
    return box.isEmpty() ? nodes : box;
}
