// SPDX-License-Identifier: MIT

/** The boxes of a bake's rows in the very operations of docs/rig.md. */

import type { SkinnedPrimitive } from '../../lib/gltf/scene';
import type { RigMesh } from '../../lib/rig/describe-rig';
import { boxOf, skinStrictly } from '../rig/strict-skinning';

/** What a skin moves, and rows of its palette: `[row][joint]`, column-major 4x4. */
export interface Skinned {
    readonly primitives: readonly SkinnedPrimitive[];
    readonly joints: number;
    readonly palette: Float32Array;
    readonly rows: number;
}

/** The box of each row: least x y z, greatest x y z. */
export function strictBoxes({ primitives, joints, palette, rows }: Skinned): number[][] {
    const meshes = primitives.map((primitive) => meshOf(primitive, joints));
    return Array.from({ length: rows }, (_, row) => {
        const mats = Float32Array.from({ length: joints * 12 }, (_, i) => {
            const [joint, element] = [Math.floor(i / 12), i % 12];
            return palette[(row * joints + joint) * 16 + (element % 4) * 4 + (element >> 2)]!;
        });
        const places = meshes.flatMap((mesh) => [...skinStrictly(mesh, mats, []).positions]);
        return [...boxOf(Float32Array.from(places))];
    });
}

/** As the baker understands a primitive: negative weights are 0, those of a vertex add up to 1, and joints are there. */
function meshOf({ positions, joints: ids, weights, influences }: SkinnedPrimitive, joints: number): RigMesh {
    const own = weights.map((weight) => Math.max(weight, 0));
    for (let first = 0; first < own.length; first += influences) {
        let sum = 0;
        for (let i = first; i < first + influences; i++) sum += own[i]!;
        for (let i = first; i < first + influences && sum > 0; i++) own[i] = own[i]! / sum;
    }
    return {
        name: '',
        node: 0,
        skin: 0,
        vertexCount: positions.length / 3,
        primitives: [],
        positions,
        normals: null,
        influences,
        joints: ids.map((id) => (id < joints ? id : 0)),
        weights: own,
        targets: [],
        firstWeight: 0,
        weightCount: 0,
    };
}
