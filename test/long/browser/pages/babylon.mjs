// SPDX-License-Identifier: MIT

/** Scenes of Babylon.js. */

import '@babylonjs/core/Animations/animatable.js';
import { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { PointLight } from '@babylonjs/core/Lights/pointLight.js';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import '@babylonjs/core/Materials/standardMaterial.js';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { Rig } from 'poselane';
import { createBakedAnimation, createLiveCrowd } from 'poselane/babylon';
import { comparisonsOf, posedByRig } from './compare.mjs';
import { pixelsOf } from './pixels.mjs';

const canvas = document.createElement('canvas');
export const engine = new Engine(canvas, false, { preserveDrawingBuffer: true });
export const babylon = { BakedVertexAnimationManager, Constants, Matrix, RawTexture, Skeleton, Vector3 };

/** A fixed camera, and a light without shadows. */
export function plainStage(scene) {
    engine.setSize(400, 200);
    const camera = new FreeCamera('camera', new Vector3(0.4, 1, 4), scene);
    camera.setTarget(new Vector3(0, 0.5, 0));
    camera.fov = 0.6;
    camera.minZ = 0.1;
    new DirectionalLight('sun', new Vector3(-2, -4, -3), scene).intensity = 3;
}

/** Lights the model so that all parts shade each other; the camera and light are as far away as the model is large. */
function wholeStage(scene, { min, max }, kind) {
    // With the meshes of the bake, without the ground.
    const meshes = [...scene.meshes];
    engine.setSize(100, 100);
    scene.clearColor = Color4.FromHexString('#cfe3eaff');
    const center = min.add(max).scale(0.5);
    const size = max.subtract(min).length();
    const camera = new FreeCamera('camera', center.add(new Vector3(0.3, 0.5, 1).scale(size)), scene);
    camera.setTarget(center);
    Object.assign(camera, { fov: 0.7, minZ: size / 20, maxZ: size * 10 });
    const from = new Vector3(0.5, 1, 0.4).scale(size);
    const lamp =
        kind === 'point'
            ? new PointLight('lamp', center.add(from), scene)
            : new DirectionalLight('lamp', from.scale(-1), scene);
    lamp.position = center.add(from);
    lamp.intensity = kind === 'point' ? 10 * size ** 2 : 2;
    Object.assign(lamp, { shadowMinZ: size / 20, shadowMaxZ: size * 4 });
    if (kind !== 'point') lamp.shadowFrustumSize = 2 * size;
    const shadows = new ShadowGenerator(512, lamp);
    Object.assign(shadows, { bias: 0.005, normalBias: 0.02 });
    new HemisphericLight('sky', Vector3.Up(), scene).groundColor = Color3.FromHexString('#8899aa');
    const ground = CreateGround('ground', { width: size * 3, height: size * 3 }, scene);
    ground.position.set(center.x, min.y, center.z);
    ground.receiveShadows = true;
    for (const mesh of meshes) {
        if (mesh.getTotalVertices() === 0) continue;
        shadows.addShadowCaster(mesh, false);
        mesh.receiveShadows = true;
    }
    return lamp;
}

export async function draw(scene) {
    await scene.whenReadyAsync();
    engine.clear(scene.clearColor, true, true);
    scene.render();
    return pixelsOf(canvas);
}

/** Loads into the scene, at rest. */
export async function load(scene, url = 'model.glb') {
    const loaded = await ImportMeshAsync(url, scene);
    for (const group of loaded.animationGroups) group.stop();
    return loaded;
}

/** Restores the rest pose, because Babylon keeps the previous clip's pose of nodes that a clip does not move. */
function restOf({ transformNodes, meshes }) {
    const all = [...transformNodes, ...meshes].map((node) => {
        const values = ['position', 'rotationQuaternion', 'scaling'].map((name) => [name, node[name]?.clone()]);
        const targets = node.morphTargetManager;
        const weights = Array.from({ length: targets?.numTargets ?? 0 }, (_, i) => targets.getTarget(i).influence);
        return () => {
            for (const [name, value] of values) if (value) node[name].copyFrom(value);
            for (const [i, weight] of weights.entries()) targets.getTarget(i).influence = weight;
        };
    });
    return () => {
        for (const restore of all) restore();
    };
}

/** Poses the result of {@link load} by its animation. The loader's frames are 60ths of a second. */
export function playLive({ animationGroups }, animation, seconds) {
    for (const group of animationGroups) group.stop();
    animationGroups[animation]
        .start(false)
        .pause()
        .goToFrame(seconds * 60);
}

/** A node at the rest transform of the skin's root: the origin of `space: 'skin-root'`. */
function nodeAtRoot({ manifest }, scene, { meshes, transformNodes }) {
    const pointer = `/nodes/${manifest.skin.root}`;
    const root = transformNodes.find((node) => node._internalMetadata?.gltf?.pointers?.includes(pointer));
    const toRoot = root.computeWorldMatrix(true).multiply(Matrix.Invert(meshes[0].computeWorldMatrix(true)));
    const place = new TransformNode('place', scene);
    place.rotationQuaternion = new Quaternion();
    toRoot.decompose(place.scaling, place.rotationQuaternion, place.position);
    place.parent = meshes[0];
    return place;
}

export async function openLive({ model, whole = false, light }) {
    const scene = new Scene(engine);
    const loaded = await load(scene, model);
    const box = loaded.meshes[0].getHierarchyBoundingVectors();
    const lamp = whole ? wholeStage(scene, box, light) : plainStage(scene);
    const rest = restOf(loaded);
    return {
        scene,
        box,
        draw: () => draw(scene),
        pose(animation, seconds) {
            for (const group of loaded.animationGroups) group.stop();
            rest();
            playLive(loaded, animation, seconds);
        },
        shade(isOn) {
            lamp.shadowEnabled = isOn;
        },
    };
}

export async function openBaked({ model, tables, whole = false, light, box, count: instances, ...given }) {
    const scene = new Scene(engine);
    const loaded = await load(scene, model);
    const { meshes, transformNodes } = loaded;
    if (given.sceneOnly) for (const node of [...meshes, ...transformNodes]) node._internalMetadata = undefined;
    const root = given.atRoot ? nodeAtRoot(tables[0], scene, loaded) : undefined;
    const rig = given.rig && (await Rig.load(await (await fetch(model)).arrayBuffer()));
    const animation = rig
        ? createLiveCrowd(babylon, rig, meshes, instances ?? 1, { root })
        : createBakedAnimation(babylon, tables, meshes, { root, instances });
    if (whole) wholeStage(scene, box, light);
    else plainStage(scene);
    return {
        scene,
        animation,
        draw: () => draw(scene),
        pose: rig ? posedByRig(rig, instances ?? 1, tables[0], animation) : (...args) => animation.pose(...args),
    };
}

export const { openBoth, compareVariant, compareBakes, compareWhole, compareFade } = comparisonsOf({
    openLive,
    openBaked,
});
