// SPDX-License-Identifier: MIT

/** Live skinning by Babylon.js on the left, the baked palette on the right. */

import '@babylonjs/core/Animations/animatable.js';
import { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Viewport } from '@babylonjs/core/Maths/math.viewport.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
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
    const { meshes, animationGroups } = await ImportMeshAsync('model.glb', scene);
    for (const group of animationGroups) group.stop();
    const camera = new ArcRotateCamera('camera', 0, 0, 1, Vector3.Zero(), scene);
    camera.viewport = new Viewport(0, 0, 0.5, 1);
    camera.fov = 0.6;
    const sky = new HemisphericLight('sky', Vector3.Up(), scene);
    sky.groundColor = Color3.FromHexString('#8899aa');
    halves.push({ scene, meshes, animationGroups, camera });
}
const [live, baked] = halves;
const { min, max } = live.meshes[0].getHierarchyBoundingVectors();

// The baked half: all meshes of the scene play rows of the palette, its animation groups never run.
const maxSize = limit ?? engine.getCaps().maxTextureSize;
const babylon = { BakedVertexAnimationManager, Constants, Matrix, RawTexture, Skeleton, Vector3 };
const animation = createBakedAnimation(babylon, table, baked.meshes, { maxSize });

const center = min.add(max).scale(0.5);
const diagonal = max.subtract(min).length() || 1;
for (const { scene, camera } of halves) {
    camera.setTarget(center.clone());
    camera.setPosition(center.add(new Vector3(0.5, 0.3, 1.6).scale(diagonal)));
    camera.minZ = diagonal / 100;
    camera.maxZ = diagonal * 100;
    const sun = new DirectionalLight('sun', new Vector3(-1, -2, -1.5), scene);
    sun.intensity = 2;
    sun.position = center.subtract(sun.direction.scale(diagonal));
    sun.shadowFrustumSize = 2 * diagonal;
    Object.assign(sun, { shadowMinZ: 0, shadowMaxZ: 6 * diagonal });
    const shadows = new ShadowGenerator(2048, sun);
    shadows.bias = 0.005;
    shadows.normalBias = 0.02;
    const ground = CreateGround('ground', { width: 8 * diagonal, height: 8 * diagonal }, scene);
    ground.position.set(center.x, min.y, center.z);
    ground.receiveShadows = true;
    const grey = new StandardMaterial('ground', scene);
    grey.diffuseColor = Color3.FromHexString('#cfe3ea').scale(0.4);
    grey.specularColor = Color3.Black();
    ground.material = grey;
    for (const mesh of scene.meshes) {
        if (mesh === ground || mesh.getTotalVertices() === 0) continue;
        shadows.addShadowCaster(mesh, false);
        mesh.receiveShadows = true;
    }
}
live.camera.attachControl(true);
await Promise.all(halves.map(({ scene }) => scene.whenReadyAsync()));

// Babylon leaves what a clip does not move where the clip before left it.
const atRest = [...live.scene.transformNodes, ...live.scene.meshes].map((node) => {
    const [position, rotation, scaling] = [node.position, node.rotationQuaternion, node.scaling].map((v) => v?.clone());
    const targets = node.morphTargetManager;
    const weights = Array.from({ length: targets?.numTargets ?? 0 }, (_, i) => targets.getTarget(i).influence);
    return () => {
        node.position.copyFrom(position);
        if (rotation) node.rotationQuaternion.copyFrom(rotation);
        node.scaling.copyFrom(scaling);
        for (const [i, weight] of weights.entries()) targets.getTarget(i).influence = weight;
    };
});
let group;
const now = new Float64Array(1);

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

    now[0] = seconds;
    animation.pose(clip, now);

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
