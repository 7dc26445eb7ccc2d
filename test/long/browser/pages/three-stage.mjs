// SPDX-License-Identifier: MIT

/** What the pages of three.js share: a renderer, a camera, a light, and ways to load. */

import { BakedTable } from 'poselane/table';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { createRenderer } from './three-renderer.mjs';

const stage = await createRenderer(400, 200);
const camera = new THREE.PerspectiveCamera(35, 2, 0.1, 100);
camera.position.set(0.4, 1, 4);
camera.lookAt(0, 0.5, 0);

export function draw(...objects) {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xcfe3ea);
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(2, 4, 3);
    scene.add(sun, ...objects);
    return stage.draw(scene, camera);
}

/** The bake `<name>.json` with `<name>.bin`; `palette`: nothing else of it. */
export async function openTable(name, only) {
    const json = await (await fetch(`${name}.json`)).json();
    if (only !== undefined) json.arrays = { [only]: json.arrays[only] };
    return BakedTable.open(json, await (await fetch(`${name}.bin`)).arrayBuffer());
}

export async function load(url = 'model.glb') {
    return { gltf: await new GLTFLoader().loadAsync(url) };
}

/** Poses what {@link load} gave as its animation has it. */
export function playLive({ gltf }, animation, seconds) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[animation]).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
    mixer.setTime(seconds);
}
