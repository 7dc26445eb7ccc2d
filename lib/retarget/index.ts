// SPDX-License-Identifier: MIT

export { type Retargeted, type RetargetStyle, retargetClips } from './retarget';
export { checkHumanoid, type FoundBy, type GivenRoles, type Humanoid, humanoidOf, NEEDED } from './roles';
