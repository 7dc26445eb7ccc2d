// SPDX-License-Identifier: MIT

/**
 * Characters plant their feet on uneven ground and look at a ball: `node examples/ik.mjs`. Prints how far feet are from
 * the ground and gazes from the ball, before and after. Other models need the names of their slots:
 * `node examples/ik.mjs Knight.glb Idle upperleg.l lowerleg.l foot.l upperleg.r lowerleg.r foot.r chest head`.
 */

import { join } from 'node:path';
import { Rig } from 'poselane';

const [file = join(import.meta.dirname, 'character.glb'), clip = 'Idle', ...names] = process.argv.slice(2);
if (names.length === 0) names.push('Thigh_L', 'Shin_L', 'Foot_L', 'Thigh_R', 'Shin_R', 'Foot_R', 'Neck', 'Head');
const rig = await Rig.load(file);
const [startL, midL, endL, startR, midR, endR, neck, head] = names.map((name) => rig.slotNamed(name));
const legs = [
    { start: startL, mid: midL, end: endL },
    { start: startR, mid: midR, end: endR },
];
const COUNT = 100;
const poses = rig.createPoses(COUNT);
const globals = new Float32Array(COUNT * 12);
const place = (pose) => [3, 7, 11].map((element) => globals[pose * 12 + element]);
const placesOf = (slot) => {
    rig.joints(poses, Uint16Array.of(slot), globals);
    return Array.from({ length: COUNT }, (_, pose) => place(pose));
};

// The face looks along +z at rest: which direction is that in the head's own space?
rig.toGlobal(poses);
placesOf(head);
const forward = [8, 9, 10].map((element) => globals[element]);
const up = [4, 5, 6].map((element) => globals[element]);

/** Height of the ground below a character: slopes and steps. */
const height = (pose, [x, , z]) => (0.3 * x + (z > 0 ? 0.08 : 0)) * (1 + (pose % 5) / 5) - 0.03 * (pose % 3);

rig.evaluate(
    poses,
    rig.clipNamed(clip),
    Float64Array.from({ length: COUNT }, (_, pose) => pose / 30),
    { loop: 'wrap' },
);
rig.toGlobal(poses);
const feet = legs.map(({ end }) => placesOf(end));
const balls = placesOf(head).map(([x, y, z], pose) => [x + (pose % 7) / 2 - 1.5, y + (pose % 4) / 4, z + 2]);
report('animated');

// The whole character goes down as far as its lower foot must.
let top = startL;
while (rig.slots[top].parent >= 0) top = rig.slots[top].parent;
const local = new Float32Array(10);
for (let pose = 0; pose < COUNT; pose++) {
    const drop = Math.min(0, ...feet.map((places) => height(pose, places[pose])));
    rig.getLocal(poses, pose, top, local);
    local[1] += drop;
    rig.setLocal(poses, pose, top, local);
}
rig.toGlobal(poses);

// Then legs reach for the ground, one after the other, and the head turns last.
for (const [k, leg] of legs.entries()) {
    const targets = feet[k].flatMap(([x, y, z], pose) => [x, y + height(pose, [x, y, z]), z]);
    rig.twoBoneIk(poses, leg, Float32Array.from(targets), { soften: 0.99 });
    rig.toGlobal(poses, { from: leg.start });
}
rig.aimIk(poses, [neck, head], Float32Array.from(balls.flat()), { forward, up, shares: [1, 2] });
rig.toGlobal(poses, { from: neck });
report('solved');

function report(what) {
    const off = legs.map(({ end }, k) =>
        placesOf(end).map(([, y], pose) => Math.abs(y - feet[k][pose][1] - height(pose, feet[k][pose]))),
    );
    const gaze = placesOf(head).map((at, pose) => {
        const row = (v) =>
            [0, 4, 8].map((element) => v.reduce((sum, x, axis) => sum + x * globals[pose * 12 + element + axis], 0));
        return angle(
            row(forward),
            balls[pose].map((x, axis) => x - at[axis]),
        );
    });
    const max = (list) => Math.max(...list).toFixed(3);
    console.log(`${what}: feet up to ${max(off.flat())} m from the ground, gazes up to ${max(gaze)} rad from the ball`);
}

function angle(a, b) {
    const dot = a.reduce((sum, x, axis) => sum + x * b[axis], 0);
    return Math.acos(Math.min(1, dot / Math.hypot(...a) / Math.hypot(...b)));
}
