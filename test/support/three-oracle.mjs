// SPDX-License-Identifier: MIT

// Poses skins with three.js and writes their palettes to stdout as doubles. A process of its own, since GLTFLoader
// comes as an ES module only and jest runs CommonJS. The request is JSON on stdin:
// [{ file, skin, clips: [{ animation, times }] }], answered by joints * 16 doubles a time, column-major, in that order.
import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

globalThis.self = globalThis;
// stdout carries the palettes; three's log lines must not get between them.
console.log = console.error;
const { AnimationMixer, LoopOnce, MeshBasicMaterial } = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const KEPT = ['position', 'quaternion', 'scale'];
for (const { file, skin, clips } of JSON.parse(readFileSync(0, 'utf8'))) {
    const gltf = await load(file);
    const skeleton = await gltf.parser.getDependency('skin', skin);
    const rest = [];
    gltf.scene.traverse((node) => {
        rest.push(() => {
            for (const [property, value] of saved) node[property].copy(value);
        });
        const saved = KEPT.map((property) => [property, node[property].clone()]);
    });
    for (const { animation, times } of clips) {
        // Joints that this clip does not animate must not keep what the one before left in them.
        for (const restore of rest) restore();
        writeAll(pose(gltf.scene, gltf.animations[animation], skeleton, times));
    }
}

function pose(scene, clip, skeleton, times) {
    const mixer = new AnimationMixer(scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const width = skeleton.bones.length * 16;
    const out = new Float64Array(times.length * width);
    const global = skeleton.bones[0].matrixWorld.clone();
    for (const [row, time] of times.entries()) {
        // An action that reached its end pauses itself and would give frame 0 from then on.
        action.paused = false;
        mixer.setTime(Math.fround(time));
        scene.updateMatrixWorld(true);
        for (const [slot, bone] of skeleton.bones.entries()) {
            global.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[slot]);
            global.toArray(out, row * width + slot * 16);
        }
    }
    mixer.stopAllAction();
    mixer.uncacheRoot(scene);
    return out;
}

async function load(file) {
    const bytes = readFileSync(file);
    const loader = new GLTFLoader();
    loader.register((parser) => {
        // Node's fetch reads no files, and there is nothing here to decode images with.
        const fromChunk = parser.loadBuffer.bind(parser);
        parser.loadBuffer = (index) => {
            const { uri } = parser.json.buffers[index];
            return uri === undefined ? fromChunk(index) : Promise.resolve(arrayBuffer(readUri(uri, file)));
        };
        return { name: 'NODE_WITHOUT_IMAGES', loadMaterial: () => Promise.resolve(new MeshBasicMaterial()) };
    });
    return loader.parseAsync(arrayBuffer(bytes), '');
}

function readUri(uri, file) {
    if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    return readFileSync(join(dirname(file), decodeURIComponent(uri)));
}

function arrayBuffer(bytes) {
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

function writeAll(palettes) {
    const bytes = new Uint8Array(palettes.buffer);
    for (let at = 0; at < bytes.length; ) {
        try {
            at += writeSync(1, bytes, at);
        } catch (error) {
            // A pipe that the parent has not drained yet.
            if (error.code !== 'EAGAIN') throw error;
        }
    }
}
