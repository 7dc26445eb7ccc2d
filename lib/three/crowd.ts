// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import type { RigLike } from '../table/live';
import { ROW_MIX_FLOATS } from '../table/row-mix';
import { texelsOf } from '../table/texture';
import { bakedCrowd } from './baked';
import { clonesOf, type Drawing, type Sources } from './instances';
import { createLane } from './lanes';
import { liveCrowd } from './live';
import { type Patch, patchMaterial } from './material';
import type { BakedCrowd, CrowdOptions, LiveCrowd, LoadedModel, ThreeLike } from './types';

/**
 * Draws many instances of a whole model from its bake, without mixer and bones. Includes skinned meshes, rigid meshes
 * that move, and meshes that do not; lines and points are left out. Each mesh is one draw call. Shadows, `Raycaster`
 * and frustum culling work as for live meshes.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param table A bake with a palette. For a file with several skins, the tables of all of them. With `space:
 * 'skin-root'`, instances are in the space of the skin's root at rest.
 * @param model Result of GLTFLoader for the baked file, or its scene, at rest. It is not changed: geometry is shared,
 * materials are cloned. The scene is enough if all meshes have different names and the bake has no `skin.rescaled`.
 * @param count Number of instances. All start at the file's own position, at the first row.
 * @param options `maxSize`: as in {@link createPaletteTexture}.
 * @returns The meshes, in a group, with methods that pose and place them.
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
    three: ThreeLike,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: CrowdOptions,
): BakedCrowd {
    return bakedCrowd(three, table, model, count, options, drawingOf(three, count));
}

/**
 * Draws many instances of a whole model in the poses of a Rig: for clips that are blended, aimed or planted by inverse
 * kinematics in each frame. The Rig evaluates all of them in a few calls. Meshes, shadows, `Raycaster` and culling are
 * those of {@link createBakedCrowd}.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param rig A Rig of the model's file, by `Rig.load`, also with `meshes: false`.
 * @param model Result of GLTFLoader for the file, or its scene, at rest. It is not changed: geometry is shared,
 * materials are cloned. The scene is enough if all meshes have different names.
 * @param count Number of instances. All start at the file's own position, in the rest pose.
 * @param options `maxSize`: as in {@link createPaletteTexture}. With more instances, textures have layers.
 * @returns The meshes, in a group, with methods that pose and place them.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the rig is not of this model (the message
 * names the difference); `ERR_AMBIGUOUS_NAME`: meshes have the same name; `ERR_COUNT_RANGE`: a palette is larger than
 * textures can be, or `count` is not a whole number.
 * @example
 * const crowd = createLiveCrowd(THREE, rig, gltf, 200);
 * scene.add(crowd.group);
 * const poses = rig.createPoses(200);
 * // in each frame:
 * rig.evaluate(poses, rig.clipNamed('Walk'), times);
 * rig.toGlobal(poses);
 * crowd.update(poses);
 */
export function createLiveCrowd(
    three: ThreeLike,
    rig: RigLike,
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: CrowdOptions,
): LiveCrowd {
    return liveCrowd(three, rig, model, count, options, drawingOf(three, count));
}

/** How WebGLRenderer draws a crowd. */
function drawingOf(three: ThreeLike, count: number): Drawing {
    const laneOf = <T extends THREE.InstancedBufferAttribute | THREE.InstancedInterleavedBuffer>(drawn: T) => {
        drawn.setUsage(three.DynamicDrawUsage);
        const floats = 'itemSize' in drawn ? drawn.itemSize : drawn.stride;
        return createLane(floats, count, drawn, drawn.array);
    };
    const attribute = (floats: number) =>
        laneOf(new three.InstancedBufferAttribute(new Float32Array(count * floats), floats));
    return {
        matrices: () => attribute(16),
        mixes: () =>
            laneOf(new three.InstancedInterleavedBuffer(new Float32Array(count * ROW_MIX_FLOATS), ROW_MIX_FLOATS)),
        meshOf(geometry, { part, matrices, mixes }) {
            const rows = mixes.drawn as THREE.InstancedInterleavedBuffer;
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
    };
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
