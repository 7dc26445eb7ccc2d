// SPDX-License-Identifier: MIT

/**
 * npm run check:addon [file] [-- --architecture arm64]: checks the built addon on Linux. It needs no library (release/binary.mjs), exports
 * only the entry points, and has no writable data, which threads would share. objects.mjs checks its object files in the build folder.
 */

import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { endWith, root } from '../lib.mjs';
import { describeBinary, faultsOfBinary, readBinary } from '../release/binary.mjs';
import { checkBuild, objdump, symbolsIn } from './objects.mjs';

const WRITABLE = /^\.(data|bss|tdata|tbss)$/;
/** Variables of the compiler's own start-up files, and how many bytes they take. */
const STARTUP = /^(__dso_handle|__TMC_END__|completed\.\d+|_edata|_end|__bss_start)$/;
const MAX_STARTUP_BYTES = 16;

/** Writable data in the output of `objdump -h -t`. Relocated constants are in `.data.rel.ro`, which the loader makes read-only. */
function writableState(text) {
    const named = symbolsIn(text).filter(
        ({ flags, section, name }) => WRITABLE.test(section) && !flags.includes('d') && !STARTUP.test(name),
    );
    const faults = named.map(
        ({ name, section }) => `${name} in ${section} can be written, by all threads and contexts`,
    );
    // All of them, with the names stripped too.
    for (const [, section, size] of text.matchAll(/^ +\d+ (\.\S+) +([0-9a-f]+) /gm)) {
        const bytes = Number.parseInt(size, 16);
        if (!WRITABLE.test(section) || bytes <= MAX_STARTUP_BYTES) continue;
        faults.push(`${section} has ${bytes} bytes that can be written`);
    }
    return faults;
}

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

const binary = readBinary(file);
// CMake's builds for this machine link libm; prebuilds do not (release.mjs).
const libraries = binary.libraries.filter((library) => library !== 'libm.so.6');
faults.push(...faultsOfBinary({ ...binary, libraries }));

const text = objdump(options.architecture, '-p', '-h', '-t', file);
faults.push(...writableState(text));
if (!/^ +RELRO /m.test(text)) faults.push('constants are not made read-only');

const objects = `${checked} objects, ${instructions} instructions, ${fused} fused multiply-adds in fast/*`;
endWith(faults, path.relative(root, file), `${describeBinary(binary)}; ${objects}`);
