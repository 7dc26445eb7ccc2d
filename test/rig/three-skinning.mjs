// SPDX-License-Identifier: MIT

// Skins meshes with three.js and writes their vertices, in the space of the scene, to stdout as doubles. A process of its
// own, since GLTFLoader comes as an ES module only and jest runs CommonJS. The request is JSON on stdin:
// { file, nodes, animation, times }, answered by the vertices of each node's primitives in turn, for each time.
import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

globalThis.self = globalThis;
// stdout carries the vertices; three's log lines must not get between them.
console.log = console.error;
const { AnimationMixer, LoopOnce, MeshBasicMaterial, Vector3 } = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const { file, nodes, animation, times } = JSON.parse(readFileSync(0, 'utf8'));
const bytes = readFileSync(file);
const loader = new GLTFLoader();
loader.register((parser) => {
    // Node's fetch reads no files, and there is nothing here to decode images with.
    const fromChunk = parser.loadBuffer.bind(parser);
    parser.loadBuffer = (index) => {
        const { uri } = parser.json.buffers[index];
        return uri === undefined ? fromChunk(index) : Promise.resolve(arrayBuffer(readUri(uri)));
    };
    return { name: 'NODE_WITHOUT_IMAGES', loadMaterial: () => Promise.resolve(new MeshBasicMaterial()) };
});
const gltf = await loader.parseAsync(arrayBuffer(bytes), '');
const mixer = new AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[animation]);
action.setLoop(LoopOnce);
action.clampWhenFinished = true;
action.play();
const objects = await Promise.all(nodes.map((node) => gltf.parser.getDependency('node', node)));
const out = [];
for (const time of times) {
    // An action that reached its end pauses itself and would give frame 0 from then on.
    action.paused = false;
    mixer.setTime(Math.fround(time));
    gltf.scene.updateMatrixWorld(true);
    const vertex = new Vector3();
    for (const object of objects) {
        // A mesh with several primitives is a group of them.
        for (const mesh of object.isSkinnedMesh ? [object] : object.children.filter((child) => child.isSkinnedMesh)) {
            for (let v = 0; v < mesh.geometry.attributes.position.count; v++) {
                mesh.getVertexPosition(v, vertex).applyMatrix4(mesh.matrixWorld);
                out.push(vertex.x, vertex.y, vertex.z);
            }
        }
    }
}
const answer = new Uint8Array(Float64Array.from(out).buffer);
for (let at = 0; at < answer.length; ) {
    try {
        at += writeSync(1, answer, at);
    } catch (error) {
        // A pipe that the parent has not drained yet.
        if (error.code !== 'EAGAIN') throw error;
    }
}

function readUri(uri) {
    if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    return readFileSync(join(dirname(file), decodeURIComponent(uri)));
}

function arrayBuffer(data) {
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
}
