// SPDX-License-Identifier: MIT

import { addon } from '../addon/load';
import type { GltfScene, SkinnedPrimitive } from '../gltf/scene';
import { evaluationBackend } from '../rig/implementations';
import { clusterGeometry } from './clusters';
import { addVertices, type Box, emptyBox, geometryOf } from './geometry';
import { addSkinnedRows } from './skinned-box';

/** Finds boxes of what a skin moves. */
export interface SkinBox {
    /** Of the vertices as the file has them. */
    readonly vertexBox: Box;
    /** The same for what each joint moves: `[joint]` centre x y z, half size x y z, negative where it moves nothing. */
    readonly jointBoxes: Float64Array;
    /**
     * Grows a box by the vertices in each of `rows` rows, all in double precision and in one order: the addon gives the same
     * bits as `skinBoxTwin`.
     *
     * @param palette `[row][joint]`, column-major 4x4.
     */
    addRows(box: Box, palette: Float32Array, rows: number): void;
}

/** Null where the skin deforms nothing. Morph targets are left aside. */
export function skinBoxOf(scene: GltfScene, skin: number): SkinBox | null {
    const primitives = scene.skinnedMeshes.filter((mesh) => mesh.skin === skin).flatMap((mesh) => mesh.primitives);
    const joints = scene.skins[skin]!.joints.length;
    if (primitives.every(({ positions }) => positions.length === 0)) return null;
    const native = evaluationBackend === 'native' ? nativeSkinBox(primitives, joints) : null;
    return native ?? skinBoxTwin(primitives, joints);
}

export function skinBoxTwin(primitives: readonly SkinnedPrimitive[], joints: number): SkinBox {
    const geometry = geometryOf(primitives, joints);
    const clusters = clusterGeometry(geometry, joints);
    const vertexBox = emptyBox();
    addVertices(vertexBox, geometry);
    const { jointBoxes } = clusters;
    return { vertexBox, jointBoxes, addRows: (box, palette, rows) => addSkinnedRows(box, clusters, palette, rows) };
}

/** By the addon; null where it did not load, or refuses (lists without elements). */
export function nativeSkinBox(primitives: readonly SkinnedPrimitive[], joints: number): SkinBox | null {
    const vertexBox = emptyBox();
    const jointBoxes = new Float64Array(joints * 6);
    const list = primitives.flatMap((each) => [each.positions, each.joints, each.weights, each.influences]);
    const add = addon?.skinBox(vertexBox, jointBoxes, joints, list) || null;
    if (add === null) return null;
    return {
        vertexBox,
        jointBoxes,
        addRows(box, palette, rows) {
            if (add(box, palette, rows) === false) throw new Error('the addon refused the rows of a box');
        },
    };
}
