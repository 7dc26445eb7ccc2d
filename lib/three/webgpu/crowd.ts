// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../../table';
import { PLACE_FLOATS } from '../../table/places';
import { clonesOf, crowdOf } from '../instances';
import { createLane, type Lane } from '../lanes';
import type { BakedCrowd, BakedCrowdOptions, LoadedModel } from '../types';
import { moveMaterial } from './material';
import { moveVertices } from './nodes';
import { createTargets, createTexels } from './textures';
import type { ThreeWebGPULike } from './types';

/**
 * Instances of a whole model for WebGPURenderer, with its WebGPU backend or its WebGL 2 backend: all that `createBakedCrowd` of
 * `poselane/three` is for WebGLRenderer, with the same arguments and errors.
 *
 * @param three The module: `import * as THREE from 'three/webgpu'`.
 * @param table A bake with a palette; of a file with several skins, the tables of all of them.
 * @param model What GLTFLoader gave for the file that was baked, or its scene; at rest. It is not changed.
 * @param count How many instances. All of them start at the file's own place, at the first row.
 * @param options `maxSize`: as in `createPaletteTexture`.
 * @returns The meshes, in a group, and what poses and places them. The meshes have no `customDepthMaterial`: shadows
 * are drawn with `positionNode` of their materials, which `patch` sets.
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
    three: ThreeWebGPULike,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: BakedCrowdOptions,
): BakedCrowd {
    const owned: THREE.Texture[] = [];
    let colors: Lane | undefined;

    // Textures, not attributes: WebGPU has 8 vertex buffers, and a model may need all of them.
    function lane(floats: number) {
        const texture = createTexels(three, (count * floats) / 4);
        owned.push(texture);
        return createLane(floats, count, texture, texture.image.data as Float32Array);
    }

    return crowdOf(three, table, model, count, options, {
        matrices: () => lane(16),
        places: () => lane(PLACE_FLOATS),
        meshOf(geometry, { part, matrices }) {
            const mesh = new three.InstancedMesh(geometry, clonesOf(part.mesh.material), 0);
            const own = new three.InstancedBufferAttribute(matrices.array, 16);
            // Else three.js would place instances before `moveVertices` does, which has the palette in between.
            mesh.instanceMatrix = Object.assign(own, { isInstancedBufferAttribute: false });
            return mesh;
        },
        patchOf(sources) {
            const targets = sources.morphs === null ? null : createTargets(three, sources.part.mesh.geometry);
            if (targets !== null) owned.push(targets);
            const move = moveVertices(three, sources, targets, () => colors);
            return (material) => moveMaterial(three, material, move);
        },
        color(meshes) {
            colors = lane(4);
            for (const mesh of meshes) {
                // Tells three.js that there is one.
                mesh.instanceColor = new three.InstancedBufferAttribute(colors.array, 4);
                for (const material of [mesh.material].flat()) material.needsUpdate = true;
            }
            return colors;
        },
        dispose() {
            for (const texture of owned) texture.dispose();
        },
    });
}
