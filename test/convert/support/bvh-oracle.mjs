// SPDX-License-Identifier: MIT

/** Prints places of joints by the BVH readers of three.js and Babylon.js. Usage: bvh-oracle.mjs <file> <time>... */

import { readFileSync } from 'node:fs';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';
import { ReadBvh } from '@babylonjs/loaders/BVH/bvhLoader.js';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';

const [, , file, ...given] = process.argv;
const text = readFileSync(file, 'utf8');
const times = given.map(Number);

const { skeleton, clip } = new BVHLoader().parse(text);
const [root] = skeleton.bones;
const mixer = new AnimationMixer(root);
const action = mixer.clipAction(clip).setLoop(LoopOnce);
action.clampWhenFinished = true;
action.play();
const three = times.map((time) => {
    mixer.setTime(time);
    root.updateMatrixWorld(true);
    const joints = skeleton.bones.filter(({ name }) => name !== 'ENDSITE');
    return Object.fromEntries(joints.map((bone) => [bone.name, bone.getWorldPosition(new Vector3()).toArray()]));
});

Logger.LogLevels = Logger.NoneLogLevel;
const scene = new Scene(new NullEngine());
scene.useRightHandedSystem = true;
const read = ReadBvh(text, scene, null, { loopMode: 0 });
const babylon = times.map((time) => {
    const worlds = new Map();
    for (const bone of read.bones) {
        for (const animation of bone.animations) {
            const value = animation.evaluate(Math.round(time * animation.framePerSecond));
            if (animation.targetProperty === 'position') bone.position = value;
            if (animation.targetProperty === 'rotationQuaternion') bone.rotationQuaternion = value;
        }
        const parent = bone.getParent();
        worlds.set(bone, parent ? bone.getLocalMatrix().multiply(worlds.get(parent)) : bone.getLocalMatrix().clone());
    }
    const joints = [...worlds].filter(([{ name }]) => name !== 'ENDSITE');
    return Object.fromEntries(joints.map(([{ name }, world]) => [name, world.getTranslation().asArray()]));
});

process.stdout.write(JSON.stringify({ three, babylon }));
