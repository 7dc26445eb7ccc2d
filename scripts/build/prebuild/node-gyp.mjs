// SPDX-License-Identifier: MIT

/** node-gyp for prebuildify, without emptying build/, which has other files. It compiles what is older than its sources. */

import { binary, runNode } from '../../lib.mjs';

const [, ...options] = process.argv.slice(2); // the first is rebuild
const { ok, output } = runNode(binary('node-gyp'), ['configure', 'build', '--jobs=2', ...options]);
if (!ok) process.stderr.write(output);
process.exit(ok ? 0 : 1);
