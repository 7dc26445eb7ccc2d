// SPDX-License-Identifier: MIT

/** scripts/threads.mjs, in a process of its own: a thread that takes the process with it must not take the tests. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { itNative } from '../support/implementations';

const ROOT = join(__dirname, '../..');

itNative('42 threads ended in the middle of calls, contexts, several loads, a copy, shared poses', () => {
    // The script waits in seven ways before it ends a pair: each of them three times.
    const args = ['scripts/threads.mjs', '--terminations', '42'];
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect([status, signal, stderr]).toEqual([0, null, '']);
    expect(JSON.parse(stdout)).toEqual({ terminations: 42, native: true });
});
