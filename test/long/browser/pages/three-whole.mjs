// SPDX-License-Identifier: MIT

/** Rays into whole scenes, culling, and motion vectors. */

import * as THREE from 'three';
import { comparePixels } from './pixels.mjs';
import { openBoth, rendererOf } from './three.mjs';

const place = (i) =>
    new THREE.Matrix4()
        .makeRotationY(i)
        .setPosition(1.5 * i - 1.5, 0.1 * i, -i)
        .scale(new THREE.Vector3(1, 1 + i / 10, 1));

/** Rays from the camera through every fifth pixel and so on, into three live models and a crowd of three. */
export const comparePicking = async (given) => {
    const { live, baked, pose } = await openBoth({ ...given, whole: true, count: 3 });
    const { crowd } = baked;
    const [[clip, frame]] = given.frames;
    const [seconds] = pose(clip, frame);
    baked.pose(clip, Float64Array.of(seconds, seconds, seconds));
    for (let i = 0; i < 3; i++) crowd.setMatrixAt(i, place(i));
    const raycaster = new THREE.Raycaster();
    const results = { hits: 0, several: 0, names: [], instances: [], differing: [] };
    const placed = new THREE.Group().add(live.model);
    placed.matrixAutoUpdate = false;
    const facts = ({ object, distance, point, faceIndex, face: { a, b, c } }, instance) => {
        const of = [instance, object.name, faceIndex, a, b, c];
        return { of, numbers: [distance, ...point.toArray()] };
    };
    for (let y = -0.95; y < 1; y += 0.08) {
        for (let x = -0.95; x < 1; x += 0.08) {
            raycaster.setFromCamera(new THREE.Vector2(x, y), baked.camera);
            crowd.group.updateMatrixWorld(true);
            const found = raycaster.intersectObject(crowd.group).map((hit) => facts(hit, hit.instanceId));
            const expected = [];
            for (let i = 0; i < 3; i++) {
                placed.matrix.copy(place(i));
                placed.updateMatrixWorld(true);
                placed.traverse((node) => {
                    // Spheres and boxes that three.js keeps from the pose before.
                    if (node.isSkinnedMesh) Object.assign(node, { boundingSphere: null, boundingBox: null });
                });
                expected.push(...raycaster.intersectObject(placed).map((hit) => facts(hit, i)));
            }
            // Sorted by object, because faces of two meshes may be in one plane.
            const key = ({ of, numbers }) => `${of} ${numbers[0].toFixed(3)}`;
            const order = (hits) => hits.sort((one, other) => (key(one) < key(other) ? -1 : 1));
            const same =
                order(found).length === order(expected).length &&
                found.every(
                    ({ of, numbers }, i) =>
                        `${of}` === `${expected[i].of}` &&
                        numbers.every((value, k) => Math.abs(value - expected[i].numbers[k]) < 1e-5),
                );
            if (!same) results.differing.push({ x, y, found, expected });
            results.hits += found.length;
            if (found.length > 2) results.several++;
            results.names.push(...found.map(({ of }) => of[1]));
            results.instances.push(...found.map(({ of }) => of[0]));
        }
    }
    const unique = (list) => [...new Set(list)].sort();
    return { ...results, names: unique(results.names), instances: unique(results.instances) };
};

/** A row of ten, which the camera sees in part: pictures with culling and without, and the numbers of instances drawn. */
export const compareCulled = async (given) => {
    const { baked, tables } = await openBoth({ ...given, whole: true, count: 10 });
    const { crowd } = baked;
    for (let i = 0; i < 10; i++) {
        crowd.setMatrixAt(i, new THREE.Matrix4().makeTranslation(4 * (i - 7), 0, 0));
        crowd.setColorAt(i, new THREE.Color().setHSL(i / 10, 0.7, 0.6));
    }
    const clips = Uint16Array.from({ length: 10 }, (_, i) => i % 2);
    baked.pose(
        clips,
        Float64Array.from(clips, (clip, i) => tables[0].frameTime(clip, i % 4)),
    );
    const all = await baked.draw();
    const seen = crowd.cull(baked.camera);
    const compared = comparePixels(all, await baked.draw());
    // Later poses, places and colors go to the current slots of the instances.
    baked.pose(clips, new Float64Array(10));
    crowd.setMatrixAt(7, new THREE.Matrix4().makeTranslation(0.2, 0, 0));
    crowd.setColorAt(7, new THREE.Color(1, 1, 1));
    const moved = await baked.draw();
    const uncut = crowd.cull();
    return {
        seen,
        uncut,
        ...compared,
        later: comparePixels(moved, await baked.draw()).differing,
        changed: comparePixels(all, moved).differing,
    };
};

/** WebGPURenderer's motion vectors of a crowd in a fixed pose: the max vector, and the number of drawn pixels. */
export const measureVelocity = async (given) => {
    const { mrt, output, velocity, vec4 } = THREE.TSL;
    const { baked, pose } = await openBoth({ ...given, whole: true });
    const { renderer } = await rendererOf('whole');
    const { crowd } = baked;
    const [[clip, frame]] = given.frames;
    crowd.pose(clip, pose(clip, frame));
    crowd.setMatrixAt(0, new THREE.Matrix4().makeTranslation(0.2, 0, 0));
    const before = renderer.getRenderTarget();
    const target = new THREE.RenderTarget(100, 100, { count: 2, type: THREE.FloatType });
    for (const [i, name] of ['output', 'velocity'].entries()) target.textures[i].name = name;
    renderer.setRenderTarget(target);
    renderer.setMRT(mrt({ output, velocity: vec4(velocity, 0, 1) }));
    renderer.render(baked.scene, baked.camera);
    renderer.render(baked.scene, baked.camera);
    const moved = await renderer.readRenderTargetPixelsAsync(target, 0, 0, 100, 100, 1);
    renderer.setMRT(null);
    renderer.setRenderTarget(before);
    const vectors = moved.filter((_, i) => i % 4 < 2);
    return {
        max: Math.max(...vectors.map(Math.abs)),
        drawn: moved.filter((one, i) => i % 4 === 3 && one === 1).length,
    };
};
