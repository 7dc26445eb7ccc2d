// SPDX-License-Identifier: MIT

/**
 * All that `poselane bake` gives, by three.js: `node three-bake-errors.mjs model.glb out fps` writes the palettes to `out.bin`
 * and what is known of them to `out.json`: for each clip its box and how far playback is off, evaluated at eight points of
 * every interval; the model's extent, and checksums.
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { framesOf, frameTime, loadModel, play } from './three-model.mjs';
import { Greatest, jumpsOf, SAMPLES } from './three-playback.mjs';
import { addSkinned, emptyBox, extentOf, jointBoxesOf, verticesOf } from './three-vertices.mjs';

const [path, out, rate] = process.argv.slice(2);
const fps = Number(rate);
const model = await loadModel(path);
const { animations, scene, skeleton } = model;
const { bones, boneMatrices } = skeleton;
const width = bones.length * 16;
const vertices = verticesOf(scene, skeleton);
const extent = extentOf(model, vertices);
const jointBoxes = jointBoxesOf(vertices, bones.length);

/** Names of the joints, and of all that is above them. */
const moving = new Set();
for (const bone of bones) for (let node = bone; node !== null; node = node.parent) moving.add(node.name);

const counts = animations.map(({ duration }) => framesOf(duration, fps));
const palettes = new Float32Array(counts.reduce((sum, count) => sum + count, 0) * width);
let row = 0;
const clips = animations.map((clip, index) => {
    const firstRow = row;
    const times = Float32Array.from({ length: counts[index] }, (_, frame) => frameTime(frame, clip, fps));
    const { frames: jumps, late } = jumpsOf(clip, moving, times);
    const box = emptyBox();
    const greatest = new Greatest(jointBoxes);
    play(model, clip, (poseAt) => {
        const samples = Array.from({ length: SAMPLES }, () => new Float32Array(width));
        for (let frame = 0; frame < times.length; frame++, row++) {
            // Into a jump nothing is interpolated.
            const compared = frame > 0 && !jumps.has(frame);
            const begin = times[frame - 1];
            for (let k = 1; compared && k <= SAMPLES; k++) {
                poseAt(begin + ((times[frame] - begin) * k) / (SAMPLES + 1));
                samples[k - 1].set(boneMatrices.subarray(0, width));
            }
            poseAt(times[frame]);
            palettes.set(boneMatrices.subarray(0, width), row * width);
            addSkinned(box, vertices, boneMatrices);
            // How much of a frame the interval is: all but the last one are whole.
            const length = frame === times.length - 1 ? clip.duration * fps - (frame - 1) : 1;
            for (let k = 1; compared && k <= SAMPLES; k++) {
                const share = k / (SAMPLES + 1);
                const first = share * length < 0.5;
                greatest.add(palettes, (row - 1) * width, row * width, share, first, samples[k - 1]);
            }
        }
    });
    const maxLerp = Math.sqrt(greatest.lerp);
    const maxNearest = Math.sqrt(greatest.nearest);
    return {
        name: clip.name,
        firstRow,
        frameCount: counts[index],
        duration: clip.duration,
        discontinuities: [...jumps].sort((a, b) => a - b),
        bounds: [...box],
        error: {
            maxLate: late,
            maxLerp,
            maxLerpShare: maxLerp / extent,
            maxNearest,
            maxNearestShare: maxNearest / extent,
        },
    };
});

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const bin = new Uint8Array(palettes.buffer);
const manifest = {
    source: sha256(readFileSync(path)),
    binary: sha256(bin),
    joints: bones.map((bone) => ({ name: bone.name, parent: bones.indexOf(bone.parent) })),
    extent,
    clips,
};
writeFileSync(`${out}.bin`, bin);
writeFileSync(`${out}.json`, JSON.stringify(manifest, null, 2));
