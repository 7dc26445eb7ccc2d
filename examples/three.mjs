// SPDX-License-Identifier: MIT

/** Live skinning by three.js on the left, the baked palette on the right. */

import * as forWebGL from 'poselane/three';
import * as forWebGPU from 'poselane/three/webgpu';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import * as WEBGPU from 'three/webgpu';
import { canvas, canvasSize, limit, loadTable, run, size, webgpu } from './page.mjs';

const table = await loadTable();
const gltf = await new GLTFLoader().loadAsync('model.glb');
const antialias = size === undefined;
const renderer = webgpu
    ? new WEBGPU.WebGPURenderer({ canvas, antialias })
    : new THREE.WebGLRenderer({ canvas, antialias });
await renderer.init?.();
renderer.shadowMap.enabled = true;
renderer.setClearColor(0xcfe3ea);
// Both halves are drawn after that.
renderer.autoClear = false;

// The baked half: all meshes of the scene, without mixer and bones.
const crowd = webgpu
    ? forWebGPU.createBakedCrowd(WEBGPU, table, gltf, 1, { maxSize: limit })
    : forWebGL.createBakedCrowd(THREE, table, gltf, 1, { maxSize: limit ?? renderer.capabilities.maxTextureSize });

// The live half.
const mixer = new THREE.AnimationMixer(gltf.scene);
let action;

const box = new THREE.Box3().setFromObject(gltf.scene, true);
const diagonal = box.getSize(new THREE.Vector3()).length() || 1;
const camera = new THREE.PerspectiveCamera(35, 1, diagonal / 100, diagonal * 100);
const controls = new OrbitControls(camera, canvas);
box.getCenter(controls.target);
camera.position.copy(controls.target).add(new THREE.Vector3(0.5, 0.35, 1.6).multiplyScalar(diagonal));
controls.update();

const scenes = [gltf.scene, crowd.group].map((model) => {
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(1, 2, 1.5).multiplyScalar(diagonal).add(controls.target);
    sun.target.position.copy(controls.target);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.normalBias = diagonal / 300;
    const [left, right, far] = [-diagonal, diagonal, 6 * diagonal];
    Object.assign(sun.shadow.camera, { left, right, bottom: left, top: right, far });
    const ground = new THREE.Mesh(new THREE.CircleGeometry(4 * diagonal), new THREE.ShadowMaterial({ opacity: 0.4 }));
    ground.rotation.x = -Math.PI / 2;
    // The bias lifts what is tested: without this a bright rim would be between soles and their shadow.
    ground.position.y = box.min.y - sun.shadow.normalBias;
    ground.receiveShadow = true;
    model.traverse((node) => {
        node.castShadow = true;
        node.receiveShadow = true;
    });
    return scene.add(model, ground, new THREE.HemisphereLight(0xffffff, 0x8899aa, 2), sun, sun.target);
});

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
    renderer.setScissorTest(false);
    renderer.clear();
    renderer.setScissorTest(true);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    for (const [half, scene] of (only === undefined ? scenes : [scenes[only]]).entries()) {
        renderer.setViewport(half * width, 0, width, height);
        renderer.setScissor(half * width, 0, width, height);
        renderer.render(scene, camera);
    }
});
