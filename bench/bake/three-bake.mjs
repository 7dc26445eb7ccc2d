// SPDX-License-Identifier: MIT

/**
 * What one would write without a baker: `node three-bake.mjs model.glb out.bin fps`. three.js loads the file, its mixer and
 * its skeleton give the matrices of every frame of every clip, and one file is written.
 */

import { writeFileSync } from 'node:fs';
import { framesOf, frameTime, loadModel, play } from './three-model.mjs';

const [path, out, rate] = process.argv.slice(2);
const fps = Number(rate);
const model = await loadModel(path);
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
writeFileSync(out, new Uint8Array(palettes.buffer));
