// SPDX-License-Identifier: MIT

/** Whole scenes, live and baked, with shadows; fades, and rays into both. */

import '@babylonjs/core/Culling/ray.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { PointLight } from '@babylonjs/core/Lights/pointLight.js';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import '@babylonjs/core/Materials/standardMaterial.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import { createBakedAnimation } from 'poselane/babylon';
import { BakedTable } from 'poselane/table';
import { babylon, draw, engine, load, openTable } from './babylon-stage.mjs';
import { comparePixels } from './pixels.mjs';

engine.setSize(100, 100);

/** Lights the model from where the shadows of everything fall onto everything; camera and light as far away as it is large. */
function light(scene, meshes, { min, max }, kind) {
    scene.clearColor = Color4.FromHexString('#cfe3eaff');
    const center = min.add(max).scale(0.5);
    const size = max.subtract(min).length();
    const camera = new FreeCamera('camera', center.add(new Vector3(0.3, 0.5, 1).scale(size)), scene);
    camera.setTarget(center);
    Object.assign(camera, { fov: 0.7, minZ: size / 20, maxZ: size * 10 });
    const from = new Vector3(0.5, 1, 0.4).scale(size);
    const lamp =
        kind === 'point'
            ? new PointLight('lamp', center.add(from), scene)
            : new DirectionalLight('lamp', from.scale(-1), scene);
    lamp.position = center.add(from);
    lamp.intensity = kind === 'point' ? 10 * size ** 2 : 2;
    Object.assign(lamp, { shadowMinZ: size / 20, shadowMaxZ: size * 4 });
    if (kind !== 'point') lamp.shadowFrustumSize = 2 * size;
    const shadows = new ShadowGenerator(512, lamp);
    Object.assign(shadows, { bias: 0.005, normalBias: 0.02 });
    new HemisphericLight('sky', Vector3.Up(), scene).groundColor = Color3.FromHexString('#8899aa');
    const ground = CreateGround('ground', { width: size * 3, height: size * 3 }, scene);
    ground.position.set(center.x, min.y, center.z);
    ground.receiveShadows = true;
    for (const mesh of meshes) {
        if (mesh.getTotalVertices() === 0) continue;
        shadows.addShadowCaster(mesh, false);
        mesh.receiveShadows = true;
    }
    return lamp;
}

/** Babylon leaves what a clip does not move where the clip before left it. */
function restOf({ transformNodes, meshes }) {
    const all = [...transformNodes, ...meshes].map((node) => {
        const values = ['position', 'rotationQuaternion', 'scaling'].map((name) => [name, node[name]?.clone()]);
        const targets = node.morphTargetManager;
        const weights = Array.from({ length: targets?.numTargets ?? 0 }, (_, i) => targets.getTarget(i).influence);
        return () => {
            for (const [name, value] of values) if (value) node[name].copyFrom(value);
            for (const [i, weight] of weights.entries()) targets.getTarget(i).influence = weight;
        };
    });
    return () => {
        for (const restore of all) restore();
    };
}

function nodeAtRoot({ manifest }, scene, { meshes, transformNodes }) {
    const pointer = `/nodes/${manifest.skin.root}`;
    const root = transformNodes.find((node) => node._internalMetadata?.gltf?.pointers?.includes(pointer));
    const toRoot = root.computeWorldMatrix(true).multiply(Matrix.Invert(meshes[0].computeWorldMatrix(true)));
    const place = new TransformNode('place', scene);
    place.rotationQuaternion = new Quaternion();
    toRoot.decompose(place.scaling, place.rotationQuaternion, place.position);
    place.parent = meshes[0];
    return place;
}

/** `sceneOnly`: names alone tell the meshes; `atRoot`: the bake is in the space of the skin's root. */
async function setUp({ model, bakes, light: kind, sceneOnly = false, atRoot = false }, instances) {
    const tables = await Promise.all(bakes.map((bake) => openTable(bake)));
    const [live, baked] = [new Scene(engine), new Scene(engine)];
    const [loaded, other] = [await load(live, model), await load(baked, model)];
    const box = loaded.meshes[0].getHierarchyBoundingVectors();
    if (sceneOnly) for (const node of [...other.meshes, ...other.transformNodes]) node._internalMetadata = undefined;
    const root = atRoot ? nodeAtRoot(tables[0], baked, other) : undefined;
    const animation = createBakedAnimation(babylon, tables, other.meshes, { root, instances });
    const lamp = light(live, loaded.meshes, box, kind);
    light(baked, baked.meshes, box, kind);
    const rest = restOf(loaded);
    return {
        tables,
        animation,
        live,
        baked,
        lamp,
        /** Poses the live one; gives the time. */
        pose(clip, frame) {
            const seconds = tables[0].frameTime(clip, frame);
            for (const group of loaded.animationGroups) group.stop();
            rest();
            const { animation: index } = tables[0].clips[clip];
            loaded.animationGroups[index]
                .start(false)
                .pause()
                .goToFrame(seconds * 60);
            return Float64Array.of(seconds);
        },
    };
}

/** Each of `frames`: live against baked; and how many pixels are in the shadow. */
export const compareWhole = async (given) => {
    const { animation, live, baked, lamp, pose } = await setUp(given);
    const results = [];
    for (const [clip, frame] of given.frames) {
        animation.pose(clip, pose(clip, frame));
        const expected = await draw(live);
        const compared = comparePixels(expected, await draw(baked));
        lamp.shadowEnabled = false;
        const shadow = comparePixels(expected, await draw(live)).differing;
        lamp.shadowEnabled = true;
        results.push({ clip, frame, ...compared, shadow });
    }
    return results;
};

/** Fading from a clip to another: at 0 and 1 against the live model, at ½ against a bake of the mixture. */
export const compareFade = async (given) => {
    const { tables, animation, live, baked, pose } = await setUp(given);
    const [from, to] = given.frames;
    const [table] = tables;
    const times = [from, to].map(([clip, frame]) => Float64Array.of(table.frameTime(clip, frame)));
    const pictures = [];
    for (const weight of [0, 0.5, 1]) {
        animation.pose(from[0], times[0], { to: { clips: to[0], times: times[1], weight } });
        pictures.push(await draw(baked));
    }
    const results = {};
    for (const [name, [clip, frame], picture] of [
        ['start', from, pictures[0]],
        ['end', to, pictures[2]],
    ]) {
        pose(clip, frame);
        results[name] = comparePixels(await draw(live), picture);
    }
    // Calculated here, and put in place of a row.
    const { manifest } = table;
    const bytes = new Uint8Array(manifest.binary.byteLength);
    bytes.set(new Uint8Array(await (await fetch(`${given.bakes[0]}.bin`)).arrayBuffer()));
    for (const name of ['palette', 'morph']) {
        const rows = [from, to].map(([clip], i) =>
            table.sample(name, clip, times[i], new Float32Array(table.arrays[name].rowFloats)),
        );
        const mixture = Float32Array.from(rows[0], (a, i) => a + (rows[1][i] - a) * 0.5);
        bytes.set(new Uint8Array(mixture.buffer), manifest.arrays[name].byteOffset);
    }
    const still = new Scene(engine);
    const { meshes } = await load(still, given.model);
    const box = meshes[0].getHierarchyBoundingVectors();
    createBakedAnimation(babylon, BakedTable.open(manifest, bytes), meshes).pose(0, Float64Array.of(0));
    light(still, still.meshes, box);
    results.halfway = comparePixels(await draw(still), pictures[1]);
    return { ...results, apart: comparePixels(pictures[0], pictures[1]).differing };
};

/** Rays from the camera through pixels here and there, into the live model and the baked one; `instances` at their places. */
export const comparePicking = async (given) => {
    const count = 3;
    const { animation, live, baked, pose } = await setUp(given, count);
    const [[clip, frame]] = given.frames;
    const [seconds] = pose(clip, frame);
    animation.pose(clip, new Float64Array(count).fill(seconds));
    const matrices = new Float32Array(count * 16);
    for (let i = 0; i < count; i++) Matrix.Translation(1.5 * i - 1.5, 0.1 * i, -i).copyToArray(matrices, i * 16);
    animation.place(matrices);
    await draw(baked);
    const moving = new Set(animation.meshes.map(({ name }) => name));
    const root = live.meshes.find(({ name }) => name === '__root__');
    const results = { hits: 0, names: [], instances: [], differing: [] };
    const found = new Map();
    const rays = [];
    for (let y = 2; y < 100; y += 7) for (let x = 2; x < 100; x += 7) rays.push([x, y]);
    for (const ray of rays) {
        const hit = baked.pick(...ray, (mesh) => moving.has(mesh.name));
        if (hit.hit) found.set(`${ray}`, hit);
    }
    const nearest = new Map();
    const atRest = root.position.clone();
    for (let i = 0; i < count; i++) {
        // The loader's root mirrors x.
        root.position.copyFrom(atRest).addInPlaceFromFloats(-(1.5 * i - 1.5), 0.1 * i, -i);
        await draw(live);
        for (const mesh of live.meshes) {
            // Thin instances have the weights of the file, whatever the clip.
            if (mesh.name === 'gem') mesh.morphTargetManager.getTarget(0).influence = 0.5;
            if (mesh.name === 'body')
                for (const k of [0, 1]) mesh.morphTargetManager.getTarget(k).influence = 0.25 - k / 4;
            if (mesh.skeleton || mesh.morphTargetManager) mesh.refreshBoundingInfo(true, true);
        }
        for (const ray of rays) {
            const hit = live.pick(...ray, (mesh) => moving.has(mesh.name));
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
