// SPDX-License-Identifier: MIT

/**
 * A JavaScript runtime on musl, on Debian: Bun's build for musl, with Debian's musl (musl-tools). Bun needs a libstdc++ for
 * musl, which Debian does not have. So one is linked from Debian's objects (libstdc++-12-pic), with the few functions of
 * glibc that these need and musl lacks.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root, runCommand } from '../../lib.mjs';
import { fetchTool } from '../tools.mjs';

/** GCC's path of a library, or null. GCC prints only the name of a library that it does not have. */
async function gccFile(name) {
    const { output } = await runCommand('gcc', [`-print-file-name=${name}`]);
    return path.isAbsolute(output.trim()) ? output.trim() : null;
}

async function linkLibstdcxx(folder) {
    const [objects, unwinder] = await Promise.all(['libstdc++_pic.a', 'libgcc_eh.a'].map(gccFile));
    if (objects === null || unwinder === null)
        throw new Error('libstdc++_pic.a is not there (Debian: libstdc++-12-pic)');
    const library = path.join(folder, 'libstdc++.so.6');
    const shim = path.join(root, 'scripts/release/runtimes/musl-shim.c');
    const args = ['-shared', '-fPIC', shim, '-o', library, '-Wl,-soname,libstdc++.so.6', '-Wl,--whole-archive'];
    const { status, output } = await runCommand('musl-gcc', [
        ...args,
        objects,
        unwinder,
        '-Wl,--no-whole-archive',
        '-lgcc',
    ]);
    if (status !== 0) throw new Error(`musl-gcc: ${output.trim().split('\n')[0]} (Debian: musl-tools)`);
}

/** { command, env } to run a script by it. @throws Error What is missing. */
export async function bunOnMusl() {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('tried on Linux x64 only');
    const folder = path.join(root, 'build/tools/musl');
    fs.mkdirSync(folder, { recursive: true });
    await linkLibstdcxx(folder);
    const bun = await fetchTool('@oven/bun-linux-x64-musl', 'latest', { os: 'linux', cpu: 'x64', libc: 'musl' });
    return { command: [path.join(bun, 'bin/bun')], env: { ...process.env, LD_LIBRARY_PATH: folder } };
}
