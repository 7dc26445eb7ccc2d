// SPDX-License-Identifier: MIT

/** test/long/threads.mjs, in its own process: a thread that crashes the process must not crash the tests. */

import { join } from 'node:path';
import { itNative } from '../../support/implementations';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

itNative('a hundred threads ended in the middle of calls, contexts, several loads, a copy, shared poses', () => {
    const args = ['test/long/threads.mjs'];
    const { status, signal, stdout, stderr } = runNode(args, { cwd: ROOT });
    expect([status, signal, stderr]).toEqual([0, null, '']);
    expect(JSON.parse(stdout)).toEqual({ terminations: 100, native: true });
});
