// SPDX-License-Identifier: MIT

/** Clips of a real character on other real rigs, by the measures of `verify`. */

import { judgeRetargeted } from '../../support/judge-retargeted';
import { MIXAMO_NAMES, type Model, PLATFORMER, ROBOT, testModel, VRM_ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

/** All but the clips that stretch legs by more than a rig can hide. */
const REAL: readonly [Model, Model, readonly string[]][] = [
    [ROBOT, MIXAMO_NAMES, ['Punch']],
    [ROBOT, PLATFORMER, ['Punch']],
    [ROBOT, VRM_ROBOT, ['Punch']],
];
for (const [source, target, except] of REAL) {
    const absent = { ...target, absent: target.absent ?? source.absent };
    testModel(absent, `plays all clips of ${source.name} within the limits`, async () => {
        const { ok, retargeted } = await judgeRetargeted(folder(), target.path, [source.path], {
            emit: ['hit'],
            fps: 15,
        });
        expect(ok).toBe(true);
        expect(retargeted.length).toBeGreaterThan(10);
        const poor = retargeted.filter(({ worst, name }) => worst.ratio > 1 && !except.includes(name));
        expect(poor.map(({ name, worst }) => [name, worst])).toEqual([]);
    });
}
