// SPDX-License-Identifier: MIT

/**
 * Three live characters, and three thin instances at their places, clips and times. Unlit: Babylon calculates the normals of thin
 * instances in another way, which changes their shading if matrices scale.
 */

import { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import { Scene } from '@babylonjs/core/scene.js';
import { createBakedAnimation } from 'poselane/babylon';
import { babylon, draw as drawScene, engine, load, plainStage, playLive } from './babylon.mjs';
import { comparePixels } from './pixels.mjs';
import { openTable } from './tables.mjs';

const table = await openTable('bake');

function createScene() {
    const scene = new Scene(engine);
    plainStage(scene);
    return scene;
}

function draw(scene) {
    for (const material of scene.materials) material.unlit = true;
    return drawScene(scene);
}

const places = [-1, 0, 1];
const clips = Uint16Array.of(2, 0, 1);
const times = Float64Array.from([20, 60, 12], (frame, i) => table.frameTime(clips[i], frame));

export const compareCrowd = async (maxSize) => {
    const live = createScene();
    for (const [i, x] of places.entries()) {
        const model = await load(live);
        playLive(model, clips[i], times[i]);
        // The loader's root mirrors x.
        model.meshes[0].position.x = -x;
    }
    const baked = createScene();
    const { meshes } = await load(baked);
    const animation = createBakedAnimation(babylon, table, meshes, { instances: 3, maxSize });
    const matrices = new Float32Array(48);
    for (const [i, x] of places.entries()) Matrix.Translation(x, 0, 0).copyToArray(matrices, i * 16);
    animation.place(matrices);
    animation.pose(clips, times);
    const picture = await draw(live);
    const result = comparePixels(picture, await draw(baked));
    // A control: one of them a few frames later.
    animation.pose(clips, Float64Array.of(times[0], times[1], times[2] + 0.1));
    const later = comparePixels(picture, await draw(baked)).differing;
    // Mixtures of two rows are uploaded. With a weight near 0 the picture is the same.
    const to = { clips, times, weight: 1e-7 };
    animation.pose(clips, times, { to });
    const byUpload = comparePixels(picture, await draw(baked)).differing;
    if (maxSize !== undefined) return { ...result, byUpload, byClock: 0, later };
    // Babylon's own clock: the same rows again, where the first round begins at them and the clock stands still.
    const offsets = times.map((time, i) => Math.round(time * table.clips[clips[i]].fps));
    animation.play(clips, offsets);
    const byClock = comparePixels(picture, await draw(baked)).differing;
    return { ...result, byUpload, byClock, later };
};
