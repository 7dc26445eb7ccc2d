// SPDX-License-Identifier: MIT

/** What the pages of Babylon.js share: an engine, scenes with a camera and a light, and ways to load. */

import '@babylonjs/core/Animations/animatable.js';
import { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { BakedTable } from 'poselane/table';
import { pixelsOf } from './pixels.mjs';

export const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [400, 200];
export const engine = new Engine(canvas, false, { preserveDrawingBuffer: true });
export const babylon = { BakedVertexAnimationManager, Constants, Matrix, RawTexture, Skeleton, Vector3 };

export function createScene() {
    const scene = new Scene(engine);
    const camera = new FreeCamera('camera', new Vector3(0.4, 1, 4), scene);
    camera.setTarget(new Vector3(0, 0.5, 0));
    camera.fov = 0.6;
    camera.minZ = 0.1;
    new DirectionalLight('sun', new Vector3(-2, -4, -3), scene).intensity = 3;
    return scene;
}

export async function draw(scene) {
    await scene.whenReadyAsync();
    engine.clear(scene.clearColor, true, true);
    scene.render();
    return pixelsOf(canvas);
}

/** The bake `<name>.json` with `<name>.bin`; `only`: nothing else of it. */
export async function openTable(name, only) {
    const json = await (await fetch(`${name}.json`)).json();
    if (only !== undefined) json.arrays = { [only]: json.arrays[only] };
    return BakedTable.open(json, await (await fetch(`${name}.bin`)).arrayBuffer());
}

/** Into the scene, at rest. */
export async function load(scene, url = 'model.glb') {
    const { meshes, animationGroups, transformNodes } = await ImportMeshAsync(url, scene);
    for (const group of animationGroups) group.stop();
    return { meshes, animationGroups, transformNodes, skinned: meshes.filter(({ skeleton }) => skeleton) };
}

/** Poses what {@link load} gave as its animation has it. The loader's frames are 60ths of a second. */
export function playLive({ animationGroups }, animation, seconds) {
    for (const group of animationGroups) group.stop();
    animationGroups[animation]
        .start(false)
        .pause()
        .goToFrame(seconds * 60);
}
