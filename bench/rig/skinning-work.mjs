// SPDX-License-Identifier: MIT

/** Vertices and boxes of poses that stand still: the Rig beside flat JavaScript and, for positions, three.js. */

import { flatBounds, flatSkin } from './flat-skinning.mjs';
import { implementations, skinningOf } from './library.mjs';
import { checkAgreement, measure } from './measure.mjs';
import { SKIN_POSES, skinWork, WITH_NORMALS } from './names.mjs';
import { posedCharacter, rigBounds, rigSkin } from './rig-subjects.mjs';
import { createCharacter, durationOf, playback } from './scenes.mjs';
import { threeSkin } from './three-subjects.mjs';

const TOLERANCE = 1e-4;

export function measureSkinning(settings) {
    const parts = createCharacter();
    const own = implementations.filter((one) => skinningOf(one) === one);
    return SKIN_POSES.flatMap((count) => {
        const [times] = playback(durationOf(parts), count, 1);
        const posed = posedCharacter(parts, times);
        const works = {
            [WITH_NORMALS]: [...own.map((one) => rigSkin(parts, times, one, true)), flatSkin(parts, posed, true)],
            'skinVertices, positions': [
                ...own.map((one) => rigSkin(parts, times, one, false)),
                flatSkin(parts, posed, false),
                threeSkin(parts, posed),
            ],
            bounds: [...own.map((one) => rigBounds(parts, times, one)), flatBounds(parts, posed)],
        };
        return Object.entries(works).flatMap(([what, subjects]) => {
            const work = skinWork(what, count);
            checkAgreement(work, subjects, TOLERANCE);
            return measure(subjects, settings).map((result) => ({ work, unit: 'vertex and pose', ...result }));
        });
    });
}
