// SPDX-License-Identifier: MIT

/** One character, live and from bakes with other options; and from a table of the engine's own matrices. */

import { createBakedCrowd } from 'poselane/three';
import * as THREE from 'three';
import { comparePixels } from './pixels.mjs';
import { draw, load, openTable, playLive } from './three-stage.mjs';

/** The moment that all of them show. */
async function moment(bake, clip, frame) {
    const table = await openTable(bake);
    const { animation } = table.clips[clip];
    const seconds = table.frameTime(clip, frame);
    return { table, animation, seconds, times: Float64Array.of(seconds) };
}

/** A crowd of one, drawn. `place` changes it before. */
async function drawBaked(url, table, clip, times, place = () => {}) {
    const model = await load(url);
    const crowd = createBakedCrowd(THREE, table, model.gltf, 1);
    crowd.pose(clip, times);
    await place(crowd, model);
    return draw(crowd.group);
}

/** Under the skin's root at rest, whose space that of `space: 'skin-root'` is. */
async function placeAtRoot(table, crowd, { gltf }) {
    const root = await gltf.parser.getDependency('node', table.manifest.skin.root);
    root.updateWorldMatrix(true, false);
    crowd.group.applyMatrix4(root.matrixWorld);
}

export const compareVariant = async ({ model = 'model.glb', bake, clip, frame, atRoot = false, morph = false }) => {
    const { table, animation, seconds, times } = await moment(bake, clip, frame);
    const bare = await openTable(bake, 'palette');
    const live = await load(model);
    playLive(live, animation, seconds);
    const expected = await draw(live.gltf.scene);
    const asItIs = await drawBaked(model, bare, clip, times);
    const placed = await drawBaked(model, table, clip, times, async (crowd, loaded) => {
        if (atRoot) await placeAtRoot(table, crowd, loaded);
    });
    // Weights that three.js gives to each instance, where the bake has none.
    const byHand = await drawBaked(model, morph ? bare : table, clip, times, async (crowd, loaded) => {
        if (atRoot) await placeAtRoot(table, crowd, loaded);
        if (!morph) return;
        const weights = table.sample('morph', clip, times, new Float32Array(table.arrays.morph.rowFloats));
        for (const mesh of crowd.meshes) {
            mesh.setMorphAt(0, { morphTargetInfluences: [...weights] });
            mesh.morphTexture.needsUpdate = true;
        }
    });
    const compared = comparePixels(expected, placed);
    const differing = Math.max(compared.differing, comparePixels(expected, byHand).differing);
    return { ...compared, differing, asItIs: comparePixels(expected, asItIs).differing };
};

/** Two bakes of the same: those of half floats against the floats that they are. */
export const compareBakes = async (a, b, clip, frame) => {
    const pictures = [];
    for (const bake of [a, b]) {
        const { table, times } = await moment(bake, clip, frame);
        pictures.push(await drawBaked('model.glb', table, clip, times));
    }
    return comparePixels(...pictures);
};

export const compareOwnMatrices = async (frames) => {
    const table = await openTable('bake');
    const { data, rowFloats } = table.arrays.palette;
    const live = await load();
    const crowd = createBakedCrowd(THREE, table, (await load()).gltf, 1);
    const results = [];
    for (const [clip, frame] of frames) {
        const times = Float64Array.of(table.frameTime(clip, frame));
        playLive(live, table.clips[clip].animation, times[0]);
        const expected = await draw(live.gltf.scene);
        const { boneMatrices } = live.gltf.scene.getObjectByProperty('isSkinnedMesh', true).skeleton;
        data.set(boneMatrices.subarray(0, rowFloats), (table.clips[clip].firstRow + frame) * rowFloats);
        crowd.textures[0].needsUpdate = true;
        crowd.pose(clip, times);
        results.push({ clip, frame, ...comparePixels(expected, await draw(crowd.group)) });
    }
    return results;
};
