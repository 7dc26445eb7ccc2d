// SPDX-License-Identifier: MIT

/** What works and subjects are called in results, where more than one file knows them. */

export const FLAT = 'flat JavaScript';
export const THREE_ONE = 'three.js, one character';
export const THREE_EACH = 'three.js, one a pose';

const posesText = (count) => `${count} ${count === 1 ? 'pose' : 'poses'}`;

/** How many poses are evaluated in a call, and skinned. */
export const POSES = [64, 1, 200];
export const poseWork = posesText;
export const SKIN_POSES = [64, 1];
export const WITH_NORMALS = 'skinVertices, positions and normals';
export const skinWork = (what, count) => `${what}, ${posesText(count)}`;

/** The curves of growth. */
export const CHUNK = 64;
export const AT_ONCE = 'three calls on all poses';
export const IN_CHUNKS = `three calls on ${CHUNK} poses at a time`;
export const BAKED = `bakePalettes, ${CHUNK} poses at a time`;
export const THREE_CALLS = 'all three';
export const SMALL_CHUNK = 16;
export const IN_BLOCKS = `all three, ${SMALL_CHUNK} poses at a time`;
/** Lists of key times: one for each track. */
export const EACH_ITS_OWN = 192;
export const FORWARD = 'evaluate, playback';
export const JUMPING = 'evaluate, anywhere each call';
