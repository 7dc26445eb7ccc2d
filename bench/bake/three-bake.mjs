// SPDX-License-Identifier: MIT

/**
 * What one would write without a baker: `node three-bake.mjs model.glb out.bin fps`. three.js loads the file, its mixer and
 * its skeleton give the matrices of every frame of every clip, and one file is written.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, MeshBasicMaterial } from 'three';

// All that GLTFLoader needs in Node.
globalThis.self = globalThis;
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const [model, out, rate] = process.argv.slice(2);
const fps = Number(rate);
const loader = new GLTFLoader();
// Images are nobody's work here.
const material = new MeshBasicMaterial();
loader.register(() => ({ name: 'NO_IMAGES', loadMaterial: () => Promise.resolve(material) }));
const gltf = await loader.parseAsync(new Uint8Array(readFileSync(model)).buffer, '');
const skeleton = await gltf.parser.getDependency('skin', 0);
const width = skeleton.bones.length * 16;

/** As the baker counts them: a last interval that is no whole frame is shortened. */
function framesOf(duration) {
    const frames = duration * fps;
    const whole = Math.abs(frames - Math.round(frames)) <= 1e-3;
    return duration === 0 ? 1 : whole ? Math.round(frames) + 1 : Math.floor(frames) + 2;
}

const counts = gltf.animations.map(({ duration }) => framesOf(duration));
const palettes = new Float32Array(counts.reduce((sum, count) => sum + count, 0) * width);
let row = 0;
for (const [index, clip] of gltf.animations.entries()) {
    const mixer = new AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    for (let frame = 0; frame < counts[index]; frame++, row++) {
        mixer.setTime(Math.fround(Math.min(frame / fps, clip.duration)));
        gltf.scene.updateMatrixWorld();
        skeleton.update();
        palettes.set(skeleton.boneMatrices.subarray(0, width), row * width);
    }
    mixer.stopAllAction();
    mixer.uncacheRoot(gltf.scene);
}
writeFileSync(out, new Uint8Array(palettes.buffer));
