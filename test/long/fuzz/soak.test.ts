// SPDX-License-Identifier: MIT

/** The short form of test/long/soak.mjs, in a process of its own. */

import { join } from 'node:path';
import * as lib from '../../../lib';
import { nativeSkipReason } from '../../support/implementations';
import { CHARACTER } from '../../support/models';
import { runNode } from '../../support/processes';

const { riseOf, soakAll } = require('../soak/soak.cjs') as {
    riseOf(samples: readonly number[]): number;
    soakAll(poselane: object, what: object): Promise<unknown>;
};
const ROOT = join(__dirname, '../../..');

test('a million calls, 720 rig loads and 24 bakes do not make the process grow', () => {
    // 8 MiB in the second half are 23 KiB a load: a twelfth of the file that is loaded. The nightly run has ten thousand loads.
    const sizes = ['--calls', '1e6', '--loads', '720', '--bakes', '24', '--most', '8'];
    const args = ['--expose-gc', 'test/long/soak.mjs', ...sizes];
    const { status, stdout, stderr } = runNode(args, { cwd: ROOT });
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('"rig loads"')]);
    for (const line of stdout.trim().split('\n')) {
        expect(JSON.parse(line)).toMatchObject({ native: nativeSkipReason() === null });
    }
});

test('a wrong call that is not refused ends it', async () => {
    const run = soakAll(
        { ...lib, slerpJoints: () => {} },
        { model: CHARACTER.path, example: CHARACTER.path, sizes: { calls: 24_000, loads: 0, bakes: 0 } },
    );
    await expect(run).rejects.toThrow('a wrong call was not refused');
});

test('what rises is the second half alone', () => {
    expect(riseOf([0, 50, 100, 100, 100, 100, 100, 100])).toBe(0);
    expect(riseOf([0, 0, 0, 0, 1, 2, 3, 4])).toBeCloseTo(3);
    expect(riseOf([9, 9, 9, 9, 4, 3, 2, 1])).toBeCloseTo(-3);
});
