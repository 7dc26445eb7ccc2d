// SPDX-License-Identifier: MIT

/** Vertices and boxes of poses that stand still: the Rig beside flat JavaScript and, for positions, three.js. */

import { checkAgreement, measure } from '../harness.mjs';
import { flatBounds, flatSkin } from './flat-skinning.mjs';
import { implementations } from './library.mjs';
import { SKIN_POSES, skinWork, WITH_NORMALS } from './names.mjs';
import { posedCharacter, rigBounds, rigSkin } from './rig-subjects.mjs';
import { createCharacter, durationOf, playback } from './scenes.mjs';
import { threeSkin } from './three-subjects.mjs';

const TOLERANCE = 1e-4;

export async function measureSkinning(settings) {
    const parts = createCharacter();
    const results = [];
    for (const count of SKIN_POSES) {
        const [times] = playback(durationOf(parts), count, 1);
        const posed = posedCharacter(parts, times);
        const works = {
            [WITH_NORMALS]: [
                ...implementations.map((one) => rigSkin(parts, times, one, true)),
                flatSkin(parts, posed, true),
            ],
            'skinVertices, positions': [
                ...implementations.map((one) => rigSkin(parts, times, one, false)),
                flatSkin(parts, posed, false),
                threeSkin(parts, posed),
            ],
            bounds: [...implementations.map((one) => rigBounds(parts, times, one)), flatBounds(parts, posed)],
        };
        for (const [what, subjects] of Object.entries(works)) {
            const work = skinWork(what, count);
            checkAgreement(work, subjects, TOLERANCE);
            for (const result of await measure(subjects, settings)) {
                results.push({ work, unit: 'vertex and pose', ...result });
            }
        }
    }
    return results;
}
