// SPDX-License-Identifier: MIT

/**
 * node test/long/valgrind.mjs: native kernels of all implementations, and the Rig's, under valgrind's memcheck, which reports reads of
 * uninitialized memory. Ends with 1 at an error in the addon; errors of V8 do not count. First it proves that a call with an
 * uninitialized index list is reported.
 *
 * valgrind 3.19 does not support AVX-512 and hides it: the addon then uses AVX2.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../../scripts/lib.mjs';

const { status: installed, stdout: version } = spawnSync('valgrind', ['--version'], { encoding: 'utf8' });
if (installed !== 0) {
    console.error('valgrind: not installed (Debian: valgrind)');
    process.exit(1);
}

/** The output of valgrind-calls.cjs, all reports of valgrind, and those in the addon. */
function memcheck(...args) {
    const log = path.join(root, 'build/valgrind.log');
    const { status, stdout, stderr } = spawnSync(
        'valgrind',
        [
            ...['--error-exitcode=0', '--num-callers=30', '--undef-value-errors=yes', `--log-file=${log}`],
            // V8 writes code to memory that had other contents before.
            ...['--smc-check=all-non-file', process.execPath, '--jitless'],
            ...[path.join(root, 'test/long/valgrind-calls.cjs'), ...args],
        ],
        { cwd: root, encoding: 'utf8' },
    );
    if (status !== 0) {
        process.stderr.write(stderr);
        console.error(`valgrind: the calls themselves failed (${status})`);
        process.exit(1);
    }
    /** A line with only the process's number separates reports. */
    const reports = fs
        .readFileSync(log, 'utf8')
        .split(/^==\d+== \n/m)
        .filter((report) => /^==\d+== +(at|by) /m.test(report));
    return { stdout, reports, ours: reports.filter((report) => report.includes('poselane.node')) };
}

if (memcheck('--wrong').ours.length === 0) {
    console.error('valgrind: an uninitialized index list was not reported');
    process.exit(1);
}
const start = performance.now();
const { stdout, reports, ours } = memcheck();
for (const report of ours) console.error(report);
console.log(
    `valgrind: ${stdout.trim()}; ${version.trim()}, ${reports.length} reports, ${ours.length} of them in the addon, ` +
        `${((performance.now() - start) / 1000).toFixed(0)} s; the wrong call was reported`,
);
process.exit(ours.length === 0 ? 0 : 1);
