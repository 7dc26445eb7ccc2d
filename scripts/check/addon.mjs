// SPDX-License-Identifier: MIT

/**
 * npm run check:addon [file] [-- --architecture arm64]: what the built addon must be on Linux. It needs no library
 * (release/binary.mjs), exports nothing but the module's entry points, and has nothing that can be written and so would be
 * shared by threads; and what objects.mjs asks of the objects that it was linked from, which lie in the build folder around
 * it: no fused multiply-add but in fast/*, and more.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib.mjs';
import { describeBinary, faultsOfBinary, readBinary } from '../release/binary.mjs';
import { checkBuild, tool } from './objects.mjs';
import { writableState } from './state.mjs';

const { values: options, positionals } = parseArgs({
    options: { architecture: { type: 'string', default: process.arch } },
    allowPositionals: true,
});
const file = path.resolve(positionals[0] ?? path.join(root, 'build/Release/poselane.node'));

if (process.platform !== 'linux') {
    console.log('addon: checked on Linux only');
    process.exit(0);
}

const build = path.dirname(path.dirname(file));
const { faults, checked, instructions, fused } = checkBuild(build, options.architecture);

const binary = readBinary(fs.readFileSync(file));
// CMake's builds for this machine link libm; prebuilds do not (release.mjs).
const libraries = binary.libraries.filter((library) => library !== 'libm.so.6');
faults.push(...faultsOfBinary({ ...binary, libraries }));

const print = (program, flag) => tool(options.architecture, program, flag, file);
faults.push(...writableState(print('objdump', '-t'), print('readelf', '-SW')));
if (!/GNU_RELRO/.test(print('readelf', '-lW'))) faults.push('constants are not made read-only');

for (const fault of faults) console.error(`${path.relative(root, file)}: ${fault}`);
console.log(`addon: ${describeBinary(binary)}`);
console.log(`objects: ${checked}, ${instructions} instructions, ${fused} fused multiply-adds in fast/*`);
process.exit(faults.length === 0 ? 0 : 1);
