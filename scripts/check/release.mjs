// SPDX-License-Identifier: MIT

/**
 * npm run check:release [-- --tarball file]: checks a tarball, or without one this folder's prebuilds/.
 *
 * - Each platform of prebuilds/platforms.json has a prebuild for its processor. It needs only libraries and symbols that
 *   release/binary.mjs allows, exports only the entry points, has all implementations, and does not contain a path of the build machine.
 * - The tarball has all files that package.json names, the licenses and the sources of the addon, and no tests or gyp files.
 * - No script runs on installation.
 * - docs/install.md has the table of platforms.json; --write-docs writes it.
 *
 * --platforms a,b: only these prebuilds. --prebuilds folder: in place of prebuilds/. Addons for Windows and macOS need llvm-readobj.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { endWith, filesBelow, HOST, root } from '../lib.mjs';
import { describeBinary, faultsOfBinary, machinePathIn, readBinary } from '../release/binary.mjs';
import { unpack } from '../release/package.mjs';
import { PLATFORMS, withTable } from '../release/platforms.mjs';

/** Files of every tarball that package.json does not name. */
const WANTED = [
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'LICENSE',
    'LICENSES/MIT.txt',
    'LICENSES/LGPL-2.1-or-later.txt',
    'CMakeLists.txt',
    'native/sources.json',
    'native/addon/exports.map',
];

const UNWANTED =
    /^binding\.gyp$|^(test|build|out|scripts|bench|examples)\/|^native\/.*(test|fuzz|bench)|\.test\.|\.clang-/;

/** Implementations in an addon that have functions, or that this CPU cannot run. */
function implementationsHere(file) {
    const program = `
        const { implementations } = require(process.argv[1]);
        console.log(JSON.stringify(implementations.map(({ name, unavailable, kernels }) =>
            ({ name, works: unavailable !== undefined || Object.keys(kernels).length > 0 }))));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program, file], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`does not load: ${stderr.trim().split('\n')[4] ?? stderr}`);
    return JSON.parse(stdout)
        .filter(({ works }) => works)
        .map(({ name }) => name);
}

/**
 * Implementations whose names are in a prebuild for another machine, each followed by a zero. native/core/dispatch.cpp would not link
 * without their kernels. other-runtimes.mjs runs them in emulators.
 */
const implementationsIn = (bytes, wanted) => wanted.filter((name) => bytes.includes(`${name}\0`, 'latin1'));

function checkPrebuild(platform, file) {
    const { implementations } = PLATFORMS[platform];
    const bytes = fs.readFileSync(file);
    const binary = readBinary(file);
    const faults = faultsOfBinary(binary);
    const [system, architecture] = platform.split('-');
    if (binary.system !== system || !binary.architectures.includes(architecture)) {
        faults.push(`is for ${binary.system} ${binary.architectures.join(' and ')}`);
    }
    let found = [];
    try {
        found = platform === HOST ? implementationsHere(file) : implementationsIn(bytes, implementations);
    } catch (error) {
        faults.push(error.message);
    }
    const missing = implementations.filter((name) => !found.includes(name));
    if (missing.length > 0) faults.push(`lacks ${missing.join(', ')}`);
    const named = bytes.includes(root) ? root : machinePathIn(bytes, binary.libraries);
    if (named !== undefined) faults.push(`names a place on the machine that built it: ${named}`);
    return { faults, said: `${(bytes.length / 1024).toFixed(0)} KiB, ${describeBinary(binary)}` };
}

/**
 * @param claimedOnly Whether other platforms than those of platforms.json are faults.
 * @returns Faults of all prebuilds below a folder.
 */
function checkPrebuilds(folder, asked, claimedOnly) {
    const faults = [];
    for (const platform of Object.keys(PLATFORMS)) {
        const file = path.join(folder, platform, 'poselane.node');
        const there = fs.existsSync(file);
        if (!there && asked.includes(platform)) faults.push(`${platform}: the prebuild is missing`);
        if (!there) continue;
        if (claimedOnly && !PLATFORMS[platform].prebuilt) {
            faults.push(`${platform}: the package has a prebuild, and platforms.json says it has none`);
        }
        try {
            const checked = checkPrebuild(platform, file);
            faults.push(...checked.faults.map((fault) => `${platform}: ${fault}`));
            console.log(`release: ${platform}: ${checked.said}`);
        } catch (error) {
            faults.push(`${platform}: ${error.message}`);
        }
    }
    for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
        if (!/\.(json|md)$/.test(name) && !(name in PLATFORMS)) faults.push(`prebuilds/${name}: no such platform`);
    }
    return faults;
}

/** @returns Faults of an unpacked tarball, without its prebuilds. */
function checkPackage(folder) {
    const faults = [];
    const files = filesBelow(folder).map((file) => path.relative(folder, file).replaceAll('\\', '/'));
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const { addon, core, isa } = JSON.parse(fs.readFileSync(path.join(root, 'native/sources.json'), 'utf8'));
    const named = JSON.stringify([manifest.main, manifest.types, manifest.exports, manifest.bin]).match(/dist\/[^"]+/g);
    for (const file of [...WANTED, ...new Set(named), ...addon, ...core, ...Object.values(isa).flat()]) {
        if (!files.includes(file)) faults.push(`${file} is missing`);
    }
    for (const file of files.filter((name) => UNWANTED.test(name))) faults.push(`${file} must not be in the package`);
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
        if (manifest.scripts?.[script]) faults.push(`package.json has the script ${script}`);
    }
    if (manifest.gypfile !== false) faults.push('package.json does not say "gypfile": false');
    const bytes = files.reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0);
    console.log(`release: ${files.length} files, ${(bytes / 1024 / 1024).toFixed(2)} MiB unpacked`);
    return faults;
}

const { values: options } = parseArgs({
    options: {
        tarball: { type: 'string' },
        prebuilds: { type: 'string', default: path.join(root, 'prebuilds') },
        platforms: { type: 'string' },
        'write-docs': { type: 'boolean', default: false },
    },
});
const claimed = Object.keys(PLATFORMS).filter((platform) => PLATFORMS[platform].prebuilt);
const asked = options.platforms?.split(',') ?? claimed;
for (const name of asked) if (!(name in PLATFORMS)) throw new Error(`--platforms: there is no ${name}`);

const faults = [];
const page = path.join(root, 'docs/install.md');
const text = fs.readFileSync(page, 'utf8');
if (options['write-docs']) fs.writeFileSync(page, withTable(text));
else if (text !== withTable(text))
    faults.push('the table of docs/install.md is not that of platforms.json: --write-docs');

if (options.tarball === undefined) {
    faults.push(...checkPrebuilds(options.prebuilds, asked, false));
} else {
    const tarball = path.resolve(options.tarball);
    console.log(`release: ${path.basename(tarball)}, ${(fs.statSync(tarball).size / 1024 / 1024).toFixed(2)} MiB`);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-release-'));
    try {
        const unpacked = unpack(tarball, folder);
        faults.push(...checkPackage(unpacked), ...checkPrebuilds(path.join(unpacked, 'prebuilds'), asked, true));
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}

endWith(faults, 'release', `${asked.join(', ')}: ${faults.length} faults`);
