// SPDX-License-Identifier: MIT

/** What is measured alike in Node and in browsers: the Rig beside flat JavaScript and three.js, and joint lists that are the caller's. */

import { checkAgreement, measure } from '../harness.mjs';
import { flatPoses } from '../rig/flat-poses.mjs';
import { THREE_EACH, THREE_ONE } from '../rig/names.mjs';
import { rigPoses } from '../rig/pose-subjects.mjs';
import { createParts, durationOf, playback } from '../rig/scenes.mjs';
import { threePoses } from '../rig/three-subjects.mjs';

export const POSES = 64;
export const JOINTS = 64;
const CALLS = 120;
/** As in bench/rig/poses-work.mjs. */
const TOLERANCE = 2e-3;

/**
 * @param libraries `{ name, createRig, slerpJoints }`: each an implementation.
 * @returns `{ poses, slerps }`: results of `measure`, of a joint and pose, and of a joint.
 */
export async function measureHere(libraries, settings) {
    const parts = createParts({ joints: JOINTS });
    const times = playback(durationOf(parts), POSES, CALLS);
    const out = new Float32Array(POSES * JOINTS * 16);
    const subjects = [
        ...libraries.map(({ name, createRig }) => rigPoses(createRig(parts), { name, times, out, chunk: POSES })),
        flatPoses(parts, { times, out }),
        threePoses(parts, { name: THREE_ONE, times, out, characters: 1 }),
        threePoses(parts, { name: THREE_EACH, times, out, characters: POSES }),
    ];
    checkAgreement('poses', subjects, TOLERANCE);
    const poses = await measure(subjects, settings);
    return { poses, slerps: await measure(libraries.map(slerpSubject), settings) };
}

/** In place, towards one list and the other in turn: what is blended never comes to rest. */
function slerpSubject({ name, slerpJoints }) {
    const [joints, first, second] = [0, 1, 2].map((seed) =>
        Float32Array.from(
            { length: JOINTS * 8 },
            (_, i) => [0.5, -0.5, 0.5, 0.5, 1, 2, 3, 0][(i + (i >> 3) * seed) % 8],
        ),
    );
    return {
        name,
        units: JOINTS,
        outputs: [joints],
        run: (call) => slerpJoints(joints, call % 2 === 0 ? first : second, 0.4),
    };
}
