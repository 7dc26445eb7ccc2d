// SPDX-License-Identifier: MIT

/** npm run check:style, the C++ half: clang-format over native/ (`--write` fixes it). */

import { spawnSync } from 'node:child_process';
import { findCommand, listFiles, root } from '../lib.mjs';

const files = listFiles(root, 'native/*.cpp', 'native/*.h');
// One version, because versions disagree about line breaks.
const command = findCommand(['clang-format-14', 'clang-format'], /version 14\./);
if (command === undefined) {
    console.log('C++ style: not checked, clang-format 14 is not installed (Debian: clang-format-14)');
    process.exit(process.env.CI ? 1 : 0);
}
const mode = process.argv.includes('--write') ? ['-i'] : ['--dry-run', '--Werror'];
const { status } = spawnSync(command, [...mode, ...files], { cwd: root, stdio: 'inherit' });
console.log(`C++ style: ${files.length} files, ${status === 0 ? 'in order' : 'see above'}`);
process.exit(status === 0 && files.length > 0 ? 0 : 1);
