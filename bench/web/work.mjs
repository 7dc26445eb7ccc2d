// SPDX-License-Identifier: MIT

/** The same measurements in Node and in browsers: the Rig beside flat JavaScript and three.js, and slerps of lists of the caller. */

import { checkAgreement, measure } from '../harness.mjs';
import { flatPoses } from '../rig/flat-poses.mjs';
import { rigPoses } from '../rig/pose-subjects.mjs';
import { createParts, durationOf, playback } from '../rig/scenes.mjs';
import { threePoses } from '../rig/three-subjects.mjs';

export const POSES = 64;
export const JOINTS = 64;
/** As in bench/rig/run.mjs. */
const TOLERANCE = 2e-3;

/**
 * @param libraries `{ name, createRig, slerpJoints }` of each implementation.
 * @returns `{ poses, slerps }`: results of `measure`.
 */
export async function measureHere(libraries, settings) {
    const parts = createParts({ joints: JOINTS });
    const times = playback(durationOf(parts), POSES, 120);
    const out = new Float32Array(POSES * JOINTS * 16);
    const subjects = [
        ...libraries.map(({ name, createRig }) => rigPoses(createRig(parts), { name, times, out, chunk: POSES })),
        flatPoses(parts, { times, out }),
        threePoses(parts, { name: 'three.js, one character', times, out, characters: 1 }),
        threePoses(parts, { name: 'three.js, one for each pose', times, out, characters: POSES }),
    ];
    checkAgreement('poses', subjects, TOLERANCE);
    return { poses: await measure(subjects, settings), slerps: await measure(libraries.map(slerpSubject), settings) };
}

/** In place, towards one of two lists in turn, so that the result keeps changing. */
function slerpSubject({ name, slerpJoints }) {
    const [joints, first, second] = [0, 1, 2].map((seed) =>
        Float32Array.from(
            { length: JOINTS * 8 },
            (_, i) => [0.5, -0.5, 0.5, 0.5, 1, 2, 3, 0][(i + (i >> 3) * seed) % 8],
        ),
    );
    const run = (call) => slerpJoints(joints, call % 2 === 0 ? first : second, 0.4);
    return { name, units: JOINTS, outputs: [joints], run };
}
