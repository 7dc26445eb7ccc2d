// SPDX-License-Identifier: MIT

import { ACCESSOR_SCENES } from './accessors';
import { CLIP_SCENES } from './clips';
import { EXTENSION_SCENES } from './extensions';
import { HIERARCHY_SCENES } from './hierarchy';
import { INTERPOLATION_SCENES } from './interpolation';
import { ROWS, type Row } from './rows';
import type { TortureScene } from './scene';
import { TIME_SCENES } from './times';

export { FAULTS } from './faults';
export { ROWS, type Row } from './rows';

/** Files that the Rig and the baker are judged by, one or more for each row of the semantics table but the last. */
export const SCENES: readonly TortureScene[] = [
    ...TIME_SCENES,
    ...INTERPOLATION_SCENES,
    ...ACCESSOR_SCENES,
    ...HIERARCHY_SCENES,
    ...CLIP_SCENES,
    ...EXTENSION_SCENES,
];

/** The row whose files are refused: `FAULTS`. */
export const FAULTS_ROW: Row = ROWS[ROWS.length - 1]!;

/** One block of tests for each row, one test for each of its scenes; a row without scenes is a failure. */
export function describeScenes(judge: (scene: TortureScene) => Promise<void>): void {
    for (const row of ROWS) {
        if (row === FAULTS_ROW) continue;
        describe(row, () => {
            const scenes = SCENES.filter((scene) => scene.row === row);
            if (scenes.length === 0) test('has a scene', () => expect(scenes).not.toEqual([]));
            for (const scene of scenes) {
                if (scene.absent === undefined) test(scene.about, () => judge(scene));
                else test.skip(`${scene.about} [skipped: ${scene.absent}]`, () => {});
            }
        });
    }
}
