// SPDX-License-Identifier: MIT

/** A frame of a live crowd in a page: only JavaScript, without drawing. */

import model from 'model';
import { createLiveCrowd } from 'poselane/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { Rig, ready } from '../../dist/esm/browser.mjs';
import { measure } from '../harness.mjs';

const { characters, ...settings } = SETTINGS;

/** Clips and times that go on from frame to frame: two for each character, and how much of the second. */
function playback(clips) {
    const at = new Float64Array(characters);
    const two = [0, 1].map((k) => Uint16Array.from(at, (_, i) => (i * 7 + k * 3) % clips));
    const weights = Float32Array.from(at, (_, i) => (i % 10) / 10);
    return { two, weights, times: at.map((_, i) => (i % 16) / 10) };
}

function ours(rig, crowd, { two: [first, second], weights, times }) {
    const [poses, others] = [0, 1].map(() => rig.createPoses(characters));
    return {
        name: 'poselane',
        run() {
            for (let i = 0; i < characters; i++) times[i] += 1 / 60;
            rig.evaluate(poses, first, times, { loop: 'wrap' });
            rig.evaluate(others, second, times, { loop: 'wrap' });
            rig.blend(poses, poses, others, weights);
            rig.toGlobal(poses);
            crowd.update(poses);
        },
    };
}

/** The work of InstancedSkinnedMesh: a mixer and a hierarchy for each character. */
function theirs(gltf, { two, weights }) {
    const all = Array.from({ length: characters }, (_, i) => {
        const scene = clone(gltf.scene);
        const mixer = new THREE.AnimationMixer(scene);
        for (const [k, clips] of two.entries()) {
            const action = mixer.clipAction(gltf.animations[clips[i]]);
            action.setEffectiveWeight(k === 0 ? 1 - weights[i] : weights[i]).play();
            action.time = (i % 16) / 10;
        }
        const skeletons = new Set();
        scene.traverse(({ skeleton }) => skeleton && skeletons.add(skeleton));
        return { scene, mixer, skeletons };
    });
    return {
        name: 'three.js',
        run() {
            for (const { scene, mixer, skeletons } of all) {
                mixer.update(1 / 60);
                scene.updateMatrixWorld();
                for (const skeleton of skeletons) skeleton.update();
            }
        },
    };
}

export async function main() {
    await ready();
    const gltf = await new GLTFLoader().parseAsync(model.buffer.slice(0), '');
    const rig = await Rig.load(model);
    const crowd = createLiveCrowd(THREE, rig, gltf, characters);
    const playing = playback(rig.clips.length);
    const subjects = [ours(rig, crowd, playing), theirs(gltf, playing)].map((one) => ({
        ...one,
        units: 1,
        outputs: [],
    }));
    return { results: await measure(subjects, settings), slots: rig.slots.length, clips: rig.clips.length };
}
