// SPDX-License-Identifier: MIT

/** From clip and time to palettes: the Rig beside three.js and flat JavaScript, 64 joints. */

import { checkAgreement, measure } from '../harness.mjs';
import { flatPoses } from './flat-poses.mjs';
import { createRig, implementations } from './library.mjs';
import { POSES, poseWork, THREE_EACH, THREE_ONE } from './names.mjs';
import { rigPoses } from './pose-subjects.mjs';
import { createParts, durationOf, playback } from './scenes.mjs';
import { threePoses } from './three-subjects.mjs';

/** Calls before the times come round again: two seconds at 60 Hz, as long as the clip. */
const TIMES = 120;
/** Chains of some 20 random rotations, by acos and sin in doubles, by a polynomial in floats. */
const TOLERANCE = 2e-3;

export async function measurePoses(settings) {
    const parts = createParts();
    const results = [];
    for (const count of POSES) {
        const times = playback(durationOf(parts), count, TIMES);
        const out = new Float32Array(count * parts.parents.length * 16);
        const subjects = [
            ...implementations.map((one) => rigPoses(createRig(parts, one), { times, out, chunk: count })),
            flatPoses(parts, { times, out }),
            threePoses(parts, { name: THREE_ONE, times, out, characters: 1 }),
            ...(count > 1 ? [threePoses(parts, { name: THREE_EACH, times, out, characters: count })] : []),
        ];
        const work = poseWork(count);
        checkAgreement(work, subjects, TOLERANCE);
        for (const result of await measure(subjects, settings))
            results.push({ work, unit: 'joint and pose', ...result });
    }
    return results;
}
