// SPDX-License-Identifier: MIT

/**
 * A bake without a baker: three.js loads a file, and its mixer and skeleton give the matrices of every frame of every clip.
 *
 *     node three-bake.mjs model.glb out.bin fps
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { AnimationMixer, LoopOnce, MeshBasicMaterial } from 'three';

// GLTFLoader needs it in Node.
globalThis.self = globalThis;
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

/** The loader's result. Images are not read. */
export function parseModel(bytes) {
    const loader = new GLTFLoader();
    const material = new MeshBasicMaterial();
    loader.register(() => ({ name: 'NO_IMAGES', loadMaterial: () => Promise.resolve(material) }));
    return loader.parseAsync(bytes.buffer, '');
}

/** With the skeleton of the first skin. */
export async function loadModel(path) {
    const gltf = await parseModel(new Uint8Array(readFileSync(path)));
    return { ...gltf, skeleton: await gltf.parser.getDependency('skin', 0) };
}

/** The baker's number of frames: a last interval shorter than one frame counts as one. */
function framesOf(duration, fps) {
    const frames = duration * fps;
    const whole = Math.abs(frames - Math.round(frames)) <= 1e-3;
    return duration === 0 ? 1 : whole ? Math.round(frames) + 1 : Math.floor(frames) + 2;
}

/** Every frame of every clip, by AnimationMixer and Skeleton.update: `[row][joint][16]`. */
export function palettesOf({ animations, scene, skeleton }, fps) {
    const width = skeleton.bones.length * 16;
    const counts = animations.map(({ duration }) => framesOf(duration, fps));
    const palettes = new Float32Array(counts.reduce((sum, count) => sum + count, 0) * width);
    let row = 0;
    for (const [index, clip] of animations.entries()) {
        const mixer = new AnimationMixer(scene);
        const action = mixer.clipAction(clip).setLoop(LoopOnce);
        action.clampWhenFinished = true;
        action.play();
        for (let frame = 0; frame < counts[index]; frame++, row++) {
            // As a float32, because key times are.
            mixer.setTime(Math.fround(Math.min(frame / fps, clip.duration)));
            scene.updateMatrixWorld();
            skeleton.update();
            palettes.set(skeleton.boneMatrices.subarray(0, width), row * width);
        }
        mixer.stopAllAction();
        mixer.uncacheRoot(scene);
    }
    return palettes;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const [, , path, out, fps] = process.argv;
    writeFileSync(out, new Uint8Array(palettesOf(await loadModel(path), Number(fps)).buffer));
}
