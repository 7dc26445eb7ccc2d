// SPDX-License-Identifier: MIT

/** Poses and skinning by the classes of three.js. */

import * as THREE from 'three';

const KINDS = {
    translation: [THREE.VectorKeyframeTrack, 'position'],
    rotation: [THREE.QuaternionKeyframeTrack, 'quaternion'],
    scale: [THREE.VectorKeyframeTrack, 'scale'],
};

function createBones(parents) {
    const bones = parents.map((_, i) => {
        const bone = new THREE.Bone();
        bone.name = `bone${i}`;
        return bone;
    });
    for (const [i, parent] of parents.entries()) if (parent >= 0) bones[parent].add(bones[i]);
    return bones;
}

function createSkeleton({ parents, skins: [{ inverseBindMatrices }] }) {
    const inverses = parents.map((_, joint) => new THREE.Matrix4().fromArray(inverseBindMatrices, joint * 16));
    return new THREE.Skeleton(createBones(parents), inverses);
}

/**
 * AnimationMixer, world matrices and Skeleton.update.
 *
 * @param characters As many as there are poses, each with its own mixer, as in a game; or 1 for all poses, as in a baker.
 * @param clips The clip of each character. Default: the first clip.
 */
export function threePoses(parts, { times, clips, out, characters, ...labels }) {
    const count = times[0].length;
    const joints = parts.parents.length;
    const duration = parts.clips[0].channels[0].times.at(-1);
    const animations = parts.clips.map(({ channels }, i) => {
        const tracks = channels.map(({ node, path, times: keys, values }) => {
            const [Track, property] = KINDS[path];
            return new Track(`bone${node}.${property}`, keys, values);
        });
        return new THREE.AnimationClip(`clip${i}`, duration, tracks);
    });
    const all = Array.from({ length: characters }, (_, character) => {
        const skeleton = createSkeleton(parts);
        const mixer = new THREE.AnimationMixer(skeleton.bones[0]);
        mixer
            .clipAction(animations[clips?.[character] ?? 0])
            .setLoop(THREE.LoopRepeat, Infinity)
            .play();
        return { skeleton, mixer };
    });
    return {
        ...labels,
        units: count * joints,
        outputs: [out.subarray(0, count * joints * 16)],
        run(call) {
            const at = times[call % times.length];
            for (let pose = 0; pose < count; pose++) {
                const { skeleton, mixer } = all[pose % characters];
                mixer.setTime(at[pose]);
                skeleton.bones[0].updateMatrixWorld();
                skeleton.update();
                out.set(skeleton.boneMatrices.subarray(0, joints * 16), pose * joints * 16);
            }
        },
    };
}

/** SkinnedMesh.applyBoneTransform for every vertex. It does not transform normals. */
export function threeSkin(parts, { count, globals }) {
    const { positions, joints, weights } = parts.meshes[0];
    const skeleton = createSkeleton(parts);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('skinIndex', new THREE.BufferAttribute(joints, 4));
    geometry.setAttribute('skinWeight', new THREE.BufferAttribute(weights, 4));
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial());
    mesh.bind(skeleton, new THREE.Matrix4());
    const vertices = positions.length / 3;
    const out = new Float32Array(count * vertices * 3);
    const vertex = new THREE.Vector3();
    return {
        name: 'three.js',
        units: count * vertices,
        outputs: [out],
        run() {
            for (let pose = 0, o = 0; pose < count; pose++) {
                for (const [joint, { matrixWorld }] of skeleton.bones.entries()) {
                    const m = globals.subarray((pose * skeleton.bones.length + joint) * 12);
                    matrixWorld.set(...m.subarray(0, 12), 0, 0, 0, 1);
                }
                for (let v = 0; v < vertices; v++, o += 3) {
                    vertex.fromBufferAttribute(geometry.attributes.position, v);
                    mesh.applyBoneTransform(v, vertex).toArray(out, o);
                }
            }
        },
    };
}
