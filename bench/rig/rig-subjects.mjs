// SPDX-License-Identifier: MIT

/** The Rig's calls that skin, as a program makes them. */

import { createRig } from './library.mjs';

/** What skinning starts from: the poses of a call, as globals, and for others as matrices `[pose][joint][12]`. */
export function posedCharacter(parts, times) {
    const rig = createRig(parts);
    const count = times.length;
    const poses = rig.createPoses(count);
    rig.evaluate(poses, 0, times);
    rig.toGlobal(poses);
    const joints = rig.skins[0].joints.length;
    const palettes = new Float32Array(count * joints * 12);
    rig.palettes(poses, 0, palettes, 'mat3x4');
    const globals = new Float32Array(count * joints * 12);
    rig.joints(poses, rig.skins[0].joints, globals);
    return { count, joints, palettes, globals };
}

/** `skinVertices`, with normals or without, of poses that stand still. */
export function rigSkin(parts, times, implementation, normals) {
    const { rig, poses, vertices } = still(parts, times, implementation);
    const floats = times.length * vertices * 3;
    const outputs = normals ? [new Float32Array(floats), new Float32Array(floats)] : [new Float32Array(floats)];
    return {
        name: implementation.name,
        units: times.length * vertices,
        outputs,
        run: () => rig.skinVertices(poses, 0, 0, outputs[0], outputs[1]),
    };
}

export function rigBounds(parts, times, implementation) {
    const { rig, poses, vertices } = still(parts, times, implementation);
    const out = new Float32Array(times.length * 6);
    return {
        name: implementation.name,
        units: times.length * vertices,
        outputs: [out],
        run: () => rig.bounds(poses, 0, 0, out),
    };
}

function still(parts, times, implementation) {
    const rig = createRig(parts, implementation);
    const poses = rig.createPoses(times.length);
    rig.evaluate(poses, 0, times);
    rig.toGlobal(poses);
    return { rig, poses, vertices: rig.meshes[0].vertexCount };
}
