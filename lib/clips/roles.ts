// SPDX-License-Identifier: MIT

/** The part of a body that a joint moves. Torso, neck and fingers may have several joints. */
export type Role = 'hips' | 'spine' | 'chest' | 'neck' | 'head' | SidedRole;
export type SidedRole = `${Side}${Capitalize<Limb> | `${(typeof FINGERS)[number]}${1 | 2 | 3}`}`;
export type Side = 'left' | 'right';
export type Limb = (typeof LIMBS)[number];

const LIMBS = ['shoulder', 'upperArm', 'lowerArm', 'hand', 'upperLeg', 'lowerLeg', 'foot', 'toes'] as const;
export const FINGERS = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'] as const;
export const SIDES: readonly Side[] = ['left', 'right'];

/** All roles, from the hips outwards. */
export const ROLES: readonly Role[] = [
    'hips',
    'spine',
    'chest',
    'neck',
    'head',
    ...SIDES.flatMap((side) => LIMBS.map((limb) => sided(side, limb))),
    ...SIDES.flatMap((side) =>
        FINGERS.flatMap((finger) => ([1, 2, 3] as const).map((joint): Role => `${side}${finger}${joint}`)),
    ),
];

export function sided(side: Side, limb: Limb): Role {
    return `${side}${(limb[0]!.toUpperCase() + limb.slice(1)) as Capitalize<Limb>}`;
}
