// SPDX-License-Identifier: MIT

/** Characters that walk over uneven ground, plant their feet on it, and look at the pointer: docs/walk-look-plant.md. */

import { Rig } from 'poselane';
import { createLiveCrowd } from 'poselane/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const COUNT = 5;
const WIDTH = 0.8; // meters between two lanes
const SPEED = 0.9; // meters a second

const file = await (await fetch('character.glb')).arrayBuffer();
const gltf = await new GLTFLoader().parseAsync(file.slice(0), '');
const rig = await Rig.load(file);
const crowd = createLiveCrowd(THREE, rig, gltf, COUNT);
const poses = rig.createPoses(COUNT);
const [walk, chest, neck, head] = [
    rig.clipNamed('Walk'),
    ...['Chest', 'Neck', 'Head'].map((name) => rig.slotNamed(name)),
];
const legs = ['L', 'R'].map((side) => ({
    start: rig.slotNamed(`Thigh_${side}`),
    mid: rig.slotNamed(`Shin_${side}`),
    end: rig.slotNamed(`Foot_${side}`),
}));
const feet = Uint16Array.from(legs, ({ end }) => end);

/** Height of the ground: steps with round edges. */
function heightAt(x, z) {
    const at = z / 0.8 + Math.floor(x / WIDTH) * 0.4;
    const part = at - Math.floor(at);
    const rise = Math.min(1, part * 5);
    const level = (step) => ((step * 37) % 5) * 0.045;
    return (
        level(Math.floor(at) - 1) + (level(Math.floor(at)) - level(Math.floor(at) - 1)) * rise * rise * (3 - 2 * rise)
    );
}

const scene = new THREE.Scene().add(crowd.group, new THREE.HemisphereLight(0xffffff, 0x8899aa, 2));
scene.background = new THREE.Color(0xcfe3ea);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -4, right: 4, top: 4, bottom: -4, far: 20 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, sun.target);
const plane = new THREE.PlaneGeometry(COUNT * WIDTH, 60, COUNT * 20, 1500).rotateX(-Math.PI / 2);
const { position } = plane.attributes;
for (let i = 0; i < position.count; i++) position.setY(i, heightAt(position.getX(i), position.getZ(i)));
plane.computeVertexNormals();
const ground = new THREE.Mesh(plane, new THREE.MeshLambertMaterial({ color: 0x9db38a }));
ground.receiveShadow = true;
scene.add(ground);
for (const mesh of crowd.meshes) Object.assign(mesh, { castShadow: true, receiveShadow: true });

const canvas = document.getElementById('canvas');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
const pointer = new THREE.Vector2(-0.5, 0.3);
addEventListener('pointermove', ({ clientX, clientY }) => {
    pointer.set((clientX / innerWidth) * 2 - 1, 1 - (clientY / innerHeight) * 2);
});
const ik = document.getElementById('ik');

const times = new Float64Array(COUNT);
const ankles = new Float32Array(COUNT * feet.length * 12);
const targets = legs.map(() => new Float32Array(COUNT * 3));
const looks = new Float32Array(COUNT * 3);
const [matrix, look] = [new THREE.Matrix4(), new THREE.Vector3()];

/** Poses all characters; the first is `walked` meters ahead of the middle of the ground. */
function pose(seconds) {
    const walked = (seconds * SPEED) % 20;
    camera.position.set(1.5, 0.9, walked - 10 + 3.4);
    camera.lookAt(0, 0.45, walked - 10);
    camera.updateMatrixWorld();
    look.set(pointer.x, pointer.y, 0.5)
        .unproject(camera)
        .sub(camera.position)
        .normalize()
        .multiplyScalar(2)
        .add(camera.position);

    for (let i = 0; i < COUNT; i++) times[i] = seconds + i * 0.13;
    rig.evaluate(poses, walk, times, { loop: 'wrap' });
    rig.toGlobal(poses);
    rig.joints(poses, feet, ankles);
    for (let i = 0; i < COUNT; i++) {
        const [x, z] = [(i + 0.5 - COUNT / 2) * WIDTH, walked - 10 + (i % 2) * 0.5];
        const heights = legs.map((_, foot) => {
            const at = (i * feet.length + foot) * 12; // its place is elements 3, 7 and 11
            return heightAt(x + ankles[at + 3], z + ankles[at + 11]);
        });
        // The body stands on the lower foot. The other foot is raised by the difference.
        const low = Math.min(...heights);
        for (const [foot, target] of targets.entries()) {
            const at = (i * feet.length + foot) * 12;
            target.set([ankles[at + 3], ankles[at + 7] + heights[foot] - low, ankles[at + 11]], i * 3);
        }
        looks.set([look.x - x, look.y - low, look.z - z], i * 3);
        crowd.setMatrixAt(i, matrix.makeTranslation(x, low, z));
    }
    if (ik.checked) {
        for (const [foot, leg] of legs.entries()) {
            rig.twoBoneIk(poses, leg, targets[foot], { soften: 0.97 });
            rig.toGlobal(poses, { from: leg.start });
        }
        rig.aimIk(poses, [chest, neck, head], looks, { shares: [1, 1, 3], weights: 0.8 });
        rig.toGlobal(poses, { from: chest });
    }
    crowd.update(poses);
}

function frame(now) {
    pose(now / 1000);
    sun.position.set(3, 6, camera.position.z - 2);
    sun.target.position.set(0, 0, camera.position.z - 6);
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    renderer.render(scene, camera);
    document.body.dataset.ready = 'yes';
    requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
