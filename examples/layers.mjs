// SPDX-License-Identifier: MIT

/**
 * A hit reaction and an aim offset over a walk, for characters of KayKit: `node examples/layers.mjs Knight.glb`. Both
 * are differences to a pose of their own. Prints where the hands are, also with differences to the rest pose.
 */

import { Rig } from 'poselane';

const rig = await Rig.load(process.argv[2] ?? 'Knight.glb');
const second = Float64Array.from({ length: 60 }, (_, frame) => frame / 60);
const posesOf = (clip, times = Float64Array.of(0)) => {
    const poses = rig.createPoses(times.length);
    const number = rig.clipNamed(clip);
    rig.evaluate(poses, number, times, { loop: new Uint8Array(times.length).fill(rig.clips[number].loop) });
    return poses;
};

const walk = posesOf('Walking_A', second);
const layers = {
    // Begins and ends with no difference, because the clip begins and ends with this pose.
    'hit reaction': { clip: posesOf('Hit_A', second), reference: posesOf('Hit_A') },
    // The arms as they aim, compared with arms that hang. The legs and the hips walk on.
    'aim offset': {
        clip: posesOf('1H_Ranged_Aiming', second),
        reference: posesOf('Unarmed_Pose'),
        mask: rig.subtreeMask(rig.slotNamed('chest')),
    },
};

/** Minimum distance of the hands from the axis of the chest, in meters: inside the body, if it is small. */
function clearance(poses) {
    rig.toGlobal(poses);
    const slots = Uint16Array.from(['chest', 'head', 'hand.l', 'hand.r'], (name) => rig.slotNamed(name));
    const globals = new Float32Array(poses.count * slots.length * 12);
    rig.joints(poses, slots, globals);
    const place = (pose, k) => [3, 7, 11].map((element) => globals[(pose * slots.length + k) * 12 + element]);
    let min = Infinity;
    for (let pose = 0; pose < poses.count; pose++) {
        const [chest, head, ...hands] = [0, 1, 2, 3].map((k) => place(pose, k));
        const up = head.map((x, axis) => x - chest[axis]);
        for (const hand of hands) {
            const to = hand.map((x, axis) => x - chest[axis]);
            const along = dot(to, up) / dot(up, up);
            min = Math.min(min, Math.sqrt(dot(to, to) - along * along * dot(up, up)));
        }
    }
    return min.toFixed(2);
}

const dot = (a, b) => a.reduce((sum, x, axis) => sum + x * b[axis], 0);

console.log(`walk: hands at least ${clearance(walk)} m from the axis of the chest`);
for (const [name, { clip, reference, mask }] of Object.entries(layers)) {
    const [layered, doubled] = [rig.createPoses(60), rig.createPoses(60)];
    rig.blend(layered, walk, clip, 1, { additive: true, reference, mask });
    rig.blend(doubled, walk, clip, 1, { additive: true, mask }); // to the T-pose of the file
    console.log(`${name}: ${clearance(layered)} m; as a difference to the rest pose ${clearance(doubled)} m`);
}
