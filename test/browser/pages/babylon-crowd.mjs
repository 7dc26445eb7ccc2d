// SPDX-License-Identifier: MIT

/**
 * Three live characters, and three thin instances at their places, clips and times. Unlit: of thin instances Babylon
 * calculates normals in another way than of other meshes, and so their shading where matrices scale.
 */

import '@babylonjs/core/Animations/animatable.js';
import { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { MaterialPluginBase } from '@babylonjs/core/Materials/materialPluginBase.js';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
import { RawTexture2DArray } from '@babylonjs/core/Materials/Textures/rawTexture2DArray.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { createBakedAnimation, playSettings, SETTINGS_ATTRIBUTE, stillSettings } from 'poselane/babylon';
import { BakedTable } from 'poselane/table';
import { comparePixels, pixelsOf } from './pixels.mjs';

const table = BakedTable.open(await (await fetch('bake.json')).text(), await (await fetch('bake.bin')).arrayBuffer());
const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [400, 200];
const engine = new Engine(canvas, false, { preserveDrawingBuffer: true });
const babylon = { BakedVertexAnimationManager, Constants, MaterialPluginBase, RawTexture, RawTexture2DArray };

function createScene() {
    const scene = new Scene(engine);
    const camera = new FreeCamera('camera', new Vector3(0.4, 1, 4), scene);
    camera.setTarget(new Vector3(0, 0.5, 0));
    camera.fov = 0.6;
    camera.minZ = 0.1;
    new DirectionalLight('sun', new Vector3(-2, -4, -3), scene).intensity = 3;
    return scene;
}

async function draw(scene) {
    for (const material of scene.materials) material.unlit = true;
    await scene.whenReadyAsync();
    engine.clear(scene.clearColor, true, true);
    scene.render();
    return pixelsOf(canvas);
}

const places = [-1, 0, 1];
const clips = Uint16Array.of(2, 0, 1);
const times = Float64Array.from([20, 60, 12], (frame, i) => table.frameTime(clips[i], frame));

globalThis.compareCrowd = async (maxSize) => {
    const live = createScene();
    for (const [i, x] of places.entries()) {
        const { meshes, animationGroups } = await ImportMeshAsync('model.glb', live);
        for (const group of animationGroups) group.stop();
        animationGroups[clips[i]]
            .start(false)
            .pause()
            .goToFrame(times[i] * 60);
        // The loader's root mirrors x.
        meshes[0].position.x = -x;
    }
    const baked = createScene();
    const { meshes } = await ImportMeshAsync('model.glb', baked);
    const skinned = meshes.filter(({ skeleton }) => skeleton);
    const animation = createBakedAnimation(babylon, table, skinned, { maxSize });
    const settings = stillSettings(table, clips, times, new Float32Array(12));
    for (const mesh of skinned) {
        const matrices = new Float32Array(48);
        for (const [i, x] of places.entries()) Matrix.Translation(x, 0, 0).copyToArray(matrices, i * 16);
        mesh.thinInstanceSetBuffer('matrix', matrices, 16);
        mesh.thinInstanceSetBuffer(SETTINGS_ATTRIBUTE, settings, 4, false);
    }
    const picture = await draw(live);
    const result = comparePixels(picture, await draw(baked));
    // Babylon's own clock: the same rows again, where the first round begins at them and the clock stands still.
    for (let i = 0; i < 3; i++) {
        playSettings(table, clips[i], settings, i * 4, Math.round(times[i] * table.clips[clips[i]].fps), 1);
    }
    for (const mesh of skinned) mesh.thinInstanceBufferUpdated(SETTINGS_ATTRIBUTE);
    const byClock = comparePixels(picture, await draw(baked)).differing;
    animation.manager.time = 0.1;
    const later = comparePixels(picture, await draw(baked)).differing;
    return { ...result, byClock, later };
};
