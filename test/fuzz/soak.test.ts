// SPDX-License-Identifier: MIT

/** The short form of scripts/soak.mjs, in a process of its own. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const { riseOf } = require('../../scripts/soak/soak.cjs') as { riseOf(samples: readonly number[]): number };
const ROOT = join(__dirname, '../..');

test('a million calls, 1,500 rig loads and 24 bakes do not make the process grow', () => {
    const sizes = ['--calls', '1e6', '--loads', '1500', '--bakes', '24', '--most', '8'];
    const args = ['--expose-gc', 'scripts/soak.mjs', ...sizes];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('"rig loads"')]);
});

test('what rises is the second half alone', () => {
    expect(riseOf([0, 50, 100, 100, 100, 100, 100, 100])).toBe(0);
    expect(riseOf([0, 0, 0, 0, 1, 2, 3, 4])).toBeCloseTo(3);
    expect(riseOf([9, 9, 9, 9, 4, 3, 2, 1])).toBeCloseTo(-3);
});
