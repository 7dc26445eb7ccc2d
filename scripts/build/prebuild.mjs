// SPDX-License-Identifier: MIT

/**
 * npm run prebuilds [-- --platform name]: an addon for the npm package, prebuilds/<platform>/poselane.node.
 *
 * prebuildify makes that of this machine (the default): compiled by node-gyp, and stripped of names. On Linux, CMake can also
 * make linux-arm64 and win32-x64, with the compilers of the toolchain files in scripts/build/prebuild/: gyp would need a
 * Node of those machines. All others are made on their own system.
 *
 * scripts/check/release.mjs checks the result.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { include_dir as nodeApiHeaders, def_paths as nodeApiNames } from 'node-api-headers';
import prebuildify from 'prebuildify';
import { cmake, endWith, HOST, headersFolder, root, runOrThrow } from '../lib.mjs';
import { PLATFORMS } from '../release/platforms.mjs';

const CROSS = {
    'linux-arm64': { strip: 'aarch64-linux-gnu-strip' },
    'win32-x64': { strip: 'x86_64-w64-mingw32-strip', nodeLibrary: true },
};

/** Writes the import library of the symbols that the addon takes from node.exe. */
function writeNodeLibrary(folder) {
    const names = [nodeApiNames.js_native_api_def, nodeApiNames.node_api_def].flatMap((file) =>
        fs.readFileSync(file, 'utf8').split(/\s+/).slice(3).filter(Boolean),
    );
    const definitions = path.join(folder, 'node.def');
    fs.writeFileSync(definitions, `LIBRARY node.exe\nEXPORTS\n${names.join('\n')}\n`);
    const library = path.join(folder, 'libnode.a');
    runOrThrow('llvm-dlltool-14', ['-m', 'i386:x86-64', '-d', definitions, '-l', library]);
    return library;
}

function buildForOther(platform, file) {
    const folder = path.join(root, 'build-prebuild', platform);
    // CMake would keep its settings of the previous compiler.
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    const settings = {
        CMAKE_BUILD_TYPE: 'Release',
        CMAKE_TOOLCHAIN_FILE: path.join(root, 'scripts/build/prebuild', `toolchain-${platform}.cmake`),
        POSELANE_PREBUILD: 'ON',
        CMAKE_LIBRARY_OUTPUT_DIRECTORY: path.join(folder, 'Release'),
        CMAKE_RUNTIME_OUTPUT_DIRECTORY: path.join(folder, 'Release'),
        CMAKE_JS_INC: nodeApiHeaders,
        ...(CROSS[platform].nodeLibrary ? { CMAKE_JS_LIB: writeNodeLibrary(folder) } : {}),
    };
    cmake(folder, settings, ['poselane']);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    runOrThrow(CROSS[platform].strip, ['-o', file, path.join(folder, 'Release/poselane.node')]);
}

/** Builds with the node-gyp of this project and Node's own headers. */
async function buildForHost(file) {
    const headers = headersFolder();
    if (headers !== null) process.env.npm_config_nodedir = headers;
    const nodeGyp = `"${process.execPath}" "${path.join(root, 'scripts/build/prebuild/node-gyp.mjs')}"`;
    const how = { cwd: root, targets: [process.version], napi: true, strip: true, nodeGyp, shell: true };
    await promisify(prebuildify)(how);
    // prebuildify moves the addon, but tests need it here as well.
    fs.copyFileSync(file, path.join(root, 'build/Release/poselane.node'));
}

async function build(platform) {
    if (!(platform in PLATFORMS)) {
        throw new Error(`there are no prebuilds for ${platform}; there are for ${Object.keys(PLATFORMS).join(', ')}`);
    }
    if (platform !== HOST && !(platform in CROSS && process.platform === 'linux')) {
        throw new Error(`${platform} is built there, not on ${HOST}: npm run build && npm run prebuilds`);
    }
    const file = path.join(root, 'prebuilds', platform, 'poselane.node');
    // A new file, because the old one can be in use.
    fs.rmSync(file, { force: true });
    await (platform === HOST ? buildForHost(file) : buildForOther(platform, file));
    return `${path.relative(root, file)}, ${fs.statSync(file).size} bytes`;
}

const { values: options } = parseArgs({ options: { platform: { type: 'string', default: HOST } } });
try {
    endWith([], 'prebuild', await build(options.platform));
} catch (error) {
    endWith([error.message], 'prebuild', 'not made');
}
