// SPDX-License-Identifier: MIT

/** Clips of a real character on other real rigs, by the measures of `verify`. */

import { judgeRetargeted } from '../../support/judge-retargeted';
import { KNIGHT, MIXAMO_NAMES, type Model, PLATFORMER, ROBOT, testModel, VRM_ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

/** Hips that turn far above standing feet. */
const SPINS = ['2H_Melee_Attack_Spin', '2H_Melee_Attack_Spinning'];
const LIES = ['Lie_Idle', 'Lie_Pose', 'Lie_Down', 'Lie_StandUp'];

/** Also the clips that stretch legs, or turn hips, too far for a rig to hide. */
const REAL: readonly [Model, Model, readonly string[]][] = [
    [ROBOT, MIXAMO_NAMES, ['Punch']],
    [ROBOT, PLATFORMER, ['Punch']],
    [ROBOT, VRM_ROBOT, ['Punch']],
    [ROBOT, KNIGHT, ['Punch']],
    [KNIGHT, ROBOT, []],
    [KNIGHT, VRM_ROBOT, SPINS],
    [KNIGHT, PLATFORMER, [...SPINS, '2H_Melee_Attack_Slice', ...LIES]],
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
        const poor = retargeted.filter(({ worst }) => worst.ratio > 1);
        expect(poor.map(({ name }) => name).sort()).toEqual([...except].sort());
    });
}
