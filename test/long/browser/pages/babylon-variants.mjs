// SPDX-License-Identifier: MIT

/** One character, live and from bakes with other options; and from a table of the engine's own matrices. */

import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { createBakedAnimation } from 'poselane/babylon';
import { babylon, createScene, draw, load, openTable, playLive } from './babylon-stage.mjs';
import { comparePixels } from './pixels.mjs';

/** One character, drawn. `place` gives options, and may change it. */
async function drawBaked(url, table, clip, seconds, place = () => undefined) {
    const scene = createScene();
    const model = await load(scene, url);
    const animation = createBakedAnimation(babylon, table, model.meshes, place(scene, model));
    animation.pose(clip, Float64Array.of(seconds));
    return draw(scene);
}

/** A node where the skin's root is at rest, in whose space `space: 'skin-root'` is. */
function nodeAtRoot(table, scene, { meshes }) {
    const [root] = meshes;
    const joint = scene.getTransformNodeByName(table.joints.find(({ node }) => node === table.manifest.skin.root).name);
    joint.computeWorldMatrix(true);
    root.computeWorldMatrix(true);
    const [scaling, rotation, position] = [new Vector3(), new Quaternion(), new Vector3()];
    const toRoot = joint.getWorldMatrix().multiply(Matrix.Invert(root.getWorldMatrix()));
    toRoot.decompose(scaling, rotation, position);
    const place = new TransformNode('place', scene);
    place.parent = root;
    Object.assign(place, { scaling, rotationQuaternion: rotation, position });
    return place;
}

export const compareVariant = async ({ model = 'model.glb', bake, clip, frame, atRoot = false, morph = false }) => {
    const table = await openTable(bake);
    const seconds = table.frameTime(clip, frame);
    const scene = createScene();
    playLive(await load(scene, model), table.clips[clip].animation, seconds);
    const expected = await draw(scene);
    const bare = morph ? await openTable(bake, 'palette') : table;
    const asItIs = await drawBaked(model, bare, clip, seconds);
    const placed = await drawBaked(model, table, clip, seconds, (there, loaded) =>
        atRoot ? { root: nodeAtRoot(table, there, loaded) } : {},
    );
    return { ...comparePixels(expected, placed), asItIs: comparePixels(expected, asItIs).differing };
};

/** Two bakes of the same: those of half floats against the floats that they are. */
export const compareBakes = async (a, b, clip, frame) => {
    const pictures = [];
    for (const bake of [a, b]) {
        const table = await openTable(bake);
        pictures.push(await drawBaked('model.glb', table, clip, table.frameTime(clip, frame)));
    }
    return comparePixels(...pictures);
};

export const compareOwnMatrices = async (frames) => {
    const table = await openTable('bake');
    const { rowFloats } = table.arrays.palette;
    const [liveScene, bakedScene] = [createScene(), createScene()];
    const live = await load(liveScene);
    const [mesh] = live.skinned;
    const { meshes, skinned } = await load(bakedScene);
    // Babylon's own matrices are in the space of the mesh's parent.
    const animation = createBakedAnimation(babylon, table, meshes, { root: skinned[0].parent });
    const results = [];
    for (const [clip, frame] of frames) {
        const seconds = table.frameTime(clip, frame);
        playLive(live, table.clips[clip].animation, seconds);
        const expected = await draw(liveScene);
        const own = mesh.skeleton.getTransformMatrices(mesh).subarray(0, rowFloats);
        const row = table.clips[clip].firstRow + frame;
        animation.pose(clip, Float64Array.of(seconds));
        bakedScene
            .getEngine()
            .updateTextureData(
                animation.textures[0].getInternalTexture(),
                Float32Array.from(own),
                0,
                row,
                rowFloats / 4,
                1,
            );
        results.push({ clip, frame, ...comparePixels(expected, await draw(bakedScene)) });
    }
    return results;
};
