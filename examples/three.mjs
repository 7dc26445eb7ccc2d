// SPDX-License-Identifier: MIT

/** Live skinning by three.js on the left, the baked palette on the right. */

import { createBakedCrowd } from 'poselane/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { canvas, canvasSize, limit, loadTable, run, size } from './page.mjs';

const table = await loadTable();
const gltf = await new GLTFLoader().loadAsync('model.glb');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: size === undefined });

// The baked half: the skinned meshes of the skin, without mixer and bones.
const skinnedMeshes = [];
const { bones } = await gltf.parser.getDependency('skin', table.manifest.skin.index);
gltf.scene.traverse((node) => {
    if (node.isSkinnedMesh && node.skeleton.bones.every((bone, i) => bone === bones[i])) skinnedMeshes.push(node);
});
const maxSize = limit ?? renderer.capabilities.maxTextureSize;
const crowd = createBakedCrowd(THREE, table, skinnedMeshes, 1, { maxSize });

// The live half.
const mixer = new THREE.AnimationMixer(gltf.scene);
let action;

const camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
const controls = new OrbitControls(camera, canvas);
const scenes = [gltf.scene, crowd.group].map((model) => {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xcfe3ea);
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(2, 4, 3);
    return scene.add(model, new THREE.HemisphereLight(0xffffff, 0x8899aa, 2), sun);
});
const box = new THREE.Box3().setFromObject(gltf.scene, true);
const diagonal = box.getSize(new THREE.Vector3()).length() || 1;
box.getCenter(controls.target);
camera.position.copy(controls.target).add(new THREE.Vector3(0.5, 0.12, 1.6).multiplyScalar(diagonal));
camera.near = diagonal / 100;
camera.far = diagonal * 100;
controls.update();

const now = new Float64Array(1);

run(table, (clip, seconds, only) => {
    const { animation: index, start = 0 } = table.manifest.clips[clip];
    const animation = gltf.animations[index];
    if (action?.getClip() !== animation) {
        mixer.stopAllAction();
        action = mixer.clipAction(animation).setLoop(THREE.LoopOnce).play();
        action.clampWhenFinished = true;
    }
    action.paused = false;
    mixer.setTime(start + seconds);

    now[0] = seconds;
    crowd.pose(clip, now);

    const { width, height, ratio } = canvasSize();
    renderer.setPixelRatio(ratio);
    renderer.setSize(2 * width, height);
    renderer.setScissorTest(true);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    for (const [half, scene] of (only === undefined ? scenes : [scenes[only]]).entries()) {
        renderer.setViewport(half * width, 0, width, height);
        renderer.setScissor(half * width, 0, width, height);
        renderer.render(scene, camera);
    }
});
