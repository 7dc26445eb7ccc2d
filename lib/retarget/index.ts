// SPDX-License-Identifier: MIT

export { differencesOf, isHumanoid, sharedRoles } from './compare';
export type { Model } from './model';
export { type Retargeted, type RetargetStyle, retargetClips } from './retarget';
export { type FoundBy, type GivenRoles, type Humanoid, humanoidOf, NEEDED } from './roles';
