// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import { checkCrowd } from './arguments';
import { shareGeometry } from './geometry';
import { patchMaterial } from './material';
import { createPaletteTexture } from './texture';
import type { BakedCrowd, BakedCrowdOptions, ThreeLike } from './types';

/**
 * Instances of skinned meshes, played from a table: no mixer, no bones.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param table A bake with a palette. With `space: 'skin-root'` instances are in the space of the skin's root at rest.
 * @param meshes The skinned meshes of the skin that was baked, as GLTFLoader made them. They are not changed; their
 * geometry is shared, their materials are cloned.
 * @param count How many instances. All of them start at the file's own place, at the first row.
 * @param options `maxSize`: as in {@link createPaletteTexture}.
 * @returns The meshes, in a group, and what poses and places them.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_INDEX_RANGE`: the bake has no palette; `ERR_COUNT_RANGE`: it is larger
 * than textures can be, or `count` is no whole number.
 * @example
 * const crowd = createBakedCrowd(THREE, table, skinnedMeshes, 200);
 * scene.add(crowd.group);
 * crowd.setMatrixAt(7, new THREE.Matrix4().makeTranslation(2, 0, 0));
 * crowd.pose(table.clipNamed('Walk'), times, { loop: 'wrap' }); // in each frame
 */
export function createBakedCrowd(
    three: ThreeLike,
    table: BakedTable,
    meshes: readonly THREE.SkinnedMesh[],
    count: number,
    options?: BakedCrowdOptions,
): BakedCrowd {
    checkCrowd('createBakedCrowd', meshes, count, options);
    const texture = createPaletteTexture(three, table, options);
    const rows = new three.InstancedBufferAttribute(new Float32Array(count * 3), 3);
    rows.setUsage(three.DynamicDrawUsage);
    const instanced = meshes.map((mesh) => {
        const geometry = shareGeometry(three, mesh.geometry, table);
        geometry.setAttribute('bakedRows', rows);
        const material = patchedCopy(mesh.material, texture, texture.image.width / table.columns);
        return withSettingsOf(mesh, new three.InstancedMesh(geometry, material, count));
    });
    const [first, ...others] = instanced;
    for (const other of others) other.instanceMatrix = first!.instanceMatrix;
    const group = new three.Group();
    if (instanced.length > 0) group.add(...instanced);
    return {
        group,
        meshes: instanced,
        texture,
        setMatrixAt(instance, matrix) {
            first?.setMatrixAt(instance, matrix);
            for (const mesh of instanced) mesh.boundingSphere = null;
            if (first) first.instanceMatrix.needsUpdate = true;
        },
        pose(clips, times, sampleOptions) {
            table.rowsAt(clips, times, rows.array as Float32Array, sampleOptions);
            rows.needsUpdate = true;
        },
        dispose() {
            texture.dispose();
            for (const mesh of instanced) disposeMesh(mesh);
        },
    };
}

type Materials = THREE.Material | THREE.Material[];

const listOf = (materials: Materials) => (Array.isArray(materials) ? materials : [materials]);

function patchedCopy(materials: Materials, texture: BakedCrowd['texture'], texelsPerJoint: number): Materials {
    const copies = listOf(materials).map((one) => one.clone());
    for (const one of copies) patchMaterial(one, texture, texelsPerJoint);
    return Array.isArray(materials) ? copies : copies[0]!;
}

function withSettingsOf(mesh: THREE.SkinnedMesh, baked: THREE.InstancedMesh): THREE.InstancedMesh {
    baked.name = mesh.name;
    baked.castShadow = mesh.castShadow;
    baked.receiveShadow = mesh.receiveShadow;
    baked.frustumCulled = baked.geometry.boundingSphere !== null;
    if (mesh.morphTargetInfluences) baked.morphTargetInfluences = [...mesh.morphTargetInfluences];
    return baked;
}

function disposeMesh(mesh: THREE.InstancedMesh): void {
    mesh.geometry.dispose();
    for (const one of listOf(mesh.material)) one.dispose();
    mesh.dispose();
}
