// SPDX-License-Identifier: MIT

import { ACCESSOR_SCENES } from './accessors';
import { CLIP_SCENES } from './clips';
import { EXTENSION_SCENES } from './extensions';
import { HIERARCHY_SCENES } from './hierarchy';
import { INTERPOLATION_SCENES } from './interpolation';
import type { TortureScene } from './scene';
import { TIME_SCENES } from './times';

export { FAULTS } from './faults';

/** Files that test the Rig and the baker, grouped by common errors of glTF bakers. */
export const SCENES: readonly TortureScene[] = [
    ...TIME_SCENES,
    ...INTERPOLATION_SCENES,
    ...ACCESSOR_SCENES,
    ...HIERARCHY_SCENES,
    ...CLIP_SCENES,
    ...EXTENSION_SCENES,
];

/** One block of tests for each row, one test for each of its scenes. */
export function describeScenes(judge: (scene: TortureScene) => Promise<void>): void {
    for (const row of new Set(SCENES.map((scene) => scene.row))) {
        describe(row, () => {
            for (const scene of SCENES.filter((one) => one.row === row)) {
                test(scene.about, () => judge(scene));
            }
        });
    }
}
