// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import type { BakedTable } from '../table';
import { checkAnimation } from './arguments';
import { readFromLayers } from './layers';
import { placeUnder } from './place';
import { stillSettings } from './settings';
import { createTexture } from './texture';
import type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';

/**
 * Plays meshes from a table by Babylon's baked vertex animation: no animation group runs.
 *
 * Palettes place vertices in the scene of the file, so the meshes are put under the file's root, without a transform of
 * their own; Babylon's loader leaves them under the joints' lowest common ancestor. Their skeleton must stay, since
 * Babylon needs it to have the joints' indices and weights in the shader, but nothing of it is read: it may have more bones
 * than the skin has joints.
 *
 * @param babylon The module: `import * as BABYLON from '@babylonjs/core'`, or an object of the classes in {@link BabylonLike}.
 * @param table A bake with a palette. With `space: 'skin-root'` give a `root` that is where the skin's root is at rest.
 * @param meshes The skinned meshes of the skin that was baked; one at least.
 * @param options `maxSize`: `engine.getCaps().maxTextureSize`; default 8192. Where the table is taller, the rows go into the
 * layers of an array texture, and the meshes' materials get a plugin that reads from it (WebGL 2 only).
 * @returns The manager and the texture that were made.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE` without meshes or where the palette is larger than
 * textures can be, `ERR_INDEX_RANGE` where the bake has no palette.
 * @example
 * const animation = createBakedAnimation(BABYLON, table, babylonMeshes);
 * animation.show(table.clipNamed('Walk'), 0.5, { loop: 'wrap' }); // in each frame
 */
export function createBakedAnimation(
    babylon: BabylonLike,
    table: BakedTable,
    meshes: readonly BABYLON.Mesh[],
    options?: BakedAnimationOptions,
): BakedAnimation {
    checkAnimation('createBakedAnimation', meshes, options);
    const scene = meshes[0]!.getScene();
    const texture = createTexture(babylon, table, scene, options);
    const manager = new babylon.BakedVertexAnimationManager(scene);
    manager.texture = texture;
    manager.setAnimationParameters(0, 0, 0, 0);
    for (const mesh of meshes) {
        placeUnder(options?.root, mesh);
        if (texture.is2DArray && mesh.material) readFromLayers(babylon, mesh.material);
        mesh.bakedVertexAnimationManager = manager;
    }
    const settings = new Float32Array(4);
    const times = new Float64Array(1);
    return {
        manager,
        texture,
        show(clip, time, sampleOptions) {
            times[0] = time;
            stillSettings(table, clip, times, settings, sampleOptions);
            manager.setAnimationParameters(settings[0]!, settings[1]!, settings[2]!, settings[3]!);
        },
        dispose() {
            for (const mesh of meshes) {
                if (mesh.bakedVertexAnimationManager === manager) mesh.bakedVertexAnimationManager = null;
            }
            manager.dispose(true);
        },
    };
}
