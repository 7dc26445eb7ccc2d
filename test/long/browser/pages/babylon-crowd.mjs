// SPDX-License-Identifier: MIT

/**
 * Three live characters, and three thin instances at their places, clips and times. Unlit: of thin instances Babylon
 * calculates normals in another way than of other meshes, and so their shading where matrices scale.
 */

import { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { createBakedAnimation, playSettings, SETTINGS_ATTRIBUTE, stillSettings } from 'poselane/babylon';
import { babylon, createScene, draw as drawScene, load, openTable, playLive } from './babylon-stage.mjs';
import { comparePixels } from './pixels.mjs';

const table = await openTable('bake');

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
    const { skinned } = await load(baked);
    const animation = createBakedAnimation(babylon, table, skinned, { maxSize });
    const settings = stillSettings(table, clips, times, new Float32Array(12));
    for (const mesh of skinned) {
        const matrices = new Float32Array(48);
        for (const [i, x] of places.entries()) Matrix.Translation(x, 0, 0).copyToArray(matrices, i * 16);
        mesh.thinInstanceSetBuffer('matrix', matrices, 16);
        mesh.thinInstanceSetBuffer(SETTINGS_ATTRIBUTE, settings, 4, false);
    }
    const picture = await draw(live);
    const result = comparePixels(picture, await draw(baked));
    // Babylon's own clock: the same rows again, where the first round begins at them and the clock stands still.
    for (let i = 0; i < 3; i++) {
        playSettings(table, clips[i], settings, i * 4, Math.round(times[i] * table.clips[clips[i]].fps), 1);
    }
    for (const mesh of skinned) mesh.thinInstanceBufferUpdated(SETTINGS_ATTRIBUTE);
    const byClock = comparePixels(picture, await draw(baked)).differing;
    animation.manager.time = 0.1;
    const later = comparePixels(picture, await draw(baked)).differing;
    return { ...result, byClock, later };
};
