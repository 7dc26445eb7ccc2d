// SPDX-License-Identifier: MIT

/** Whole scenes, live and baked, with shadows; and rays into both. */

import { BakedTable } from 'poselane/table';
import { createBakedCrowd } from 'poselane/three';
import * as THREE from 'three';
import { comparePixels, pixelsOf } from './pixels.mjs';
import { load, openTable } from './three-stage.mjs';

const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(100, 100);
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
camera.position.set(1.5, 3, 5);
camera.lookAt(0, 0.8, 0);

/** A scene with a light that throws shadows, from everything onto everything. */
function sceneOf(object, kind) {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xcfe3ea);
    const light = kind === 'point' ? new THREE.PointLight(0xffffff, 60) : new THREE.DirectionalLight(0xffffff, 2);
    light.position.set(2, 4, 1.5);
    light.castShadow = true;
    light.shadow.mapSize.set(512, 512);
    if (light.shadow.camera.isOrthographicCamera) {
        Object.assign(light.shadow.camera, { left: -4, right: 4, top: 4, bottom: -4, far: 12 });
    }
    light.shadow.normalBias = 0.05;
    object.traverse((node) => {
        node.castShadow = true;
        node.receiveShadow = true;
    });
    return scene.add(object, light, new THREE.HemisphereLight(0xffffff, 0x8899aa, 1));
}

function draw(scene) {
    renderer.render(scene, camera);
    return pixelsOf(renderer.domElement);
}

/** A bake of three.js's own matrices: what the loaders add is all that can differ. */
async function ownTable(model, fps = 4) {
    const { gltf } = await load(model);
    const { nodes, skins, animations } = gltf.parser.json;
    const objects = new Map(
        [...gltf.parser.associations].map(([object, of]) => [of.nodes, object]).filter(([n]) => n !== undefined),
    );
    const joints = skins?.[0].joints ?? [];
    const up = (node) => nodes.findIndex(({ children }) => children?.includes(node));
    const moving = new Set([
        ...joints,
        ...animations.flatMap(({ channels }) => channels.map(({ target }) => target.node)),
    ]);
    const moves = (node) => node >= 0 && (moving.has(node) || moves(up(node)));
    const attached = nodes.flatMap(({ mesh, skin }, node) =>
        mesh !== undefined && skin === undefined && moves(node) ? [node] : [],
    );
    const columnOf = (node) =>
        joints.includes(node)
            ? joints.indexOf(node)
            : attached.includes(node)
              ? joints.length + attached.indexOf(node)
              : -1;
    const above = (node) => (node < 0 ? -1 : columnOf(node) >= 0 ? columnOf(node) : above(up(node)));
    const name = (node) => nodes[node].name ?? '';
    const weighted = nodes.flatMap(({ mesh }, node) =>
        gltf.parser.json.meshes[mesh]?.primitives[0].targets ? [node] : [],
    );
    let first = 0;
    const meshes = weighted.map((node) => {
        const count = gltf.parser.json.meshes[nodes[node].mesh].primitives[0].targets.length;
        first += count;
        return { node, name: name(node), first: first - count, count };
    });
    const rows = [];
    const weights = [];
    const mixer = new THREE.AnimationMixer(gltf.scene);
    let skeleton;
    gltf.scene.traverse((object) => {
        skeleton ??= object.skeleton;
    });
    const clips = gltf.animations.map(({ name: clipName, duration }, animation) => {
        const frameCount = Math.round(duration * fps) + 1;
        const firstRow = rows.length;
        mixer.stopAllAction();
        mixer.clipAction(gltf.animations[animation]).reset().setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
        for (let frame = 0; frame < frameCount; frame++) {
            mixer.setTime(Math.min(frame / fps, duration));
            gltf.scene.updateMatrixWorld(true);
            skeleton?.update();
            const globals = attached.flatMap((node) => objects.get(node).matrixWorld.elements);
            rows.push([...(skeleton?.boneMatrices.slice(0, joints.length * 16) ?? []), ...globals]);
            weights.push(
                weighted.flatMap((node) => {
                    let mesh;
                    objects.get(node).traverse((object) => {
                        mesh ??= object.morphTargetInfluences;
                    });
                    return [...mesh];
                }),
            );
        }
        return {
            name: clipName,
            animation,
            firstRow,
            frameCount,
            duration,
            fps,
            loop: false,
            discontinuities: [],
            bounds: [-5, -5, -5, 5, 5, 5],
        };
    });
    const floats = Float32Array.from([...rows.flat(), ...Array(-rows.flat().length & 63).fill(0), ...weights.flat()]);
    const paletteBytes = rows.flat().length * 4;
    const columns = joints.length + attached.length;
    return BakedTable.open(
        {
            format: 'poselane-bake',
            version: 1,
            recipe: { fps: [fps, 1], space: 'scene' },
            binary: { uri: 'own.bin', byteLength: floats.byteLength, sha256: '' },
            skin:
                joints.length === 0
                    ? null
                    : {
                          index: 0,
                          indices: skins.map((_, i) => i),
                          root: joints[0],
                          joints: joints.map((node) => ({ node, name: name(node), parent: above(up(node)) })),
                      },
            attachments: attached.map((node, i) => ({
                node,
                name: name(node),
                mesh: nodes[node].mesh,
                parent: joints.includes(node) ? joints.indexOf(node) : above(up(node)),
                column: joints.length + i,
            })),
            clips,
            arrays: {
                palette: {
                    byteOffset: 0,
                    byteLength: paletteBytes,
                    dtype: 'f32',
                    shape: [rows.length, columns, 16],
                    layout: 'mat4',
                },
                morph: {
                    byteOffset: Math.ceil(paletteBytes / 256) * 256,
                    byteLength: weights.flat().length * 4,
                    dtype: 'f32',
                    shape: [rows.length, weights[0].length],
                    layout: 'weights',
                    meshes,
                },
            },
        },
        floats.buffer,
    );
}

async function setUp({ model, bakes, kind, whole = true, count = 1 }) {
    const tables = bakes ? await Promise.all(bakes.map(openTable)) : [await ownTable(model)];
    const live = (await load(model)).gltf;
    const other = (await load(model)).gltf;
    const crowd = createBakedCrowd(THREE, tables, whole ? other : other.scene, count);
    const scenes = { live: sceneOf(live.scene, kind), baked: sceneOf(crowd.group, kind) };
    const mixer = new THREE.AnimationMixer(live.scene);
    const pose = (clip, frame) => {
        const seconds = tables[0].frameTime(clip, frame);
        mixer.stopAllAction();
        const action = mixer.clipAction(live.animations[tables[0].clips[clip].animation]);
        action.reset().setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
        mixer.setTime(seconds);
        return Float64Array.of(seconds);
    };
    return { tables, live, crowd, scenes, pose };
}

export const compareWhole = async (given) => {
    const { crowd, scenes, pose } = await setUp(given);
    const results = [];
    for (const [clip, frame] of given.frames) {
        crowd.pose(clip, pose(clip, frame));
        const expected = draw(scenes.live);
        scenes.live.traverse((node) => {
            if (node.isLight) node.castShadow = false;
        });
        const unshadowed = draw(scenes.live);
        scenes.live.traverse((node) => {
            if (node.isLight && node.shadow) node.castShadow = true;
        });
        results.push({
            ...comparePixels(expected, draw(scenes.baked)),
            shadow: comparePixels(expected, unshadowed).differing,
        });
    }
    return results;
};

/** For looking at: both pictures side by side, as a data URL. */
export const pictureOf = async (given, size = 300) => {
    const { crowd, scenes, pose } = await setUp(given);
    const [clip, frame] = given.frames[0];
    crowd.pose(clip, pose(clip, frame));
    renderer.setSize(size, size);
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 2 * size, height: size });
    for (const [i, scene] of [scenes.live, scenes.baked].entries()) {
        renderer.render(scene, camera);
        canvas.getContext('2d').drawImage(renderer.domElement, i * size, 0);
    }
    renderer.setSize(100, 100);
    return canvas.toDataURL('image/png');
};
