// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../../table';
import type { RigLike } from '../../table/live';
import { ROW_MIX_FLOATS } from '../../table/row-mix';
import { bakedCrowd } from '../baked';
import { clonesOf, type Drawing } from '../instances';
import { createLane, type Lane } from '../lanes';
import { liveCrowd } from '../live';
import type { BakedCrowd, CrowdOptions, LiveCrowd, LoadedModel } from '../types';
import { moveMaterial } from './material';
import { moveVertices } from './nodes';
import { createTargets, createTexels } from './textures';
import type { ThreeWebGPULike } from './types';

/**
 * Draws many instances of a whole model with WebGPURenderer, with its WebGPU or WebGL 2 backend. Arguments, result and
 * errors are those of `createBakedCrowd` of `poselane/three` for WebGLRenderer.
 *
 * @param three The module: `import * as THREE from 'three/webgpu'`.
 * @param table A bake with a palette. For a file with several skins, the tables of all of them.
 * @param model Result of GLTFLoader for the baked file, or its scene, at rest. It is not changed.
 * @param count Number of instances. All start at the file's own position, at the first row.
 * @param options `maxSize`: as in `createPaletteTexture`.
 * @returns The meshes, in a group, with methods that pose and place them. The meshes have no `customDepthMaterial`:
 * shadows use `positionNode` of their materials, which `patch` sets.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the table is not of this model (the message
 * names the difference); `ERR_AMBIGUOUS_NAME`: meshes have the same name; `ERR_INDEX_RANGE`: the bake has no palette;
 * `ERR_COUNT_RANGE`: the palette is larger than textures can be, or `count` is not a whole number; `ERR_BAKE_INVALID`:
 * its clips have no bounds.
 * @example
 * const crowd = createBakedCrowd(THREE, table, gltf, 200);
 * scene.add(crowd.group);
 * crowd.setMatrixAt(7, new THREE.Matrix4().makeTranslation(2, 0, 0));
 * crowd.pose(table.clipNamed('Walk'), times); // in each frame: repeats, because the clip is a loop
 */
export function createBakedCrowd(
    three: ThreeWebGPULike,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: CrowdOptions,
): BakedCrowd {
    return bakedCrowd(three, table, model, count, options, drawingOf(three, count));
}

/**
 * Draws many instances of a whole model in the poses of a Rig, with WebGPURenderer. Arguments, result and errors are
 * those of `createLiveCrowd` of `poselane/three` for WebGLRenderer.
 *
 * @param three The module: `import * as THREE from 'three/webgpu'`.
 * @param rig A Rig of the model's file.
 * @param model Result of GLTFLoader for the file, or its scene, at rest. It is not changed.
 * @param count Number of instances. All start at the file's own position, in the rest pose.
 * @param options `maxSize`: as in `createPaletteTexture`.
 * @returns The meshes, in a group, with methods that pose and place them.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the rig is not of this model (the message
 * names the difference); `ERR_AMBIGUOUS_NAME`: meshes have the same name; `ERR_COUNT_RANGE`: a palette is larger than
 * textures can be, or `count` is not a whole number.
 * @example
 * const crowd = createLiveCrowd(THREE, rig, gltf, 200);
 * scene.add(crowd.group);
 * // in each frame, after `rig.evaluate` and `rig.toGlobal`:
 * crowd.update(poses);
 */
export function createLiveCrowd(
    three: ThreeWebGPULike,
    rig: RigLike,
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: CrowdOptions,
): LiveCrowd {
    return liveCrowd(three, rig, model, count, options, drawingOf(three, count));
}

/** How WebGPURenderer draws a crowd. */
function drawingOf(three: ThreeWebGPULike, count: number): Drawing {
    const owned: THREE.Texture[] = [];
    let colors: Lane | undefined;

    // Textures instead of attributes: WebGPU has 8 vertex buffers, and a model can need all of them.
    function lane(floats: number) {
        const texture = createTexels(three, (count * floats) / 4);
        owned.push(texture);
        return createLane(floats, count, texture, texture.image.data as Float32Array);
    }

    return {
        matrices: () => lane(16),
        mixes: () => lane(ROW_MIX_FLOATS),
        meshOf(geometry, { part, matrices }) {
            const mesh = new three.InstancedMesh(geometry, clonesOf(part.mesh.material), 0);
            const own = new three.InstancedBufferAttribute(matrices.array, 16);
            // Otherwise three.js would apply the instance matrix before `moveVertices` applies the palette.
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
                // Its presence enables instance colors in three.js.
                mesh.instanceColor = new three.InstancedBufferAttribute(colors.array, 4);
                for (const material of [mesh.material].flat()) material.needsUpdate = true;
            }
            return colors;
        },
        dispose() {
            for (const texture of owned) texture.dispose();
        },
    };
}
