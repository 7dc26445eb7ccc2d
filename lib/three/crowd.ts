// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import { PLACE_FLOATS } from '../table/places';
import { texelsOf } from '../table/texture';
import { clonesOf, crowdOf, type Sources } from './instances';
import { createLane } from './lanes';
import { type Patch, patchMaterial } from './material';
import type { BakedCrowd, BakedCrowdOptions, LoadedModel, ThreeLike } from './types';

/**
 * Instances of a whole model, played from its bake: no mixer, no bones. Skinned meshes, rigid ones that move, and those that
 * stay; lines and points are left out. Each mesh is one draw call. Shadows, `Raycaster` and frustum culling work as for live meshes.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param table A bake with a palette; of a file with several skins, the tables of all of them. With `space: 'skin-root'`
 * instances are in the space of the skin's root at rest.
 * @param model What GLTFLoader gave for the file that was baked, or its scene; at rest. It is not changed: geometry is shared,
 * materials are cloned. The scene alone does where names tell its meshes apart.
 * @param count How many instances. All of them start at the file's own place, at the first row.
 * @param options `maxSize`: as in {@link createPaletteTexture}.
 * @returns The meshes, in a group, and what poses and places them.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the table is not of this model, with what differs;
 * `ERR_AMBIGUOUS_NAME`: names do not tell meshes apart; `ERR_INDEX_RANGE`: the bake has no palette; `ERR_COUNT_RANGE`: it is larger
 * than textures can be, or `count` is no whole number; `ERR_BAKE_INVALID`: its clips have no bounds.
 * @example
 * const crowd = createBakedCrowd(THREE, table, gltf, 200);
 * scene.add(crowd.group);
 * crowd.setMatrixAt(7, new THREE.Matrix4().makeTranslation(2, 0, 0));
 * crowd.pose(table.clipNamed('Walk'), times, { loop: 'wrap' }); // in each frame
 */
export function createBakedCrowd(
    three: ThreeLike,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: BakedCrowdOptions,
): BakedCrowd {
    const laneOf = <T extends THREE.InstancedBufferAttribute | THREE.InstancedInterleavedBuffer>(drawn: T) => {
        drawn.setUsage(three.DynamicDrawUsage);
        const floats = 'itemSize' in drawn ? drawn.itemSize : drawn.stride;
        return createLane(floats, count, drawn, drawn.array);
    };
    const attribute = (floats: number) =>
        laneOf(new three.InstancedBufferAttribute(new Float32Array(count * floats), floats));
    return crowdOf(three, table, model, count, options, {
        matrices: () => attribute(16),
        places: () =>
            laneOf(new three.InstancedInterleavedBuffer(new Float32Array(count * PLACE_FLOATS), PLACE_FLOATS)),
        meshOf(geometry, { part, matrices, places }) {
            const rows = places.drawn as THREE.InstancedInterleavedBuffer;
            geometry.setAttribute('bakedRows', new three.InterleavedBufferAttribute(rows, 4, 0));
            geometry.setAttribute('bakedTo', new three.InterleavedBufferAttribute(rows, 3, 4));
            const mesh = new three.InstancedMesh(geometry, clonesOf(part.mesh.material), 0);
            mesh.instanceMatrix = matrices.drawn as THREE.InstancedBufferAttribute;
            mesh.customDepthMaterial = new three.MeshDepthMaterial({ depthPacking: three.RGBADepthPacking });
            mesh.customDistanceMaterial = new three.MeshDistanceMaterial();
            return mesh;
        },
        patchOf(sources) {
            const patch = patchOf(sources);
            return (material) => patchMaterial(material, patch);
        },
        color(meshes) {
            const lane = attribute(3);
            for (const mesh of meshes) mesh.instanceColor = lane.drawn;
            return lane;
        },
        dispose() {},
    });
}

function patchOf({ part, table, palette, pivots, morphs }: Sources): Patch {
    const { follows, column, rest, firstWeight, mesh } = part;
    return {
        follows,
        morphs: firstWeight === null ? null : mesh.geometry.morphTargetsRelative ? 'relative' : 'absolute',
        texelsPerJoint: texelsOf(table.arrays.palette!),
        layered: 'isDataArrayTexture' in palette,
        uniforms: {
            bakedPalette: { value: palette },
            bakedPivots: { value: pivots },
            bakedColumn: { value: column },
            bakedRest: { value: rest },
            bakedMorphs: { value: morphs },
            bakedFirst: { value: firstWeight },
        },
    };
}
