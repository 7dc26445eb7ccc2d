// SPDX-License-Identifier: MIT

import { type Role, SIDES, type Side, sided } from '../clips/roles';
import { between, compose, dot, length, mix, type Quat, rotated, scaled, sub, unit, type Vec } from './math';
import type { Humanoid } from './roles';

/** Measures of a rig, and the rotation from its scene to the common space: y up, facing z, left at x. */
export interface Frame {
    readonly toCommon: Quat;
    /** Bind places of joints in the common space. */
    readonly at: (node: number) => Vec;
    readonly turn: (node: number) => Quat;
    /** Mean length of thigh and shin together. */
    readonly leg: number;
    /** From the middle of the hip joints to one of them. */
    readonly halfWidth: number;
    /** Middle of the hip joints. */
    readonly middle: Vec;
    readonly ankles: Readonly<Record<Side, number>>;
}

export function frameOf({ bind, joints }: Pick<Humanoid, 'bind' | 'joints'>): Frame {
    const place = (role: Role): Vec => bind[joints.get(role)!]!.at;
    const both = (limb: 'upperLeg' | 'foot') => mix(place(sided('left', limb)), place(sided('right', limb)), 0.5);
    const top = joints.get('head');
    const upright = unit(sub(top === undefined ? both('upperLeg') : bind[top]!.at, both('foot')));
    const axis = upAxis(upright);
    const raise = between(axis, [0, 1, 0]);
    const left = rotated(raise, sub(place('leftUpperLeg'), place('rightUpperLeg')));
    const toCommon = compose(aboutUp([left[0], 0, left[2]], [1, 0, 0]), raise);
    const at = (node: number) => rotated(toCommon, bind[node]!.at);
    const turn = (node: number) => compose(toCommon, bind[node]!.rotation);
    const of = (role: Role) => at(joints.get(role)!);
    const legs = SIDES.map((side) => {
        const [hip, knee, ankle] = [of(sided(side, 'upperLeg')), of(sided(side, 'lowerLeg')), of(sided(side, 'foot'))];
        return length(sub(knee, hip)) + length(sub(ankle, knee));
    });
    const [l, r] = [of('leftUpperLeg'), of('rightUpperLeg')];
    return {
        toCommon,
        at,
        turn,
        leg: (legs[0]! + legs[1]!) / 2,
        halfWidth: length(sub(l, r)) / 2,
        middle: mix(l, r, 0.5),
        ankles: { left: of('leftFoot')[1], right: of('rightFoot')[1] },
    };
}

/** The axis nearest to a direction. */
function upAxis(direction: Vec): Vec {
    const sizes = direction.map(Math.abs);
    const c = sizes.indexOf(Math.max(...sizes));
    return [0, 1, 2].map((i) => (i === c ? (direction[c]! < 0 ? -1 : 1) : 0)) as unknown as Vec;
}

/** The rotation about y that takes a level direction to another one. */
function aboutUp(from: Vec, to: Vec): Quat {
    return dot(unit(from), unit(to)) < -1 + 1e-9 ? [0, 1, 0, 0] : between(from, to);
}

/** A direction made level, with length 1; null if it points almost up or down. */
export function level([x, , z]: Vec): Vec | null {
    const size = length([x, 0, z]);
    return size < 0.2 ? null : scaled([x, 0, z], 1 / size);
}
