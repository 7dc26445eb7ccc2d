// SPDX-License-Identifier: MIT

/** A file as three.js loads and plays it, for the scripts that bake with it. */

import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, MeshBasicMaterial } from 'three';

// All that GLTFLoader needs in Node.
globalThis.self = globalThis;
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

/** @returns What the loader gives, and the first skin's skeleton. */
export async function loadModel(path) {
    const loader = new GLTFLoader();
    // Images are nobody's work here.
    const material = new MeshBasicMaterial();
    loader.register(() => ({ name: 'NO_IMAGES', loadMaterial: () => Promise.resolve(material) }));
    const gltf = await loader.parseAsync(new Uint8Array(readFileSync(path)).buffer, '');
    return { ...gltf, skeleton: await gltf.parser.getDependency('skin', 0) };
}

/** As the baker counts them: a last interval that is no whole frame is shortened. */
export function framesOf(duration, fps) {
    const frames = duration * fps;
    const whole = Math.abs(frames - Math.round(frames)) <= 1e-3;
    return duration === 0 ? 1 : whole ? Math.round(frames) + 1 : Math.floor(frames) + 2;
}

/** Seconds: as a float32, because key times are. */
export function frameTime(frame, { duration }, fps) {
    return Math.fround(Math.min(frame / fps, duration));
}

/** Every frame of every clip, by AnimationMixer and Skeleton.update: `[row][joint][16]`, in a new list. */
export function palettesOf(model, fps) {
    const { animations, skeleton } = model;
    const width = skeleton.bones.length * 16;
    const counts = animations.map(({ duration }) => framesOf(duration, fps));
    const palettes = new Float32Array(counts.reduce((sum, count) => sum + count, 0) * width);
    let row = 0;
    for (const [index, clip] of animations.entries()) {
        play(model, clip, (poseAt) => {
            for (let frame = 0; frame < counts[index]; frame++, row++) {
                poseAt(frameTime(frame, clip, fps));
                palettes.set(skeleton.boneMatrices.subarray(0, width), row * width);
            }
        });
    }
    return palettes;
}

/**
 * Plays a clip from its start to its end.
 *
 * @param look Gets `poseAt(time)`, which leaves the skeleton's matrices in `skeleton.boneMatrices`; times ascend.
 */
export function play({ scene, skeleton }, clip, look) {
    const mixer = new AnimationMixer(scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    look((time) => {
        mixer.setTime(time);
        scene.updateMatrixWorld();
        skeleton.update();
    });
    mixer.stopAllAction();
    mixer.uncacheRoot(scene);
}
