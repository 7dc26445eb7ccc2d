// SPDX-License-Identifier: MIT

/**
 * npm run check:tidy: clang-tidy over every native file that this machine builds (.clang-tidy has its checks). The
 * compile commands are CMake's; Node's headers are those of the package node-api-headers.
 *
 * Only some files: node scripts/check/tidy.mjs native/addon/addon.cpp
 */

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { include_dir as headers } from 'node-api-headers';
import { cmake, findCommand, forEachOf, root, runCommand } from '../lib.mjs';

const build = path.join(root, 'build-tidy');

// One version, because versions know other checks.
const command = findCommand(['clang-tidy-14', 'clang-tidy'], /version 14\./);
if (command === undefined || findCommand(['cmake']) === undefined) {
    console.log('clang-tidy: not run, clang-tidy 14 or CMake is not installed (Debian: clang-tidy-14, cmake)');
    process.exit(process.env.CI ? 1 : 0);
}

const named = process.argv.slice(2).map((file) => path.resolve(file));
cmake(build, { CMAKE_EXPORT_COMPILE_COMMANDS: 'ON', CMAKE_JS_INC: headers });
const files = JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json'), 'utf8'))
    .map(({ file }) => file)
    .filter((file) => named.length === 0 || named.includes(file))
    // The longest first, so that the jobs end together.
    .sort((a, b) => Number(b.includes('/isa/')) - Number(a.includes('/isa/')));

const start = performance.now();
let faulty = 0;
await forEachOf(files, os.availableParallelism(), async (file) => {
    const { status, stdout, output } = await runCommand(command, ['-p', build, '--quiet', file]);
    if (status === 0) return;
    faulty++;
    console.error(stdout || output);
});
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
    `clang-tidy: ${files.length} files, ${faulty === 0 ? 'nothing found' : `${faulty} not clean`} (${seconds} s)`,
);
process.exit(faulty === 0 && files.length > 0 ? 0 : 1);
