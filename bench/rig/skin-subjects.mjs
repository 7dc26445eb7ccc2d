// SPDX-License-Identifier: MIT

/** The Rig's calls that skin. The poses do not change between calls. */

import { createRig } from './library.mjs';

/** @param call `positions and normals`, `positions` or `bounds`. */
export function rigSkin(parts, times, implementation, call) {
    const { rig, poses } = posed(parts, times, implementation);
    const vertices = times.length * rig.meshes[0].vertexCount;
    const lengths = { 'positions and normals': [vertices * 3, vertices * 3], positions: [vertices * 3] };
    const outputs = (lengths[call] ?? [times.length * 6]).map((length) => new Float32Array(length));
    const run =
        call === 'bounds'
            ? () => rig.bounds(poses, 0, 0, outputs[0])
            : () => rig.skinVertices(poses, 0, 0, outputs[0], outputs[1]);
    return { name: implementation.name, units: vertices, outputs, run };
}

/** Input of the other libraries: the poses as palettes and as global matrices, both `[pose][joint][12]`. */
export function matricesOf(parts, times) {
    const { rig, poses } = posed(parts, times);
    const joints = rig.skins[0].joints.length;
    const palettes = new Float32Array(times.length * joints * 12);
    rig.palettes(poses, 0, palettes, 'mat3x4');
    const globals = new Float32Array(times.length * joints * 12);
    rig.joints(poses, rig.skins[0].joints, globals);
    return { count: times.length, joints, palettes, globals };
}

function posed(parts, times, implementation) {
    const rig = createRig(parts, implementation);
    const poses = rig.createPoses(times.length);
    rig.evaluate(poses, 0, times);
    rig.toGlobal(poses);
    return { rig, poses };
}
