// SPDX-License-Identifier: MIT

import { type Role, SIDES, type Side, sided } from '../clips/roles';
import { type Frame, level } from './frame';
import { compose, inverse, mix, type Quat, rotated, sub, type Vec } from './math';
import type { Place } from './model';
import type { Pair } from './pair';
import type { Humanoid } from './roles';
import { posesOf, timesOf } from './sample';

/** All that the target has to know of the source at a time, in the common space. */
export interface Seen {
    readonly turns: ReadonlyMap<number, Quat>;
    readonly middle: Vec;
    readonly ankles: Readonly<Record<Side, Vec>>;
    /** From the hip joints to the ankles. */
    readonly legs: Readonly<Record<Side, Vec>>;
    /** How far keys move the hip joints from where the turn of the hips takes them. */
    readonly shifts: Readonly<Record<Side, Vec>>;
    /** Where the hips' left side points, and the same on the ground. */
    readonly left: Vec;
    readonly level: Vec;
}

export function seenAt(
    { source, from }: Pair,
    pose: readonly Place[],
    followed: readonly number[],
    before: Vec | undefined,
): Seen {
    const { toCommon } = from;
    const place = (role: Role) => rotated(toCommon, pose[source.joints.get(role)!]!.at);
    const turnOf = (node: number) => compose(compose(toCommon, pose[node]!.rotation), inverse(from.turn(node)));
    const hips = turnOf(source.joints.get('hips')!);
    const middle = mix(place('leftUpperLeg'), place('rightUpperLeg'), 0.5);
    const shift = (side: Side): Vec => {
        const role = sided(side, 'upperLeg');
        const offset = sub(from.at(source.joints.get(role)!), from.middle);
        return sub(sub(place(role), middle), rotated(hips, offset));
    };
    return {
        turns: new Map(followed.map((node) => [node, turnOf(node)])),
        middle,
        shifts: { left: shift('left'), right: shift('right') },
        ankles: { left: place('leftFoot'), right: place('rightFoot') },
        legs: {
            left: sub(place('leftFoot'), place('leftUpperLeg')),
            right: sub(place('rightFoot'), place('rightUpperLeg')),
        },
        left: rotated(hips, [1, 0, 0]),
        level: level(rotated(hips, [1, 0, 0])) ?? before ?? [1, 0, 0],
    };
}

/** Heights of ankles that stand on the ground, in the common space of the source. */
export type Floors = Readonly<Record<Side, number>>;

/**
 * The bind pose's ankles, unless clips never come near them: a pose of zero rotations may be anywhere. Then the lowest
 * place of an ankle in all clips.
 */
export function floorsOf({ model, joints, bind }: Humanoid, frame: Frame): Floors {
    if (SIDES.every((side) => frame.ankles[side] > -0.1 * frame.leg && frame.ankles[side] < 0.4 * frame.leg))
        return frame.ankles;
    let lowest = Infinity;
    for (const clip of model.animations) {
        const poseAt = posesOf(model.nodes, clip, joints.values());
        for (const time of timesOf(clip)) {
            const pose = poseAt(time);
            for (const side of SIDES) {
                const ankle = rotated(frame.toCommon, pose[joints.get(sided(side, 'foot'))!]!.at);
                lowest = Math.min(lowest, ankle[1]);
            }
        }
    }
    return Number.isFinite(lowest) && bind.length > 0 ? { left: lowest, right: lowest } : frame.ankles;
}
