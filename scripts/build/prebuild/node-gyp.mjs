// SPDX-License-Identifier: MIT

/** node-gyp for prebuildify. Keeps build/, which has other files, and compiles only objects older than their sources. */

import { binary, runNode } from '../../lib.mjs';

const [, ...options] = process.argv.slice(2); // the first is rebuild
const { ok, output } = runNode(binary('node-gyp'), ['configure', 'build', '--jobs=2', ...options]);
if (!ok) process.stderr.write(output);
process.exit(ok ? 0 : 1);
