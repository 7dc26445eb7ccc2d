// SPDX-License-Identifier: MIT

/** Inverse kinematics compared with ozz-animation's jobs, for the features that both have: test/oracle/ozz_ik.cpp. */

import { Rig } from '../../lib/rig';
import { dot } from '../oracle/inverse-kinematics';
import { aims, limbs } from '../oracle/ozz-ik.json';
import { localAt } from './scenes';

/** Angle of the turn between two rotations, in radians. */
const between = (a: readonly number[], b: readonly number[]) => {
    const cosine = Math.abs(dot(a, b)) / Math.sqrt(dot(a, a) * dot(b, b));
    return 2 * Math.acos(Math.min(1, cosine));
};

function posed(joints: readonly (readonly number[])[]) {
    const rig = Rig.create({ parents: joints.map((_, i) => i - 1), rest: joints.flat(), clips: [] });
    const poses = rig.createPoses(1);
    rig.toGlobal(poses);
    return { rig, poses, rotation: (slot: number) => [...localAt(rig, poses, 0, slot)].slice(3, 7) };
}

test('limbs: rotations of start and middle, with poles, axis, twist, softening and weights', () => {
    let worst = 0;
    for (const { joints, axis, target, pole, twist, soften, weight, start, mid } of limbs) {
        const { rig, poses, rotation } = posed(joints);
        const poles = Float32Array.from(pole);
        const options = { poles, axis, twist, soften, weights: weight };
        rig.twoBoneIk(poses, { start: 1, mid: 2, end: 3 }, Float32Array.from(target), options);
        worst = Math.max(worst, between(rotation(1), start), between(rotation(2), mid));
    }
    // ozz-animation estimates reciprocals, with an error of 3e-4 for soft limits.
    expect(worst).toBeLessThan(1e-3);
    expect(limbs.length).toBe(60);
});

test('aims: the rotation, with forward, up, pole and offset', () => {
    let worst = 0;
    for (const { joints, forward, up, offset, pole, target, rotation: expected } of aims) {
        const { rig, poses, rotation } = posed(joints);
        rig.aimIk(poses, 1, Float32Array.from(target), { forward, up, offset, pole });
        worst = Math.max(worst, between(rotation(1), expected));
    }
    expect(worst).toBeLessThan(2e-5);
});
