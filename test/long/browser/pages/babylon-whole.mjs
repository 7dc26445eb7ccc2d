// SPDX-License-Identifier: MIT

/** Rays into whole scenes. */

import '@babylonjs/core/Culling/ray.js';
import { Matrix } from '@babylonjs/core/Maths/math.vector.js';
import { openBoth } from './babylon.mjs';

/** Rays from the camera through pixels here and there, into the live model and the baked one; `instances` at their places. */
export const comparePicking = async (given) => {
    const count = 3;
    const { live, baked, pose } = await openBoth({ ...given, whole: true, count });
    const { animation } = baked;
    const [[clip, frame]] = given.frames;
    const [seconds] = pose(clip, frame);
    baked.pose(clip, new Float64Array(count).fill(seconds));
    const matrices = new Float32Array(count * 16);
    for (let i = 0; i < count; i++) Matrix.Translation(1.5 * i - 1.5, 0.1 * i, -i).copyToArray(matrices, i * 16);
    animation.place(matrices);
    await baked.draw();
    const moving = new Set(animation.meshes.map(({ name }) => name));
    const root = live.scene.meshes.find(({ name }) => name === '__root__');
    const results = { hits: 0, names: [], instances: [], differing: [] };
    const found = new Map();
    const rays = [];
    for (let y = 2; y < 100; y += 7) for (let x = 2; x < 100; x += 7) rays.push([x, y]);
    for (const ray of rays) {
        const hit = baked.scene.pick(...ray, (mesh) => moving.has(mesh.name));
        if (hit.hit) found.set(`${ray}`, hit);
    }
    const nearest = new Map();
    const atRest = root.position.clone();
    for (let i = 0; i < count; i++) {
        // The loader's root mirrors x.
        root.position.copyFrom(atRest).addInPlaceFromFloats(-(1.5 * i - 1.5), 0.1 * i, -i);
        await live.draw();
        for (const mesh of live.scene.meshes) {
            // Thin instances have the weights of the file, whatever the clip.
            if (mesh.name === 'gem') mesh.morphTargetManager.getTarget(0).influence = 0.5;
            if (mesh.name === 'body')
                for (const k of [0, 1]) mesh.morphTargetManager.getTarget(k).influence = 0.25 - k / 4;
            if (mesh.skeleton || mesh.morphTargetManager) mesh.refreshBoundingInfo(true, true);
        }
        for (const ray of rays) {
            const hit = live.scene.pick(...ray, (mesh) => moving.has(mesh.name));
            const before = nearest.get(`${ray}`);
            if (hit.hit && !(before?.hit.distance <= hit.distance)) nearest.set(`${ray}`, { hit, i });
        }
    }
    for (const ray of rays.map(String)) {
        const [hit, expected] = [found.get(ray), nearest.get(ray)];
        const facts = (one, i) => one && [i, one.pickedMesh.name, one.faceId].join(' ');
        const [a, b] = [facts(hit, hit?.thinInstanceIndex), facts(expected?.hit, expected?.i)];
        const near = !hit || !expected || Math.abs(hit.distance - expected.hit.distance) < 1e-4;
        if (a !== b || !near) results.differing.push([ray, a, b]);
        if (!hit) continue;
        results.hits++;
        results.names.push(hit.pickedMesh.name);
        results.instances.push(hit.thinInstanceIndex);
    }
    const unique = (list) => [...new Set(list)].sort();
    return { ...results, names: unique(results.names), instances: unique(results.instances) };
};
