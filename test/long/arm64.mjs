// SPDX-License-Identifier: MIT

/**
 * npm run arm64: the addon for 64-bit ARM Linux, cross-compiled, checked and run by Node for arm64 under qemu-user. Results are
 * compared with the same files as on x86-64: golden bits of every routine and of the Rig by strict/neon, strict/scalar and
 * strict/typescript, also in another arithmetic mode, and the bytes of bakes. Then sweep.mjs compares the implementations.
 *
 * Needs Debian's g++-aarch64-linux-gnu, cmake and qemu-user, and the npm registry for Node itself (stored in build/tools/).
 * If one of them is missing, it prints which, and does nothing. With --required that is a failure.
 *
 * Options: --required; --addon file: this addon, e.g. a prebuild, in place of one that is compiled here; --quick: golden bits of
 * strict/neon and the plain functions, bakes by strict/neon, and no more.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { cmake, forEachOf, requireCommand, root, runNode, runOrThrow, tryOut } from '../../scripts/lib.mjs';
import { ARM64 } from '../../scripts/release/runtimes/runtimes.mjs';
import { fetchNode } from '../../scripts/release/tools.mjs';
import bakes from './sweep/bakes.cjs';
import { goldenFaults, NODE_FLAGS, outputOf } from './sweep/emulated.mjs';
import other from './sweep/other-arithmetic.cjs';

const NODE_VERSION = '20';
const COMPILER = 'aarch64-linux-gnu-g++';

const TIERS = ['strict/neon', 'strict/scalar'];
const STRICT = [...TIERS, 'strict/typescript'];
/** These implementations are listed only if they are present. */
const CONDITIONAL = /^(strict|fast|intel)\//;

const folder = path.join(root, 'build-arm64');
const otherArithmetic = path.join(folder, 'float_control.node');

const { values: options } = parseArgs({
    options: {
        required: { type: 'boolean', default: false },
        addon: { type: 'string' },
        quick: { type: 'boolean', default: false },
    },
});

/** @returns The folder that the package finds the addon in, when POSELANE_PREBUILD names it. */
function placeAddon(headers) {
    if (options.addon === undefined) return buildAddon(headers);
    const given = path.join(folder, 'given');
    fs.mkdirSync(path.join(given, 'build/Release'), { recursive: true });
    fs.copyFileSync(options.addon, path.join(given, 'build/Release/poselane.node'));
    return given;
}

function buildAddon(headers) {
    const build = path.join(folder, 'build');
    const addon = path.join(build, 'Release/poselane.node');
    const settings = {
        CMAKE_BUILD_TYPE: 'Release',
        CMAKE_TOOLCHAIN_FILE: ARM64.toolchain,
        CMAKE_JS_INC: headers,
        CMAKE_LIBRARY_OUTPUT_DIRECTORY: path.dirname(addon),
    };
    cmake(build, settings, ['poselane']);
    const { ok, output } = runNode(path.join(root, 'scripts/check/addon.mjs'), [addon, '--architecture', 'arm64']);
    process.stdout.write(output);
    if (!ok) throw new Error('the compiled objects have faults');
    return folder;
}

/** A program of Node's on the emulated machine, with the addon for it. */
function emulated(emulator, args, env = {}) {
    return outputOf([...emulator.command, ...args], { POSELANE_PREBUILD: emulator.addon, ...env });
}

/** @param expected The strict implementations that must have run, routines and Rig. */
async function reportFaults(emulator, expected, args) {
    const report = JSON.parse(await emulated(emulator, ['test/long/sweep/report.cjs', ...args]));
    const missing = expected.filter((name) => !report.names.includes(name)).map((name) => `${name} was not run`);
    return { report, faults: [...goldenFaults(report, expected), ...missing] };
}

/** @param only Implementations, the plain functions among them; all if left out. */
async function checkGolden(emulator, only) {
    const strict = STRICT.filter((name) => only?.includes(name) ?? true);
    const { report, faults } = await reportFaults(emulator, strict, only ? ['--only', only.join()] : []);
    const available = report.available.filter((name) => CONDITIONAL.test(name)).sort();
    const expected = [...STRICT, 'strict/wasm', 'intel/typescript'].sort();
    if (available.join() !== expected.join()) {
        faults.push(`has ${available.join(', ')}; expected ${expected.join(', ')}`);
    }
    return { faults, done: `golden bits of ${report.names.join(', ')}` };
}

const QUICK_GOLDEN = ['strict/neon', 'the plain functions'];

async function checkOtherArithmetic(emulator) {
    const disturbed = TIERS.map((name) => `${name}, disturbed`);
    const { faults } = await reportFaults(emulator, disturbed, ['--other-arithmetic', otherArithmetic]);
    return { faults, done: `golden bits of ${TIERS.join(', ')} where another arithmetic is in force` };
}

/** The example, baked in every way: as here, and "everything" as in earlier releases. */
async function checkBakes(emulator) {
    const program = 'test/long/sweep/bakes.cjs';
    const here = JSON.parse(await outputOf([process.execPath, program]));
    const faults = [];
    const backends = options.quick ? ['strict/neon'] : STRICT;
    for (const backend of backends) {
        const there = JSON.parse(await emulated(emulator, [program], { POSELANE_BACKEND: backend }));
        if (there.poses !== backend) faults.push(`bakes: ${there.poses} evaluated poses, not ${backend}`);
        for (const [what, hash] of Object.entries(bakes.GOLDEN)) {
            if (there.golden[what] !== hash) faults.push(`bakes: ${backend} does not have the golden ${what}`);
        }
        for (const [recipe, hashes] of Object.entries(here.bakes)) {
            if (there.bakes[recipe] !== hashes) faults.push(`bakes: ${recipe}: ${backend} differs from ${here.poses}`);
        }
    }
    const count = Object.keys(here.bakes).length;
    return { faults, done: `${count} bakes of the example by ${backends.join(', ')}, as by ${here.poses} here` };
}

/** The bundled command prints its implementations. */
async function checkCommand(emulator) {
    const text = await emulated(emulator, ['dist/cli/main.js', 'info']);
    const [, joints, poses] = /joint lists (\S+), poses (\S+)\n/.exec(text) ?? [];
    const faults = joints === 'strict/neon' && poses === joints ? [] : [`poselane info says: ${text}`];
    return { faults, done: `poselane info: joint lists ${joints}, poses ${poses}` };
}

async function checkSweep(emulator) {
    const text = await emulated(emulator, ['test/long/sweep.mjs']);
    const faults = STRICT.filter((name) => !text.includes(name)).map((name) => `sweep: ${name} was not compared`);
    return { faults, done: (text.match(/^(Rig|sweep): .*/gm) ?? []).join('; ') };
}

function skip(reason) {
    console.log(`arm64: not run, ${reason}`);
    process.exit(options.required ? 1 : 0);
}

if (process.platform === 'linux' && process.arch === 'arm64') {
    console.log('arm64: this is such a machine: npm test and npm run golden do it without an emulator');
    process.exit(0);
}
if (process.platform !== 'linux') skip('it needs Linux');
let qemu;
try {
    requireCommand([COMPILER], 'g++-aarch64-linux-gnu');
    requireCommand(['cmake'], 'cmake');
    qemu = ARM64.emulator();
} catch (error) {
    skip(error.message);
}

let emulator;
const build = async () => {
    const node = await fetchNode(NODE_VERSION, 'linux', 'arm64');
    const headers = path.join(path.dirname(node), '../include/node');
    const addon = placeAddon(headers);
    runOrThrow(COMPILER, other.compilerOptions(headers, otherArithmetic), { input: other.SOURCE });
    emulator = { command: [...qemu, node, ...NODE_FLAGS], addon };
    return { faults: [], done: 'built' };
};
let failed = await tryOut('arm64', build);
const checks = options.quick
    ? [() => checkGolden(emulator, QUICK_GOLDEN), checkBakes, checkCommand]
    : [checkGolden, checkBakes, checkSweep, checkCommand, checkOtherArithmetic];
if (failed === 0) {
    await forEachOf(checks, 2, async (check) => {
        failed += await tryOut('arm64', () => check(emulator));
    });
}
process.exit(failed === 0 ? 0 : 1);
