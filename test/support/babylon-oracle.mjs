// SPDX-License-Identifier: MIT

// Poses skins with Babylon's null engine, in a right-handed scene. The request: [{ file, skin,
// clips: [{ animation, times }] }], answered by joints * 16 doubles a time, column-major, in that order.
import { readFileSync } from 'node:fs';
import { answer, begin, readUri, request } from './oracle-child.mjs';

const { NullEngine, NullEngineOptions } = await import('@babylonjs/core/Engines/nullEngine.js');
const { LoadAssetContainerAsync } = await import('@babylonjs/core/Loading/sceneLoader.js');
const { Logger } = await import('@babylonjs/core/Misc/logger.js');
const { Scene } = await import('@babylonjs/core/scene.js');
await import('@babylonjs/core/Animations/animatable.js');
await import('@babylonjs/loaders/glTF/2.0/glTFLoader.js');
await import('@babylonjs/loaders/glTF/2.0/Extensions/KHR_animation_pointer.js');
await import('@babylonjs/loaders/glTF/2.0/Extensions/KHR_mesh_quantization.js');

Logger.LogLevels = Logger.ErrorLogLevel;
/** glTF's loader counts key times in frames of this rate. A float32 times 60 is exact in double precision. */
const FRAMES_A_SECOND = 60;
const KEPT = ['position', 'rotationQuaternion', 'scaling'];
// Matrices of doubles: Babylon gets its inverse bind matrices back from inverses of them.
const engine = new NullEngine(Object.assign(new NullEngineOptions(), { useHighPrecisionMatrix: true }));

for (const { file, skin, clips } of request) {
    begin(file);
    const scene = new Scene(engine);
    scene.useRightHandedSystem = true;
    const gltf = { skipMaterials: true, animationStartMode: 0, targetFps: FRAMES_A_SECOND };
    const source = `data:${JSON.stringify(readDocument(file))}`;
    const loaded = await LoadAssetContainerAsync(source, scene, { pluginExtension: '.gltf', pluginOptions: { gltf } });
    loaded.addAllToScene();
    const matrices = palette(loaded, skin);
    const posed = [...loaded.transformNodes, ...loaded.meshes];
    const rest = posed.map((node) => {
        const saved = KEPT.map((property) => [property, node[property]?.clone()]);
        return () => {
            for (const [property, value] of saved) if (value !== undefined) node[property] = value.clone();
        };
    });
    for (const { animation, times } of clips) {
        // Joints that this clip does not animate must not keep what the one before left in them.
        for (const restore of rest) restore();
        const group = loaded.animationGroups.find(({ name }) => name === `animation ${animation}`);
        answer(pose(group, posed, loaded.skeletons, matrices, times));
    }
    scene.dispose();
}
engine.dispose();

/** One function a joint, that writes its matrix: that of the mesh with the skin, times that of the joint's bone. */
function palette({ meshes, skeletons }, skin) {
    const skeleton = skeletons.find(({ id }) => id === `skeleton${skin}`);
    const mesh = meshes.find((one) => one.skeleton === skeleton && skeleton !== undefined);
    if (mesh === undefined) throw new Error(`no mesh has skin ${skin}`);
    // Nodes between joints are bones, too. Only a bone that is a joint has an index: the joint's.
    const joints = skeleton.bones.filter((bone) => bone.getIndex() !== -1).length;
    return Array.from({ length: joints }, (_, joint) => (out, at) => {
        const bones = skeleton.getTransformMatrices(mesh);
        multiply(mesh.getWorldMatrix().m, bones.subarray(joint * 16, joint * 16 + 16), out, at);
    });
}

function pose(group, posed, skeletons, matrices, times) {
    const out = new Float64Array(times.length * matrices.length * 16);
    // The loader drops channels that it cannot use, and a group without channels.
    group?.start(false);
    group?.pause();
    for (const [row, time] of times.entries()) {
        group?.goToFrame(time * FRAMES_A_SECOND);
        for (const node of posed) node.computeWorldMatrix(true);
        for (const skeleton of skeletons) skeleton.prepare(true);
        for (const [i, write] of matrices.entries()) write(out, (row * matrices.length + i) * 16);
    }
    group?.stop(true);
    return out;
}

/** a x b, column-major (Babylon writes vectors as rows, and so the same numbers). */
function multiply(a, b, out, at) {
    for (let i = 0; i < 16; i++) {
        for (let k = 0; k < 4; k++) out[at + i] += a[k * 4 + (i % 4)] * b[i - (i % 4) + k];
    }
}

/** The JSON of a file, its buffers within; nodes and animations are named after their indices. */
function readDocument(file) {
    const bytes = readFileSync(file);
    const isBinary = bytes.readUInt32LE(0) === 0x46546c67;
    const end = isBinary ? 20 + bytes.readUInt32LE(12) : bytes.length;
    const json = JSON.parse(bytes.toString('utf8', isBinary ? 20 : 0, end));
    for (const buffer of json.buffers ?? []) {
        const data = buffer.uri === undefined ? bytes.subarray(end + 8) : readUri(buffer.uri, file);
        buffer.uri = `data:application/octet-stream;base64,${data.toString('base64')}`;
    }
    for (const [index, node] of json.nodes.entries()) node.name = `node ${index}`;
    for (const [index, animation] of (json.animations ?? []).entries()) animation.name = `animation ${index}`;
    return json;
}
