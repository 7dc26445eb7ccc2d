// SPDX-License-Identifier: MIT

// Poses skins with three.js. The request: [{ file, skin, clips: [{ animation, times }] }], answered by
// joints * 16 doubles a time, column-major, in that order.
import { answer, begin, request } from './oracle-child.mjs';
import { loadWithThree } from './three-loader.mjs';

const { AnimationMixer, LoopOnce, Matrix4 } = await import('three');

const KEPT = ['position', 'quaternion', 'scale'];
for (const { file, skin, clips } of request) {
    begin(file);
    const gltf = await loadWithThree(file);
    const matrices = await palette(gltf, skin);
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
        answer(pose(gltf.scene, gltf.animations[animation], matrices, times));
    }
}

/** One function a joint, that writes its matrix. */
async function palette(gltf, skin) {
    const { bones, boneInverses } = await gltf.parser.getDependency('skin', skin);
    const product = new Matrix4();
    return bones.map(
        (bone, joint) => (out, at) => product.multiplyMatrices(bone.matrixWorld, boneInverses[joint]).toArray(out, at),
    );
}

function pose(scene, clip, matrices, times) {
    const mixer = new AnimationMixer(scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const out = new Float64Array(times.length * matrices.length * 16);
    for (const [row, time] of times.entries()) {
        // An action that reached its end pauses itself and would give frame 0 from then on.
        action.paused = false;
        mixer.setTime(Math.fround(time));
        scene.updateMatrixWorld(true);
        for (const [i, write] of matrices.entries()) write(out, (row * matrices.length + i) * 16);
    }
    mixer.stopAllAction();
    mixer.uncacheRoot(scene);
    return out;
}
