// SPDX-License-Identifier: MIT

/**
 * node scripts/release/oldest-peers.mjs: the tests of poselane/three and poselane/babylon, also in Chromium, with the oldest three.js and
 * Babylon.js that package.json allows. The tests run in a copy of this folder, build/oldest-peers, on the last build.
 *
 * Options: --three 0.162.0, --babylon 8.50.2: other versions than those of package.json.
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

/** Copies the files that git does not ignore, and dist/. */
function copyTree() {
    fs.rmSync(FOLDER, { recursive: true, force: true });
    for (const file of listFiles()) fs.cpSync(path.join(root, file), path.join(FOLDER, file));
    fs.cpSync(path.join(root, 'dist'), path.join(FOLDER, 'dist'), { recursive: true });
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

const { values: options } = parseArgs({ options: { three: { type: 'string' }, babylon: { type: 'string' } } });
const three = options.three ?? oldest('three');
const babylon = options.babylon ?? oldest('@babylonjs/core');
// @types/three has the minor versions of three.
const types = `~${three.replace(/\d+$/, '0')}`;
const loaders = await fetchTool('@babylonjs/loaders', babylon, {}, [`@babylonjs/core@${babylon}`]);
copyTree();
linkModules({
    three: await fetchTool('three', three),
    '@types/three': await fetchTool('@types/three', types),
    '@babylonjs/loaders': loaders,
    '@babylonjs/core': path.join(loaders, '../core'),
});
console.log(`oldest peers: three ${three}, @babylonjs/core and loaders ${babylon}`);
const tests = TESTS.map((name) => `test/(long/)?${name}`);
const { status } = spawnSync(process.execPath, [binary('jest'), ...tests, ...NOT_THESE], {
    cwd: FOLDER,
    stdio: 'inherit',
});
process.exit(status ?? 1);
