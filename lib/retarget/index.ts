// SPDX-License-Identifier: MIT

export { retargetClips, type RetargetStyle, type Retargeted } from './retarget';
export { checkHumanoid, checkRoles, type FoundBy, type GivenRoles, type Humanoid, humanoidOf, NEEDED } from './roles';
