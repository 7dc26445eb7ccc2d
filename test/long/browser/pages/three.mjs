// SPDX-License-Identifier: MIT

/**
 * Scenes of three.js, by WebGLRenderer. Where 'three' is replaced by 'three/webgpu', by WebGPURenderer: with its WebGL 2 backend if
 * FORCE_WEBGL is.
 */

import { Rig } from 'poselane';
import { createBakedCrowd, createLiveCrowd } from 'poselane/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { comparisonsOf, posedByRig } from './compare.mjs';
import { pixelsOf } from './pixels.mjs';

/** A renderer, and a function that draws with it and gives the pixels. */
async function createRenderer(width, height) {
    if (!THREE.WebGPURenderer) {
        const renderer = new THREE.WebGLRenderer({ antialias: false });
        renderer.setSize(width, height);
        renderer.shadowMap.enabled = true;
        const draw = async (scene, camera) => {
            renderer.render(scene, camera);
            return pixelsOf(renderer.domElement);
        };
        return { renderer, draw };
    }
    const renderer = new THREE.WebGPURenderer({ antialias: false, forceWebGL: FORCE_WEBGL });
    await renderer.init();
    renderer.shadowMap.enabled = true;
    // Chromium without a GPU draws by WebGPU, but not onto a page: its GPU process ends.
    const target = new THREE.RenderTarget(width, height, { colorSpace: THREE.SRGBColorSpace });
    renderer.setRenderTarget(target);
    const draw = async (scene, camera) => {
        // Live skeletons are calculated once a frame of the page.
        await new Promise(requestAnimationFrame);
        renderer.render(scene, camera);
        return renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height);
    };
    return { renderer, draw };
}

const renderers = {};
const sizes = { plain: [400, 200], whole: [100, 100] };
export const rendererOf = (kind) => (renderers[kind] ??= createRenderer(...sizes[kind]));

/** The renderer and backend in use. */
export async function rendererName() {
    const { renderer } = await createRenderer(1, 1);
    if (!THREE.WebGPURenderer) return 'WebGLRenderer';
    return `WebGPURenderer, ${renderer.backend.isWebGPUBackend ? 'WebGPU' : 'WebGL 2'}`;
}

export const load = (url = 'model.glb') => new GLTFLoader().loadAsync(url);

function emptyStage(kind, ...camera) {
    const stage = { scene: new THREE.Scene(), camera: new THREE.PerspectiveCamera(...camera) };
    stage.scene.background = new THREE.Color(0xcfe3ea);
    stage.draw = async () => (await rendererOf(kind)).draw(stage.scene, stage.camera);
    return stage;
}

/** A fixed camera, and a light without shadows. */
export function plainStage(...objects) {
    const stage = emptyStage('plain', 35, 2, 0.1, 100);
    stage.camera.position.set(0.4, 1, 4);
    stage.camera.lookAt(0, 0.5, 0);
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(2, 4, 3);
    stage.scene.add(sun, ...objects);
    return stage;
}

/** A light by which all parts shade each other, and a camera, both as far away as the model is large. */
export function wholeStage(object, box, light) {
    const center = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3()).length();
    const stage = emptyStage('whole', 40, 1, size / 20, size * 10);
    const lamp = light === 'point' ? new THREE.PointLight(0xffffff, 3 * size ** 2) : new THREE.DirectionalLight();
    lamp.position.set(0.5, 1, 0.4).multiplyScalar(size).add(center);
    const bulb = new THREE.Group().add(lamp);
    if (lamp.target) {
        lamp.target.position.copy(center);
        bulb.add(lamp.target);
        Object.assign(lamp.shadow.camera, { left: -size, right: size, top: size, bottom: -size });
    }
    Object.assign(lamp.shadow.camera, { near: size / 20, far: size * 4 });
    Object.assign(lamp.shadow, { normalBias: size / 80 });
    lamp.castShadow = true;
    object.traverse((node) => {
        node.castShadow = true;
        node.receiveShadow = true;
    });
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(size * 3, size * 3), new THREE.MeshLambertMaterial());
    ground.rotation.x = -Math.PI / 2;
    ground.position.y = box.min.y;
    ground.receiveShadow = true;
    stage.camera.position.set(0.3, 0.5, 1).multiplyScalar(size).add(center);
    stage.camera.lookAt(center);
    stage.camera.updateMatrixWorld();
    stage.scene.add(object, bulb, ground, new THREE.HemisphereLight(0xffffff, 0x8899aa, 1));
    // Not by `castShadow`, which compiles shaders again.
    const shade = (isOn) => {
        lamp.shadow.intensity = isOn ? 1 : 0;
    };
    return { ...stage, shade };
}

export async function openLive({ model, whole = false, light }) {
    const gltf = await load(model);
    const box = new THREE.Box3().setFromObject(gltf.scene, true);
    const mixer = new THREE.AnimationMixer(gltf.scene);
    return {
        ...(whole ? wholeStage(gltf.scene, box, light) : plainStage(gltf.scene)),
        box,
        model: gltf.scene,
        pose(animation, seconds) {
            mixer.stopAllAction();
            const action = mixer.clipAction(gltf.animations[animation]).reset();
            action.setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
            mixer.setTime(seconds);
        },
    };
}

export async function openBaked({ model, tables, whole = false, light, box, count = 1, maxSize, ...given }) {
    const gltf = await load(model);
    const source = given.sceneOnly ? gltf.scene : gltf;
    const rig = given.rig && (await Rig.load(await (await fetch(model)).arrayBuffer()));
    const crowd = rig
        ? createLiveCrowd(THREE, rig, source, count, { maxSize })
        : createBakedCrowd(THREE, tables, source, count, { maxSize });
    if (given.atRoot) {
        const root = await gltf.parser.getDependency('node', tables[0].manifest.skin.root);
        root.updateWorldMatrix(true, false);
        crowd.group.applyMatrix4(root.matrixWorld);
    }
    return {
        ...(whole ? wholeStage(crowd.group, box, light) : plainStage(crowd.group)),
        crowd,
        pose: rig ? posedByRig(rig, count, tables[0], crowd) : (...args) => crowd.pose(...args),
    };
}

/** Weights that three.js gives to each instance, where the bake has none. */
function setMorphs({ crowd }, weights) {
    for (const mesh of crowd.meshes) {
        mesh.setMorphAt(0, { morphTargetInfluences: [...weights] });
        mesh.morphTexture.needsUpdate = true;
    }
}

export const { openBoth, compareVariant, compareBakes, compareWhole, compareFade } = comparisonsOf({
    openLive,
    openBaked,
    setMorphs,
});
