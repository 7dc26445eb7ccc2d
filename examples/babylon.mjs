// SPDX-License-Identifier: MIT

/** Live skinning by Babylon.js on the left, the baked palette on the right. */

import '@babylonjs/core/Animations/animatable.js';
import { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { MaterialPluginBase } from '@babylonjs/core/Materials/materialPluginBase.js';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
import { RawTexture2DArray } from '@babylonjs/core/Materials/Textures/rawTexture2DArray.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Viewport } from '@babylonjs/core/Maths/math.viewport.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { createBakedAnimation } from 'poselane/babylon';
import { canvas, canvasSize, limit, loadTable, run, size } from './page.mjs';

const table = await loadTable();
const engine = new Engine(canvas, size === undefined, { preserveDrawingBuffer: true }, size === undefined);

const halves = [];
for (let half = 0; half < 2; half++) {
    const scene = new Scene(engine);
    scene.clearColor = Color4.FromHexString('#cfe3eaff');
    const { meshes, skeletons, animationGroups } = await ImportMeshAsync('model.glb', scene);
    for (const group of animationGroups) group.stop();
    const camera = new ArcRotateCamera('camera', 0, 0, 1, Vector3.Zero(), scene);
    camera.viewport = new Viewport(0, 0, 0.5, 1);
    camera.fov = 0.6;
    new HemisphericLight('sky', Vector3.Up(), scene).groundColor = Color3.FromHexString('#8899aa');
    new DirectionalLight('sun', new Vector3(-2, -4, -3), scene).intensity = 2;
    halves.push({ scene, meshes, skeletons, animationGroups, camera });
}
const [live, baked] = halves;

// The baked half: its meshes play rows of the palette, its animation groups never run.
const skeleton = baked.skeletons[table.manifest.skin.index];
const skinnedMeshes = baked.meshes.filter((mesh) => mesh.skeleton === skeleton);
const maxSize = limit ?? engine.getCaps().maxTextureSize;
const babylon = { BakedVertexAnimationManager, Constants, MaterialPluginBase, RawTexture, RawTexture2DArray };
const animation = createBakedAnimation(babylon, table, skinnedMeshes, { maxSize });

const { min, max } = live.meshes[0].getHierarchyBoundingVectors();
for (const { camera } of halves) {
    const diagonal = max.subtract(min).length() || 1;
    camera.setTarget(min.add(max).scale(0.5));
    camera.setPosition(camera.target.add(new Vector3(0.5, 0.12, 1.6).scale(diagonal)));
    camera.minZ = diagonal / 100;
    camera.maxZ = diagonal * 100;
}
live.camera.attachControl(true);
await Promise.all(halves.map(({ scene }) => scene.whenReadyAsync()));

// Babylon leaves what a clip does not move where the clip before left it.
const atRest = live.scene.transformNodes.map((node) => {
    const [position, rotation, scaling] = [node.position, node.rotationQuaternion, node.scaling].map((v) => v?.clone());
    return () => {
        node.position.copyFrom(position);
        if (rotation) node.rotationQuaternion.copyFrom(rotation);
        node.scaling.copyFrom(scaling);
    };
});
let group;

run(table, (clip, seconds, only) => {
    const { animation: index, start = 0 } = table.manifest.clips[clip];
    const chosen = live.animationGroups[index];
    if (group !== chosen) {
        group?.stop();
        for (const restore of atRest) restore();
        group = chosen;
        group.start(false);
        group.pause();
    }
    // The glTF loader's frames are 60ths of a second.
    group.goToFrame((start + seconds) * 60);

    animation.show(clip, seconds);

    const { width, height, ratio } = canvasSize();
    canvas.style.width = `${2 * width}px`;
    canvas.style.height = `${height}px`;
    engine.setSize(2 * width * ratio, height * ratio);
    const { alpha, beta, radius, target } = live.camera;
    Object.assign(baked.camera, { alpha, beta, radius });
    baked.camera.target.copyFrom(target);
    for (const [half, { scene, camera }] of (only === undefined ? halves : [halves[only]]).entries()) {
        camera.viewport.x = half / 2;
        scene.autoClear = half === 0;
        scene.render();
    }
});
