// SPDX-License-Identifier: MIT

/** Whole scenes, live and baked, with shadows; fades, rays into both, and culling. */

import { BakedTable } from 'poselane/table';
import { createBakedCrowd } from 'poselane/three';
import * as THREE from 'three';
import { comparePixels } from './pixels.mjs';
import { createRenderer } from './three-renderer.mjs';
import { load, openTable } from './three-stage.mjs';

const { renderer, draw: drawBy } = await createRenderer(100, 100);
renderer.shadowMap.enabled = true;

/** A scene with a light that throws shadows, from everything onto everything, and a camera, both as far away as the model is large. */
export function stageOf(object, box, light) {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xcfe3ea);
    const center = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3()).length();
    const lamp = light === 'point' ? new THREE.PointLight(0xffffff, 3 * size ** 2) : new THREE.DirectionalLight();
    lamp.position.set(0.5, 1, 0.4).multiplyScalar(size).add(center);
    const bulb = new THREE.Group().add(lamp);
    if (lamp.target) {
        lamp.target.position.copy(center);
        bulb.add(lamp.target);
        Object.assign(lamp.shadow.camera, { left: -size, right: size, top: size, bottom: -size });
    }
    Object.assign(lamp.shadow.camera, { near: size / 20, far: size * 4 });
    Object.assign(lamp.shadow, { normalBias: size / 80 });
    lamp.castShadow = true;
    object.traverse((node) => {
        node.castShadow = true;
        node.receiveShadow = true;
    });
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(size * 3, size * 3), new THREE.MeshLambertMaterial());
    ground.rotation.x = -Math.PI / 2;
    ground.position.y = box.min.y;
    ground.receiveShadow = true;
    const camera = new THREE.PerspectiveCamera(40, 1, size / 20, size * 10);
    camera.position.set(0.3, 0.5, 1).multiplyScalar(size).add(center);
    camera.lookAt(center);
    camera.updateMatrixWorld();
    scene.add(object, bulb, ground, new THREE.HemisphereLight(0xffffff, 0x8899aa, 1));
    return { scene, camera, lamp };
}

export const draw = ({ scene, camera }) => drawBy(scene, camera);

/** `sceneOnly`: names alone tell the meshes; `atRoot`: the bake is in the space of the skin's root. */
async function setUp({ model, bakes, light, sceneOnly = false, atRoot = false, count = 1 }) {
    const tables = await Promise.all(bakes.map((bake) => openTable(bake)));
    const live = (await load(model)).gltf;
    const { gltf } = await load(model);
    const crowd = createBakedCrowd(THREE, tables, sceneOnly ? gltf.scene : gltf, count);
    if (atRoot) {
        const root = await gltf.parser.getDependency('node', tables[0].manifest.skin.root);
        root.updateWorldMatrix(true, false);
        crowd.group.applyMatrix4(root.matrixWorld);
    }
    const box = new THREE.Box3().setFromObject(live.scene, true);
    const mixer = new THREE.AnimationMixer(live.scene);
    return {
        tables,
        crowd,
        live: { model: live.scene, ...stageOf(live.scene, box, light) },
        baked: stageOf(crowd.group, box, light),
        /** Poses the live one; gives the time. */
        pose(clip, frame) {
            const seconds = tables[0].frameTime(clip, frame);
            mixer.stopAllAction();
            const action = mixer.clipAction(live.animations[tables[0].clips[clip].animation]);
            action.reset().setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
            mixer.setTime(seconds);
            return Float64Array.of(seconds);
        },
    };
}

/** Each of `frames`: live against baked; and how many pixels are in the shadow. */
export const compareWhole = async (given) => {
    const { crowd, live, baked, pose } = await setUp(given);
    const results = [];
    for (const [clip, frame] of given.frames) {
        crowd.pose(clip, pose(clip, frame));
        const expected = await draw(live);
        const compared = comparePixels(expected, await draw(baked));
        // Not `castShadow`: with that, shaders are compiled anew.
        live.lamp.shadow.intensity = 0;
        const shadow = comparePixels(expected, await draw(live)).differing;
        live.lamp.shadow.intensity = 1;
        results.push({ ...compared, shadow });
    }
    return results;
};

/** Instances that fade from a clip to another: at 0 and 1 against live ones, at ½ against a bake of the mixture. */
export const compareFade = async (given) => {
    const { tables, crowd, live, baked, pose } = await setUp(given);
    const [from, to] = given.frames;
    const [table] = tables;
    const times = [from, to].map(([clip, frame]) => Float64Array.of(table.frameTime(clip, frame)));
    const fade = (weight) => {
        crowd.pose(from[0], times[0], { to: { clips: to[0], times: times[1], weight } });
        return draw(baked);
    };
    const [start, half, end] = [await fade(0), await fade(0.5), await fade(1)];
    const results = { start: [from, start], end: [to, end] };
    for (const [name, [[clip, frame], picture]] of Object.entries(results)) {
        pose(clip, frame);
        results[name] = comparePixels(await draw(live), picture);
    }
    // Calculated here, and played as one row.
    const mixture = (name) => {
        const rows = [from, to].map(([clip], i) =>
            table.sample(name, clip, times[i], new Float32Array(table.arrays[name].rowFloats)),
        );
        return Float32Array.from(rows[0], (a, i) => a + (rows[1][i] - a) * 0.5);
    };
    const [palette, morph] = ['palette', 'morph'].map(mixture);
    const bytes = new Uint8Array(2 ** 16);
    bytes.set(new Uint8Array(palette.buffer));
    bytes.set(new Uint8Array(morph.buffer), 2 ** 15);
    const { manifest } = table;
    const array = (name, byteOffset, { byteLength }) => {
        const { shape, ...others } = manifest.arrays[name];
        return { ...others, byteOffset, byteLength, shape: [1, ...shape.slice(1)] };
    };
    const clip = { ...manifest.clips[0], firstRow: 0, frameCount: 1, duration: 0, fps: null, discontinuities: [] };
    const frozen = {
        ...manifest,
        binary: { ...manifest.binary, byteLength: bytes.length },
        clips: [clip],
        arrays: { palette: array('palette', 0, palette), morph: array('morph', 2 ** 15, morph) },
    };
    const still = createBakedCrowd(THREE, BakedTable.open(frozen, bytes), (await load(given.model)).gltf, 1);
    for (const mesh of still.meshes) Object.assign(mesh, { castShadow: true, receiveShadow: true });
    baked.scene.remove(crowd.group).add(still.group);
    const halfway = comparePixels(await draw(baked), half);
    return { ...results, halfway, apart: comparePixels(start, half).differing };
};

const place = (i) =>
    new THREE.Matrix4()
        .makeRotationY(i)
        .setPosition(1.5 * i - 1.5, 0.1 * i, -i)
        .scale(new THREE.Vector3(1, 1 + i / 10, 1));

/** Rays from the camera through every fifth pixel and so on, into three live models and a crowd of three. */
export const comparePicking = async (given) => {
    const { crowd, live, baked, pose } = await setUp({ ...given, count: 3 });
    const [[clip, frame]] = given.frames;
    const [seconds] = pose(clip, frame);
    crowd.pose(clip, Float64Array.of(seconds, seconds, seconds));
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
            // By what was hit: faces of two meshes may lie in one plane.
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

/** A row of ten, of which the camera sees some: with culling and without, the same picture; and how many were drawn. */
export const compareCulled = async (given) => {
    const { crowd, baked, tables } = await setUp({ ...given, count: 10 });
    for (let i = 0; i < 10; i++) {
        crowd.setMatrixAt(i, new THREE.Matrix4().makeTranslation(4 * (i - 7), 0, 0));
        crowd.setColorAt(i, new THREE.Color().setHSL(i / 10, 0.7, 0.6));
    }
    const clips = Uint16Array.from({ length: 10 }, (_, i) => i % 2);
    crowd.pose(
        clips,
        Float64Array.from(clips, (clip, i) => tables[0].frameTime(clip, i % 4)),
    );
    const all = await draw(baked);
    const seen = crowd.cull(baked.camera);
    const compared = comparePixels(all, await draw(baked));
    // Later poses, places and colours go to where the instances are drawn now.
    crowd.pose(clips, new Float64Array(10));
    crowd.setMatrixAt(7, new THREE.Matrix4().makeTranslation(0.2, 0, 0));
    crowd.setColorAt(7, new THREE.Color(1, 1, 1));
    const moved = await draw(baked);
    const uncut = crowd.cull();
    return {
        seen,
        uncut,
        ...compared,
        later: comparePixels(moved, await draw(baked)).differing,
        changed: comparePixels(all, moved).differing,
    };
};

/** WebGPURenderer's motion vectors of a crowd that stands still in a pose: the greatest one, and how many pixels are drawn. */
export const measureVelocity = async (given) => {
    const { mrt, output, velocity, vec4 } = THREE.TSL;
    const { crowd, baked, pose } = await setUp(given);
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
        greatest: Math.max(...vectors.map(Math.abs)),
        drawn: moved.filter((one, i) => i % 4 === 3 && one === 1).length,
    };
};
