// SPDX-License-Identifier: MIT

/** A crowd whose nearest characters are live, posed by a Rig in each frame, and all others baked. */

import { Rig } from 'poselane';
import { createBakedCrowd, createLiveCrowd } from 'poselane/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { canvas, loadTable } from './page.mjs';

const ROWS = 20;
const LIVE = 24;
const FADE = 0.4; // seconds

const model = await (await fetch('model.glb')).arrayBuffer();
const [table, rig] = await Promise.all([loadTable(), Rig.load(model.slice(0))]);
const gltf = await new GLTFLoader().parseAsync(model, '');
const size = new THREE.Box3().setFromObject(gltf.scene, true).getSize(new THREE.Vector3());
const step = 1.2 * Math.max(size.x, size.z);

const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
const { maxTextureSize: maxSize } = renderer.capabilities;
const baked = createBakedCrowd(THREE, table, gltf, ROWS * ROWS, { maxSize });
const live = createLiveCrowd(THREE, rig, gltf, LIVE, { maxSize });
const scene = new THREE.Scene().add(baked.group, live.group, new THREE.HemisphereLight(0xffffff, 0x8899aa, 4));
scene.background = new THREE.Color(0xcfe3ea);
const camera = new THREE.PerspectiveCamera(40, 1, size.y / 50, size.y * 500);
const controls = new OrbitControls(camera, canvas);
controls.target.set(0, size.y / 2, step * ROWS * 0.4);
camera.position.set(size.y, size.y * 2, step * ROWS * 0.4 + size.y * 6);
controls.update();

/** Each character plays a clip of its own, and changes it now and then. `before`: the clip that it fades from. */
const characters = Array.from({ length: ROWS * ROWS }, (_, i) => ({
    place: new THREE.Vector3((i % ROWS) - ROWS / 2, 0, Math.floor(i / ROWS) - ROWS / 2).multiplyScalar(step),
    clip: i % table.clips.length,
    before: i % table.clips.length,
    since: (i % 7) - 7,
    far: 0,
}));
const clips = new Uint16Array(characters.length);
const times = new Float64Array(characters.length);
const [poses, others] = [rig.createPoses(LIVE), rig.createPoses(LIVE)];
const [first, second, weights] = [new Uint16Array(LIVE), new Uint16Array(LIVE), new Float32Array(LIVE)];
const liveTimes = new Float64Array(LIVE);
const [matrix, nowhere, color] = [
    new THREE.Matrix4(),
    new THREE.Matrix4().makeTranslation(0, -1e6, 0),
    new THREE.Color(1, 0.5, 0.4),
];
for (let k = 0; k < LIVE; k++) live.setColorAt(k, color);
const animationOf = (clip) => table.manifest.clips[clip].animation;

function frame(now) {
    const seconds = now / 1000;
    for (const [i, one] of characters.entries()) {
        if (seconds - one.since > 7) {
            Object.assign(one, { before: one.clip, clip: (one.clip + 1) % table.clips.length, since: seconds });
        }
        one.far = one.place.distanceToSquared(camera.position);
        clips[i] = one.clip;
        times[i] = seconds;
        baked.setMatrixAt(i, matrix.makeTranslation(one.place));
    }
    const near = [...characters.keys()].sort((a, b) => characters[a].far - characters[b].far).slice(0, LIVE);
    for (const [k, i] of near.entries()) {
        const { place, clip, before, since } = characters[i];
        baked.setMatrixAt(i, nowhere);
        live.setMatrixAt(k, matrix.makeTranslation(place));
        first[k] = animationOf(before);
        second[k] = animationOf(clip);
        weights[k] = Math.min(1, (seconds - since) / FADE);
        liveTimes[k] = seconds;
    }
    baked.pose(clips, times, { loop: 'wrap' });
    rig.evaluate(poses, first, liveTimes, { loop: 'wrap' });
    rig.evaluate(others, second, liveTimes, { loop: 'wrap' });
    rig.blend(poses, poses, others, weights);
    rig.toGlobal(poses);
    live.update(poses);

    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const drawn = [baked, live].map((crowd) => crowd.cull(camera));
    document.getElementById('count').textContent = `${drawn[1]} live, ${drawn[0]} baked in sight`;
    renderer.render(scene, camera);
    document.body.dataset.ready = 'yes';
    requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
