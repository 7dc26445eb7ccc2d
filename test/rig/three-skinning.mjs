// SPDX-License-Identifier: MIT

// Skins meshes with three.js, in scene space. The request is { file, nodes, animation, times }. The answer is the
// vertices of each node's primitives in turn, for each time.
import { answer, begin, request } from '../support/oracle-child.mjs';
import { loadWithThree } from '../support/three-loader.mjs';

const { AnimationMixer, LoopOnce, Vector3 } = await import('three');

const { file, nodes, animation, times } = request;
begin(file);
const gltf = await loadWithThree(file);
const mixer = new AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[animation]);
action.setLoop(LoopOnce);
action.clampWhenFinished = true;
action.play();
const objects = await Promise.all(nodes.map((node) => gltf.parser.getDependency('node', node)));
const out = [];
for (const time of times) {
    // An action that reached its end pauses itself and would give frame 0 afterward.
    action.paused = false;
    mixer.setTime(Math.fround(time));
    gltf.scene.updateMatrixWorld(true);
    const vertex = new Vector3();
    for (const object of objects) {
        // A mesh with several primitives becomes a group.
        for (const mesh of object.isSkinnedMesh ? [object] : object.children.filter((child) => child.isSkinnedMesh)) {
            for (let v = 0; v < mesh.geometry.attributes.position.count; v++) {
                mesh.getVertexPosition(v, vertex).applyMatrix4(mesh.matrixWorld);
                out.push(vertex.x, vertex.y, vertex.z);
            }
        }
    }
}
answer(Float64Array.from(out));
