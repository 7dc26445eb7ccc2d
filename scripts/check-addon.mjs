// SPDX-License-Identifier: MIT

/**
 * npm run check:addon [file] [-- --architecture arm64]: what the built addon must be on Linux. No library but libc and
 * libm, no symbol newer than glibc 2.17, nothing exported but the module's entry points; and what check-objects.mjs
 * asks of the objects that it was linked from, which lie in the build folder around it: no fused multiply-add but in
 * fast/*, and more.
 */

import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { checkBuild, toolName } from './check-objects.mjs';
import { root } from './lib.mjs';

const { values: options, positionals } = parseArgs({
    options: { architecture: { type: 'string', default: process.arch } },
    allowPositionals: true,
});
const file = path.resolve(positionals[0] ?? path.join(root, 'build/Release/poselane.node'));

function tool(program, ...args) {
    const command = toolName(program, options.architecture);
    const { status, error, stdout, stderr } = spawnSync(command, [...args, file], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
    });
    if (error || status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
    return stdout;
}

if (process.platform !== 'linux') {
    console.log('addon: checked on Linux only');
    process.exit(0);
}

const build = path.dirname(path.dirname(file));
const { faults, checked, instructions, fused } = checkBuild(build, options.architecture);

const needed = [...tool('readelf', '-d').matchAll(/NEEDED.*\[(.+)\]/g)].map((match) => match[1]);
const unwanted = needed.filter((library) => !/^lib[cm]\.so/.test(library));
if (unwanted.length > 0) faults.push(`needs ${unwanted.join(', ')}`);

const versions = [...tool('objdump', '-T').matchAll(/GLIBC_(\d+)\.(\d+)/g)].map((match) => match.slice(1).map(Number));
const newest = versions.sort((a, b) => a[0] - b[0] || a[1] - b[1]).at(-1);
if (newest && (newest[0] > 2 || newest[1] > 17)) faults.push(`needs GLIBC_${newest.join('.')}`);

const ENTRY_POINTS = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];
const exported = tool('nm', '-D', '--defined-only')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ').at(-1));
if (exported.sort().join() !== ENTRY_POINTS.join()) faults.push(`exports ${exported.join(', ')}`);

for (const fault of faults) console.error(`${path.relative(root, file)}: ${fault}`);
console.log(`addon: needs ${needed.join(' and ')}, GLIBC_${newest?.join('.')}`);
console.log(`objects: ${checked}, ${instructions} instructions, ${fused} fused multiply-adds in fast/*`);
process.exit(faults.length === 0 ? 0 : 1);
