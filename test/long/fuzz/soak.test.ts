// SPDX-License-Identifier: MIT

/** The short form of test/long/soak.mjs, in its own process. */

import { join } from 'node:path';
import { nativeSkipReason } from '../../support/implementations';
import { runNode } from '../../support/processes';

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
