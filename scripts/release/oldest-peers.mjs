// SPDX-License-Identifier: MIT

/**
 * node scripts/release/oldest-peers.mjs: the tests of poselane/three and poselane/babylon, also in Chromium, with the oldest three.js and
 * Babylon.js that package.json allows. The tests run in a copy of this folder, build/oldest-peers, on the last build.
 *
 * Options: --three 0.162.0, --babylon 8.50.2: other versions than those of package.json. --fbx oldest, --fbx newest: instead, the tests of
 * FBX files with the oldest loaders that read them, or with the newest loaders and core, which have versions of their own.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { binary, listFiles, root } from '../lib.mjs';
import { fetchTool } from './tools.mjs';

const FOLDER = path.join(root, 'build/oldest-peers');

/** Tests in which the engines draw, calculate or declare types. */
const TESTS = ['browser/chromium', 'browser/variants', 'three', 'babylon', 'rig/docs', 'package/subpaths'];

const FBX_TESTS = ['convert/fbx', 'convert/pairs'];

/** docs/loaders.md has the versions for `three/webgpu`. */
const NOT_THESE = ['--testPathIgnorePatterns', 'webgpu'];

/** The lower end of a peer's range. */
function oldest(name) {
    const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    const version = /^>=(\d+\.\d+\.\d+)$/.exec(peerDependencies[name])?.[1];
    if (version === undefined) throw new Error(`package.json: no lower end of ${name}: ${peerDependencies[name]}`);
    return version;
}

function packagesIn(folder) {
    const names = (below) => fs.readdirSync(path.join(folder, below)).filter((name) => !name.startsWith('.'));
    return names('').flatMap((name) => (name.startsWith('@') ? names(name).map((one) => `${name}/${one}`) : [name]));
}

/** Copies the files that git does not ignore, and what the build makes. */
function copyTree() {
    fs.rmSync(FOLDER, { recursive: true, force: true });
    const [shared, beside] = [path.join(root, '../shared'), path.join(FOLDER, '../shared')];
    if (fs.existsSync(shared) && !fs.existsSync(beside)) fs.symlinkSync(shared, beside, 'dir');
    for (const file of listFiles()) fs.cpSync(path.join(root, file), path.join(FOLDER, file));
    for (const made of ['dist', 'lib/webassembly/strict-bytes.ts'])
        fs.cpSync(path.join(root, made), path.join(FOLDER, made), { recursive: true });
}

/** Links this folder's node_modules, except the replaced packages. */
function linkModules(replaced) {
    const own = path.join(root, 'node_modules');
    const places = Object.fromEntries(packagesIn(own).map((name) => [name, path.join(own, name)]));
    for (const [name, place] of Object.entries({ ...places, ...replaced })) {
        const link = path.join(FOLDER, 'node_modules', name);
        fs.mkdirSync(path.dirname(link), { recursive: true });
        fs.symlinkSync(fs.realpathSync(place), link, 'dir');
    }
}

const string = { type: 'string' };
const { values: options } = parseArgs({ options: { three: string, babylon: string, fbx: string } });
const three = options.three ?? oldest('three');
const newest = options.fbx === 'newest' ? 'latest' : oldest(options.fbx ? '@babylonjs/loaders' : '@babylonjs/core');
const babylon = options.babylon ?? newest;
const loaders = await fetchTool('@babylonjs/loaders', babylon, {}, [`@babylonjs/core@${babylon}`]);
const replaced = { '@babylonjs/loaders': loaders, '@babylonjs/core': path.join(loaders, '../core') };
if (!options.fbx) {
    replaced.three = await fetchTool('three', three);
    // It has the minor versions of three.
    replaced['@types/three'] = await fetchTool('@types/three', `~${three.replace(/\d+$/, '0')}`);
}
copyTree();
linkModules(replaced);
const versions = Object.entries(replaced).map(([name, folder]) => {
    return `${name} ${JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version}`;
});
console.log(`peers: ${versions.join(', ')}`);
const tests = (options.fbx ? FBX_TESTS : TESTS).map((name) => `test/(long/)?${name}`);
const { status } = spawnSync(process.execPath, [binary('jest'), ...tests, ...NOT_THESE], {
    cwd: FOLDER,
    stdio: 'inherit',
});
process.exit(status ?? 1);
