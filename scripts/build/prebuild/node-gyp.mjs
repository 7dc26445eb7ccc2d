// SPDX-License-Identifier: MIT

/**
 * node-gyp as prebuildify calls it, but without emptying build/, where other things lie as well: what is older than its sources is
 * compiled anew all the same.
 */

import { binary, runNode } from '../../lib.mjs';

const [, ...options] = process.argv.slice(2); // the first is rebuild
const { ok, output } = runNode(binary('node-gyp'), ['configure', 'build', '--jobs=2', ...options]);
if (!ok) process.stderr.write(output);
process.exit(ok ? 0 : 1);
