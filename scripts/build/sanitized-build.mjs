// SPDX-License-Identifier: MIT

/**
 * One build with AddressSanitizer and UndefinedBehaviorSanitizer for test/long/fuzz-native.mjs and test/long/sanitizers.mjs,
 * because the kernels take minutes to compile. Uses clang, which has libFuzzer, if it is installed.
 */

import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { include_dir as nodeApiHeaders } from 'node-api-headers';
import { cmake, findCommand, root } from '../lib.mjs';
import compiler from './compiler.cjs';

export const clang = findCommand(['clang++-14', 'clang++']);
export const builder = clang ?? compiler.findCompiler();

const folder = path.join(root, 'build-fuzz', clang ? 'clang' : 'other');
/** For POSELANE_PREBUILD: node-gyp-build looks there for build/Release. */
const addonFolder = path.join(folder, 'addon');

export const built = {
    folder,
    addonFolder,
    addon: path.join(addonFolder, 'build/Release/poselane.node'),
    /** An addon that is wrong on purpose. */
    overrun: path.join(folder, 'proof/overrun.node'),
};

/**
 * @param byCalls Clang instruments by calls, which compiles in half the time and runs at half the speed. Both scripts must use the same
 *   value, or everything is compiled again.
 */
export function buildSanitized(targets, { byCalls }) {
    if (builder === null) throw new Error('no C++ compiler (Debian: clang-14 libclang-rt-14-dev)');
    const start = performance.now();
    const settings = {
        POSELANE_FUZZ: 'ON',
        POSELANE_SANITIZE: 'address,undefined',
        POSELANE_SANITIZE_BY_CALLS: byCalls ? 'ON' : 'OFF',
        CMAKE_JS_INC: nodeApiHeaders,
        CMAKE_LIBRARY_OUTPUT_DIRECTORY: path.dirname(built.addon),
    };
    cmake(folder, settings, targets, { ...process.env, CXX: builder });
    return `built by ${builder} in ${((performance.now() - start) / 1000).toFixed(0)} s`;
}

/** Libraries to load before an addon with AddressSanitizer. */
export function sanitizerLibrary() {
    const architecture = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
    const name = clang ? `libclang_rt.asan-${architecture}.so` : 'libasan.so';
    const { stdout } = spawnSync(builder, [`-print-file-name=${name}`], { encoding: 'utf8' });
    const file = stdout?.trim() ?? '';
    // Only a name: the compiler does not have it.
    if (!path.isAbsolute(file)) throw new Error(`${builder} has no ${name}`);
    return file;
}
