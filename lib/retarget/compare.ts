// SPDX-License-Identifier: MIT

import { ROLES, type Role, sided } from '../clips/roles';
import { frameOf } from './frame';
import { length, sub } from './math';
import { type Humanoid, NEEDED } from './roles';

/** Whether a file has all joints that retargeting needs. */
export function isHumanoid({ joints }: Pick<Humanoid, 'joints'>): boolean {
    return NEEDED.every((role) => joints.has(role));
}

/** Roles that both files have, from the hips outwards. */
export function sharedRoles(a: Pick<Humanoid, 'joints'>, b: Pick<Humanoid, 'joints'>): Role[] {
    return ROLES.filter((role) => a.joints.has(role) && b.joints.has(role));
}

/** One rig has hips this many times as wide, relative to its legs. */
const WIDE = 1.5;
/** The knees divide legs this differently, as a share of the leg. */
const KNEE = 0.1;
/** Legs are this many times as long: probably another unit. */
const LONG = 10;

/** Differences of two humanoids that retargeting cannot hide, as text. */
export function differencesOf(own: Humanoid, theirs: Humanoid): string[] {
    const [here, there] = [frameOf(own), frameOf(theirs)];
    const found: string[] = [];
    const [width, otherWidth] = [here.halfWidth / here.leg, there.halfWidth / there.leg];
    const times = (a: number, b: number) => `${(Math.max(a, b) / Math.min(a, b)).toFixed(1)} times`;
    if (Math.max(width / otherWidth, otherWidth / width) > WIDE) {
        const which = width > otherWidth ? 'here' : 'there';
        const how = 'legs turn away from the clip where the hips turn over standing feet';
        found.push(`hips are ${times(width, otherWidth)} as wide ${which}, relative to the legs: ${how}`);
    }
    const thighOf = ({ joints }: Humanoid, frame: typeof here) => {
        const at = (limb: 'upperLeg' | 'lowerLeg') => frame.at(joints.get(sided('left', limb))!);
        return length(sub(at('lowerLeg'), at('upperLeg'))) / frame.leg;
    };
    const [thigh, otherThigh] = [thighOf(own, here), thighOf(theirs, there)];
    if (Math.abs(thigh - otherThigh) > KNEE) {
        const shares = `${Math.round(thigh * 100)}% of the leg here, ${Math.round(otherThigh * 100)}% there`;
        found.push(`thighs are ${shares}: knees bend differently where feet are held`);
    }
    if (Math.max(here.leg / there.leg, there.leg / here.leg) > LONG) {
        const which = here.leg > there.leg ? 'here' : 'there';
        found.push(`legs are ${times(here.leg, there.leg)} as long ${which}: the units may differ`);
    }
    for (const [part, roles] of Object.entries(PARTS)) {
        const [a, b] = [own, theirs].map(({ joints }) => roles.some((role) => joints.has(role)));
        if (a !== b) found.push(`only the file ${a ? 'here' : 'there'} has ${part}`);
    }
    return found;
}

const PARTS: Readonly<Record<string, readonly Role[]>> = {
    'a spine': ['spine'],
    'a head': ['head'],
    arms: ['leftUpperArm', 'rightUpperArm'],
    fingers: ROLES.filter((role) => /[123]$/.test(role)),
};
